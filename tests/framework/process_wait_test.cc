// SPDX-License-Identifier: Apache-2.0
// wait, exit_status, kill and deadlines (WAIT, KILL, EXEC-021).
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <latch>
#include <memory>
#include <source_location>
#include <string>
#include <thread>
#include <vector>

#include "sandproof/errors.h"
#include "sandproof/process.h"
#include "sandproof/wait_board.h"
#include "tests/framework/support_fake_flavor.h"
#include "tests/framework/support_threads.h"

namespace sandproof {
namespace {

using namespace std::chrono_literals;
using ProcessWaitTest = FakeFlavorTest;

template <typename Call>
std::string timeout_text(const Call& call) {
  try {
    call();
  } catch (const TimeoutError& error) {
    return error.what();
  }
  return "it did not time out";
}

TEST_F(ProcessWaitTest, EveryWaiterGetsTheSameStatus) {
  const auto process = exec();
  std::vector<ExitStatus> got(8, ExitStatus::lost("none"));
  std::jthread ender([&] { command().finish(3); });
  on_threads(got.size(), [&](std::size_t i) { got[i] = process->wait(); });
  for (const ExitStatus& status : got) EXPECT_EQ(status, ExitStatus::exited(3));
  EXPECT_EQ(process->wait(), ExitStatus::exited(3));
  EXPECT_EQ(process->wait(0ms), ExitStatus::exited(3));
  EXPECT_EQ(process->exit_status(), ExitStatus::exited(3));
}

TEST_F(ProcessWaitTest, ATimeoutThrowsAndTheCommandGoesOn) {
  const auto process = exec();
  EXPECT_THROW(process->wait(0ms), TimeoutError);
  const std::string text = timeout_text([&] { process->wait(20ms); });
  EXPECT_NE(text.find("20 ms"), std::string::npos) << text;
  EXPECT_NE(text.find(session().id()), std::string::npos) << text;
  EXPECT_EQ(command().kills(), 0);
  command().finish(0);
  EXPECT_EQ(process->wait(kPatience), ExitStatus::exited(0));
}

TEST_F(ProcessWaitTest, AWaiterWithADeadlineLeavesTheOthersTheirPump) {
  const auto process = exec();
  // The first to wait leads; it must hand over when its time is up.
  std::latch started(1);
  std::jthread leader([&] {
    started.count_down();
    EXPECT_THROW(process->wait(30ms), TimeoutError);
  });
  started.wait();
  std::jthread ender([&] {
    leader.join();
    command().finish(5);
  });
  EXPECT_EQ(process->wait(), ExitStatus::exited(5));
}

TEST_F(ProcessWaitTest, BadTimeoutsAreRefused) {
  const auto process = exec();
  EXPECT_THROW(process->wait(-1ms), InvalidArgumentError);
  EXPECT_THROW(process->wait(kLargestTimeout + 1ms), InvalidArgumentError);
  EXPECT_THROW(exec(with_timeout(-1ms)), InvalidArgumentError);
  EXPECT_EQ(backend_->execs(), 1);
  command().finish();
  EXPECT_EQ(process->wait(kLargestTimeout), ExitStatus::exited(0));
}

TEST_F(ProcessWaitTest, TheStatusIsThereWithoutAWait) {
  const auto process = exec();
  EXPECT_FALSE(process->exit_status());
  command().finish(4);
  EXPECT_EQ(process->exit_status(), ExitStatus::exited(4));
}

TEST_F(ProcessWaitTest, WaitReturnsAtTheCommandsOwnExit) {
  settings_.set("drain_grace", 3600.0);
  const auto process = exec();
  command().exit(ExitStatus::exited(0));  // A descendant holds both streams.
  EXPECT_EQ(process->wait(), ExitStatus::exited(0));
  EXPECT_FALSE(process->out().end_state());
  command().die(ExitStatus::exited(0));
}

TEST_F(ProcessWaitTest, WaitNeedsNoReader) {
  const auto process = exec();
  const std::string text = numbered_lines(8 << 20);
  std::jthread writer([&] {
    command().write(Stream::kOut, text);
    command().write(Stream::kErr, text);
    command().finish(0);
  });
  EXPECT_EQ(process->wait(), ExitStatus::exited(0));
  EXPECT_TRUE(all_bytes(*process, Stream::kErr, 65536) == text);
  EXPECT_TRUE(all_bytes(*process, Stream::kOut, 65536) == text);
}

TEST_F(ProcessWaitTest, ALostStatusThrowsAndIsTold) {
  const auto process = exec();
  command().close(Stream::kOut);
  command().close(Stream::kErr);
  command().exit(ExitStatus::lost("the container is gone"));
  for (int i = 0; i < 2; ++i) {
    try {
      process->wait();
      FAIL() << "a lost status was returned";
    } catch (const SandboxLostError& error) {
      EXPECT_NE(std::string(error.what()).find("the container is gone"), std::string::npos);
    }
  }
  EXPECT_EQ(process->exit_status(), ExitStatus::lost("the container is gone"));
}

TEST_F(ProcessWaitTest, KillEndsTheCommand) {
  const auto process = exec();
  command().write(Stream::kOut, "before\n");
  process->kill();
  EXPECT_EQ(process->wait().integer(), 137);
  EXPECT_EQ(all_lines(process->out()), std::vector<std::string>{"before\n"});
}

TEST_F(ProcessWaitTest, KillIsIdempotentAndDoesNothingAfterTheExit) {
  const auto process = exec();
  command().finish(0);
  process->kill();
  process->kill();
  EXPECT_EQ(command().kills(), 0);
  EXPECT_EQ(process->wait(), ExitStatus::exited(0));

  const auto other = exec();
  other->kill();
  other->kill();
  EXPECT_EQ(command().kills(), 1);
}

TEST_F(ProcessWaitTest, KillUnblocksEverybody) {
  const auto process = exec(with_input(Stdin::pipe()));
  std::latch started(4);
  std::vector<std::jthread> blocked;
  blocked.emplace_back([&] {
    std::string line;
    started.count_down();
    EXPECT_FALSE(process->out().next(line));
  });
  blocked.emplace_back([&] {
    started.count_down();
    EXPECT_EQ(process->wait().integer(), 137);
  });
  blocked.emplace_back([&] {
    started.count_down();
    EXPECT_EQ(process->collect().status.integer(), 137);
  });
  blocked.emplace_back([&] {
    started.count_down();
    EXPECT_FALSE(process->in().write(std::string(1 << 20, 'x')));
  });
  started.wait();
  process->kill();
}

TEST_F(ProcessWaitTest, TroubleInKillIsToldAndNotThrown) {
  backend_->on_exec = [](const auto& command) {
    command->on_kill = [] { throw BackendError("the engine answered 500"); };
  };
  const auto process = exec();
  process->kill();
  EXPECT_EQ(diagnostics_->count("the engine answered 500"), 1);
  const std::string text = timeout_text([&] { process->wait(10ms); });
  EXPECT_NE(text.find("kill() failed: the engine answered 500"), std::string::npos) << text;
  command().finish(0);
  EXPECT_EQ(process->wait(), ExitStatus::exited(0));
}

TEST_F(ProcessWaitTest, TroubleInKillShowsInALostStatus) {
  backend_->on_exec = [](const auto& command) {
    command->on_kill = [] { throw std::runtime_error("connection refused"); };
  };
  const auto process = exec();
  process->kill();
  command().exit(ExitStatus::lost("the engine is gone"));
  try {
    process->wait();
    FAIL();
  } catch (const SandboxLostError& error) {
    EXPECT_NE(std::string(error.what()).find("connection refused"), std::string::npos);
  }
}

TEST_F(ProcessWaitTest, AKillThatComesTooLateKeepsTheStatus) {
  backend_->on_exec = [](const auto& command) {
    // It exits by itself while the kill is on its way.
    command->on_kill = [c = command.get()] { c->finish(0); };
  };
  const auto process = exec();
  process->kill();
  EXPECT_EQ(process->wait(), ExitStatus::exited(0));
  process->kill();
  EXPECT_EQ(process->wait(), ExitStatus::exited(0));
}

TEST_F(ProcessWaitTest, ASlowKillHoldsNobodyUp) {
  std::latch let_go(1);
  backend_->on_exec = [&](const auto& command) {
    command->on_kill = [&let_go, c = command.get()] {
      let_go.wait();
      c->die(ExitStatus::signaled(9));
    };
  };
  const auto process = exec();
  std::jthread killer([&] { process->kill(); });
  ASSERT_TRUE(command().wait_for_kill());
  command().write(Stream::kOut, "a\n");
  std::string line;
  EXPECT_TRUE(process->out().next(line));
  EXPECT_THROW(process->wait(1ms), TimeoutError);
  let_go.count_down();
  EXPECT_EQ(process->wait().integer(), 137);
}

TEST_F(ProcessWaitTest, ATimeoutOfExecEndsTheTree) {
  const auto process = exec(with_timeout(30ms));
  const ExitStatus status = process->wait();
  EXPECT_EQ(status.integer(), 137);
  EXPECT_TRUE(status.timed_out());
  EXPECT_EQ(command().kills(), 1);
}

TEST_F(ProcessWaitTest, ATimeoutOfExecNeedsNobodyWhoWaits) {
  const auto process = exec(with_timeout(30ms));
  EXPECT_TRUE(command().wait_for_kill());
  EXPECT_TRUE(process->wait().timed_out());
}

TEST_F(ProcessWaitTest, ATimeoutOfExecLeavesACommandThatEndedInTimeAlone) {
  const auto process = exec(with_timeout(1h));
  command().finish(0);
  EXPECT_FALSE(process->wait().timed_out());
  EXPECT_EQ(command().kills(), 0);
}

TEST_F(ProcessWaitTest, AKillAtADeadlineThatHangsHoldsNeitherCallersNorOtherCommandsUp) {
  std::latch let_go(1);
  backend_->on_exec = [&](const auto& command) {
    command->on_kill = [&let_go, c = command.get()] {
      let_go.wait();
      c->die(ExitStatus::signaled(9));
    };
  };
  const auto stuck = exec(with_timeout(1ms));
  const auto stuck_command = backend_->last();
  ASSERT_TRUE(stuck_command->wait_for_kill());
  EXPECT_THROW(stuck->wait(1ms), TimeoutError);
  // A command that nobody waits for is drained meanwhile.
  exec().reset();
  const auto other = backend_->last();
  EXPECT_TRUE(other->write(Stream::kOut, std::string(1 << 20, 'x')));
  other->finish();
  EXPECT_TRUE(other->wait_for_hooks_gone());
  let_go.count_down();
  EXPECT_TRUE(stuck->wait().timed_out());
}

TEST_F(ProcessWaitTest, WhoWaitsIsOnTheWaitBoard) {
  const auto board = std::make_unique<WaitBoard>();
  install_wait_board(board.get());
  const auto process = exec();
  command().write(Stream::kOut, "last words\n");
  std::string line;
  EXPECT_TRUE(process->out().next(line));
  std::uint_least32_t asked_at = 0;
  std::jthread waiter([&] {
    asked_at = std::source_location::current().line() + 1;
    process->wait();
  });
  std::vector<WaitRecord> records;
  while ((records = read_wait_board(*board)).empty()) std::this_thread::yield();
  ASSERT_EQ(records.size(), 1u);
  EXPECT_EQ(records[0].verb, "wait");
  EXPECT_EQ(records[0].object, "process 1 of " + session().id());
  EXPECT_EQ(records[0].last_bytes, "last words\\n");
  EXPECT_NE(records[0].file.find("process_wait_test.cc"), std::string::npos);
  command().finish();
  waiter.join();
  EXPECT_EQ(records[0].line, asked_at);
  EXPECT_TRUE(read_wait_board(*board).empty());
  install_wait_board(nullptr);
}

TEST_F(ProcessWaitTest, KillRacingAnExitKeepsWhicheverCameFirst) {
  for (int round = 0; round < 200; ++round) {
    const auto process = exec();
    const auto command = backend_->last();
    std::jthread ender([&] { command->finish(7); });
    process->kill();
    const ExitStatus first = process->wait();
    EXPECT_TRUE(first == ExitStatus::exited(7) || first == ExitStatus::signaled(9));
    ender.join();
    process->kill();
    EXPECT_EQ(process->wait(), first);
  }
}

TEST_F(ProcessWaitTest, NobodySeesRunningAfterAnotherSawTheEnd) {
  for (int round = 0; round < 200; ++round) {
    const auto process = exec();
    const auto command = backend_->last();
    std::atomic<bool> waited = false;
    std::jthread waiter([&] {
      process->wait();
      waited = true;
    });
    std::jthread ender([&] { command->finish(0); });
    bool seen = false;
    while (!seen) {
      const bool before = waited;
      seen = process->exit_status().has_value();
      ASSERT_TRUE(seen || !before);
    }
  }
}

// BUGS.md #18: the poller first, and then one who waits, is woken as if the command had ended.
TEST_F(ProcessWaitTest, AFalseWakeUpHoldsNothingUpAndTheWatchGoesOn) {
  const auto process = exec();
  const auto woken = backend_->last();
  const auto wake_often = [&] {
    for (int i = 0; i < 20; ++i) {
      const int before = woken->exit_polls();
      woken->wake_for_nothing();
      while (woken->exit_polls() == before) std::this_thread::yield();
    }
  };
  wake_often();
  // A timer of the same poller, which a look that blocks would hold up.
  const auto timed = exec(with_timeout(30ms));
  woken->wake_for_nothing();
  EXPECT_TRUE(backend_->last()->wait_for_kill());
  EXPECT_TRUE(timed->wait().timed_out());
  std::jthread waiter([&] { EXPECT_EQ(process->wait(), ExitStatus::exited(4)); });
  EXPECT_THROW(process->wait(20ms), TimeoutError);  // By then the other one waits.
  wake_often();
  EXPECT_THROW(process->wait(20ms), TimeoutError);
  woken->finish(4);
}

// BUGS.md #33: a descendant that has got away from the kill holds both streams.
TEST_F(ProcessWaitTest, AKillEndsTheWaitWhateverHoldsTheStreams) {
  settings_.set("drain_grace", 3600.0);
  backend_->on_exec = [](const auto& command) {
    command->on_kill = [c = command.get()] { c->exit(ExitStatus::signaled(9)); };
  };
  for (const bool kill_first : {true, false}) {
    SCOPED_TRACE(kill_first ? "kill first" : "wait first");
    const auto process = exec();
    std::jthread waiter;
    if (!kill_first) {
      waiter = std::jthread([&] { EXPECT_EQ(process->wait(), ExitStatus::signaled(9)); });
      EXPECT_THROW(process->wait(20ms), TimeoutError);  // By then the other one waits.
    }
    process->kill();
    EXPECT_EQ(process->wait(kPatience), ExitStatus::signaled(9));
    EXPECT_FALSE(process->out().end_state());
    if (waiter.joinable()) waiter.join();
    command().die(ExitStatus::exited(0));
  }
}

}  // namespace
}  // namespace sandproof
