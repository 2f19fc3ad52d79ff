// SPDX-License-Identifier: Apache-2.0
// The rules of the area DESTROY. destroy(): ending an environment. A table; any thread.
#include "conformance/rules/areas.h"

namespace sandproof::conformance {

// NOLINTNEXTLINE(readability-function-size): a table is as long as its contents.
std::vector<Rule> destroy_rules() {
  return {
      {.id = "DESTROY-001",
       .level = Level::kMust,
       .sentence = "`destroy()` ends the environment and then closes the handle.",
       .intent =
           "destroy() is the one verb that gives resources back. If it only lets go, everything "
           "leaks; if it leaves the handle open, callers go on with a dead environment.",
       .capabilities = {},
       .unless = std::nullopt,
       .needs = {},
       .since = "0.1",
       .bugs = {"https://github.com/microsoft/autogen/pull/7383"}},
      {.id = "DESTROY-002",
       .level = Level::kMust,
       .sentence =
           "`destroy()` works on a closed handle and still ends the environment (close then "
           "destroy does not leak).",
       .intent =
           "Close then destroy is a natural order in clean-up code. If the closed handle refuses, "
           "the environment can no longer be ended from there.",
       .capabilities = {},
       .unless = std::nullopt,
       .needs = {},
       .since = "0.1",
       .bugs = {}},
      {.id = "DESTROY-003",
       .level = Level::kMust,
       .sentence =
           "`destroy()` is idempotent: again on the same handle, or on another handle, or when "
           "the environment is already gone.",
       .intent = "Retries, two owners and sweepers all destroy the same environment. If the second "
                 "fails, every clean-up has to guess which errors are harmless.",
       .capabilities = {},
       .unless = std::nullopt,
       .needs = {},
       .since = "0.1",
       .bugs = {"https://github.com/Vexa-ai/vexa/issues/1384",
                "https://github.com/NVIDIA-NeMo/Gym/pull/3488"}},
      {.id = "DESTROY-004",
       .level = Level::kMust,
       .sentence =
           "If ending the environment fails, the error propagates, the handle stays open, `exec` "
           "still works, and `destroy()` can be tried again.",
       .intent =
           "A destroy that fails and closes the handle takes away the only means to try again; "
           "one that swallows the failure leaks in silence.",
       .capabilities = {},
       .unless = std::nullopt,
       .needs = {},
       .since = "0.1",
       .bugs = {"https://github.com/kubernetes/kubernetes/issues/73584",
                "https://github.com/zenml-io/zenml/pull/4867",
                "https://github.com/zenml-io/zenml/pull/4870",
                "https://github.com/huggingface/ml-intern/pull/163"}},
      {.id = "DESTROY-005",
       .level = Level::kMust,
       .sentence = "Once `destroy()` has returned, `attach(id)` throws `NotFoundError`.",
       .intent =
           "Between the answer and the real end an attach finds a dying environment and works on "
           "it until it vanishes; a new one with the same id is refused.",
       .capabilities = {Capability::kAttach},
       .unless = std::nullopt,
       .needs = {},
       .since = "0.1",
       .bugs = {"https://github.com/cloudflare/sandbox/issues/29"}},
      {.id = "DESTROY-006",
       .level = Level::kMust,
       .sentence = "After `destroy()` through one handle, `exec` on another fails bounded with "
                   "`SandboxLostError` or `ExecError`; it does not hang and does not succeed.",
       .intent =
           "A second user of the environment must learn that it is gone, not hang in a call that "
           "nobody will answer or work somewhere else.",
       .capabilities = {Capability::kAttach},
       .unless = std::nullopt,
       .needs = {},
       .since = "0.1",
       .bugs = {}},
      {.id = "DESTROY-007",
       .level = Level::kMust,
       .sentence =
           "`destroy()` while a command runs: `wait`, `collect` and blocked readers end bounded, "
           "with `SandboxLostError` or a non-zero integer status (137 or 143 where the backend "
           "reports one).",
       .intent =
           "Threads that wait for a command of a destroyed environment hang for ever, or report "
           "success for a command that never finished.",
       .capabilities = {},
       .unless = std::nullopt,
       .needs = {},
       .since = "0.1",
       .bugs = {"https://github.com/kubernetes/kubernetes/issues/129144"}},
      {.id = "DESTROY-008",
       .level = Level::kMust,
       .sentence =
           "No process of the tree is alive after `destroy()` (checked through the backend's own "
           "process table).",
       .intent =
           "Daemons and children that left the group are the ones that survive. They go on using "
           "the host after the caller was told that all is gone.",
       .capabilities = {},
       .unless = std::nullopt,
       .needs = {Need::kProcessTable},
       .since = "0.1",
       .bugs = {}},
  };
}

}  // namespace sandproof::conformance
