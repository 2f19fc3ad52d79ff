// SPDX-License-Identifier: Apache-2.0
// The log of a session: its words and levels, and the life of its source (LOG-001 to LOG-006).
#include "session_log.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <future>
#include <latch>
#include <thread>

#include "sandproof/log_stores.h"
#include "session_log_fixture.h"

namespace sandproof {
namespace {

using namespace std::chrono_literals;
using namespace std::string_literals;
using testing::ElementsAre;
using testing::IsEmpty;
using Argv = std::vector<std::string>;

LogRecord info(const std::string& text) { return {kSource, LogLevel::kInfo, text}; }
LogRecord error(const std::string& text) { return {kSource, LogLevel::kError, text}; }

// ---- Words and levels -----------------------------------------------------------------------

TEST_F(SessionLogTest, OneCommandFromStartToEnd) {
  log_.command(Argv{"sh", "-c", "echo $HOME", "", "it isn't"});
  log_.line(Stream::kOut, "one\n");
  log_.line(Stream::kErr, "two\r\n");
  log_.line(Stream::kOut, "");
  log_.line(Stream::kOut, "\n");
  log_.line(Stream::kOut, "no newline {} %s");
  log_.finished(ExitStatus::exited(0), 1234ms);
  EXPECT_THAT(records(), ElementsAre(info(R"($ sh -c 'echo $HOME' '' 'it isn'"'"'t')"), info("one"),
                                     error("two\r"), info(""), info(""), info("no newline {} %s"),
                                     info("OK exit code 0 in 1.2s")));
  EXPECT_THAT(store_->memory.opened(), ElementsAre(kSource));
  EXPECT_THAT(diagnostics_->records(), IsEmpty());
}

TEST_F(SessionLogTest, OnlyOneNewlineIsCutOff) {
  log_.line(Stream::kOut, "a\n\n");
  EXPECT_THAT(texts(), ElementsAre("a\n"));
}

TEST_F(SessionLogTest, EveryWayToEnd) {
  log_.finished(ExitStatus::exited(3), 0s);
  log_.finished(ExitStatus::exited(3), 49ms);
  log_.finished(ExitStatus::exited(3), 3h);
  log_.finished(ExitStatus::signaled(9), 60s);
  log_.finished(ExitStatus::exited(137), 950ms);
  log_.finished(ExitStatus::signaled(9).with_timed_out(), 2s);
  log_.finished(ExitStatus::lost("the pod is gone"), 1s);
  log_.launch_failed("cannot start `nope`: not found");
  EXPECT_THAT(records(),
              ElementsAre(error("FAIL exit code 3 in 0.0s"), error("FAIL exit code 3 in 0.0s"),
                          error("FAIL exit code 3 in 10800.0s"),
                          error("FAIL exit code 137 in 60.0s"), error("FAIL exit code 137 in 0.9s"),
                          error("FAIL exit code 137 in 2.0s (timed out)"),
                          error("FAIL status lost: the pod is gone"),
                          error("FAIL cannot start `nope`: not found")));
}

TEST_F(SessionLogTest, UnconsumedLinesAreOneRecord) {
  log_.unconsumed(0);
  EXPECT_THAT(store_->memory.opened(), IsEmpty()) << "nothing is no event";
  log_.unconsumed(1);
  log_.unconsumed(5000000000);
  EXPECT_THAT(records(),
              ElementsAre(LogRecord{kSource, LogLevel::kWarning, "1 line of output was never read"},
                          LogRecord{kSource, LogLevel::kWarning,
                                    "5000000000 lines of output were never read"}));
}

TEST_F(SessionLogTest, SecretsAreReplacedEverywhere) {
  log_.command(Argv{"curl", "-H", "Token: hunter2", "it's", "two", "words"});
  log_.line(Stream::kOut, "hunter2\n");
  log_.line(Stream::kErr, "x hunter2 y\n");
  log_.finished(ExitStatus::lost("hunter2 is gone"), 1s);
  log_.launch_failed("no hunter2");
  EXPECT_THAT(texts(), ElementsAre("$ curl -H 'Token: ***' '***' ***", "***", "x *** y",
                                   "FAIL status lost: *** is gone", "FAIL no ***"));
}

// ---- Outside a step -------------------------------------------------------------------------

TEST_F(SessionLogTest, OutsideAStepEverythingIsANoOp) {
  StepContext no_logs;
  no_logs.metadata = std::make_shared<MemoryMetadataSink>();
  for (const auto& context : {std::optional<StepContext>(), std::optional<StepContext>(no_logs)}) {
    SessionLog log(context, "local-1", Redactor(), nullptr);
    EXPECT_FALSE(log.active());
    log.command(Argv{"true"});
    log.line(Stream::kOut, "x\n");
    log.finished(ExitStatus::exited(0), 1s);
    log.launch_failed("x");
    log.unconsumed(3);
    log.end();
    EXPECT_FALSE(log.active());
  }
}

// ---- The life of the source -----------------------------------------------------------------

TEST_F(SessionLogTest, TheSourceIsOpenedByTheFirstEventAndEndedOnce) {
  EXPECT_TRUE(log_.active());
  EXPECT_THAT(store_->memory.opened(), IsEmpty());
  log_.line(Stream::kOut, "x");
  log_.line(Stream::kOut, "y");
  EXPECT_THAT(store_->memory.opened(), ElementsAre(kSource));
  EXPECT_THAT(store_->memory.ended(), IsEmpty());
  log_.end();
  log_.end();
  EXPECT_THAT(store_->memory.ended(), ElementsAre(kSource));
  EXPECT_FALSE(log_.active());
}

TEST_F(SessionLogTest, NothingIsLoggedAfterTheEnd) {
  log_.line(Stream::kOut, "x");
  log_.end();
  log_.command(Argv{"true"});
  log_.line(Stream::kOut, "y");
  log_.finished(ExitStatus::exited(0), 1s);
  log_.launch_failed("z");
  log_.unconsumed(1);
  EXPECT_THAT(texts(), ElementsAre("x"));
  EXPECT_THAT(store_->memory.late(), IsEmpty());
  EXPECT_THAT(store_->memory.opened(), ElementsAre(kSource));
}

TEST_F(SessionLogTest, NothingIsOpenedAfterAnEndWithoutEvents) {
  log_.end();
  log_.line(Stream::kOut, "x");
  EXPECT_THAT(store_->memory.opened(), IsEmpty());
  EXPECT_THAT(store_->memory.ended(), IsEmpty());
}

TEST_F(SessionLogTest, OneSourceUnderConcurrencyAndEveryLineOnceInOrder) {
  constexpr int kThreads = 8;
  constexpr int kLines = 200;
  std::latch start(kThreads);
  {
    std::vector<std::jthread> threads;
    for (int thread = 0; thread < kThreads; ++thread) {
      threads.emplace_back([&, thread] {
        start.arrive_and_wait();
        for (int line = 0; line < kLines; ++line) {
          log_.line(Stream::kOut, std::to_string(thread) + ":" + std::to_string(line) + "\n");
        }
      });
    }
  }
  EXPECT_THAT(store_->memory.opened(), ElementsAre(kSource));
  std::vector<int> next(kThreads, 0);
  for (const std::string& text : texts()) {
    const int thread = std::stoi(text);
    EXPECT_EQ(text, std::to_string(thread) + ":" + std::to_string(next.at(thread)++));
  }
  EXPECT_THAT(next, testing::Each(kLines));
}

TEST_F(SessionLogTest, TheSecondThreadWaitsForTheOpener) {
  std::promise<void> opening;
  std::promise<void> go_on;
  store_->on_open = [&, gate = go_on.get_future().share()] {
    opening.set_value();
    gate.wait();
  };
  std::jthread first([&] { log_.line(Stream::kOut, "first"); });
  opening.get_future().wait();
  std::jthread second([&] { log_.line(Stream::kOut, "second"); });
  go_on.set_value();
  first.join();
  second.join();
  EXPECT_THAT(texts(), testing::UnorderedElementsAre("first", "second"));
  EXPECT_THAT(store_->memory.opened(), ElementsAre(kSource));
}

TEST_F(SessionLogTest, TwoFirstEventsAtOnceOpenOneSource) {
  // Two threads that meet at each round: the window in which both could open is nanoseconds wide.
  constexpr int kRounds = 3000;
  std::vector<std::shared_ptr<MemoryLogStore>> stores;
  std::vector<std::unique_ptr<SessionLog>> logs;
  for (int round = 0; round < kRounds; ++round) {
    stores.push_back(std::make_shared<MemoryLogStore>());
    StepContext context;
    context.logs = stores.back();
    logs.push_back(std::make_unique<SessionLog>(context, "local-1", Redactor(), nullptr));
  }
  std::atomic<int> arrived{0};
  const auto run = [&] {
    int expected = 0;
    for (const auto& log : logs) {
      expected += 2;
      arrived.fetch_add(1);
      // Spins, since waking up takes longer than the window; yields where the other has no core.
      for (int spins = 0; arrived.load() < expected; ++spins) {
        if (spins > 1000) std::this_thread::yield();
      }
      log->line(Stream::kOut, "x");
    }
  };
  {
    std::jthread first(run);
    std::jthread second(run);
  }
  for (const auto& store : stores) {
    ASSERT_EQ(store->opened().size(), 1u);
    ASSERT_EQ(store->records().size(), 2u);
  }
}

TEST_F(SessionLogTest, AnEventThatTheEndOvertakesIsDropped) {
  // Quoting this takes long enough for end() to come and go in the meantime.
  const Argv argv(1, std::string(std::size_t{1} << 20, '\''));
  for (int round = 0; round < 20; ++round) {
    const auto memory = std::make_shared<MemoryLogStore>();
    StepContext context;
    context.logs = memory;
    SessionLog log(context, "local-1", Redactor(), diagnostics_);
    log.line(Stream::kOut, "x");
    std::promise<void> begun;
    std::jthread thread([&] {
      begun.set_value();
      log.command(argv);
    });
    begun.get_future().wait();
    log.end();
    thread.join();
    EXPECT_THAT(memory->late(), IsEmpty());
    EXPECT_THAT(memory->ended(), ElementsAre(kSource));
  }
}

TEST_F(SessionLogTest, EndRacingManyThreadsLeavesNothingLate) {
  for (int round = 0; round < 50; ++round) {
    const auto memory = std::make_shared<MemoryLogStore>();
    StepContext context;
    context.logs = memory;
    SessionLog log(context, "local-1", Redactor(), diagnostics_);
    std::latch start(5);
    {
      std::vector<std::jthread> threads;
      for (int thread = 0; thread < 4; ++thread) {
        threads.emplace_back([&] {
          start.arrive_and_wait();
          for (int line = 0; line < 50; ++line) log.line(Stream::kErr, "x");
        });
      }
      start.arrive_and_wait();
      log.end();
      // What end() promises holds as soon as it returns, not only in the end.
      EXPECT_EQ(memory->ended().size(), memory->opened().size());
      const std::size_t at_end = memory->records().size();
      threads.clear();
      EXPECT_EQ(memory->records().size(), at_end);
    }
    EXPECT_THAT(memory->late(), IsEmpty());
    EXPECT_LE(memory->opened().size(), 1u);
  }
  EXPECT_THAT(diagnostics_->records(), IsEmpty());
}

}  // namespace
}  // namespace sandproof
