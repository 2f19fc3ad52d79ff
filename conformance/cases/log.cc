// SPDX-License-Identifier: Apache-2.0
// LOG: what a session writes to the log of its step. Cases; each used by one worker thread.
#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <iterator>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "conformance/cases/areas.h"
#include "conformance/cases/recording_step.h"
#include "conformance/cases/support.h"
#include "sandproof/conformance/assertions.h"

namespace sandproof::conformance {
namespace {

using testing::AllOf;
using testing::Contains;
using testing::Each;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::MatchesRegex;
using testing::Not;
using testing::StartsWith;

// LOG-001: Inside a step, a session's events go to one source, `sandbox:<id>` …
void EventsGoToOneSource(CaseContext& ctx) {
  const RecordingStep step;
  const auto sandbox = in_step(ctx, step);
  const auto session = sandbox->create_session();
  for (int i = 0; i < 3; ++i) run(*session, {"echo", "hi"});
  EXPECT_THAT(step.logs().opened(), ElementsAre("sandbox:" + session->id()));
}

// LOG-001: … outside a step there is none, and everything else works the same.
void OutsideAStepEverythingWorks(CaseContext& ctx) {
  const RecordingStep step;
  const auto inside = in_step(ctx, step);
  const Output with = run(*inside->create_session(), {"echo", "hi"});
  const Output without = run(ctx.session(), {"echo", "hi"});
  EXPECT_TRUE(with == without);
}

// LOG-002: Per exec: `$ <command>` at INFO, each word quoted for a POSIX shell only where needed;
// then each stdout line at INFO … then, after `collect`, `OK exit code 0 in 1.2s` at INFO …
void ASuccessIsLogged(CaseContext& ctx) {
  const RecordingStep step;
  const auto sandbox = in_step(ctx, step);
  run(*sandbox->create_session(), {"echo", "it's $HOME", "a"});
  EXPECT_THAT(step.lines(), ElementsAre("info: $ echo 'it'\"'\"'s $HOME' a", "info: it's $HOME a",
                                        MatchesRegex("info: OK exit code 0 in [0-9]+\\.[0-9]s")));
}

// LOG-002: … each stderr line at ERROR … or `FAIL exit code 3 in 0.0s` at ERROR …
void AFailureIsLogged(CaseContext& ctx) {
  const RecordingStep step;
  const auto sandbox = in_step(ctx, step);
  sandbox->create_session()->exec("sh -c 'echo e >&2; exit 3'")->collect();
  EXPECT_THAT(step.lines(),
              ElementsAre("info: $ sh -c 'echo e >&2; exit 3'", "error: e",
                          MatchesRegex("error: FAIL exit code 3 in [0-9]+\\.[0-9]s")));
}

// LOG-002: … when it is handed to the caller …
void ALineIsLoggedWhenItIsHandedOut(CaseContext& ctx) {
  const RecordingStep step;
  const auto sandbox = in_step(ctx, step);
  const auto session = sandbox->create_session();
  auto process = session->exec({"printf", "one\\ntwo\\n"});
  process->wait();
  next_line(process->out());
  EXPECT_THAT(step.texts(), AllOf(Contains("one"), Not(Contains("two"))));
}

// LOG-002: … when it is handed to the caller …: by read_some(), too.
void ALineIsLoggedWhenItsBytesAreHandedOut(CaseContext& ctx) {
  const RecordingStep step;
  const auto sandbox = in_step(ctx, step);
  const auto session = sandbox->create_session();
  auto process = session->exec({"printf", "one\\ntwo\\n"});
  process->wait();
  std::array<std::byte, 4> one;
  for (std::size_t count = 0; count < one.size();) {
    const std::size_t more = process->read_some(Stream::kOut, std::span(one).subspan(count));
    if (more == 0) break;
    count += more;
  }
  EXPECT_THAT(step.texts(), AllOf(Contains("one"), Not(Contains("two"))));
}

// LOG-002: … `OK exit code 0 in 1.2s` … from a steady clock.
void TheDurationIsTheCommands(CaseContext& ctx) {
  const RecordingStep step;
  const auto sandbox = in_step(ctx, step);
  run(*sandbox->create_session(), {"sleep", "0.35"});
  EXPECT_THAT(step.lines(),
              ElementsAre("info: $ sleep 0.35", MatchesRegex("info: OK exit code 0 in "
                                                             "(0\\.[3-9]|[1-9][0-9]*\\.[0-9])s")));
}

// LOG-003: Lines dropped by the collect cap are still logged.
void DroppedLinesAreLogged(CaseContext& ctx) {
  const RecordingStep step;
  const auto sandbox = in_step(ctx, step);
  CollectOptions small;
  small.max_chars = 2;
  sandbox->create_session()->exec({"seq", "1", "100"})->collect(small);
  const std::vector<std::string> texts = step.texts();
  EXPECT_EQ(texts.size(), 102U);
  EXPECT_THAT(texts, Contains("100"));
}

// LOG-004: A failed launch logs `$ <command>` and a `FAIL` line that names the reason.
void AFailedLaunchIsLogged(CaseContext& ctx) {
  const RecordingStep step;
  const auto sandbox = in_step(ctx, step);
  const auto session = sandbox->create_session();
  error_of([&] { session->exec({"no-such-program"}); });
  EXPECT_THAT(step.lines(),
              ElementsAre("info: $ no-such-program",
                          AllOf(StartsWith("error: FAIL "), HasSubstr("no-such-program"))));
}

// LOG-004: A failed launch logs … a `FAIL` line that names the reason.
void AFailedLaunchLogsItsReason(CaseContext& ctx) {
  const RecordingStep step;
  const auto sandbox = in_step(ctx, step);
  const auto session = sandbox->create_session();
  ExecOptions options;
  options.cwd = "missing-dir";
  error_of([&] { session->exec({"true"}, options); });
  EXPECT_THAT(step.lines(), ElementsAre("info: $ true", AllOf(StartsWith("error: FAIL "),
                                                              HasSubstr("missing-dir"))));
}

// LOG-005: The source is created at the first event, once, under any concurrency …
void TheSourceIsOpenedOnce(CaseContext& ctx) {
  const RecordingStep step;
  const auto sandbox = in_step(ctx, step);
  const auto session = sandbox->create_session();
  EXPECT_THAT(step.logs().opened(), IsEmpty());
  in_parallel(8, [&](int) { run(*session, {"true"}); });
  EXPECT_THAT(step.logs().opened(), ElementsAre("sandbox:" + session->id()));
}

// LOG-005: … it is ended by `close()` and `destroy()`, and nothing creates it again.
void TheSourceIsEndedOnce(CaseContext& ctx) {
  const RecordingStep step;
  const auto sandbox = in_step(ctx, step);
  const auto closed = sandbox->create_session();
  const auto destroyed = sandbox->create_session();
  std::vector<std::unique_ptr<Process>> older;
  for (Session* const session : {closed.get(), destroyed.get()}) {
    older.push_back(session->exec({"printf", "one\\ntwo\\n"}));
    older.back()->wait();
  }
  closed->close();
  destroyed->destroy();
  error_of([&] { closed->exec({"true"}); });
  // What was not read before is handed out now, or refused: either way nobody logs it.
  for (const auto& process : older) {
    for (int i = 0; i < 2; ++i) error_of([&] { next_line(process->out()); });
  }
  EXPECT_THAT(step.logs().ended(),
              ElementsAre("sandbox:" + closed->id(), "sandbox:" + destroyed->id()));
  EXPECT_EQ(step.logs().opened().size(), 2U);
  EXPECT_THAT(step.logs().late(), IsEmpty());
}

// LOG-006: Sessions do not mix. Text is never read as a format (`%s`, `{}`).
void SessionsDoNotMixInTheLog(CaseContext& ctx) {
  const RecordingStep step;
  const auto sandbox = in_step(ctx, step);
  std::vector<std::unique_ptr<Session>> sessions;
  for (int i = 0; i < 2; ++i) sessions.push_back(sandbox->create_session());
  in_parallel(2, [&](int i) {
    sh(*sessions[i],
       "for i in 1 2 3 4 5 6 7 8; do echo 'of " + std::to_string(i) + " %s %n {} {0} %d%%'; done");
  });
  for (int i = 0; i < 2; ++i) {
    std::vector<std::string> lines = step.logs().texts("sandbox:" + sessions[i]->id());
    std::erase_if(lines, [](const std::string& text) { return !text.starts_with("of "); });
    EXPECT_EQ(lines, std::vector<std::string>(8, "of " + std::to_string(i) + " %s %n {} {0} %d%%"));
  }
}

/// A store that fails wherever it can.
class BadStore : public LogStore {
 public:
  explicit BadStore(bool fails_to_open) : fails_to_open_(fails_to_open) {}
  std::unique_ptr<LogSource> open_source(const std::string&) override {
    if (fails_to_open_) throw std::runtime_error("injected: no source");
    return std::make_unique<Source>();
  }

 private:
  class Source : public LogSource {
   public:
    void log(LogLevel, std::string_view) override { throw std::runtime_error("injected: no log"); }
    void end() override { throw std::runtime_error("injected: no end"); }
  };
  const bool fails_to_open_;
};

// LOG-007: A failing or slow sink breaks neither exec nor iteration …
void ABadSinkBreaksNothing(CaseContext& ctx) {
  std::vector<std::string> seen;
  for (const bool fails_to_open : {true, false}) {
    SandboxSpec spec;
    spec.step = RecordingStep("failing-sink").context();
    spec.step->logs = std::make_shared<BadStore>(fails_to_open);
    const auto sandbox = ctx.make_sandbox(spec);
    seen.push_back(error_or([&] {
      const auto session = sandbox->create_session();
      const std::string collected = run(*session, {"echo", "collected"}).out;
      auto process = session->exec({"echo", "read"});
      const std::string read = next_line(process->out());
      session->close();
      return collected + read;
    }));
  }
  EXPECT_THAT(seen, Each("collected\nread\n"));
}

/// A store that takes its time.
class SlowStore : public LogStore {
 public:
  std::unique_ptr<LogSource> open_source(const std::string&) override {
    return std::make_unique<Source>();
  }

 private:
  class Source : public LogSource {
   public:
    void log(LogLevel, std::string_view) override {
      std::this_thread::sleep_for(std::chrono::milliseconds(2));  // sleep: the fault is slowness.
    }
    void end() override {}
  };
};

// LOG-007: A … slow sink breaks neither exec nor iteration …
void ASlowSinkBreaksNothing(CaseContext& ctx) {
  SandboxSpec spec;
  spec.step = RecordingStep("slow-sink").context();
  spec.step->logs = std::make_shared<SlowStore>();
  const auto sandbox = ctx.make_sandbox(spec);
  const auto session = sandbox->create_session();
  std::string expected;
  for (int i = 1; i <= 100; ++i) expected += std::to_string(i) + "\n";
  const std::string collected = run(*session, {"seq", "1", "100"}).out;
  const auto process = session->exec({"seq", "1", "100"});
  std::string read;
  for (const std::string& line : all_lines(process->out())) read += line;
  EXPECT_THAT((std::vector{collected, read}), Each(expected));
}

// LOG-007: … lines that nobody consumed by `close()` are counted in one record.
void UnreadLinesAreCounted(CaseContext& ctx) {
  const RecordingStep step;
  const auto sandbox = in_step(ctx, step);
  const auto session = sandbox->create_session();
  auto process = session->exec({"seq", "1", "10"});
  process->wait();
  for (int i = 0; i < 3; ++i) next_line(process->out());
  session->close();
  std::vector<std::string> after = step.texts();
  // The command and the three lines that were read; a flavor may have logged less.
  after.erase(after.begin(), after.begin() + std::min<std::ptrdiff_t>(4, std::ssize(after)));
  EXPECT_THAT(after, ElementsAre(HasSubstr("7")));
}

// LOG-008: exec env is not logged.
void ExecEnvIsNotLogged(CaseContext& ctx) {
  const RecordingStep step;
  const auto sandbox = in_step(ctx, step);
  ExecOptions options;
  options.env = {{"SECRET_V", "canary-77aa"}};
  const auto session = sandbox->create_session();
  session->exec({"true"}, options)->collect();
  EXPECT_THAT(step.texts(), AllOf(Contains("$ true"), Each(Not(HasSubstr("canary-77aa"))),
                                  Each(Not(HasSubstr("SECRET_V")))));
}

}  // namespace

std::vector<Case> log_cases() {
  return {
      {.name = "EventsGoToOneSource", .rules = {"LOG-001"}, .body = EventsGoToOneSource},
      {.name = "OutsideAStepEverythingWorks",
       .rules = {"LOG-001"},
       .body = OutsideAStepEverythingWorks},
      {.name = "ASuccessIsLogged", .rules = {"LOG-002"}, .body = ASuccessIsLogged},
      {.name = "AFailureIsLogged", .rules = {"LOG-002"}, .body = AFailureIsLogged},
      {.name = "ALineIsLoggedWhenItIsHandedOut",
       .rules = {"LOG-002"},
       .body = ALineIsLoggedWhenItIsHandedOut},
      {.name = "ALineIsLoggedWhenItsBytesAreHandedOut",
       .rules = {"LOG-002"},
       .body = ALineIsLoggedWhenItsBytesAreHandedOut},
      {.name = "TheDurationIsTheCommands", .rules = {"LOG-002"}, .body = TheDurationIsTheCommands},
      {.name = "DroppedLinesAreLogged", .rules = {"LOG-003"}, .body = DroppedLinesAreLogged},
      {.name = "AFailedLaunchIsLogged", .rules = {"LOG-004"}, .body = AFailedLaunchIsLogged},
      {.name = "AFailedLaunchLogsItsReason",
       .rules = {"LOG-004"},
       .body = AFailedLaunchLogsItsReason},
      {.name = "TheSourceIsOpenedOnce", .rules = {"LOG-005"}, .body = TheSourceIsOpenedOnce},
      {.name = "TheSourceIsEndedOnce", .rules = {"LOG-005"}, .body = TheSourceIsEndedOnce},
      {.name = "SessionsDoNotMixInTheLog", .rules = {"LOG-006"}, .body = SessionsDoNotMixInTheLog},
      {.name = "ABadSinkBreaksNothing", .rules = {"LOG-007"}, .body = ABadSinkBreaksNothing},
      {.name = "ASlowSinkBreaksNothing", .rules = {"LOG-007"}, .body = ASlowSinkBreaksNothing},
      {.name = "UnreadLinesAreCounted", .rules = {"LOG-007"}, .body = UnreadLinesAreCounted},
      {.name = "ExecEnvIsNotLogged", .rules = {"LOG-008"}, .body = ExecEnvIsNotLogged},
  };
}

}  // namespace sandproof::conformance
