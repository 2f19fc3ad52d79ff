// SPDX-License-Identifier: Apache-2.0
// EXEC: where a command runs, what it finds there, and the state that it starts in. Cases; each
// used by one worker thread.
#include <chrono>
#include <string>
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
using testing::ElementsAre;
using testing::HasSubstr;
using testing::StartsWith;

ExecOptions in_directory(std::string cwd) {
  ExecOptions options;
  options.cwd = std::move(cwd);
  return options;
}

ExecOptions with_path(std::string path) {
  ExecOptions options;
  options.env = {{"PATH", std::move(path)}};
  return options;
}

/// What `argv` prints, without the newline at its end; what is thrown, as error_of() gives it.
std::string said(CaseContext& ctx, Command command, ExecOptions options = {}) {
  return trimmed(
      raw_within(ctx.bound(kAtOnce), ctx.session(), std::move(command), std::move(options)).out);
}

/// Says the directory that it runs in.
Command where() { return {"sh", "-c", "pwd -P"}; }

// EXEC-010: `cwd` omitted or empty: the session's working directory.
void TheDefaultCwdIsTheSessions(CaseContext& ctx) {
  EXPECT_EQ(said(ctx, where()), said(ctx, where(), in_directory(".")));
}

// EXEC-010: … Relative: resolved against it. … Names with spaces, a leading dash and non-ASCII
// work.
void ARelativeCwdIsResolvedAgainstIt(CaseContext& ctx) {
  const std::string base = trimmed(sh(ctx.session(), "mkdir -p 'a b/c' ./-x grün; pwd -P").out);
  const std::vector<std::pair<std::string, std::string>> directories = {
      {"a b", base + "/a b"},
      {"a b/c", base + "/a b/c"},
      {"-x", base + "/-x"},
      {"grün", base + "/grün"},
      {"./a b/../-x", base + "/-x"}};
  for (const auto& [cwd, expected] : directories) {
    EXPECT_EQ(said(ctx, where(), in_directory(cwd)), expected);
  }
}

// EXEC-010: … Absolute: as given.
void AnAbsoluteCwdIsTakenAsGiven(CaseContext& ctx) {
  const std::string directory = trimmed(sh(ctx.session(), "mkdir -p 'a b'; cd 'a b'; pwd -P").out);
  const std::vector<std::string> seen = {said(ctx, where(), in_directory("/")),
                                         said(ctx, where(), in_directory(directory))};
  EXPECT_THAT(seen, ElementsAre("/", directory));
}

// EXEC-011: A file made by one exec is there for the next.
void AFileIsThereForTheNextExec(CaseContext& ctx) {
  sh(ctx.session(), "mkdir -p d; echo kept > d/f");
  EXPECT_EQ(said(ctx, {"cat", "d/f"}), "kept");
}

// EXEC-011: … `cd` and exported variables of one exec are not.
void ShellStateIsNotThereForTheNextExec(CaseContext& ctx) {
  const std::string before = said(ctx, where());
  sh(ctx.session(), "cd /; umask 0777; COLOR=red; export COLOR");
  EXPECT_EQ(said(ctx, {"sh", "-c", R"(pwd -P; echo "${COLOR-unset}")"}), before + "\nunset");
}

/// Makes bin/tool, which says "tool", and a directory of the same name in sub; returns the
/// session's directory.
std::string make_tool(CaseContext& ctx) {
  return trimmed(sh(ctx.session(),
                    R"(mkdir -p bin sub/tool; printf '#!/bin/sh\necho tool\n' > bin/tool;)"
                    " chmod 755 bin/tool; pwd -P")
                     .out);
}

// EXEC-018: A name without `/` is looked up in the command's own PATH (after ENV-001).
void NamesAreLookedUpInTheCommandsPath(CaseContext& ctx) {
  const std::string base = make_tool(ctx);
  const std::vector<std::string> seen = {
      said(ctx, {"tool"}, with_path(base + "/bin")),
      // A directory is no program.
      said(ctx, {"tool"}, with_path("/nonexistent:" + base + "/sub:" + base + "/bin"))};
  EXPECT_THAT(seen, ElementsAre("tool", "tool"));
}

// EXEC-018: A name without `/` is looked up in the command's own PATH (after ENV-001).
void NamesAreLookedUpInNoOtherPath(CaseContext& ctx) {
  EXPECT_THAT(said(ctx, {"sleep", "0"}, with_path("/nonexistent")),
              AllOf(StartsWith("ExecError"), HasSubstr("sleep")));
}

// EXEC-018: A name without `/` is looked up in the command's own PATH (after ENV-001): it may come
// from the session's settings.
void TheSessionsPathIsSearched(CaseContext& ctx) {
  const auto session = ctx.sandbox().create_session(
      Settings().set("environment", Environment{{"PATH", "/nonexistent"}}));
  const auto outcome = [&](ExecOptions options) {
    return raw_within(ctx.bound(kAtOnce), *session, {"echo", "found"}, std::move(options)).out;
  };
  const std::vector<std::string> seen = {outcome({}), outcome(with_path("/usr/bin:/bin"))};
  EXPECT_THAT(seen, ElementsAre(StartsWith("ExecError"), "found\n"));
}

// EXEC-018: A name … with `/`, relative to the command's cwd.
void ANameWithASlashIsRelativeToTheCwd(CaseContext& ctx) {
  make_tool(ctx);
  const std::vector<std::string> seen = {said(ctx, {"./tool"}, in_directory("bin")),
                                         said(ctx, {"bin/tool"}), said(ctx, {"./tool"})};
  EXPECT_THAT(seen, ElementsAre("tool", "tool", StartsWith("ExecError")));
}

// EXEC-018: … argv[0] arrives as given.
void ArgvZeroArrivesAsGiven(CaseContext& ctx) {
  const std::vector<std::string> seen = {said(ctx, {"sh", "-c", "echo \"$0\""}),
                                         said(ctx, {"/bin/sh", "-c", "echo \"$0\""})};
  EXPECT_THAT(seen, ElementsAre("sh", "/bin/sh"));
}

/// A line of /proc/self/status, as seen by a command.
unsigned long long signal_set(const std::string& status, const std::string& name) {
  const std::size_t at = status.find(name);
  return at == std::string::npos ? ~0ULL
                                 : std::stoull(status.substr(at + name.size()), nullptr, 16);
}

// EXEC-020: The command starts with default signal dispositions and an empty mask, whatever the
// calling thread's.
void SignalsAreAsByDefault(CaseContext& ctx) {
  std::string status;
  {
    ctx.session();
    const OddSignals odd;
    status = said(ctx, {"cat", "/proc/self/status"});
  }
  const std::vector<unsigned long long> sets = {signal_set(status, "SigBlk:\t"),
                                                signal_set(status, "SigIgn:\t")};
  EXPECT_THAT(sets, ElementsAre(0, 0));
}

}  // namespace

std::vector<Case> exec_place_cases() {
  return {
      {.name = "TheDefaultCwdIsTheSessions",
       .rules = {"EXEC-010"},
       .body = TheDefaultCwdIsTheSessions},
      {.name = "ARelativeCwdIsResolvedAgainstIt",
       .rules = {"EXEC-010"},
       .body = ARelativeCwdIsResolvedAgainstIt},
      {.name = "AnAbsoluteCwdIsTakenAsGiven",
       .rules = {"EXEC-010"},
       .body = AnAbsoluteCwdIsTakenAsGiven},
      {.name = "AFileIsThereForTheNextExec",
       .rules = {"EXEC-011"},
       .body = AFileIsThereForTheNextExec},
      {.name = "ShellStateIsNotThereForTheNextExec",
       .rules = {"EXEC-011"},
       .body = ShellStateIsNotThereForTheNextExec},
      {.name = "NamesAreLookedUpInTheCommandsPath",
       .rules = {"EXEC-018"},
       .body = NamesAreLookedUpInTheCommandsPath},
      {.name = "NamesAreLookedUpInNoOtherPath",
       .rules = {"EXEC-018"},
       .body = NamesAreLookedUpInNoOtherPath},
      {.name = "TheSessionsPathIsSearched",
       .rules = {"EXEC-018"},
       .body = TheSessionsPathIsSearched},
      {.name = "ANameWithASlashIsRelativeToTheCwd",
       .rules = {"EXEC-018"},
       .body = ANameWithASlashIsRelativeToTheCwd},
      {.name = "ArgvZeroArrivesAsGiven", .rules = {"EXEC-018"}, .body = ArgvZeroArrivesAsGiven},
      {.name = "SignalsAreAsByDefault", .rules = {"EXEC-020"}, .body = SignalsAreAsByDefault},
  };
}

}  // namespace sandproof::conformance
