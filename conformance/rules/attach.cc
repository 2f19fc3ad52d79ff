// SPDX-License-Identifier: Apache-2.0
// The rules of the area ATTACH. attach(): another handle to a running environment. A table; any
// thread.
#include "conformance/rules/areas.h"

namespace sandproof::conformance {

// NOLINTNEXTLINE(readability-function-size): a table is as long as its contents.
std::vector<Rule> attach_rules() {
  return {
      {.id = "ATTACH-001",
       .level = Level::kMust,
       .sentence =
           "`attach(id)` gives an open handle with the same id to the same environment: files "
           "written before are there.",
       .intent =
           "Attaching is how another process or a later step goes on with the same files. A fresh "
           "environment under the old id looks right and has lost everything.",
       .capabilities = {Capability::kAttach},
       .unless = std::nullopt,
       .needs = {},
       .since = "0.1",
       .bugs = {}},
      {.id = "ATTACH-002",
       .level = Level::kMust,
       .sentence = "Handles are independent: closing one leaves the other open.",
       .intent =
           "Several programs hold handles to one environment. If one lets go and the others stop "
           "working, none of them can be written.",
       .capabilities = {Capability::kAttach},
       .unless = std::nullopt,
       .needs = {},
       .since = "0.1",
       .bugs = {}},
      {.id = "ATTACH-003",
       .level = Level::kMust,
       .sentence =
           "An unknown id throws `NotFoundError` that names the id; nothing is created or started.",
       .intent =
           "A wrong id must be told by name. An attach that starts something instead hides the "
           "mistake and leaks.",
       .capabilities = {Capability::kAttach},
       .unless = std::nullopt,
       .needs = {},
       .since = "0.1",
       .bugs = {}},
      {.id = "ATTACH-004",
       .level = Level::kMust,
       .sentence = "A session of another sandbox component throws `NotFoundError` that says so.",
       .intent =
           "Components belong to different projects or users. One that reaches into the sessions "
           "of another breaks their separation.",
       .capabilities = {Capability::kAttach},
       .unless = std::nullopt,
       .needs = {},
       .since = "0.1",
       .bugs = {}},
      {.id = "ATTACH-005",
       .level = Level::kMust,
       .sentence = "Attach restores the session's own working directory and environment variables, "
                   "per-session overrides included.",
       .intent =
           "Commands that worked through the first handle must work through the next. If "
           "directory or variables fall back to defaults, they run in the wrong place with the "
           "wrong configuration.",
       .capabilities = {Capability::kAttach},
       .unless = std::nullopt,
       .needs = {},
       .since = "0.1",
       .bugs = {}},
      {.id = "ATTACH-006",
       .level = Level::kMust,
       .sentence =
           "Attach works from another process that knows only the configuration and the id.",
       .intent =
           "The process that created the session is often gone when it is needed again: the next "
           "step, a debugger, a sweeper.",
       .capabilities = {Capability::kAttach, Capability::kCrossProcess},
       .unless = std::nullopt,
       .needs = {},
       .since = "0.1",
       .bugs = {}},
      {.id = "ATTACH-007",
       .level = Level::kMust,
       .sentence =
           "An environment that has stopped (container exited, pod completed or terminating) is "
           "`NotFoundError`, with the state in the text.",
       .intent =
           "A handle to something that has stopped fails later, at the first command, with an "
           "error that does not say why.",
       .capabilities = {Capability::kAttach},
       .unless = std::nullopt,
       .needs = {Need::kStoppableEnvironment},
       .since = "0.1",
       .bugs = {}},
  };
}

}  // namespace sandproof::conformance
