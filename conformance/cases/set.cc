// SPDX-License-Identifier: Apache-2.0
// SET: layers, bad values, secrets, numbers. Cases; each used by one worker thread.
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "conformance/cases/areas.h"
#include "conformance/cases/recording_step.h"
#include "conformance/cases/support.h"
#include "sandproof/conformance/assertions.h"

namespace sandproof::conformance {
namespace {

using namespace std::chrono_literals;
using testing::AllOf;
using testing::Each;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::StartsWith;
using Variables = std::map<std::string, std::string>;

Settings environment(const Variables& variables) {
  return Settings().set("environment", variables);
}

/// "A=a B=unset" of a new session.
std::string seen(Sandbox& sandbox, const Settings& overrides) {
  const auto session = sandbox.create_session(overrides, OnExit::kDestroy);
  return trimmed(sh(*session, "echo A=${A-unset} B=${B-unset}").out);
}

// SET-001: Layers, low to high: component config or, inside a step, that step's settings; then the
// per-call override …
void TheCallWinsOverTheComponent(CaseContext& ctx) {
  const auto sandbox = sandbox_with(ctx, environment({{"A", "component"}}));
  EXPECT_THAT((std::vector{seen(*sandbox, {}), seen(*sandbox, environment({{"A", "call"}}))}),
              ElementsAre("A=component B=unset", "A=call B=unset"));
}

// SET-001: … inside a step, that step's settings …
void TheStepStandsInForTheComponent(CaseContext& ctx) {
  const RecordingStep step;
  SandboxSpec spec;
  spec.settings = environment({{"A", "component"}, {"B", "component"}});
  spec.step = step.context();
  spec.step->settings = environment({{"A", "step"}});
  const auto sandbox = ctx.make_sandbox(spec);
  EXPECT_THAT((std::vector{seen(*sandbox, {}), seen(*sandbox, environment({{"A", "call"}}))}),
              ElementsAre("A=step B=unset", "A=call B=unset"));
}

// SET-001: … component config or, inside a step, that step's settings …: not both.
void AStepIsNotLaidOverTheComponent(CaseContext& ctx) {
  const RecordingStep step;
  SandboxSpec spec;
  spec.settings = environment({{"A", "component"}});
  spec.step = step.context();
  spec.step->settings = Settings().set("drain_grace", 1.0);
  EXPECT_EQ(seen(*ctx.make_sandbox(spec), {}), "A=unset B=unset");
}

// SET-001: … Only fields that were set take part …
void FieldsThatWereNotSetTakeNoPart(CaseContext& ctx) {
  const auto sandbox = sandbox_with(ctx, environment({{"A", "component"}}));
  EXPECT_EQ(seen(*sandbox, Settings().set("drain_grace", 1.0)), "A=component B=unset");
}

// SET-001: … Only fields that were set take part; a field set to its default counts as set.
void ADefaultThatIsSetCounts(CaseContext& ctx) {
  const auto sandbox = sandbox_with(ctx, environment({{"A", "component"}}));
  EXPECT_EQ(seen(*sandbox, environment({})), "A=unset B=unset");
}

// SET-002: A map-valued field is replaced as a whole, not merged.
void AMapIsReplacedAsAWhole(CaseContext& ctx) {
  const auto sandbox = sandbox_with(ctx, environment({{"A", "component"}, {"B", "component"}}));
  EXPECT_EQ(seen(*sandbox, environment({{"A", "call"}})), "A=call B=unset");
}

// SET-003: An invalid value fails with `InvalidArgumentError` that names the field, before anything
// is contacted; an unknown field is refused by name.
void ABadSettingIsRefusedByName(CaseContext& ctx) {
  const auto faults = std::make_shared<HookFaults>();
  const auto sandbox = sandbox_with(ctx, {}, faults);
  const auto refusal = [&](const char* field, const SettingValue& value) {
    return error_of([&] { sandbox->create_session(Settings().set(field, value)); });
  };
  EXPECT_THAT(refusal("operation_timeout", -1.0),
              AllOf(StartsWith("InvalidArgumentError: "), HasSubstr("operation_timeout")));
  EXPECT_THAT(refusal("drain_grace", std::string("x")),
              AllOf(StartsWith("InvalidArgumentError: "), HasSubstr("drain_grace")));
  EXPECT_THAT(refusal("environment", std::int64_t{3}),
              AllOf(StartsWith("InvalidArgumentError: "), HasSubstr("environment")));
  EXPECT_THAT(refusal("no_such_field", std::int64_t{1}),
              AllOf(StartsWith("InvalidArgumentError: "), HasSubstr("no_such_field")));
  EXPECT_EQ(faults->creates, 0);
}

// SET-004: The caller's settings object is not changed.
void TheCallersSettingsAreUnchanged(CaseContext& ctx) {
  const Settings settings = environment({{"A", "call"}});
  const Settings before = settings;
  seen(ctx.sandbox(), settings);
  EXPECT_TRUE(settings == before);
}

constexpr const char* kSecret = "s3cr3t-value";

SandboxSpec with_secret(const RecordingStep* step = nullptr) {
  SandboxSpec spec;
  const auto secrets = std::make_shared<MemorySecretStore>();
  secrets->put("db", "pw", kSecret);
  spec.secrets = secrets;
  if (step != nullptr) spec.step = step->context();
  return spec;
}

// SET-005: Secret references `{{name.key}}` are resolved from the secret store … in settings fields
// and in settings' environment only …; `{{{{` is a literal `{{`.
void SecretsAreResolvedInSettings(CaseContext& ctx) {
  const auto sandbox = ctx.make_sandbox(with_secret());
  EXPECT_EQ(seen(*sandbox, environment({{"A", "x{{db.pw}}y"}, {"B", "{{{{a}}"}})),
            "A=xs3cr3t-valuey B={{a}}");
}

// SET-005: … in settings fields …: in others than `environment`, too.
void SecretsAreResolvedInOtherFields(CaseContext& ctx) {
  const std::filesystem::path directory = ctx.scratch() / "spill";
  std::filesystem::create_directory(directory);
  const auto secrets = std::make_shared<MemorySecretStore>();
  secrets->put("disk", "path", directory.string());
  SandboxSpec spec;
  spec.secrets = secrets;
  const auto sandbox = ctx.make_sandbox(spec);
  EXPECT_EQ(error_or([&] {
              const auto session = sandbox->create_session(
                  Settings().set("spill_dir", std::string("{{disk.path}}")));
              // Unread output goes there; where there is no such directory, it holds the command
              // back.
              const auto process = session->exec({"head", "-c", "4194304", "/dev/zero"});
              return end_of(*process, ctx.bound(kAtOnce));
            }),
            "status 0");
}

// SET-005: … or refused by name …
void AMissingSecretIsRefusedByName(CaseContext& ctx) {
  const auto sandbox = ctx.make_sandbox(with_secret());
  EXPECT_THAT(error_of([&] {
                sandbox->create_session(environment({{"A", "{{no.key}}"}}));
              }),
              AllOf(StartsWith("InvalidArgumentError: "), HasSubstr("no.key")));
}

// SET-005: … never in argv, exec env or stdin …
void SecretsAreNotResolvedInCommands(CaseContext& ctx) {
  const auto sandbox = ctx.make_sandbox(with_secret());
  const auto session = sandbox->create_session();
  ExecOptions options;
  options.env = {{"A", "{{db.pw}}"}};
  const Output output =
      session->exec({"sh", "-c", "echo \"$1 $A\"", "sh", "{{db.pw}}"}, options)->collect();
  EXPECT_EQ(output.out, "{{db.pw}} {{db.pw}}\n");
}

// SET-005: … never in … stdin …
void SecretsAreNotResolvedInInput(CaseContext& ctx) {
  const auto session = ctx.make_sandbox(with_secret())->create_session();
  ExecOptions options;
  options.input = Stdin::bytes("{{db.pw}}");
  EXPECT_EQ(raw_within(ctx.bound(kAtOnce), *session, {"cat"}, options).out, "{{db.pw}}");
}

// SET-005: … Resolved values (4 bytes and more) are replaced by `***` in every text that the
// framework makes and in logged output; the bytes given to the caller are not changed.
void SecretsAreMasked(CaseContext& ctx) {
  const RecordingStep step;
  const auto sandbox = ctx.make_sandbox(with_secret(&step));
  const auto session = sandbox->create_session(environment({{"P", "{{db.pw}}"}}));
  EXPECT_EQ(sh(*session, "echo is $P").out, std::string("is ") + kSecret + "\n");
  EXPECT_THAT(error_of([&] { session->exec({std::string("no-") + kSecret}); }),
              AllOf(HasSubstr("***"), Not(HasSubstr(kSecret))));
  EXPECT_THAT(step.texts(), AllOf(testing::Contains("is ***"), Each(Not(HasSubstr(kSecret)))));
}

// SET-005: … the bytes given to the caller are not changed: a reader's neither.
void ReadersSeeSecretsAsTheyAre(CaseContext& ctx) {
  const RecordingStep step;
  const auto sandbox = ctx.make_sandbox(with_secret(&step));
  const auto session = sandbox->create_session(environment({{"P", "{{db.pw}}"}}));
  const auto process = session->exec({"sh", "-c", "echo $P; echo $P >&2"});
  const std::string line = std::string(kSecret) + "\n";
  EXPECT_THAT((std::vector{next_line(process->out()), all_bytes(*process, Stream::kErr)}),
              Each(line));
}

// SET-006: A negative or oversized `max_chars` or timeout is `InvalidArgumentError`.
void BadNumbersAreRefused(CaseContext& ctx) {
  auto started = start(ctx.session(), "echo up; sleep 30");
  Process& process = *started.process;
  const auto collect = [&](std::int64_t max_chars, std::optional<std::chrono::milliseconds> time) {
    CollectOptions options;
    options.max_chars = max_chars;
    options.timeout = time;
    return error_of([&] { process.collect(options); });
  };
  ExecOptions late;
  late.timeout = kLargestTimeout + 1ms;
  ExecOptions early;
  early.timeout = -1ms;
  const std::vector<std::string> errors = {
      collect(-1, 1s),
      collect(std::int64_t{1} << 40, 1s),
      collect(10, -1ms),
      collect(10, kLargestTimeout + 1ms),
      error_of([&] { process.wait(-1ms); }),
      error_of([&] { process.wait(kLargestTimeout + 1ms); }),
      error_of([&] { ctx.session().exec({"true"}, late); }),
      error_of([&] { ctx.session().exec({"true"}, early); }),
  };
  EXPECT_THAT(errors, Each(StartsWith("InvalidArgumentError: ")));
  EXPECT_FALSE(process.exit_status().has_value()) << "the command did not go on";
  process.kill();
  EXPECT_EQ(error_of([&] { process.collect(); }), "");
}

}  // namespace

std::vector<Case> set_cases() {
  return {
      {.name = "TheCallWinsOverTheComponent",
       .rules = {"SET-001"},
       .body = TheCallWinsOverTheComponent},
      {.name = "TheStepStandsInForTheComponent",
       .rules = {"SET-001"},
       .body = TheStepStandsInForTheComponent},
      {.name = "AStepIsNotLaidOverTheComponent",
       .rules = {"SET-001"},
       .body = AStepIsNotLaidOverTheComponent},
      {.name = "FieldsThatWereNotSetTakeNoPart",
       .rules = {"SET-001"},
       .body = FieldsThatWereNotSetTakeNoPart},
      {.name = "ADefaultThatIsSetCounts", .rules = {"SET-001"}, .body = ADefaultThatIsSetCounts},
      {.name = "AMapIsReplacedAsAWhole", .rules = {"SET-002"}, .body = AMapIsReplacedAsAWhole},
      {.name = "ABadSettingIsRefusedByName",
       .rules = {"SET-003"},
       .body = ABadSettingIsRefusedByName},
      {.name = "TheCallersSettingsAreUnchanged",
       .rules = {"SET-004"},
       .body = TheCallersSettingsAreUnchanged},
      {.name = "SecretsAreResolvedInSettings",
       .rules = {"SET-005"},
       .body = SecretsAreResolvedInSettings},
      {.name = "SecretsAreResolvedInOtherFields",
       .rules = {"SET-005"},
       .body = SecretsAreResolvedInOtherFields},
      {.name = "AMissingSecretIsRefusedByName",
       .rules = {"SET-005"},
       .body = AMissingSecretIsRefusedByName},
      {.name = "SecretsAreNotResolvedInCommands",
       .rules = {"SET-005"},
       .body = SecretsAreNotResolvedInCommands},
      {.name = "SecretsAreNotResolvedInInput",
       .rules = {"SET-005"},
       .body = SecretsAreNotResolvedInInput,
       .with = {Capability::kStdin}},
      {.name = "SecretsAreMasked", .rules = {"SET-005"}, .body = SecretsAreMasked},
      {.name = "ReadersSeeSecretsAsTheyAre",
       .rules = {"SET-005"},
       .body = ReadersSeeSecretsAsTheyAre},
      {.name = "BadNumbersAreRefused", .rules = {"SET-006"}, .body = BadNumbersAreRefused},
  };
}

}  // namespace sandproof::conformance
