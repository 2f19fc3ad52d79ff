// SPDX-License-Identifier: Apache-2.0
// The rules of the area EXEC. exec(): starting a command. A table; any thread.
#include "conformance/rules/areas.h"

namespace sandproof::conformance {

// NOLINTNEXTLINE(readability-function-size): a table is as long as its contents.
std::vector<Rule> exec_rules() {
  return {
      {.id = "EXEC-001",
       .level = Level::kMust,
       .sentence = "argv reaches the program unchanged: spaces, quotes, `$`, `*`, `\\`, newlines, "
                   "non-ASCII, empty arguments, a leading dash.",
       .intent =
           "Arguments carry file names, code and data of users. One that is split, expanded, "
           "trimmed or dropped runs something else than was asked, at times an attacker's text.",
       .capabilities = {},
       .unless = std::nullopt,
       .needs = {},
       .since = "0.1",
       .bugs = {"https://github.com/fabric8io/kubernetes-client/issues/1297",
                "https://github.com/virtual-kubelet/virtual-kubelet/pull/265"}},
      {.id = "EXEC-002",
       .level = Level::kMust,
       .sentence =
           "A string command is split into words by POSIX shell quoting rules and nothing else: "
           "no expansion, no pipes, no globbing, on every flavor.",
       .intent =
           "The same string must mean the same on every flavor. One that goes through a shell on "
           "some flavors works in a test and deletes files in production.",
       .capabilities = {},
       .unless = std::nullopt,
       .needs = {},
       .since = "0.1",
       .bugs = {}},
      {.id = "EXEC-003",
       .level = Level::kMust,
       .sentence = "An empty command, or unbalanced quotes, is `InvalidArgumentError`.",
       .intent = "An empty or broken command is a bug of the caller. Reported as success, or as "
                 "something that the backend did, it is never found.",
       .capabilities = {},
       .unless = std::nullopt,
       .needs = {},
       .since = "0.1",
       .bugs = {"https://github.com/daytonaio/daytona/issues/4230"}},
      {.id = "EXEC-004",
       .level = Level::kMust,
       .sentence =
           "A command that cannot start (not found; not executable; a directory) throws "
           "`ExecError` from `exec` on every flavor; no process handle exists then. One that is "
           "found but fails in `exec` itself (bad interpreter, bad format) is `ExecError` from "
           "`exec`, or, where the flavor learns it later, from `wait` and `collect`.",
       .intent =
           "The caller must tell \"it did not run\" from \"it ran and failed\". An exit code of "
           "127 for both makes a wrong image look like a failing test.",
       .capabilities = {},
       .unless = std::nullopt,
       .needs = {},
       .since = "0.1",
       .bugs = {"https://github.com/swiftlang/swift-subprocess/pull/282",
                "https://github.com/OSGeo/grass/pull/7847",
                "https://github.com/moby/moby/issues/45795",
                "https://github.com/daytonaio/daytona/issues/2283",
                "https://github.com/cpan-authors/IPC-Run/pull/177"}},
      {.id = "EXEC-005",
       .level = Level::kMust,
       .sentence = "A missing or non-directory `cwd` throws `ExecError` that names it.",
       .intent =
           "A command that runs in another directory than asked, or reports the missing directory "
           "as its own exit code, reads and writes the wrong files.",
       .capabilities = {},
       .unless = std::nullopt,
       .needs = {},
       .since = "0.1",
       .bugs = {}},
      {.id = "EXEC-006",
       .level = Level::kMust,
       .sentence =
           "A program that itself exits with 126 or 127 is an ordinary result, not an `ExecError`.",
       .intent =
           "Shells and build tools use 126 and 127 themselves. Taking them for launch failures "
           "throws away the output of commands that did run.",
       .capabilities = {},
       .unless = std::nullopt,
       .needs = {},
       .since = "0.1",
       .bugs = {"https://github.com/daytonaio/daytona/issues/2283"}},
      {.id = "EXEC-007",
       .level = Level::kMust,
       .sentence = "Exit codes 0, 1, 2, 42, 126, 127, 128, 137, 255 come back unchanged as exited.",
       .intent =
           "The exit code is the result. A code that is folded, defaulted or lost turns failures "
           "into successes.",
       .capabilities = {},
       .unless = std::nullopt,
       .needs = {},
       .since = "0.1",
       .bugs = {"https://github.com/socktainer/socktainer/pull/305",
                "https://github.com/fabro-sh/fabro/pull/636"}},
      {.id = "EXEC-008",
       .level = Level::kMust,
       .sentence = "A non-zero exit never throws from `exec`, `wait` or `collect`.",
       .intent =
           "A failing test suite is an ordinary result. If it is thrown, the caller loses the "
           "output that says what failed.",
       .capabilities = {},
       .unless = std::nullopt,
       .needs = {},
       .since = "0.1",
       .bugs = {}},
      {.id = "EXEC-009",
       .level = Level::kMust,
       .sentence = "`exec` returns when the program has started, not when it has finished.",
       .intent =
           "Callers start servers and stream logs. An exec that blocks until the end makes both "
           "impossible.",
       .capabilities = {},
       .unless = std::nullopt,
       .needs = {},
       .since = "0.1",
       .bugs = {"https://github.com/zenml-io/zenml/pull/4870"}},
      {.id = "EXEC-010",
       .level = Level::kMust,
       .sentence =
           "`cwd` omitted or empty: the session's working directory. Relative: resolved against "
           "it. Absolute: as given. Names with spaces, a leading dash and non-ASCII work.",
       .intent =
           "Relative paths in commands depend on it. If flavors start in different directories, "
           "no script is portable.",
       .capabilities = {},
       .unless = std::nullopt,
       .needs = {},
       .since = "0.1",
       .bugs = {}},
      {.id = "EXEC-011",
       .level = Level::kMust,
       .sentence =
           "A file made by one exec is there for the next; `cd` and exported variables of one "
           "exec are not.",
       .intent =
           "People build up state in files step by step and expect each command to begin with a "
           "clean shell. Either expectation broken gives results that depend on history.",
       .capabilities = {},
       .unless = std::nullopt,
       .needs = {},
       .since = "0.1",
       .bugs = {}},
      {.id = "EXEC-012",
       .level = Level::kMust,
       .sentence = "stdin is empty and at end of file unless given: `cat` ends at once.",
       .intent =
           "A command that reads its input waits for ever on the harness's terminal, or steals "
           "the bytes that were meant for the harness.",
       .capabilities = {},
       .unless = std::nullopt,
       .needs = {},
       .since = "0.1",
       .bugs = {"https://github.com/daytonaio/daytona/issues/4230"}},
      {.id = "EXEC-013",
       .level = Level::kMust,
       .sentence =
           "Bytes given as stdin arrive exactly, 16 MiB while the command writes as much back (no "
           "deadlock); closing it is seen as end of file; a command that exits early does not "
           "make the writer hang or crash.",
       .intent =
           "Writing all input first while the command writes output locks both up; input that is "
           "cut or never ends gives wrong results or a hang, and a broken pipe can end the "
           "harness.",
       .capabilities = {Capability::kStdin},
       .unless = std::nullopt,
       .needs = {},
       .since = "0.1",
       .bugs = {"https://github.com/dsheets/ocaml-process/issues/2",
                "https://github.com/boostorg/process/issues/170",
                "https://github.com/apocas/docker-modem/issues/48",
                "https://github.com/rancher-sandbox/rancher-desktop/pull/7896",
                "https://github.com/moby/moby/issues/28658",
                "https://github.com/kubernetes-client/javascript/issues/465",
                "https://github.com/kubernetes/kubernetes/issues/15702",
                "https://github.com/managoat/fountain/pull/689",
                "https://github.com/boostorg/beast/issues/2692",
                "https://github.com/JuliaLang/julia/issues/60959"}},
      {.id = "EXEC-014",
       .level = Level::kMust,
       .sentence = "64 commands of one session run at once, and neither output nor statuses mix.",
       .intent =
           "Agents run many commands at once. Mixed up output or statuses give each the answer of "
           "another, which nobody notices.",
       .capabilities = {},
       .unless = std::nullopt,
       .needs = {},
       .since = "0.1",
       .bugs = {"https://github.com/klemens-morgenstern/boost-process/issues/143",
                "https://github.com/klemens-morgenstern/boost-process/issues/104",
                "https://github.com/docker/docker-py/issues/2278",
                "https://github.com/chriskohlhoff/asio/issues/1503"}},
      {.id = "EXEC-015",
       .level = Level::kMust,
       .sentence =
           "Arguments up to 128 KiB each, 1 MiB in all, work or are refused with `ExecError`; "
           "they are never cut.",
       .intent = "A limit that cuts an argument changes the program that runs. A refusal can be "
                 "handled; a silent cut cannot.",
       .capabilities = {},
       .unless = std::nullopt,
       .needs = {},
       .since = "0.1",
       .bugs = {"https://github.com/langchain-ai/deepagents/pull/1402"}},
      {.id = "EXEC-016",
       .level = Level::kMust,
       .sentence = "A command is started at most once, whatever the transport does.",
       .intent =
           "A retry after a lost reply runs the command again: money is sent twice, a migration "
           "is applied twice.",
       .capabilities = {},
       .unless = std::nullopt,
       .needs = {},
       .since = "0.1",
       .bugs = {}},
      {.id = "EXEC-017",
       .level = Level::kMust,
       .sentence =
           "`exec_async` gives the same results and the same errors; dropping its future neither "
           "blocks nor cancels; `close()` fails what is still queued with `SessionClosedError`.",
       .intent =
           "Dropped futures are common in cancelled code. If the drop blocks or kills, or if a "
           "queued start is never answered, shutdown hangs.",
       .capabilities = {Capability::kAsyncExec},
       .unless = std::nullopt,
       .needs = {},
       .since = "0.1",
       .bugs = {}},
      {.id = "EXEC-018",
       .level = Level::kMust,
       .sentence =
           "A name without `/` is looked up in the command's own PATH (after ENV-001); with `/`, "
           "relative to the command's cwd; argv[0] arrives as given.",
       .intent = "If the harness's own PATH decides, the sandbox runs another program than the one "
                 "installed in it, and tests pass on the developer's machine alone.",
       .capabilities = {},
       .unless = std::nullopt,
       .needs = {},
       .since = "0.1",
       .bugs = {}},
      {.id = "EXEC-019",
       .level = Level::kShould,
       .sentence =
           "`exec` on a full backend (process limit, descriptors, memory) is `ExecError` with the "
           "system's reason, and nothing stays.",
       .intent =
           "A full machine is when clean errors count most: without the reason the operator looks "
           "for a bug in the command, and leftovers keep the machine full.",
       .capabilities = {},
       .unless = std::nullopt,
       .needs = {Need::kSmallPidSpace},
       .since = "0.1",
       .bugs = {}},
      {.id = "EXEC-020",
       .level = Level::kMust,
       .sentence =
           "The command starts with default signal dispositions and an empty mask, whatever the "
           "calling thread's.",
       .intent =
           "Servers ignore SIGPIPE and block signals in their threads. A command that inherits "
           "this never ends when its reader goes away and cannot be stopped.",
       .capabilities = {},
       .unless = std::nullopt,
       .needs = {},
       .since = "0.1",
       .bugs = {"https://github.com/rust-lang/rust/pull/25784",
                "https://github.com/boostorg/asio/pull/349"}},
      {.id = "EXEC-021",
       .level = Level::kMust,
       .sentence =
           "`timeout` in the options ends the tree at the deadline; `wait` then gives integer "
           "status 137 and says timed out.",
       .intent =
           "A deadline that ends only the shell leaves the real work running and the pipe open; "
           "one that is not reported as such looks like a crash of the command.",
       .capabilities = {},
       .unless = std::nullopt,
       .needs = {},
       .since = "0.1",
       .bugs = {"https://github.com/Gaurav-Gosain/tuios/issues/141",
                "https://github.com/rivet-dev/sandbox-agent/issues/152"}},
  };
}

}  // namespace sandproof::conformance
