// SPDX-License-Identifier: Apache-2.0
// The log of a session (LOG-001 to LOG-008) and its metadata (META-001, META-002), with sinks that
// throw, hold calls at a gate, and call back.
#include "session_log.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <future>
#include <latch>
#include <stdexcept>
#include <thread>

#include "sandproof/log_stores.h"
#include "session_metadata.h"

namespace sandproof {
namespace {

using namespace std::chrono_literals;
using namespace std::string_literals;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using Argv = std::vector<std::string>;

constexpr const char* kSource = "sandbox:local-1";

// What a store made of functions does; each defaults to forwarding to a memory store.
class ScriptedStore : public LogStore {
 public:
  std::unique_ptr<LogSource> open_source(const std::string& name) override {
    if (on_open) on_open();
    if (no_source) return nullptr;
    return std::make_unique<Source>(*this, memory.open_source(name));
  }

  MemoryLogStore memory;
  std::function<void()> on_open;
  std::function<void(std::string_view)> on_log;
  std::function<void()> on_end;
  bool no_source = false;

 private:
  class Source : public LogSource {
   public:
    Source(ScriptedStore& store, std::unique_ptr<LogSource> inner)
        : store_(store), inner_(std::move(inner)) {}
    void log(LogLevel level, std::string_view text) override {
      if (store_.on_log) store_.on_log(text);
      inner_->log(level, text);
    }
    void end() override {
      if (store_.on_end) store_.on_end();
      inner_->end();
    }

   private:
    ScriptedStore& store_;
    std::unique_ptr<LogSource> inner_;
  };
};

class SessionLogTest : public testing::Test {
 protected:
  StepContext step() const {
    StepContext context;
    context.logs = store_;
    return context;
  }

  std::shared_ptr<ScriptedStore> store_ = std::make_shared<ScriptedStore>();
  std::shared_ptr<MemoryDiagnostics> diagnostics_ = std::make_shared<MemoryDiagnostics>();
  SessionLog log_{step(), "local-1", Redactor({"hunter2", "it's", "two words"}), diagnostics_};

  std::vector<LogRecord> records() const { return store_->memory.records(); }
  std::vector<std::string> texts() const { return store_->memory.texts(kSource); }
};

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

// ---- Sinks that misbehave -------------------------------------------------------------------

TEST_F(SessionLogTest, AThrowingSinkIsReportedOnce) {
  store_->on_log = [](std::string_view text) {
    if (text != "good") throw std::runtime_error("disk full");
  };
  log_.command(Argv{"true"});
  log_.line(Stream::kOut, "bad");
  log_.line(Stream::kOut, "good");
  log_.finished(ExitStatus::exited(0), 1s);
  EXPECT_THAT(texts(), ElementsAre("good")) << "a sink may recover";
  const auto reports = diagnostics_->records();
  ASSERT_EQ(reports.size(), 1u);
  EXPECT_EQ(reports[0].level, LogLevel::kWarning);
  EXPECT_THAT(reports[0].text, HasSubstr("cannot log to `sandbox:local-1`: disk full"));
}

TEST_F(SessionLogTest, AThrownThingThatIsNoExceptionIsReportedToo) {
  store_->on_log = [](std::string_view) { throw 7; };
  log_.line(Stream::kOut, "x");
  ASSERT_EQ(diagnostics_->records().size(), 1u);
  EXPECT_THAT(diagnostics_->records()[0].text, HasSubstr("no std::exception"));
}

TEST_F(SessionLogTest, AStoreThatCannotOpenIsTriedOnce) {
  int opens = 0;
  store_->on_open = [&] {
    ++opens;
    throw std::runtime_error("no network");
  };
  log_.line(Stream::kOut, "x");
  EXPECT_FALSE(log_.active()) << "callers can skip the work from now on";
  log_.line(Stream::kOut, "y");
  log_.end();
  EXPECT_EQ(opens, 1);
  EXPECT_THAT(store_->memory.ended(), IsEmpty());
  ASSERT_EQ(diagnostics_->records().size(), 1u);
  EXPECT_THAT(diagnostics_->records()[0].text, HasSubstr("cannot open `sandbox:local-1`"));
}

TEST_F(SessionLogTest, AStoreThatGivesNoSourceGetsNoLines) {
  store_->no_source = true;
  log_.line(Stream::kOut, "x");
  EXPECT_FALSE(log_.active());
  log_.end();
  EXPECT_THAT(diagnostics_->records(), IsEmpty());
}

TEST_F(SessionLogTest, AThrowingEndIsReported) {
  store_->on_end = [] { throw std::runtime_error("broken pipe"); };
  log_.line(Stream::kOut, "x");
  log_.end();
  ASSERT_EQ(diagnostics_->records().size(), 1u);
  EXPECT_THAT(diagnostics_->records()[0].text, HasSubstr("cannot end `sandbox:local-1`"));
}

TEST_F(SessionLogTest, FailingOrMissingDiagnosticsBreakNothing) {
  class Failing : public Diagnostics {
   public:
    void report(LogLevel, std::string_view) override { throw std::runtime_error("too"); }
  };
  store_->on_log = [](std::string_view) { throw std::runtime_error("x"); };
  for (const std::shared_ptr<Diagnostics>& diagnostics :
       {std::shared_ptr<Diagnostics>(std::make_shared<Failing>()),
        std::shared_ptr<Diagnostics>()}) {
    SessionLog log(step(), "local-1", Redactor(), diagnostics);
    log.line(Stream::kOut, "x");
    log.end();
  }
}

TEST_F(SessionLogTest, ASlowSinkHoldsUpNobodyElse) {
  std::promise<void> inside;
  std::promise<void> go_on;
  store_->on_log = [&, gate = go_on.get_future().share()](std::string_view text) {
    if (text != "slow") return;
    inside.set_value();
    gate.wait();
  };
  std::jthread slow([&] { log_.line(Stream::kOut, "slow"); });
  inside.get_future().wait();
  log_.line(Stream::kOut, "quick");  // Would hang under a common lock.
  EXPECT_THAT(texts(), ElementsAre("quick"));
  go_on.set_value();
  slow.join();
  EXPECT_THAT(texts(), ElementsAre("quick", "slow"));
}

TEST_F(SessionLogTest, EndWaitsForACallInTheSink) {
  std::promise<void> inside;
  std::promise<void> go_on;
  store_->on_log = [&, gate = go_on.get_future().share()](std::string_view) {
    inside.set_value();
    gate.wait();
  };
  std::jthread slow([&] { log_.line(Stream::kOut, "slow"); });
  inside.get_future().wait();
  std::jthread ender([&] { log_.end(); });
  while (log_.active()) std::this_thread::yield();  // The end has begun.
  EXPECT_THAT(store_->memory.ended(), IsEmpty());
  go_on.set_value();
  ender.join();
  slow.join();
  EXPECT_THAT(texts(), ElementsAre("slow"));
  EXPECT_THAT(store_->memory.ended(), ElementsAre(kSource));
  EXPECT_THAT(store_->memory.late(), IsEmpty());
  EXPECT_THAT(diagnostics_->records(), IsEmpty());
}

TEST_F(SessionLogTest, EndGivesUpOnASinkThatDoesNotReturnAndTheSinkIsEndedWhenItDoes) {
  std::promise<void> inside;
  std::promise<void> go_on;
  store_->on_log = [&, gate = go_on.get_future().share()](std::string_view) {
    inside.set_value();
    gate.wait();
  };
  std::jthread stuck([&] { log_.line(Stream::kOut, "stuck"); });
  inside.get_future().wait();
  log_.end();  // Returns although the gate is shut.
  EXPECT_THAT(store_->memory.ended(), IsEmpty());
  ASSERT_EQ(diagnostics_->records().size(), 1u);
  EXPECT_THAT(diagnostics_->records()[0].text, HasSubstr("`sandbox:local-1` is not ended yet"));
  log_.line(Stream::kOut, "late");  // Neither logged nor waiting.
  go_on.set_value();
  stuck.join();
  EXPECT_THAT(texts(), ElementsAre("stuck"));
  EXPECT_THAT(store_->memory.ended(), ElementsAre(kSource));
  EXPECT_THAT(store_->memory.late(), IsEmpty());
}

TEST_F(SessionLogTest, EndFreesThoseWhoWaitForAnOpenerThatDoesNotReturn) {
  std::promise<void> opening;
  std::promise<void> go_on;
  store_->on_open = [&, gate = go_on.get_future().share()] {
    opening.set_value();
    gate.wait();
  };
  std::jthread opener([&] { log_.line(Stream::kOut, "first"); });
  opening.get_future().wait();
  std::jthread waiter([&] { log_.line(Stream::kOut, "second"); });
  log_.end();
  waiter.join();  // Although the opener has not returned.
  EXPECT_THAT(texts(), IsEmpty());
  go_on.set_value();
  opener.join();
  EXPECT_THAT(store_->memory.ended(), ElementsAre(kSource));
  EXPECT_THAT(store_->memory.late(), IsEmpty());
}

TEST_F(SessionLogTest, ASinkMayCallBack) {
  store_->on_log = [&](std::string_view text) {
    if (text == "outer") log_.line(Stream::kErr, "inner");
  };
  log_.line(Stream::kOut, "outer");
  EXPECT_THAT(texts(), ElementsAre("inner", "outer"));
}

// ---- Metadata -------------------------------------------------------------------------------

class SessionMetadata : public testing::Test {
 protected:
  class Sink : public MemoryMetadataSink {
   public:
    void publish(const std::string& key, const std::string& value) override {
      if (key == fails_on) throw std::runtime_error("refused");
      MemoryMetadataSink::publish(key, value);
    }
    std::string fails_on;
  };

  void publish(const std::optional<std::string>& url) {
    publish_session_metadata(step_, "local-1", "local", url, diagnostics_);
  }

  SessionMetadata() { step_.metadata = sink_; }

  std::shared_ptr<Sink> sink_ = std::make_shared<Sink>();
  StepContext step_;
  MemoryDiagnostics diagnostics_;
};

TEST_F(SessionMetadata, PublishesTheFlavorAndTheAddressWhereThereIsOne) {
  const std::pair flavor("sandbox.local-1.flavor"s, "local"s);
  publish(std::nullopt);
  EXPECT_THAT(sink_->entries(), ElementsAre(flavor));
  publish("");
  EXPECT_THAT(sink_->entries(), ElementsAre(flavor, flavor));
  publish("http://x/");
  EXPECT_THAT(sink_->entries(),
              ElementsAre(flavor, flavor, flavor,
                          std::pair("sandbox.local-1.dashboard_url"s, "http://x/"s)));
}

TEST_F(SessionMetadata, WithoutASinkNothingHappens) {
  step_.metadata = nullptr;
  publish("http://x/");
  EXPECT_THAT(diagnostics_.records(), IsEmpty());
}

TEST_F(SessionMetadata, AFailureIsReportedAndTheOtherKeyIsPublished) {
  sink_->fails_on = "sandbox.local-1.flavor";
  publish("http://x/");
  EXPECT_THAT(sink_->entries(),
              ElementsAre(std::pair("sandbox.local-1.dashboard_url"s, "http://x/"s)));
  ASSERT_EQ(diagnostics_.records().size(), 1u);
  EXPECT_EQ(diagnostics_.records()[0].level, LogLevel::kWarning);
  EXPECT_THAT(diagnostics_.records()[0].text,
              HasSubstr("cannot publish `sandbox.local-1.flavor`: refused"));
}

TEST_F(SessionMetadata, FailingDiagnosticsBreakNothing) {
  class Failing : public Diagnostics {
   public:
    void report(LogLevel, std::string_view) override { throw std::runtime_error("too"); }
  };
  Failing diagnostics;
  sink_->fails_on = "sandbox.local-1.flavor";
  publish_session_metadata(step_, "local-1", "local", "http://x/", diagnostics);
  EXPECT_EQ(sink_->entries().size(), 1u);
}

}  // namespace
}  // namespace sandproof
