// SPDX-License-Identifier: Apache-2.0
// The launcher: what arrives in the child, and what does not.
#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <pthread.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <filesystem>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "flavors/local/child.h"
#include "flavors/local/cwd.h"
#include "flavors/local/launcher.h"
#include "flavors/local/pipe.h"
#include "flavors/local/program.h"
#include "tests/flavors/local_launch_support.h"

namespace sandproof::local {
namespace {

// What waitid() has reaped in this program, and how often it was asked for what was reaped before.
std::atomic<int> reaped_children = 0;
std::atomic<int> refused_reapings = 0;

}  // namespace
}  // namespace sandproof::local

// Takes the place of the C library's in this test program, in order to count.
extern "C" int waitid(idtype_t type, id_t id, siginfo_t* info, int options) {
  const long result = ::syscall(SYS_waitid, type, id, info, options, nullptr);
  if ((options & WEXITED) != 0 && (options & WNOWAIT) == 0) {
    if (result == 0 && info != nullptr && info->si_pid != 0) ++sandproof::local::reaped_children;
    if (result != 0 && errno == ECHILD) ++sandproof::local::refused_reapings;
  }
  return static_cast<int>(result);
}

namespace sandproof::local {
namespace {

using test::has_children;
using test::kPatience;
using test::Ran;

class LauncherTest : public test::LaunchTest {};

TEST_F(LauncherTest, ArgumentsArriveUnchanged) {
  const std::vector<std::string> words = {"a b", "\"q'q\"", "$HOME", "*",      "\\", "x\ny",
                                          "",    "é✓",      "-n",    "--help", "%s", "\x01\xff"};
  std::vector<std::string> argv = {"sh", "-c", "printf '%s\\0' \"$@\"", "zero"};
  argv.insert(argv.end(), words.begin(), words.end());
  std::string expected;
  for (const std::string& word : words) expected += word + '\0';
  EXPECT_EQ(run(argv).out, expected);
}

TEST_F(LauncherTest, TheFirstArgumentArrivesAsGiven) {
  EXPECT_EQ(run({"sh", "-c", "tr '\\0' '\\n' </proc/$$/cmdline | head -1"}).out, "sh\n");
}

TEST_F(LauncherTest, TheEnvironmentIsTheGivenOneAndNothingElse) {
  LaunchSpec command = spec({"env", "-0"});
  command.env = {{"PATH", kDefaultPath}, {"EMPTY", ""}, {"ODD", "a=b\n'\"$é"}};
  EXPECT_EQ(run(command).out,
            std::string("EMPTY=\0ODD=a=b\n'\"$é\0PATH=", 26) + kDefaultPath + std::string(1, '\0'));
}

TEST_F(LauncherTest, StatusesComeBackUnchanged) {
  for (const int code : {0, 1, 2, 42, 126, 127, 128, 137, 255}) {
    EXPECT_EQ(run({"sh", "-c", "exit " + std::to_string(code)}).status, ExitStatus::exited(code));
  }
  EXPECT_EQ(run({"sh", "-c", "kill -ABRT $$"}).status, ExitStatus::signaled(SIGABRT));
  EXPECT_EQ(run({"sh", "-c", "kill -TERM $$"}).status, ExitStatus::signaled(SIGTERM));
}

TEST_F(LauncherTest, TheInputIsEmptyUnlessGiven) { EXPECT_EQ(run({"cat"}).out, ""); }

TEST_F(LauncherTest, TheCommandLeadsItsOwnSessionAndGroup) {
  const Ran ran = run({"sh", "-c", "echo $$; cut -d ' ' -f 5,6 /proc/$$/stat"});
  const std::string pid = ran.out.substr(0, ran.out.find('\n'));
  EXPECT_EQ(ran.out, pid + "\n" + pid + " " + pid + "\n");
}

// The descriptors are open without O_CLOEXEC, as a careless library would have it.

TEST_F(LauncherTest, OnlyThreeDescriptorsAreInherited) {
  std::vector<Descriptor> leaks;
  leaks.reserve(100);
  for (int i = 0; i < 100; ++i) leaks.emplace_back(::open("/dev/null", O_RDONLY));
  // The listing itself needs one, number 3.
  EXPECT_EQ(run({"sh", "-c", "ls /proc/self/fd"}).out, "0\n1\n2\n3\n");
}

TEST_F(LauncherTest, DescriptorsAbove1024Work) {
  rlimit limit{};
  ASSERT_EQ(::getrlimit(RLIMIT_NOFILE, &limit), 0);
  if (limit.rlim_cur < 3000) {
    limit.rlim_cur = std::min<rlim_t>(limit.rlim_max, 3000);
    ASSERT_EQ(::setrlimit(RLIMIT_NOFILE, &limit), 0);
  }
  std::vector<Descriptor> many;
  many.reserve(1500);
  for (int i = 0; i < 1500; ++i) many.emplace_back(::open("/dev/null", O_RDONLY | O_CLOEXEC));
  ASSERT_GT(many.back().get(), 1024) << "the limit of descriptors is too low for this test";
  EXPECT_EQ(run({"sh", "-c", "ls /proc/self/fd"}).out, "0\n1\n2\n3\n");
  EXPECT_EQ(failure(spec({"./none"})).first, LaunchFailure::kNotFound);
}

// A program that closed its own standard descriptors gets their numbers for pipes and files.

TEST_F(LauncherTest, WorksWhileTheParentHasNoStandardDescriptors) {
  const pid_t pid = ::fork();
  ASSERT_GE(pid, 0);
  if (pid == 0) {
    for (const int fd : {0, 1, 2}) ::close(fd);
    bool good = false;
    try {
      const Descriptor low_cwd(::open(scratch_.path().c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
      const Descriptor out(::open((scratch_ / "out").c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600));
      const Descriptor err(::open((scratch_ / "err").c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600));
      LaunchSpec command = spec({"sh", "-c", "pwd; echo err >&2; cat"});
      command.cwd = low_cwd.get();
      command.out = out.get();
      command.err = err.get();
      Child child(launch(command));
      const auto status = child.wait_until(std::chrono::steady_clock::now() + kPatience);
      good = low_cwd.get() == 0 && out.get() == 1 && err.get() == 2 && status &&
             status->success() && child.pidfd() > 2;
    } catch (const std::exception&) {
    }
    ::_exit(good ? 0 : 1);
  }
  int status = 0;
  ASSERT_EQ(retry_eintr([&] { return ::waitpid(pid, &status, 0); }), pid);
  EXPECT_EQ(status, 0);
  EXPECT_EQ(test::read_file(scratch_ / "out"), scratch_.path().string() + "\n");
  EXPECT_EQ(test::read_file(scratch_ / "err"), "err\n");
}

// BUGS.md #14.

TEST_F(LauncherTest, MaskAndDispositionsAreTheDefaultOnes) {
  sigset_t all;
  sigset_t before;
  sigfillset(&all);
  struct sigaction ignore {};
  struct sigaction old_pipe {};
  struct sigaction old_rt {};
  ignore.sa_handler = SIG_IGN;
  ASSERT_EQ(::sigaction(SIGPIPE, &ignore, &old_pipe), 0);
  ASSERT_EQ(::sigaction(SIGRTMIN + 3, &ignore, &old_rt), 0);
  ASSERT_EQ(pthread_sigmask(SIG_BLOCK, &all, &before), 0);
  const Ran ran = run({"grep", "-E", "^Sig(Blk|Ign)", "/proc/self/status"});
  ASSERT_EQ(pthread_sigmask(SIG_SETMASK, &before, nullptr), 0);
  ASSERT_EQ(::sigaction(SIGPIPE, &old_pipe, nullptr), 0);
  ASSERT_EQ(::sigaction(SIGRTMIN + 3, &old_rt, nullptr), 0);
  EXPECT_EQ(ran.out, "SigBlk:\t0000000000000000\nSigIgn:\t0000000000000000\n");
}

TEST_F(LauncherTest, TheMaskOfTheCallingThreadStaysAsItWas) {
  sigset_t wanted;
  sigset_t before;
  sigset_t after;
  sigemptyset(&wanted);
  sigaddset(&wanted, SIGUSR2);
  ASSERT_EQ(pthread_sigmask(SIG_SETMASK, &wanted, &before), 0);
  run({"true"});
  failure(spec({"./none"}));
  ASSERT_EQ(pthread_sigmask(SIG_SETMASK, &before, &after), 0);
  for (int signal = 1; signal < SIGRTMAX; ++signal) {
    EXPECT_EQ(sigismember(&after, signal), signal == SIGUSR2 ? 1 : sigismember(&wanted, signal));
  }
}

TEST_F(LauncherTest, StartsInTheGivenDirectory) {
  for (const std::string name : {"with space", "-dash", "é✓", "line\nbreak"}) {
    std::filesystem::create_directory(scratch_ / name);
    const Descriptor directory = open_cwd(cwd_.get(), name);
    LaunchSpec command = spec({"pwd"});
    command.cwd = directory.get();
    EXPECT_EQ(run(command).out, (scratch_ / name).string() + "\n");
  }
  EXPECT_EQ(run({"pwd"}).out, scratch_.path().string() + "\n");
}

TEST_F(LauncherTest, ANameIsLookedUpInThePathOfTheCommand) {
  std::filesystem::create_directory(scratch_ / "bin");
  std::filesystem::create_directory(scratch_ / "first");
  std::filesystem::create_directory(scratch_ / "first/tool");  // A directory is passed over.
  script("bin/tool", "#!/bin/sh\necho bin \"$0\"\n");
  script("tool", "#!/bin/sh\necho here \"$0\"\n");
  LaunchSpec command = spec({"tool"});
  const std::string base = scratch_.path().string();
  command.env["PATH"] = "/nonexistent:" + base + "/first:" + base + "/bin";
  EXPECT_EQ(run(command).out, "bin " + base + "/bin/tool\n");
  command.env["PATH"] = "bin";  // Relative to the command's directory.
  EXPECT_EQ(run(command).out, "bin bin/tool\n");
  for (const char* const path : {"", ":/nonexistent", "/nonexistent:", "/nonexistent::/x"}) {
    command.env["PATH"] = path;  // An empty element is that directory.
    EXPECT_EQ(run(command).out, "here ./tool\n") << path;
  }
  command.env.erase("PATH");
  EXPECT_EQ(failure(command).first, LaunchFailure::kNotFound);
  EXPECT_EQ(run(LaunchSpec{.argv = {"true"},
                           .env = {},
                           .cwd = cwd_.get(),
                           .cwd_name = "",
                           .in = -1,
                           .out = -1,
                           .err = -1})
                .status,
            ExitStatus::exited(0));
}

TEST_F(LauncherTest, ANameWithASlashIsRelativeToTheDirectoryOfTheCommand) {
  script("tool", "#!/bin/sh\necho here\n");
  EXPECT_EQ(run({"./tool"}).out, "here\n");
  EXPECT_EQ(run({(scratch_ / "tool").string()}).out, "here\n");
}

// Not even through sh, as execvp() would do it.

// Each descriptor that a start needs is the one that is missing, until there are enough.

// BUGS.md #34: the child of somebody else is not waited for, whatever of ours fails or ends.

// BUGS.md #30, #31: signals that interrupt system calls, a thousand a second.

class SignalStorm {
 public:
  SignalStorm() {
    struct sigaction action {};
    action.sa_handler = [](int) { count_ = count_ + 1; };  // Without SA_RESTART.
    ::sigaction(SIGALRM, &action, &before_);
    const itimerval often{{0, 1000}, {0, 1000}};
    ::setitimer(ITIMER_REAL, &often, nullptr);
  }
  SignalStorm(const SignalStorm&) = delete;
  SignalStorm& operator=(const SignalStorm&) = delete;
  ~SignalStorm() {
    const itimerval never{};
    ::setitimer(ITIMER_REAL, &never, nullptr);
    ::sigaction(SIGALRM, &before_, nullptr);
  }
  static int count() { return count_; }

 private:
  static inline volatile sig_atomic_t count_ = 0;
  struct sigaction before_ {};
};

TEST_F(LauncherTest, SignalsDoNotDisturbAStart) {
  script("lost", "#!/no/such/interpreter\n");
  script("tool", "#!/bin/sh\nexit 5\n");
  const SignalStorm storm;
  for (int i = 0; i < 100; ++i) {
    EXPECT_EQ(failure(spec({"./lost"})).first, LaunchFailure::kNotExecutable);
    EXPECT_EQ(run({"./tool"}).status, ExitStatus::exited(5));
  }
  EXPECT_FALSE(has_children());
  EXPECT_GT(SignalStorm::count(), 0);
}

TEST_F(LauncherTest, SignalsDoNotLoseOutput) {
  const SignalStorm storm;
  EXPECT_EQ(run({"sh", "-c", "head -c 10000000 /dev/zero"}).out.size(), 10'000'000U);
}

// BUGS.md #20.

TEST_F(LauncherTest, ClosingAnInputIsSeenWhileASiblingRuns) {
  Pipe input = make_pipe();
  LaunchSpec cat = spec({"cat"});
  cat.in = input.read_end.get();
  Child first(launch(cat));
  input.read_end.reset();
  Child sibling(launch(spec({"sleep", "1000"})));
  input.write_end.reset();
  EXPECT_EQ(first.wait_until(std::chrono::steady_clock::now() + kPatience), ExitStatus::exited(0));
  EXPECT_EQ(sibling.poll(), std::nullopt);
}

TEST_F(LauncherTest, StartsFromManyThreads) {
  std::vector<std::jthread> threads;
  threads.reserve(8);
  for (int i = 0; i < 8; ++i) {
    threads.emplace_back([this, i] {
      for (int k = 0; k < 20; ++k) {
        const Ran ran =
            run({"sh", "-c", "echo " + std::to_string(i) + "; exit " + std::to_string(i)});
        EXPECT_EQ(ran.out, std::to_string(i) + "\n");
        EXPECT_EQ(ran.status, ExitStatus::exited(i));
      }
    });
  }
  threads.clear();
  EXPECT_FALSE(has_children());
}

// A child that is being started has copies of the descriptors of all threads; one through which a

// program is being written must not make its start fail.

TEST_F(LauncherTest, AProgramThatWasJustWrittenStartsWhileOthersDo) {
  const std::string content = test::read_file("/bin/true");
  std::jthread others([this](const std::stop_token& stop) {
    while (!stop.stop_requested()) Child child(launch(spec({"true"})));
  });
  for (int i = 0; i < 200; ++i) {
    const std::string name = "tool" + std::to_string(i);
    Descriptor file(
        ::open((scratch_ / name).c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0755));
    ASSERT_EQ(::write(file.get(), content.data(), content.size()),
              static_cast<ssize_t>(content.size()));
    file.reset();
    EXPECT_EQ(run({"./" + name}).status, ExitStatus::exited(0));
    std::filesystem::remove(scratch_ / name);
  }
}

// BUGS.md #31: a second wait would be for whoever has got the pid by then.
TEST_F(LauncherTest, AFailedStartIsReapedExactlyOnce) {
  constexpr int kStarts = 100;
  script("lost", "#!/no/such/interpreter\n");
  const int reaped_before = reaped_children;
  const int refused_before = refused_reapings;
  {
    const SignalStorm storm;
    for (int i = 0; i < kStarts; ++i) failure(spec({"./lost"}));
  }
  EXPECT_EQ(reaped_children - reaped_before, kStarts);
  EXPECT_EQ(refused_reapings - refused_before, 0);
  EXPECT_FALSE(has_children());
}

}  // namespace
}  // namespace sandproof::local
