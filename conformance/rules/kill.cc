// SPDX-License-Identifier: Apache-2.0
// The rules of the area KILL. kill(): ending one command and its tree. A table; any thread.
#include "conformance/rules/areas.h"

namespace sandproof::conformance {

// NOLINTNEXTLINE(readability-function-size): a table is as long as its contents.
std::vector<Rule> kill_rules() {
  return {
      {.id = "KILL-001",
       .level = Level::kMust,
       .sentence =
           "`kill()` on a running command makes `wait()` return bounded, integer status 137.",
       .intent = "A kill that is not seen leaves the caller waiting for a command that it gave up.",
       .capabilities = {},
       .unless = std::nullopt,
       .needs = {},
       .since = "0.1",
       .bugs = {}},
      {.id = "KILL-002",
       .level = Level::kMust,
       .sentence = "`kill()` is idempotent, and does nothing after exit: the status stays.",
       .intent =
           "Kill comes from timeouts, users and clean-up at the same time. It must neither fail "
           "the second time nor rewrite the result of a command that finished.",
       .capabilities = {},
       .unless = std::nullopt,
       .needs = {},
       .since = "0.1",
       .bugs = {}},
      {.id = "KILL-003",
       .level = Level::kMust,
       .sentence = "`kill()` does not touch other commands of the session.",
       .intent =
           "Stopping one command of an agent must not end its server, its shell and the rest of "
           "the session.",
       .capabilities = {},
       .unless = std::nullopt,
       .needs = {},
       .since = "0.1",
       .bugs = {"https://github.com/zenml-io/zenml/pull/4867"}},
      {.id = "KILL-004",
       .level = Level::kMust,
       .sentence =
           "After `kill()`, no process of the tree is alive in the environment, descendants that "
           "left the process group or closed their streams included where the flavor can reach "
           "them; the probe first finds a live control process, so that it cannot pass for want "
           "of a tool.",
       .intent =
           "The shell dies and the build goes on, holds the port and eats the CPU. Killing the "
           "leader alone is the most common fault of all.",
       .capabilities = {Capability::kKillTree},
       .unless = std::nullopt,
       .needs = {Need::kProcessTable},
       .since = "0.1",
       .bugs = {"https://github.com/Gaurav-Gosain/tuios/issues/141"}},
      {.id = "KILL-005",
       .level = Level::kMust,
       .sentence = "`kill()` straight after `exec` works (no window in which it is lost).",
       .intent =
           "A kill in the first moments, before some pid is known, is swallowed, and the caller "
           "believes that the command is dead.",
       .capabilities = {},
       .unless = std::nullopt,
       .needs = {},
       .since = "0.1",
       .bugs = {"https://github.com/boostorg/asio/pull/349"}},
      {.id = "KILL-006",
       .level = Level::kMust,
       .sentence = "A command that ignores TERM and INT is killed all the same.",
       .intent = "Commands that trap TERM, or are stopped, would outlive every deadline.",
       .capabilities = {},
       .unless = std::nullopt,
       .needs = {},
       .since = "0.1",
       .bugs = {"https://github.com/narailabs/doc-wiki/pull/72"}},
      {.id = "KILL-007",
       .level = Level::kMust,
       .sentence =
           "`kill()` never signals a stranger: not after exit, not after the pid was used again.",
       .intent =
           "Pids are used again. A late kill then ends another user's process, which nobody can "
           "ever explain.",
       .capabilities = {},
       .unless = std::nullopt,
       .needs = {},
       .since = "0.1",
       .bugs = {"https://github.com/NousResearch/hermes-agent/pull/43046",
                "https://github.com/marimo-team/marimohub/pull/41",
                "https://github.com/zenml-io/zenml/pull/5083"}},
      {.id = "KILL-008",
       .level = Level::kMust,
       .sentence = "Output written before the kill can still be read.",
       .intent =
           "People kill a command because of what it printed. That output must still be there to "
           "be read.",
       .capabilities = {},
       .unless = std::nullopt,
       .needs = {},
       .since = "0.1",
       .bugs = {}},
      {.id = "KILL-009",
       .level = Level::kMust,
       .sentence = "`kill()` from another thread unblocks a blocked reader, `wait` and `collect`.",
       .intent =
           "The thread that waits and the thread that decides are not the same. If kill does not "
           "wake the waiter, the program hangs.",
       .capabilities = {},
       .unless = std::nullopt,
       .needs = {},
       .since = "0.1",
       .bugs = {}},
      {.id = "KILL-010",
       .level = Level::kMust,
       .sentence =
           "Transport trouble in `kill()` is reported to the log and shows in `wait()`; it does "
           "not throw.",
       .intent =
           "Kill stands in clean-up code, where an exception ends the program; trouble that is "
           "swallowed leaves a command running that all believe dead.",
       .capabilities = {},
       .unless = std::nullopt,
       .needs = {},
       .since = "0.1",
       .bugs = {}},
      {.id = "KILL-011",
       .level = Level::kMust,
       .sentence = "`kill()` racing a natural exit keeps whichever status came first.",
       .intent = "A status that changes after it was read, or differs from verb to verb, makes two "
                 "parts of a program believe two things.",
       .capabilities = {},
       .unless = std::nullopt,
       .needs = {},
       .since = "0.1",
       .bugs = {"https://github.com/boostorg/process/issues/503"}},
  };
}

}  // namespace sandproof::conformance
