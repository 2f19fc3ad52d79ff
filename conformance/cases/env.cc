// SPDX-License-Identifier: Apache-2.0
// ENV: the environment variables that a command sees. Cases; each used by one worker thread.
#include <algorithm>
#include <array>
#include <cctype>
#include <chrono>
#include <memory>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "conformance/cases/areas.h"
#include "conformance/cases/harness_state.h"
#include "conformance/cases/support.h"
#include "sandproof/conformance/assertions.h"

namespace sandproof::conformance {
namespace {

using std::chrono::milliseconds;
using testing::AllOf;
using testing::Each;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::StartsWith;

Settings with_environment(Environment environment) {
  Settings settings;
  settings.set("environment", std::move(environment));
  return settings;
}

ExecOptions with_env(Environment env) {
  ExecOptions options;
  options.env = std::move(env);
  return options;
}

/// What `sh -c script` prints in the session, without the newline at its end.
std::string said(CaseContext& ctx, Session& session, const char* script, Environment env = {}) {
  return trimmed(
      raw_within(ctx.bound(kAtOnce), session, {"sh", "-c", script}, with_env(std::move(env))).out);
}

// ENV-001: Precedence, low to high: image or forwarded host variables, component settings,
// per-session settings, `exec` env.
void EnvironmentLayersInOrder(CaseContext& ctx) {
  const auto sandbox =
      sandbox_with(ctx, with_environment({{"A", "component"}, {"B", "component"}}));
  const auto plain = sandbox->create_session();
  const auto own = sandbox->create_session(with_environment({{"A", "session"}, {"B", "session"}}));
  constexpr const char* kScript = "echo $A $B";
  const std::vector<std::string> seen = {said(ctx, *plain, kScript), said(ctx, *own, kScript),
                                         said(ctx, *own, kScript, {{"B", "exec"}})};
  EXPECT_THAT(seen, ElementsAre("component component", "session session", "session exec"));
}

// ENV-001: … Per key; keys not named survive.
void KeysThatAreNotNamedSurvive(CaseContext& ctx) {
  const auto session = sandbox_with(ctx, with_environment({{"A", "a"}}))->create_session();
  constexpr const char* kScript = "echo $A $B; env | grep -q '^PATH=' && echo a PATH";
  EXPECT_EQ(said(ctx, *session, kScript, {{"B", "b"}}), "a b\na PATH");
}

// ENV-001: Precedence, low to high: image or forwarded host variables, component settings, …
// `exec` env.
void SettingsWinOverForwardedVariables(CaseContext& ctx) {
  const auto session =
      sandbox_with(ctx, with_environment({{"HOME", "/component"}}))->create_session();
  const std::vector<std::string> seen = {said(ctx, *session, "echo $HOME"),
                                         said(ctx, *session, "echo $HOME", {{"HOME", "/exec"}})};
  EXPECT_THAT(seen, ElementsAre("/component", "/exec"));
}

// ENV-002: An exec's env affects that exec alone.
void ExecEnvIsForThatExecAlone(CaseContext& ctx) {
  Session& session = ctx.session();
  constexpr const char* kScript = R"(echo "${COLOR-unset}")";
  const std::vector<std::string> seen = {said(ctx, session, kScript, {{"COLOR", "red"}}),
                                         said(ctx, session, kScript)};
  EXPECT_THAT(seen, ElementsAre("red", "unset"));
}

// ENV-002: An exec's env affects that exec alone.
void ExecEnvsOfTwoAtOnceDoNotMix(CaseContext& ctx) {
  Session& session = ctx.session();
  sh(session, "mkfifo red blue");
  std::vector<std::unique_ptr<Process>> processes;
  for (const std::string color : {"red", "blue"}) {
    processes.push_back(session.exec({"sh", "-c", "read x < " + color + "; echo $COLOR"},
                                     with_env({{"COLOR", color}})));
  }
  out_within(ctx.bound(kAtOnce), session, "echo go > blue; echo go > red");
  std::vector<std::string> seen;
  for (const auto& process : processes) {
    seen.push_back(process->collect({.timeout = ctx.bound(kAtOnce)}).out);
  }
  EXPECT_THAT(seen, ElementsAre("red\n", "blue\n"));
}

/// Names and values of variables that are easily spoilt; and what a script has to print to show
/// them, in the order of the names.
struct OddValues {
  Environment variables;
  std::string script = "printf '<%s>'";
  std::string expected;

  explicit OddValues(const std::vector<std::string>& values) {
    for (std::size_t i = 0; i < values.size(); ++i) {
      const std::string name = "V" + std::to_string(i);
      variables[name] = values[i];
      script += " \"$" + name + "\"";
      expected += "<" + values[i] + ">";
    }
  }
};

const OddValues& odd_values() {
  static const OddValues kValues({R"(it's "q")", "two\nlines\n", "$HOME", "$(id) `id`", "a=b=c",
                                  "=", "grün ☃", " lead and trail ", "\\", "\t", "a;b|c&d", ""});
  return kValues;
}

// ENV-003: Values with quotes, newlines, `$`, `=`, non-ASCII and the empty value arrive exactly.
void ExecValuesArriveExactly(CaseContext& ctx) {
  const OddValues& odd = odd_values();
  EXPECT_EQ(raw_within(ctx.bound(kAtOnce), ctx.session(), {"sh", "-c", odd.script},
                       with_env(odd.variables))
                .out,
            odd.expected);
}

// ENV-003: Values with quotes, newlines, `$`, `=`, non-ASCII and the empty value arrive exactly.
void SessionValuesArriveExactly(CaseContext& ctx) {
  const OddValues& odd = odd_values();
  const auto session = ctx.sandbox().create_session(with_environment(odd.variables));
  EXPECT_EQ(raw_within(ctx.bound(kAtOnce), *session, {"sh", "-c", odd.script}).out, odd.expected);
}

// ENV-003: … empty is not unset.
void AnEmptyValueIsNotUnset(CaseContext& ctx) {
  const auto session = ctx.sandbox().create_session(with_environment({{"A", ""}}));
  EXPECT_EQ(said(ctx, *session, R"(echo "${A+set}${A:-empty} ${B+set}${B:-empty}")", {{"B", ""}}),
            "setempty setempty");
}

constexpr std::array kBadNames = {"", "1A", "A-B", "A B", "A=B", "ä", "A;id", "A\nB", " A"};

/// What has to be in a message that names the variable; a message is one line.
std::string printable(const std::string& name) { return name.substr(0, name.find('\n')); }

// ENV-004: A name that is not `[A-Za-z_][A-Za-z0-9_]*`, or a value with NUL, is
// `InvalidArgumentError` …, on every flavor.
void ABadNameInExecIsAnInvalidArgument(CaseContext& ctx) {
  Session& session = ctx.session();
  for (const std::string name : kBadNames) {
    EXPECT_THAT(error_of([&] {
                  session.exec({"true"}, with_env({{name, "x"}}));
                }),
                AllOf(StartsWith("InvalidArgumentError"), HasSubstr(printable(name))));
  }
}

// ENV-004: A name that is not `[A-Za-z_][A-Za-z0-9_]*`, or a value with NUL, is
// `InvalidArgumentError` …, on every flavor.
void ABadNameInSettingsIsAnInvalidArgument(CaseContext& ctx) {
  Sandbox& sandbox = ctx.sandbox();
  for (const std::string name : kBadNames) {
    EXPECT_THAT(error_of([&] {
                  sandbox.create_session(with_environment({{name, "x"}}));
                }),
                AllOf(StartsWith("InvalidArgumentError"), HasSubstr(printable(name))));
  }
}

// ENV-004: … or a value with NUL, is `InvalidArgumentError` …, on every flavor.
void ANulInAValueIsAnInvalidArgument(CaseContext& ctx) {
  const Environment bad = {{"VALUE", std::string("a\0b", 3)}};
  const std::vector<std::string> errors = {
      error_of([&] { ctx.session().exec({"true"}, with_env(bad)); }),
      error_of([&] { ctx.sandbox().create_session(with_environment(bad)); })};
  EXPECT_THAT(errors, Each(AllOf(StartsWith("InvalidArgumentError"), HasSubstr("VALUE"))));
}

// ENV-004: … is `InvalidArgumentError` before anything is contacted, on every flavor.
void ABadEnvironmentContactsNothing(CaseContext& ctx) {
  const auto faults = std::make_shared<HookFaults>();
  const auto sandbox = sandbox_with(ctx, {}, faults);
  const auto session = sandbox->create_session();
  for (const std::string name : kBadNames) {
    error_of([&] { session->exec({"true"}, with_env({{name, "x"}})); });
    error_of([&] { sandbox->create_session(with_environment({{name, "x"}})); });
  }
  const Environment nul = {{"VALUE", std::string("a\0b", 3)}};
  error_of([&] { session->exec({"true"}, with_env(nul)); });
  error_of([&] { sandbox->create_session(with_environment(nul)); });
  const std::vector<int> calls = {faults->creates, faults->execs};
  EXPECT_THAT(calls, ElementsAre(1, 0));
}

// ENV-005: The harness's own environment does not leak: a variable set in the harness is not
// visible unless forwarded by name.
void TheHarnesssEnvironmentDoesNotLeak(CaseContext& ctx) {
  const HarnessVariable before("SANDPROOF_CANARY_1", "leaked");
  Session& session = ctx.session();
  const HarnessVariable after("SANDPROOF_CANARY_2", "leaked");
  // The control shows that there is a listing at all.
  EXPECT_THAT(said(ctx, session, "env", {{"CONTROL", "here"}}),
              AllOf(HasSubstr("CONTROL=here"), Not(HasSubstr("leaked"))));
}

/// The names in the output of `env`.
std::vector<std::string> names_in(const std::string& listing) {
  std::vector<std::string> names;
  std::istringstream lines(listing);
  for (std::string line; std::getline(lines, line);) {
    std::string name = line.substr(0, line.find('='));
    std::transform(name.begin(), name.end(), name.begin(),
                   [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
    names.push_back(std::move(name));
  }
  return names;
}

// ENV-006: The flavor adds no credentials of its own to the environment.
void NoCredentialsAreAdded(CaseContext& ctx) {
  // The control shows that there is a listing at all.
  const std::vector<std::string> names =
      names_in(said(ctx, ctx.session(), "env", {{"CONTROL", "here"}}));
  EXPECT_THAT(names, testing::Contains("CONTROL"));
  std::vector<std::string> suspicious;
  for (const std::string& name : names) {
    for (const std::string_view word : {"TOKEN", "SECRET", "PASSW", "CREDENTIAL", "API_KEY",
                                        "APIKEY", "PRIVATE_KEY", "ACCESS_KEY", "AUTH"}) {
      if (name.find(word) != std::string::npos) suspicious.push_back(name);
    }
  }
  EXPECT_THAT(suspicious, IsEmpty());
}

// ENV-006: The flavor adds no credentials of its own to the environment.
void SecretsThatNobodyAskedForStayInTheStore(CaseContext& ctx) {
  const auto store = std::make_shared<MemorySecretStore>();
  store->put("unused", "value", "s3cr3t-unused");
  store->put("used", "value", "s3cr3t-used");
  SandboxSpec spec;
  spec.secrets = store;
  spec.settings = with_environment({{"ASKED", "{{used.value}}"}});
  const auto session = ctx.make_sandbox(spec)->create_session();
  EXPECT_THAT(said(ctx, *session, "env"),
              AllOf(HasSubstr("s3cr3t-used"), Not(HasSubstr("s3cr3t-unused"))));
}

}  // namespace

std::vector<Case> env_cases() {
  return {
      {.name = "EnvironmentLayersInOrder", .rules = {"ENV-001"}, .body = EnvironmentLayersInOrder},
      {.name = "KeysThatAreNotNamedSurvive",
       .rules = {"ENV-001"},
       .body = KeysThatAreNotNamedSurvive},
      {.name = "SettingsWinOverForwardedVariables",
       .rules = {"ENV-001"},
       .body = SettingsWinOverForwardedVariables},
      {.name = "ExecEnvIsForThatExecAlone",
       .rules = {"ENV-002"},
       .body = ExecEnvIsForThatExecAlone},
      {.name = "ExecEnvsOfTwoAtOnceDoNotMix",
       .rules = {"ENV-002"},
       .body = ExecEnvsOfTwoAtOnceDoNotMix},
      {.name = "ExecValuesArriveExactly", .rules = {"ENV-003"}, .body = ExecValuesArriveExactly},
      {.name = "SessionValuesArriveExactly",
       .rules = {"ENV-003"},
       .body = SessionValuesArriveExactly},
      {.name = "AnEmptyValueIsNotUnset", .rules = {"ENV-003"}, .body = AnEmptyValueIsNotUnset},
      {.name = "ABadNameInExecIsAnInvalidArgument",
       .rules = {"ENV-004"},
       .body = ABadNameInExecIsAnInvalidArgument},
      {.name = "ABadNameInSettingsIsAnInvalidArgument",
       .rules = {"ENV-004"},
       .body = ABadNameInSettingsIsAnInvalidArgument},
      {.name = "ANulInAValueIsAnInvalidArgument",
       .rules = {"ENV-004"},
       .body = ANulInAValueIsAnInvalidArgument},
      {.name = "ABadEnvironmentContactsNothing",
       .rules = {"ENV-004"},
       .body = ABadEnvironmentContactsNothing},
      {.name = "TheHarnesssEnvironmentDoesNotLeak",
       .rules = {"ENV-005"},
       .body = TheHarnesssEnvironmentDoesNotLeak},
      {.name = "NoCredentialsAreAdded", .rules = {"ENV-006"}, .body = NoCredentialsAreAdded},
      {.name = "SecretsThatNobodyAskedForStayInTheStore",
       .rules = {"ENV-006"},
       .body = SecretsThatNobodyAskedForStayInTheStore},
  };
}

}  // namespace sandproof::conformance
