// SPDX-License-Identifier: Apache-2.0
// The tree kill on a played process table: what is signalled, in which order, and above all what
// is not. The real thing is in local_kill_test.cc.
#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "flavors/local/program.h"
#include "flavors/local/tree.h"
#include "sandproof/errors.h"
#include "tests/flavors/local_support.h"

namespace sandproof::local {
namespace {

using Clock = std::chrono::steady_clock;
using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::IsSupersetOf;
using ::testing::Not;
using ::testing::UnorderedElementsAre;

// A signal, and the process that got it: the pid with its start.
struct Sent {
  pid_t pid;
  std::uint64_t start;
  int signal;
  friend bool operator==(const Sent&, const Sent&) = default;
  friend std::ostream& operator<<(std::ostream& os, const Sent& sent) {
    return os << sent.pid << "@" << sent.start << " got " << sent.signal;
  }
};

// A machine of processes without ends of their own. Differs from the real one: a signal acts at
// once, TERM only on those that heed it, and what is killed is a zombie until the test ends.
class PlayedTable : public ProcessTable {
 public:
  struct Process {
    ProcessRow row;
    std::string mark;
    bool heeds_term = true;
    bool refuses = false;  // EPERM
    int unclear_looks = 0;
  };

  Process& add(pid_t pid, pid_t parent, std::string mark = {}, std::uint64_t start = 100) {
    Process process;
    process.row = {.pid = pid,
                   .parent = parent,
                   .group = pid,
                   .session = pid,
                   .state = 'S',
                   .threads = 1,
                   .kernel = false,
                   .start = start};
    process.mark = std::move(mark);
    return processes_.insert_or_assign(pid, std::move(process)).first->second;
  }
  // The process ends, is reaped, and its pid goes to a stranger.
  void reuse(pid_t pid, std::uint64_t start) { add(pid, 1, "", start); }
  void remove(pid_t pid) { processes_.erase(pid); }
  Process& at(pid_t pid) { return processes_.at(pid); }

  std::function<void()> before_list = [] {};
  std::function<void(pid_t)> before_open = [](pid_t) {};
  std::function<void(pid_t)> before_find = [](pid_t) {};
  std::vector<Sent> sent;
  std::vector<pid_t> marks_read;

  std::vector<pid_t> got(int signal) const {
    std::vector<pid_t> pids;
    for (const Sent& one : sent) {
      if (one.signal == signal) pids.push_back(one.pid);
    }
    return pids;
  }

  std::vector<ProcessRow> list() override {
    before_list();
    std::vector<ProcessRow> rows;
    for (const auto& [pid, process] : processes_) rows.push_back(process.row);
    return rows;
  }
  std::optional<ProcessRow> find(pid_t pid) override {
    before_find(pid);
    const auto place = processes_.find(pid);
    return place == processes_.end() ? std::nullopt : std::optional(place->second.row);
  }
  MarkReading mark(pid_t pid) override {
    marks_read.push_back(pid);
    Process& process = at(pid);
    if (process.unclear_looks > 0) {
      --process.unclear_looks;
      return {.value = {}, .unclear = true};
    }
    return {.value = process.mark, .unclear = false};
  }
  std::string command_line(pid_t pid) override { return "command " + std::to_string(pid); }

  Descriptor open(pid_t pid) override {
    before_open(pid);
    const auto place = processes_.find(pid);
    if (place == processes_.end()) return {};
    Descriptor handle(::open("/dev/null", O_RDONLY | O_CLOEXEC));
    opened_[handle.get()] = {pid, place->second.row.start};
    return handle;
  }
  bool send(const Descriptor& process, int signal) override {
    const auto [pid, start] = opened_.at(process.get());
    const auto place = processes_.find(pid);
    errno = ESRCH;
    if (place == processes_.end() || place->second.row.start != start) return false;
    errno = EPERM;
    if (place->second.refuses) return false;
    sent.push_back({pid, start, signal});
    act(place->second, signal);
    return true;
  }
  void send_to_group(pid_t leader, int signal) override {
    for (auto& [pid, process] : processes_) {
      if (process.row.group != leader || !process.row.alive()) continue;
      sent.push_back({pid, process.row.start, signal});
      act(process, signal);
    }
  }
  void wait_ended(std::span<const Descriptor> /*processes*/,
                  Clock::time_point /*deadline*/) override {}

 private:
  static void act(Process& process, int signal) {
    char& state = process.row.state;
    if (state == 'Z') return;
    if (signal == SIGSTOP) state = 'T';
    if (signal == SIGCONT) state = 'S';
    if (signal == SIGKILL || (signal == SIGTERM && process.heeds_term)) state = 'Z';
  }

  std::map<pid_t, Process> processes_;
  std::map<int, std::pair<pid_t, std::uint64_t>> opened_;
};

const Mark kMark{"c", "s", "t"};

class TreeTest : public ::testing::Test {
 protected:
  std::vector<pid_t> kill(std::vector<pid_t> leaders = {10}) {
    Tree tree(table_, {MarkPattern::exec(kMark), std::move(leaders), 0});
    return tree.kill(Clock::now() + std::chrono::seconds(5));
  }

  PlayedTable table_;
};

TEST_F(TreeTest, FindsByParentGroupSessionAndMark) {
  table_.add(10, 1);
  table_.add(11, 10);
  table_.add(12, 11);                // A grandchild in a session of its own.
  table_.add(13, 1).row.group = 10;  // Orphans.
  table_.add(14, 1).row.session = 10;
  table_.add(15, 1, kMark.value());
  table_.add(16, 15);
  EXPECT_THAT(kill(), IsEmpty());
  EXPECT_THAT(table_.got(SIGKILL), UnorderedElementsAre(10, 11, 12, 13, 14, 15, 16));
}

TEST_F(TreeTest, LeavesStrangersAlone) {
  table_.add(10, 1);
  table_.add(1, 0);
  table_.add(2, 1, "c/s/other");
  table_.add(3, 1, "c/other/t");
  table_.add(4, 1, "cc/s/t");
  table_.add(5, 1, "c/s/tt");
  table_.add(6, 2);
  table_.add(::getpid(), 1, kMark.value());  // Not even itself.
  EXPECT_THAT(kill(), IsEmpty());
  for (const Sent& sent : table_.sent) EXPECT_EQ(sent.pid, 10);
}

TEST_F(TreeTest, FreezesBeforeItKillsAndKillsTheLeaderLast) {
  table_.add(10, 1);
  table_.add(11, 10);
  table_.add(12, 11);
  EXPECT_THAT(kill(), IsEmpty());
  const auto is = [](int signal) {
    return [signal](const Sent& sent) { return sent.signal == signal; };
  };
  const auto first_kill = std::find_if(table_.sent.begin(), table_.sent.end(), is(SIGKILL));
  EXPECT_EQ(std::count_if(table_.sent.begin(), first_kill, is(SIGSTOP)), 3);
  EXPECT_EQ(std::find_if(first_kill, table_.sent.end(), is(SIGSTOP)), table_.sent.end());
  EXPECT_EQ(table_.sent.back(), (Sent{10, 100, SIGKILL}));
}

// Each process that runs has one more child each time that somebody looks.
TEST_F(TreeTest, CatchesWhatForksMeanwhile) {
  table_.add(10, 1);
  pid_t next = 11;
  table_.before_list = [&] {
    for (pid_t pid = 10, end = next; pid < end && next < 30; ++pid) {
      if (table_.at(pid).row.state == 'S') table_.add(next++, pid);
    }
  };
  table_.add(next++, 10);
  EXPECT_THAT(kill(), IsEmpty());
  EXPECT_GT(next, 12);
  for (pid_t pid = 10; pid < next; ++pid) EXPECT_EQ(table_.at(pid).row.state, 'Z') << pid;
}

// A daemon is born between the freezing and the killing.
TEST_F(TreeTest, CatchesWhatAppearsDuringTheKilling) {
  table_.add(10, 1);
  table_.add(11, 10);
  table_.before_open = [&](pid_t pid) {
    if (pid == 11 && table_.at(11).row.state == 'T') table_.add(40, 1, kMark.value());
  };
  EXPECT_THAT(kill(), IsEmpty());
  EXPECT_EQ(table_.at(40).row.state, 'Z');
}

TEST_F(TreeTest, AReusedPidGetsNoSignal) {
  const auto only_old = [](const Sent& sent) { return sent.start == 100; };
  // Between the look at the machine and the opening of the handle.
  table_.add(10, 1);
  table_.add(11, 10);
  table_.before_open = [&](pid_t pid) {
    if (pid == 11) table_.reuse(11, 777);
  };
  EXPECT_THAT(kill(), IsEmpty());
  EXPECT_TRUE(std::all_of(table_.sent.begin(), table_.sent.end(), only_old));
  EXPECT_EQ(table_.at(11).row.state, 'S');

  // Between the opening and the check.
  table_ = PlayedTable();
  table_.add(10, 1);
  table_.add(11, 10);
  table_.before_find = [&](pid_t pid) {
    if (pid == 11) table_.reuse(11, 777);
  };
  EXPECT_THAT(kill(), IsEmpty());
  EXPECT_TRUE(std::all_of(table_.sent.begin(), table_.sent.end(), only_old));
  EXPECT_EQ(table_.at(11).row.state, 'S');

  // Between two looks: what was known under this pid is not what has it now.
  table_ = PlayedTable();
  table_.add(10, 1);
  table_.add(11, 10);
  int looks = 0;
  table_.before_list = [&] {
    if (++looks == 2) table_.reuse(11, 777);
  };
  EXPECT_THAT(kill(), IsEmpty());
  EXPECT_TRUE(std::all_of(table_.sent.begin(), table_.sent.end(), only_old));
  EXPECT_EQ(table_.at(11).row.state, 'S');
}

TEST_F(TreeTest, FreezesAgainWhatWasMadeToGoOn) {
  table_.add(10, 1);
  table_.add(11, 10);
  int looks = 0;
  table_.before_list = [&] {
    if (++looks == 2) table_.at(11).row.state = 'R';
  };
  EXPECT_THAT(kill(), IsEmpty());
  const auto stops = table_.got(SIGSTOP);
  EXPECT_EQ(std::count(stops.begin(), stops.end(), 11), 2);
}

// A program that is just being executed has no environment for a moment.
TEST_F(TreeTest, LooksAgainWhereAnEnvironmentIsUnclear) {
  table_.add(10, 1);
  table_.add(20, 1, kMark.value()).unclear_looks = 1;
  EXPECT_THAT(kill(), IsEmpty());
  EXPECT_EQ(table_.at(20).row.state, 'Z');
}

// It does not get a processor for many looks, which take no time here.
TEST_F(TreeTest, LooksAgainForAsLongAsAProgramIsBeingExecuted) {
  table_.add(10, 1).row.state = 'Z';
  table_.add(20, 1, kMark.value()).unclear_looks = 200;
  EXPECT_THAT(kill(), IsEmpty());
  EXPECT_EQ(table_.at(20).row.state, 'Z');
}

TEST_F(TreeTest, DoesNotWaitForAnEnvironmentForEver) {
  table_.add(10, 1);
  table_.add(20, 1).unclear_looks = 1'000'000;
  EXPECT_THAT(kill(), IsEmpty());
  EXPECT_EQ(table_.at(20).row.state, 'S');
}

TEST_F(TreeTest, SaysWhatItCannotKill) {
  table_.add(10, 1);
  table_.add(11, 10).refuses = true;
  EXPECT_THAT(kill(), ElementsAre(11));
  EXPECT_EQ(table_.at(10).row.state, 'Z');
}

TEST_F(TreeTest, ZombiesAreDeadButNotThoseWithThreads) {
  table_.add(10, 1);
  table_.add(11, 10).row.state = 'Z';
  auto& threaded = table_.add(12, 10);
  threaded.row.state = 'Z';
  threaded.row.threads = 3;
  EXPECT_FALSE(table_.at(11).row.alive());
  EXPECT_TRUE(threaded.row.alive());
  Tree tree(table_, {MarkPattern::exec(kMark), {10}, 0});
  // The played kill cannot end it; that it is tried is what counts.
  tree.kill(Clock::now());
  EXPECT_THAT(table_.got(SIGKILL), Not(::testing::Contains(11)));
}

TEST_F(TreeTest, ReadsNoMarkOfWhatIsOlder) {
  table_.add(10, 1, "", 200);
  table_.add(20, 1, "", 199);
  table_.add(21, 1, kMark.value(), 200);
  table_.add(22, 1, "", 250).row.kernel = true;
  Tree tree(table_, {MarkPattern::exec(kMark), {10}, 200});
  EXPECT_THAT(tree.kill(Clock::now() + std::chrono::seconds(5)), IsEmpty());
  EXPECT_THAT(table_.marks_read, Each(21));
}

TEST_F(TreeTest, TerminationAsksEachOnceAndWakesTheStopped) {
  table_.add(10, 1);
  table_.add(11, 10).row.state = 'T';
  table_.add(12, 10).heeds_term = false;
  int looks = 0;
  table_.before_list = [&] {
    if (++looks == 3) table_.at(12).row.state = 'Z';
  };
  Tree tree(table_, {MarkPattern::exec(kMark), {10}, 0});
  EXPECT_TRUE(tree.terminate(Clock::now() + std::chrono::seconds(5)));
  EXPECT_THAT(table_.got(SIGTERM), UnorderedElementsAre(10, 11, 12));
  EXPECT_THAT(table_.got(SIGCONT), IsSupersetOf({11}));
  EXPECT_THAT(table_.got(SIGKILL), IsEmpty());
}

TEST_F(TreeTest, TerminationEndsAtItsDeadline) {
  table_.add(10, 1).heeds_term = false;
  Tree tree(table_, {MarkPattern::exec(kMark), {10}, 0});
  EXPECT_FALSE(tree.terminate(Clock::now()));
  EXPECT_THAT(table_.got(SIGTERM), ElementsAre(10));
}

TEST_F(TreeTest, TheListHasZombiesAndDescendants) {
  table_.add(20, 1, kMark.value());
  table_.add(21, 20).row.state = 'Z';
  table_.add(30, 1, "c/other/t");
  const auto listed = list_marked(table_, MarkPattern::session("c", "s"));
  ASSERT_EQ(listed.size(), 2U);
  EXPECT_EQ(listed[0].pid, 20);
  EXPECT_TRUE(listed[0].alive);
  EXPECT_EQ(listed[0].command, "command 20");
  EXPECT_EQ(listed[1].pid, 21);
  EXPECT_EQ(listed[1].parent, 20);
  EXPECT_FALSE(listed[1].alive);
}

// BUGS.md #26: the pid of a command that was reaped means nothing any more. Here a stranger has it
// already, with a group of that number.
TEST_F(TreeTest, NothingIsSentOnceTheCommandIsReaped) {
  const Descriptor cwd(::open("/", O_PATH | O_DIRECTORY | O_CLOEXEC));
  const Descriptor null(::open("/dev/null", O_WRONLY | O_CLOEXEC));
  const auto child = std::make_shared<Child>(launch({.argv = {"true"},
                                                     .env = {},
                                                     .cwd = cwd.get(),
                                                     .cwd_name = "/",
                                                     .in = -1,
                                                     .out = null.get(),
                                                     .err = null.get()}));
  ASSERT_TRUE(child->wait_until(Clock::now() + test::kPatience).has_value());
  table_.add(child->pid(), 1);
  table_.add(child->pid() + 1, child->pid());
  kill_exec(table_, *child, kMark);
  EXPECT_THAT(table_.sent, IsEmpty());
  terminate_marked(table_, MarkPattern::session("c", "s"), {child}, 0,
                   std::chrono::milliseconds(10));
  EXPECT_THAT(table_.sent, IsEmpty());
}

// Launched, with the environment and the arguments.
Child launch_with(std::vector<std::string> argv, Environment env) {
  const Descriptor cwd(::open("/", O_PATH | O_DIRECTORY | O_CLOEXEC));
  const Descriptor null(::open("/dev/null", O_WRONLY | O_CLOEXEC));
  return Child(launch({.argv = std::move(argv),
                       .env = std::move(env),
                       .cwd = cwd.get(),
                       .cwd_name = "/",
                       .in = -1,
                       .out = null.get(),
                       .err = null.get()}));
}

// It has ended, but nobody has asked: its pid is held by the zombie, and still nothing is sent.
TEST_F(TreeTest, NothingIsSentToACommandThatHasEnded) {
  Child child = launch_with({"true"}, {});
  const Descriptor handle(::dup(child.pidfd()));
  system_process_table()->wait_ended(std::span(&handle, 1), Clock::now() + test::kPatience);
  table_.add(child.pid(), 1);
  kill_exec(table_, child, kMark);
  EXPECT_THAT(table_.sent, IsEmpty());
  EXPECT_EQ(child.poll(), ExitStatus::exited(0));
}

// It would be waited for in vain by each end of a tree.
TEST(SystemProcessTableTest, AProgramWithoutAnEnvironmentIsNotUnclear) {
  Child child = launch_with({"sleep", "2000"}, {});
  // The launch returns when the old program is gone, which is before the new one is laid out.
  const auto deadline = Clock::now() + test::kPatience;
  while (system_process_table()->mark(child.pid()).unclear && Clock::now() < deadline) {
  }
  EXPECT_LT(Clock::now(), deadline);
  child.signal(SIGKILL);
  EXPECT_TRUE(child.wait_until(Clock::now() + test::kPatience));
}

// It executes programs without end; each look sees its mark, or says that it saw nothing.
TEST(SystemProcessTableTest, AProgramThatIsBeingExecutedIsUnclearOrHasItsMark) {
  const std::string again = R"(exec sh -c "$1" sh "$1")";
  Child child =
      launch_with({"sh", "-c", again, "sh", again}, {{std::string(kMarkName), kMark.value()}});
  const auto table = system_process_table();
  for (int look = 0; look < 20'000; ++look) {
    const MarkReading reading = table->mark(child.pid());
    if (reading.unclear) continue;
    ASSERT_EQ(reading.value, kMark.value()) << "look " << look;
  }
  child.signal(SIGKILL);
  EXPECT_TRUE(child.wait_until(Clock::now() + test::kPatience));
}

}  // namespace
}  // namespace sandproof::local
