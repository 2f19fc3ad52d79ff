// SPDX-License-Identifier: Apache-2.0
// The launcher: what is said when nothing starts, and that nothing is left then.
#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <linux/capability.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <filesystem>
#include <string>
#include <vector>

#include "flavors/local/child.h"
#include "flavors/local/cwd.h"
#include "flavors/local/launcher.h"
#include "flavors/local/program.h"
#include "sandproof/errors.h"
#include "sandproof/sanitized.h"
#include "tests/flavors/local_launch_support.h"

namespace sandproof::local {
namespace {

using test::has_children;
using test::Ran;
using ::testing::AllOf;
using ::testing::HasSubstr;

/// For a scope, the modes of files hold for this thread as for any user, should it be root's.
class WithoutPrivileges {
 public:
  WithoutPrivileges() {
    call(SYS_capget, before_);
    Sets none = before_;
    for (__user_cap_data_struct& part : none) part.effective = 0;
    call(SYS_capset, none);
  }
  ~WithoutPrivileges() { call(SYS_capset, before_); }
  WithoutPrivileges(const WithoutPrivileges&) = delete;
  WithoutPrivileges& operator=(const WithoutPrivileges&) = delete;

 private:
  using Sets = std::array<__user_cap_data_struct, _LINUX_CAPABILITY_U32S_3>;
  static void call(long number, Sets& sets) {
    __user_cap_header_struct header{_LINUX_CAPABILITY_VERSION_3, 0};
    EXPECT_EQ(::syscall(number, &header, sets.data()), 0);
  }
  Sets before_{};
};

class LaunchFailureTest : public test::LaunchTest {};

TEST_F(LaunchFailureTest, ABadDirectoryIsNamed) {
  test::write_file(scratch_ / "file", "");
  std::filesystem::create_directory(scratch_ / "gone");
  const Descriptor gone(::open((scratch_ / "gone").c_str(), O_PATH | O_CLOEXEC));
  std::filesystem::remove(scratch_ / "gone");
  const auto why = [](int base, const std::string& path) {
    try {
      open_cwd(base, path);
    } catch (const ExecError& error) {
      EXPECT_EQ(error.why(), LaunchFailure::kBadCwd);
      return std::string(error.what());
    }
    return std::string("it was opened");
  };
  EXPECT_THAT(why(cwd_.get(), "no/such"), AllOf(HasSubstr("no/such"), HasSubstr("No such file")));
  EXPECT_THAT(why(cwd_.get(), "file"), AllOf(HasSubstr("file"), HasSubstr("Not a directory")));
  EXPECT_THAT(why(cwd_.get(), "/no such"), AllOf(HasSubstr("'/no such'"), HasSubstr("No such")));
  EXPECT_THAT(why(gone.get(), ""), HasSubstr("No such file"));
}

TEST_F(LaunchFailureTest, WhatIsNotFoundSaysWhereItWasLookedFor) {
  const auto [why, text] = failure(spec({"no such program"}));
  EXPECT_EQ(why, LaunchFailure::kNotFound);
  EXPECT_THAT(text, AllOf(HasSubstr("'no such program'"), HasSubstr(kDefaultPath)));
  EXPECT_EQ(failure(spec({"./none"})).first, LaunchFailure::kNotFound);
  EXPECT_EQ(failure(spec({"/none/none"})).first, LaunchFailure::kNotFound);
  script("file", "");
  EXPECT_EQ(failure(spec({"./file/none"})).first, LaunchFailure::kNotFound);
}

TEST_F(LaunchFailureTest, WhatIsNoExecutableFileIsRefused) {
  script("plain", "#!/bin/sh\n", 0644);
  EXPECT_EQ(failure(spec({"./plain"})).first, LaunchFailure::kNotExecutable);
  EXPECT_THAT(failure(spec({"./plain"})).second, HasSubstr("ermission"));
  EXPECT_EQ(failure(spec({"/"})).first, LaunchFailure::kNotExecutable);
  EXPECT_THAT(failure(spec({"/"})).second, HasSubstr("is a directory"));
  ASSERT_EQ(::mkfifo((scratch_ / "fifo").c_str(), 0755), 0);
  EXPECT_THAT(failure(spec({"./fifo"})).second, HasSubstr("not a regular file"));
  // In PATH as well: what is there but cannot be executed is said, instead of "not found".
  LaunchSpec command = spec({"plain"});
  command.env["PATH"] = scratch_.path().string();
  EXPECT_EQ(failure(command).first, LaunchFailure::kNotExecutable);
}

// As dash and bash have it: 127, "not found".
TEST_F(LaunchFailureTest, ADirectoryThatMayNotBeSearchedHidesNothing) {
  const std::string closed = (scratch_ / "closed").string();
  std::filesystem::create_directory(closed);
  std::filesystem::create_directory(scratch_ / "bin");
  script("closed/tool", "#!/bin/sh\n");
  script("bin/plain", "#!/bin/sh\n", 0644);
  script("bin/sound", "#!/bin/sh\necho sound\n");
  LaunchSpec command = spec({"tool"});
  command.env["PATH"] = closed + ":bin";
  ASSERT_EQ(::chmod(closed.c_str(), 0), 0);
  {
    const WithoutPrivileges like_anybody;
    const auto [why, text] = failure(command);
    EXPECT_EQ(why, LaunchFailure::kNotFound);
    EXPECT_THAT(text, AllOf(HasSubstr("no program of that name was found in the command's PATH"),
                            HasSubstr("there is " + closed + "/tool cannot be seen (Permission")));
    command.argv = {"plain"};
    EXPECT_EQ(failure(command).first, LaunchFailure::kNotExecutable);
    command.argv = {"sound"};
    EXPECT_EQ(run(command).out, "sound\n");
  }
  ASSERT_EQ(::chmod(closed.c_str(), 0755), 0);
}

TEST_F(LaunchFailureTest, AMissingInterpreterIsNamed) {
  script("lost", "#! /no/such/interpreter -x\n");
  const auto [why, text] = failure(spec({"./lost"}));
  EXPECT_EQ(why, LaunchFailure::kNotExecutable);
  EXPECT_THAT(text, AllOf(HasSubstr("./lost"), HasSubstr("/no/such/interpreter")));
}

TEST_F(LaunchFailureTest, TheLoaderOfAProgramIsItsInterpreter) {
  EXPECT_THAT(interpreter_of("/proc/self/exe", cwd_.get()), HasSubstr("/ld-"));
}

TEST_F(LaunchFailureTest, WhatHasNoKnownFormatIsRefused) {
  script("data", "echo this is no program\n");
  EXPECT_EQ(failure(spec({"./data"})).first, LaunchFailure::kBadFormat);
  script("empty", "");
  EXPECT_EQ(failure(spec({"./empty"})).first, LaunchFailure::kBadFormat);
}

TEST_F(LaunchFailureTest, WhatIsTooLargeIsRefusedNeverCut) {
  const Ran ran = run({"sh", "-c", "printf %s \"$1\" | wc -c", "x", std::string(130'000, 'x')});
  EXPECT_EQ(ran.out, "130000\n");
  EXPECT_EQ(failure(spec({"true", std::string(200'000, 'x')})).first, LaunchFailure::kTooLarge);
  std::vector<std::string> argv(100, std::string(100'000, 'x'));
  argv.front() = "true";
  EXPECT_EQ(failure(spec(argv)).first, LaunchFailure::kTooLarge);
}

TEST_F(LaunchFailureTest, AShortageSaysTheReasonOfTheSystem) {
  if (kSanitized) {
    GTEST_SKIP() << "UndefinedBehaviorSanitizer needs descriptors itself to look at an exception";
  }
  rlim_t extra = 0;
  rlimit before{};
  ASSERT_EQ(::getrlimit(RLIMIT_NOFILE, &before), 0);
  const LaunchSpec command = spec({"sleep", "1000"});
  Descriptor next(::open("/dev/null", O_RDONLY | O_CLOEXEC));
  const rlim_t first_free = static_cast<rlim_t>(next.get());
  next.reset();
  int failures = 0;
  for (bool started = false; !started; ++extra) {
    ASSERT_LT(extra, 10U);
    std::string text;
    rlimit few = before;
    few.rlim_cur = first_free + extra;
    ASSERT_EQ(::setrlimit(RLIMIT_NOFILE, &few), 0);
    try {
      Child child(launch(command));
      started = true;
    } catch (const ExecError& error) {
      EXPECT_EQ(error.why(), LaunchFailure::kNoResources);
      text = error.what();
      ++failures;
    }
    ASSERT_EQ(::setrlimit(RLIMIT_NOFILE, &before), 0);
    if (!started) {
      EXPECT_THAT(text, HasSubstr("Too many open files"));
    }
    EXPECT_FALSE(has_children());
  }
  EXPECT_GE(failures, 2);
}

TEST_F(LaunchFailureTest, AFailedStartLeavesNoProcess) {
  script("lost", "#!/no/such/interpreter\n");
  const std::vector<std::vector<std::string>> bad = {
      {"none"}, {"./lost"}, {"/"}, {"true", std::string(200'000, 'x')}};
  for (const auto& argv : bad) failure(spec(argv));
  EXPECT_FALSE(has_children());
}

TEST_F(LaunchFailureTest, AnotherChildOfTheProgramIsNeverReaped) {
  const pid_t other = ::fork();
  ASSERT_GE(other, 0);
  if (other == 0) ::_exit(7);
  siginfo_t info{};
  ASSERT_EQ(::waitid(P_PID, static_cast<id_t>(other), &info, WEXITED | WNOWAIT), 0);
  script("lost", "#!/no/such/interpreter\n");
  failure(spec({"./lost"}));
  failure(spec({"none"}));
  EXPECT_EQ(run({"sh", "-c", "exit 3"}).status, ExitStatus::exited(3));
  int status = 0;
  ASSERT_EQ(::waitpid(other, &status, 0), other);
  EXPECT_EQ(WEXITSTATUS(status), 7);
}

}  // namespace
}  // namespace sandproof::local
