// SPDX-License-Identifier: Apache-2.0
// The log of a session over sinks that throw, are slow, do not return or call back (LOG-007).
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <chrono>
#include <fstream>
#include <future>
#include <memory>
#include <stdexcept>
#include <thread>

#include "session_log_fixture.h"

namespace sandproof {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using Argv = std::vector<std::string>;

using SessionLogFaults = SessionLogTest;

// Until the kernel says that the thread sleeps: it waits for something, and in these tests there is
// one thing to wait for.
void wait_until_asleep(pid_t thread) {
  const std::string path = "/proc/self/task/" + std::to_string(thread) + "/stat";
  const auto deadline = std::chrono::steady_clock::now() + 30s;
  while (std::chrono::steady_clock::now() < deadline) {
    std::ifstream file(path);
    std::string stat;
    std::getline(file, stat);
    const std::size_t name_end = stat.rfind(')');
    if (name_end != std::string::npos && stat.compare(name_end, 3, ") S") == 0) return;
    std::this_thread::yield();
  }
  ADD_FAILURE() << "thread " << thread << " does not wait";
}

TEST_F(SessionLogFaults, AThrowingSinkIsReportedOnce) {
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

TEST_F(SessionLogFaults, AThrownThingThatIsNoExceptionIsReportedToo) {
  store_->on_log = [](std::string_view) { throw 7; };
  log_.line(Stream::kOut, "x");
  EXPECT_THAT(reports(), ElementsAre(HasSubstr("no std::exception")));
}

TEST_F(SessionLogFaults, AStoreThatCannotOpenIsTriedOnce) {
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
  EXPECT_THAT(reports(), ElementsAre(HasSubstr("cannot open `sandbox:local-1`")));
}

TEST_F(SessionLogFaults, AStoreThatGivesNoSourceGetsNoLines) {
  store_->no_source = true;
  log_.line(Stream::kOut, "x");
  EXPECT_FALSE(log_.active());
  log_.end();
  EXPECT_THAT(diagnostics_->records(), IsEmpty());
}

TEST_F(SessionLogFaults, AThrowingEndIsReported) {
  store_->on_end = [] { throw std::runtime_error("broken pipe"); };
  log_.line(Stream::kOut, "x");
  log_.end();
  EXPECT_THAT(reports(), ElementsAre(HasSubstr("cannot end `sandbox:local-1`")));
}

TEST_F(SessionLogFaults, FailingOrMissingDiagnosticsBreakNothing) {
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

TEST_F(SessionLogFaults, ASlowSinkHoldsUpNobodyElse) {
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

TEST_F(SessionLogFaults, EndWaitsForACallInTheSink) {
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

TEST_F(SessionLogFaults, EndGivesUpOnASinkThatDoesNotReturnAndTheSinkIsEndedWhenItDoes) {
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
  EXPECT_THAT(reports(), ElementsAre(HasSubstr("`sandbox:local-1` is not ended yet")));
  log_.line(Stream::kOut, "late");  // Neither logged nor waiting.
  go_on.set_value();
  stuck.join();
  EXPECT_THAT(texts(), ElementsAre("stuck"));
  EXPECT_THAT(store_->memory.ended(), ElementsAre(kSource));
  EXPECT_THAT(store_->memory.late(), IsEmpty());
}

TEST_F(SessionLogFaults, EndFreesThoseWhoWaitForAnOpenerThatDoesNotReturn) {
  std::promise<void> opening;
  std::promise<void> go_on;
  store_->on_open = [&, gate = go_on.get_future().share()] {
    opening.set_value();
    gate.wait();
  };
  std::jthread opener([&] { log_.line(Stream::kOut, "first"); });
  opening.get_future().wait();
  std::promise<pid_t> waiting;
  std::jthread waiter([&] {
    waiting.set_value(static_cast<pid_t>(::syscall(SYS_gettid)));
    log_.line(Stream::kOut, "second");
  });
  wait_until_asleep(waiting.get_future().get());
  log_.end();
  waiter.join();  // Although the opener has not returned.
  EXPECT_THAT(texts(), IsEmpty());
  go_on.set_value();
  opener.join();
  EXPECT_THAT(store_->memory.ended(), ElementsAre(kSource));
  EXPECT_THAT(store_->memory.late(), IsEmpty());
}

TEST_F(SessionLogFaults, ASinkMayCallBack) {
  store_->on_log = [&](std::string_view text) {
    if (text == "outer") log_.line(Stream::kErr, "inner");
  };
  log_.line(Stream::kOut, "outer");
  EXPECT_THAT(texts(), ElementsAre("inner", "outer"));
}

}  // namespace
}  // namespace sandproof
