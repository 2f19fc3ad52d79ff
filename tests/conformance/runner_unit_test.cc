// SPDX-License-Identifier: Apache-2.0
// The runner's small parts: lines, tails, trees of files and of processes, seeds, assertions.
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fstream>

#include "conformance/runner/assertion_tally.h"
#include "conformance/runner/line_reader.h"
#include "conformance/runner/output_tail.h"
#include "conformance/runner/process_tree.h"
#include "conformance/runner/remove_tree.h"
#include "conformance/runner/run_files.h"
#include "conformance/runner/selection.h"
#include "conformance/runner/system.h"
#include "sandproof/conformance/assertions.h"

namespace sandproof::conformance::runner {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

std::vector<std::string> read_lines(const std::vector<std::string>& chunks) {
  std::vector<std::string> lines;
  LineReader reader;
  Pipe pipe = make_pipe();
  set_nonblocking(pipe.read.get());
  const auto add = [&](std::string_view line) { lines.emplace_back(line); };
  for (const std::string& chunk : chunks) {
    for (std::size_t at = 0; at < chunk.size(); at += 4096) {
      EXPECT_TRUE(write_all(pipe.write.get(), std::string_view(chunk).substr(at, 4096)));
      EXPECT_EQ(reader.read(pipe.read.get(), 1 << 20, add), LineReader::State::kAgain);
    }
  }
  pipe.write.reset();
  EXPECT_EQ(reader.read(pipe.read.get(), 1 << 20, add), LineReader::State::kEnd);
  return lines;
}

TEST(LineReader, LinesAreWholeHoweverTheyArrive) {
  EXPECT_THAT(read_lines({"a", "b\n", "\nc\nd", "e\n"}), ElementsAre("ab", "", "c", "de"));
  EXPECT_THAT(read_lines({"torn"}), IsEmpty());
}

TEST(LineReader, AnOverlongLineIsCutAndTheNextOneIsWhole) {
  const std::vector<std::string> lines =
      read_lines({std::string(kLongestLine + 10'000, 'x') + "\nnext\n"});
  ASSERT_THAT(lines, SizeIs(2));
  EXPECT_EQ(lines[0].size(), kLongestLine);
  EXPECT_EQ(lines[1], "next");
}

TEST(OutputTail, KeepsTheLastLines) {
  OutputTail tail;
  EXPECT_EQ(tail.text(), "");
  tail.add("one\n");
  tail.add("two");
  EXPECT_EQ(tail.text(), "one\ntwo");
  for (int i = 0; i < 1000; ++i) tail.add("\nline " + std::to_string(i));
  std::string expected;
  for (int i = 1000 - static_cast<int>(OutputTail::kLines); i < 1000; ++i)
    expected += (expected.empty() ? "" : "\n") + ("line " + std::to_string(i));
  EXPECT_EQ(tail.text(), expected);
  tail.add(std::string(1'000'000, 'z'));
  EXPECT_EQ(tail.text(), std::string(OutputTail::kBytes, 'z'));
  tail.clear();
  EXPECT_EQ(tail.text(), "");
}

std::filesystem::path fresh_directory() {
  std::string path = std::filesystem::temp_directory_path() / "remove-tree-XXXXXX";
  if (::mkdtemp(path.data()) == nullptr) throw std::runtime_error("no temporary directory");
  return path;
}

TEST(RemoveTree, RemovesWhatCommandsMayLeave) {
  const std::filesystem::path root = fresh_directory();
  const std::filesystem::path outside = fresh_directory();
  std::ofstream(outside / "kept") << "x";  // no-cloexec: nothing is started meanwhile
  std::filesystem::create_directories(root / "a" / "b");
  std::ofstream(root / "a" / "b" / "file") << "x";  // no-cloexec: as above
  std::filesystem::create_directory_symlink(outside, root / "a" / "link");
  std::filesystem::create_symlink("/nowhere", root / "dangling");
  ASSERT_EQ(::mkfifo((root / "fifo").c_str(), 0600), 0);
  std::filesystem::permissions(root / "a" / "b", std::filesystem::perms::none);
  std::filesystem::permissions(root / "a", std::filesystem::perms::none);
  EXPECT_EQ(remove_tree(root), "");
  EXPECT_FALSE(std::filesystem::exists(root));
  EXPECT_TRUE(std::filesystem::exists(outside / "kept"));
  EXPECT_EQ(remove_tree(outside), "");
  EXPECT_EQ(remove_tree(outside), "") << "again";
}

TEST(RemoveTree, RemovesATreeThatIsDeeperThanAPathIsLong) {
  const std::filesystem::path root = fresh_directory();
  UniqueFd fd(::open(root.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  for (int depth = 0; depth < 500; ++depth) {
    ASSERT_EQ(::mkdirat(fd.get(), "directory", 0700), 0);
    fd = UniqueFd(::openat(fd.get(), "directory", O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    ASSERT_TRUE(fd);
  }
  fd.reset();
  EXPECT_EQ(remove_tree(root), "");
  EXPECT_FALSE(std::filesystem::exists(root));
}

TEST(ProcessTree, EndsATreeAndNothingElse) {
  Pipe alive = make_pipe();
  const auto sleeper = [&] {
    while (true) ::pause();
  };
  const pid_t bystander = ::fork();
  if (bystander == 0) {
    alive.write.reset();  // Not below the root: it must not hold the pipe.
    sleeper();
  }
  const pid_t root = ::fork();
  if (root == 0) {
    for (int i = 0; i < 5; ++i) {
      if (::fork() == 0) {
        if (::fork() == 0) sleeper();
        sleeper();
      }
    }
    write_all(alive.write.get(), "x");
    sleeper();
  }
  char started = 0;
  ASSERT_EQ(read_some_bytes(alive.read.get(), &started, 1), 1);
  alive.write.reset();
  const auto below = [&] { return descendants_of(root, process_table()); };
  EXPECT_THAT(end_processes(
                  below, [] {}, std::chrono::seconds(10)),
              IsEmpty());
  // Nobody below the root holds the pipe any more; the root still does.
  ASSERT_EQ(::kill(root, SIGKILL), 0);
  EXPECT_EQ(read_some_bytes(alive.read.get(), &started, 1), 0);
  EXPECT_EQ(::waitpid(root, nullptr, 0), root);
  EXPECT_EQ(::waitpid(bystander, nullptr, WNOHANG), 0);
  ::kill(bystander, SIGKILL);
  ::waitpid(bystander, nullptr, 0);
}

TEST(ProcessTree, KnowsItsOwnProcess) {
  bool found = false;
  for (const ProcessInfo& process : process_table()) {
    if (process.pid != ::getpid()) continue;
    found = true;
    EXPECT_EQ(process.parent, ::getppid());
    EXPECT_TRUE(process.alive());
    EXPECT_GT(process.start, 0u);
  }
  EXPECT_TRUE(found);
  EXPECT_FALSE(command_line(::getpid()).empty());
}

TEST(CaseSeed, DependsOnRunAndName) {
  EXPECT_EQ(case_seed(1, "A"), case_seed(1, "A"));
  EXPECT_NE(case_seed(1, "A"), case_seed(2, "A"));
  EXPECT_NE(case_seed(1, "A"), case_seed(1, "B"));
}

// How often `function` counts an assertion.
template <typename Function>
std::uint64_t counted(const Function& function, std::string_view left_out = "") {
  std::atomic<std::uint64_t> evaluated{0};
  AssertionTally tally(evaluated, left_out, false);
  install_assertion_tally(&tally);
  function();
  install_assertion_tally(nullptr);
  return evaluated;
}

// Each macro that a case may use is counted once: what assertions.h relies on holds for the
// installed GoogleTest.
TEST(Assertions, EveryMacroIsCounted) {
  EXPECT_EQ(counted([] { EXPECT_TRUE(true); }), 1u);
  EXPECT_EQ(counted([] { EXPECT_FALSE(false); }), 1u);
  EXPECT_EQ(counted([] { EXPECT_EQ(1, 1); }), 1u);
  EXPECT_EQ(counted([] { EXPECT_NE(1, 2); }), 1u);
  EXPECT_EQ(counted([] { EXPECT_LT(1, 2); }), 1u);
  EXPECT_EQ(counted([] { EXPECT_STREQ("a", "a"); }), 1u);
  EXPECT_EQ(counted([] { EXPECT_DOUBLE_EQ(1, 1); }), 1u);
  EXPECT_EQ(counted([] { EXPECT_NEAR(1, 1, 1); }), 1u);
  EXPECT_EQ(counted([] { EXPECT_THAT("abc", HasSubstr("b")); }), 1u);
  EXPECT_EQ(counted([] { EXPECT_PRED1([](int value) { return value == 1; }, 1); }), 1u);
  EXPECT_EQ(counted([] { EXPECT_THROW(throw 1, int); }), 1u);
  EXPECT_EQ(counted([] { EXPECT_ANY_THROW(throw 1); }), 1u);
  EXPECT_EQ(counted([] { EXPECT_NO_THROW(static_cast<void>(0)); }), 1u);
  EXPECT_EQ(counted([] { EXPECT_NO_FATAL_FAILURE(static_cast<void>(0)); }), 1u);
  EXPECT_EQ(counted([] { ASSERT_TRUE(true); }), 1u);
  EXPECT_EQ(counted([] { ASSERT_EQ(1, 1); }), 1u);
  EXPECT_EQ(counted([] { ASSERT_THAT(1, testing::Eq(1)); }), 1u);
  EXPECT_EQ(counted([] { ASSERT_THROW(throw 1, int); }), 1u);
  EXPECT_EQ(counted([] {
              for (int i = 0; i < 3; ++i) EXPECT_EQ(i, i);
            }),
            3u);
  EXPECT_EQ(counted([] { SUCCEED(); }), 0u);
}

TEST(Assertions, OneCanBeLeftOut) {
  const int line = __LINE__ + 1;
  const auto fails = [] { ASSERT_EQ(1, 2) << "left out"; };
  EXPECT_EQ(counted(fails, "runner_unit_test.cc:" + std::to_string(line)), 1u);
  EXPECT_EQ(counted(fails, "conformance/runner_unit_test.cc:" + std::to_string(line)), 1u);
  EXPECT_EQ(counted(fails, std::string(__FILE__) + ":" + std::to_string(line)), 1u);
}

TEST(Assertions, ADanglingElseBelongsToItsIf) {
  const int evaluated = 0;
  bool reached = false;
  if (evaluated == 0)
    EXPECT_EQ(1, 1);
  else
    reached = true;
  EXPECT_FALSE(reached);
}

TEST(Assertions, PlacesAreRememberedOnce) {
  std::atomic<std::uint64_t> evaluated{0};
  AssertionTally tally(evaluated, "", true);
  install_assertion_tally(&tally);
  for (int i = 0; i < 3; ++i) EXPECT_EQ(i, i);
  const int line = __LINE__ - 1;
  install_assertion_tally(nullptr);
  const std::vector<std::string> places = tally.take_places();
  ASSERT_THAT(places, SizeIs(1));
  EXPECT_THAT(places[0], testing::EndsWith("runner_unit_test.cc:" + std::to_string(line)));
  EXPECT_THAT(tally.take_places(), IsEmpty());
}

/// TMPDIR is an own one for a scope.
class OwnTemporaryDirectory {
 public:
  OwnTemporaryDirectory() {
    std::string path = testing::TempDir() + "run-files-XXXXXX";
    if (::mkdtemp(path.data()) == nullptr) throw std::runtime_error("no directory");
    path_ = path;
    const char* const before = ::getenv("TMPDIR");
    if (before != nullptr) before_ = before;
    ::setenv("TMPDIR", path.c_str(), 1);
  }
  ~OwnTemporaryDirectory() {
    before_.empty() ? ::unsetenv("TMPDIR") : ::setenv("TMPDIR", before_.c_str(), 1);
    remove_tree(path_);
  }
  OwnTemporaryDirectory(const OwnTemporaryDirectory&) = delete;
  OwnTemporaryDirectory& operator=(const OwnTemporaryDirectory&) = delete;

  const std::filesystem::path& path() const { return path_; }
  long entries() const {
    return std::distance(std::filesystem::directory_iterator(path_),
                         std::filesystem::directory_iterator());
  }

 private:
  std::filesystem::path path_;
  std::string before_;
};

TEST(RunFiles, WhatAKilledRunLeftIsRemovedByTheNextOne) {
  const OwnTemporaryDirectory temporary;
  const pid_t child = ::fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    const RunFiles files{std::filesystem::path()};
    std::ofstream(files.directory() / "work") << "x";  // no-cloexec: it ends at once
    ::kill(::getpid(), SIGKILL);
  }
  ASSERT_EQ(::waitpid(child, nullptr, 0), child);
  ASSERT_EQ(temporary.entries(), 2);  // The directory and the log.
  std::filesystem::create_directory(temporary.path() / "sandproof-run-of-an-old-version");
  {
    const RunFiles files{std::filesystem::path()};
    EXPECT_EQ(temporary.entries(), 3);
    // One that lives is left alone.
    const RunFiles others{std::filesystem::path()};
    EXPECT_EQ(temporary.entries(), 5);
    EXPECT_TRUE(std::filesystem::exists(files.directory()));
    EXPECT_TRUE(std::filesystem::exists(files.log_path()));
  }
  EXPECT_EQ(temporary.entries(), 1);
}

}  // namespace
}  // namespace sandproof::conformance::runner
