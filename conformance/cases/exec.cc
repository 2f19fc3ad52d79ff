// SPDX-License-Identifier: Apache-2.0
// EXEC: what is run, commands that cannot start, and exit codes. Cases; each used by one worker
// thread. The rest of the area is in exec_place.cc, exec_input.cc, exec_running.cc and
// exec_full.cc.
#include <array>
#include <chrono>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "conformance/cases/areas.h"
#include "conformance/cases/harness_state.h"
#include "conformance/cases/support.h"
#include "sandproof/conformance/assertions.h"
#include "sandproof/errors.h"

namespace sandproof::conformance {
namespace {

using std::chrono::milliseconds;
using testing::AllOf;
using testing::Each;
using testing::Field;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::Pair;
using testing::StartsWith;

/// Says each of its arguments between "<" and ">".
constexpr const char* kShow = R"(for a in "$@"; do printf '<%s>' "$a"; done)";

std::string shown(CaseContext& ctx, const std::vector<std::string>& arguments) {
  std::vector<std::string> argv = {"sh", "-c", kShow, "sh"};
  argv.insert(argv.end(), arguments.begin(), arguments.end());
  return raw_within(ctx.bound(kAtOnce), ctx.session(), argv).out;
}

std::string between_brackets(const std::vector<std::string>& arguments) {
  std::string text;
  for (const std::string& argument : arguments) text += "<" + argument + ">";
  return text;
}

// EXEC-001: argv reaches the program unchanged: spaces, quotes, `$`, `*`, `\`, newlines, non-ASCII,
// empty arguments, a leading dash.
void ArgumentsArriveUnchanged(CaseContext& ctx) {
  const std::vector<std::string> arguments = {
      "a b",        " a ", "it's",  R"("q")", "$HOME", "$(id)", "`id`",   "*",  "\\",  R"(\\n)",
      "two\nlines", "\n",  "tab\t", "-n",     "--",    "",      "grün ☃", "&&", "a;b", "a|b",
      "+",          "%41", "#c",    "=",      "\r",    "~",     "{}",     ">x", ""};
  EXPECT_EQ(shown(ctx, arguments), between_brackets(arguments));
}

// EXEC-001: argv reaches the program unchanged.
void ArgumentsWithInvalidUtf8Arrive(CaseContext& ctx) {
  const std::vector<std::string> arguments = {"\xff\xfe", "a\xc3"};
  EXPECT_EQ(shown(ctx, arguments), between_brackets(arguments));
}

// EXEC-001: argv reaches the program unchanged: … empty arguments, a leading dash.
void ArgumentsReachAProgramThatIsNoShell(CaseContext& ctx) {
  EXPECT_EQ(
      raw_within(ctx.bound(kAtOnce), ctx.session(), {"printf", "%s|", "-n", "", "$x", "a  b"}).out,
      "-n||$x|a  b|");
}

// EXEC-002: A string command is split into words by POSIX shell quoting rules and nothing else.
void AStringIsSplitIntoWords(CaseContext& ctx) {
  EXPECT_EQ(raw_within(ctx.bound(kAtOnce), ctx.session(),
                       R"(printf '<%s>' a  'b  c' "d e" f\ g '' x'y'"z" "\$\\\"\n")")
                .out,
            R"(<a><b  c><d e><f g><><xyz><$\"\n>)");
}

// EXEC-002: … no expansion, no pipes, no globbing, on every flavor.
void AStringIsNotGivenToAShell(CaseContext& ctx) {
  sh(ctx.session(), "mkdir here; touch here/a.x here/b.x");
  ExecOptions options;
  options.cwd = "here";
  EXPECT_EQ(raw_within(ctx.bound(kAtOnce), ctx.session(),
                       "echo $HOME *.x ~ #c | cat > made && `id` $(id) ; touch made", options)
                .out,
            "$HOME *.x ~ #c | cat > made && `id` $(id) ; touch made\n");
}

/// Commands that no flavor may be asked to run, with a word for each.
std::vector<std::pair<std::string, Command>> bad_commands() {
  return {{"empty", ""},
          {"blank", " \t\n"},
          {"no words", Command(std::vector<std::string>())},
          {"no program", Command(std::vector<std::string>{"", "x"})},
          {"single quote", "echo 'a"},
          {"double quote", "echo \"a"},
          {"backslash", "echo a\\"}};
}

// EXEC-003: An empty command, or unbalanced quotes, is `InvalidArgumentError`.
void ABadCommandIsAnInvalidArgument(CaseContext& ctx) {
  std::vector<std::pair<std::string, std::string>> results;
  for (const auto& [name, command] : bad_commands()) {
    results.emplace_back(name, error_of([&] { ctx.session().exec(command); }));
  }
  EXPECT_THAT(results, Each(Pair(Not(IsEmpty()), StartsWith("InvalidArgumentError"))));
}

// EXEC-003: An empty command, or unbalanced quotes, is `InvalidArgumentError`.
void ABadCommandContactsNothing(CaseContext& ctx) {
  const auto faults = std::make_shared<HookFaults>();
  const std::unique_ptr<Sandbox> sandbox = sandbox_with(ctx, {}, faults);
  const std::unique_ptr<Session> session = sandbox->create_session();
  for (const auto& [name, command] : bad_commands()) error_of([&] { session->exec(command); });
  EXPECT_EQ(faults->execs, 0);
}

/// "not found", "bad cwd" … and the text of the ExecError that exec throws; else what it throws or
/// how the command ended.
std::string refusal_of(CaseContext& ctx, Command command, ExecOptions options = {}) {
  static const std::map<LaunchFailure, std::string> kWords = {
      {LaunchFailure::kNotFound, "not found"},
      {LaunchFailure::kNotExecutable, "not executable"},
      {LaunchFailure::kBadCwd, "bad cwd"}};
  std::string result;
  const std::string error = error_of([&] {
    try {
      const auto process = ctx.session().exec(std::move(command), std::move(options));
      result = end_of(*process, ctx.bound(kAtOnce));
    } catch (const ExecError& failure) {
      const auto word = kWords.find(failure.why());
      result = (word == kWords.end() ? "another reason" : word->second) + ": " + failure.what();
    }
  });
  return error.empty() ? result : error;
}

// EXEC-004: A command that cannot start (not found; not executable; a directory) throws `ExecError`
// from `exec` on every flavor; no process handle exists then.
void ACommandThatCannotStartIsAnExecError(CaseContext& ctx) {
  sh(ctx.session(), "mkdir dir; echo true > plain; chmod 644 plain");
  for (const auto& [program, why] : std::vector<std::pair<std::string, std::string>>{
           {"no-such-program-x", "not found: "},
           {"./absent", "not found: "},
           {"/no/such/program", "not found: "},
           {"/", "not executable: "},
           {"./dir", "not executable: "},
           {"./plain", "not executable: "},
       }) {
    EXPECT_THAT(refusal_of(ctx, {program, "argument"}), AllOf(StartsWith(why), HasSubstr(program)));
  }
}

// EXEC-004: A command that cannot start … throws `ExecError` from `exec`; no process handle exists
// then.
void TheSessionWorksAfterAFailedLaunch(CaseContext& ctx) {
  // A handle that waits for any child would take the other one's status.
  const Started other = start(ctx.session(), "mkfifo gate; echo up; read x < gate; exit 7");
  const std::size_t before = own_zombies();
  for (int i = 0; i < 10; ++i) error_of([&] { ctx.session().exec({"no-such-program-x"}); });
  out_within(ctx.bound(kAtOnce), ctx.session(), "echo go > gate");
  EXPECT_EQ(end_of(*other.process, ctx.bound(kAtOnce)), "status 7");
  EXPECT_EQ(own_zombies(), before);
}

// EXEC-004: A command that cannot start … throws `ExecError` from `exec`.
void SignalsDoNotHideAFailedLaunch(CaseContext& ctx) {
  Session& session = ctx.session();
  std::vector<std::string> errors;
  {
    const SignalStorm storm;
    for (int i = 0; i < 20; ++i) {
      errors.push_back(error_of([&] { session.exec({"no-such-program-x"}); }));
    }
  }
  EXPECT_THAT(errors, Each(StartsWith("ExecError")));
}

/// What becomes of a program that is found and then cannot be executed. A flavor may learn of it
/// after exec: then wait and collect both say so.
std::string launch_of(CaseContext& ctx, const std::string& program) {
  std::unique_ptr<Process> process;
  std::string at_exec = error_of([&] { process = ctx.session().exec({program}); });
  if (!at_exec.empty()) return at_exec;
  std::string at_wait = end_of(*process, ctx.bound(kAtOnce));
  if (!at_wait.starts_with("ExecError")) return at_wait;
  return error_of([&] { process->collect(); });
}

// EXEC-004: … One that is found but fails in `exec` itself (bad interpreter, bad format) is
// `ExecError` from `exec`, or, where the flavor learns it later, from `wait` and `collect`.
void ABadInterpreterIsAnExecError(CaseContext& ctx) {
  sh(ctx.session(), R"(printf '#!/no/such/interpreter\n' > script; chmod 755 script)");
  EXPECT_THAT(launch_of(ctx, "./script"), AllOf(StartsWith("ExecError"), HasSubstr("script")));
}

// EXEC-004: … One that is found but fails in `exec` itself (bad interpreter, bad format) is
// `ExecError` from `exec`, or, where the flavor learns it later, from `wait` and `collect`.
void ABadFormatIsAnExecError(CaseContext& ctx) {
  sh(ctx.session(), R"(printf 'garbage\001\002' > garbage; chmod 755 garbage)");
  EXPECT_THAT(launch_of(ctx, "./garbage"), AllOf(StartsWith("ExecError"), HasSubstr("garbage")));
}

// EXEC-005: A missing or non-directory `cwd` throws `ExecError` that names it.
void ABadCwdIsAnExecErrorThatNamesIt(CaseContext& ctx) {
  sh(ctx.session(), "touch plain");
  for (const std::string cwd : {"missing-dir", "/missing/deep", "plain", "plain/below"}) {
    ExecOptions options;
    options.cwd = cwd;
    EXPECT_THAT(refusal_of(ctx, {"touch", "ran"}, options),
                AllOf(StartsWith("bad cwd: "), HasSubstr(cwd)));
  }
}

// EXEC-005: A missing or non-directory `cwd` throws `ExecError` that names it.
void ABadCwdRunsNothing(CaseContext& ctx) {
  ExecOptions options;
  options.cwd = "missing-dir";
  refusal_of(ctx, {"touch", "ran"}, options);
  EXPECT_EQ(out_within(ctx.bound(kAtOnce), ctx.session(), "ls -A"), "");
}

/// What the verbs say about a command that ends by itself: "", or the first error; the two
/// statuses.
struct Verbs {
  std::string error;
  std::string waited;
  std::string collected;
};

Verbs verbs_on(CaseContext& ctx, const std::string& script) {
  Verbs verbs;
  verbs.error = error_of([&] {
    const auto process = ctx.session().exec({"sh", "-c", script});
    verbs.waited = process->wait(ctx.bound(kAtOnce)).to_string();
    verbs.collected = process->collect().status.to_string();
  });
  return verbs;
}

// EXEC-006: A program that itself exits with 126 or 127 is an ordinary result, not an `ExecError`.
void ExitCodes126And127AreResults(CaseContext& ctx) {
  for (const std::string code : {"126", "127"}) {
    const std::string status = "exited(" + code + ")";
    EXPECT_THAT(verbs_on(ctx, "exit " + code),
                AllOf(Field(&Verbs::error, ""), Field(&Verbs::waited, status),
                      Field(&Verbs::collected, status)));
  }
}

// EXEC-006: A program that itself exits with 126 or 127 is an ordinary result, not an `ExecError`.
void AShellReportsItsOwn127(CaseContext& ctx) {
  EXPECT_THAT(raw_within(ctx.bound(kAtOnce), ctx.session(), {"sh", "-c", "no-such-program-x"}),
              AllOf(Field(&Output::status, ExitStatus::exited(127)),
                    Field(&Output::err, HasSubstr("no-such-program-x"))));
}

// EXEC-007: Exit codes 0, 1, 2, 42, 126, 127, 128, 137, 255 come back unchanged as exited.
void ExitCodesComeBack(CaseContext& ctx) {
  for (const std::string code : {"0", "1", "2", "42", "126", "127", "128", "137", "255"}) {
    const std::string status = "exited(" + code + ")";
    EXPECT_THAT(verbs_on(ctx, "exit " + code),
                AllOf(Field(&Verbs::waited, status), Field(&Verbs::collected, status)));
  }
}

// EXEC-007: Exit codes … come back unchanged as exited.
void OddShellsExitAsTheyShould(CaseContext& ctx) {
  const std::array<std::pair<const char*, int>, 5> scripts = {{{"exec true", 0},
                                                               {"set -e; false; exit 5", 1},
                                                               {"trap 'exit 9' EXIT; exit 3", 9},
                                                               {"(exit 4)", 4},
                                                               {"exit 6 | exit 8", 8}}};
  for (const auto& [script, code] : scripts) {
    EXPECT_EQ(raw_within(ctx.bound(kAtOnce), ctx.session(), {"sh", "-c", script}).status,
              ExitStatus::exited(code))
        << script;
  }
}

// EXEC-008: A non-zero exit never throws from `exec`, `wait` or `collect`.
void ANonZeroExitThrowsNowhere(CaseContext& ctx) {
  for (const std::string code : {"1", "3", "255"}) {
    std::unique_ptr<Process> process;
    const std::string at_exec = error_of([&] {
      process = ctx.session().exec({"sh", "-c", "exit " + code});
    });
    ASSERT_EQ(at_exec, "");
    const std::vector<std::string> errors = {
        error_of([&] { process->wait(); }),
        error_of([&] { process->wait(ctx.bound(kAtOnce)); }),
        error_of([&] { process->collect(); }),
    };
    EXPECT_THAT(errors, Each(""));
  }
}

}  // namespace

std::vector<Case> exec_cases() {
  std::vector<Case> cases = {
      {.name = "ArgumentsArriveUnchanged", .rules = {"EXEC-001"}, .body = ArgumentsArriveUnchanged},
      {.name = "ArgumentsWithInvalidUtf8Arrive",
       .rules = {"EXEC-001"},
       .body = ArgumentsWithInvalidUtf8Arrive},
      {.name = "ArgumentsReachAProgramThatIsNoShell",
       .rules = {"EXEC-001"},
       .body = ArgumentsReachAProgramThatIsNoShell},
      {.name = "AStringIsSplitIntoWords", .rules = {"EXEC-002"}, .body = AStringIsSplitIntoWords},
      {.name = "AStringIsNotGivenToAShell",
       .rules = {"EXEC-002"},
       .body = AStringIsNotGivenToAShell},
      {.name = "ABadCommandIsAnInvalidArgument",
       .rules = {"EXEC-003"},
       .body = ABadCommandIsAnInvalidArgument},
      {.name = "ABadCommandContactsNothing",
       .rules = {"EXEC-003"},
       .body = ABadCommandContactsNothing},
      {.name = "ACommandThatCannotStartIsAnExecError",
       .rules = {"EXEC-004"},
       .body = ACommandThatCannotStartIsAnExecError},
      {.name = "TheSessionWorksAfterAFailedLaunch",
       .rules = {"EXEC-004"},
       .body = TheSessionWorksAfterAFailedLaunch},
      {.name = "SignalsDoNotHideAFailedLaunch",
       .rules = {"EXEC-004"},
       .body = SignalsDoNotHideAFailedLaunch},
      {.name = "ABadInterpreterIsAnExecError",
       .rules = {"EXEC-004"},
       .body = ABadInterpreterIsAnExecError},
      {.name = "ABadFormatIsAnExecError", .rules = {"EXEC-004"}, .body = ABadFormatIsAnExecError},
      {.name = "ABadCwdIsAnExecErrorThatNamesIt",
       .rules = {"EXEC-005"},
       .body = ABadCwdIsAnExecErrorThatNamesIt},
      {.name = "ABadCwdRunsNothing", .rules = {"EXEC-005"}, .body = ABadCwdRunsNothing},
      {.name = "ExitCodes126And127AreResults",
       .rules = {"EXEC-006"},
       .body = ExitCodes126And127AreResults},
      {.name = "AShellReportsItsOwn127", .rules = {"EXEC-006"}, .body = AShellReportsItsOwn127},
      {.name = "ExitCodesComeBack",
       .rules = {"EXEC-007"},
       .body = ExitCodesComeBack,
       .smoke = true},
      {.name = "OddShellsExitAsTheyShould",
       .rules = {"EXEC-007"},
       .body = OddShellsExitAsTheyShould},
      {.name = "ANonZeroExitThrowsNowhere",
       .rules = {"EXEC-008"},
       .body = ANonZeroExitThrowsNowhere},
  };
  for (const auto part :
       {exec_place_cases, exec_input_cases, exec_running_cases, exec_full_cases}) {
    for (Case& row : part()) cases.push_back(std::move(row));
  }
  return cases;
}

}  // namespace sandproof::conformance
