// SPDX-License-Identifier: Apache-2.0
// The rules of the area SET. Settings: layers, checks, secrets. A table; any thread.
#include "conformance/rules/areas.h"

namespace sandproof::conformance {

// NOLINTNEXTLINE(readability-function-size): a table is as long as its contents.
std::vector<Rule> set_rules() {
  return {
      {.id = "SET-001",
       .level = Level::kMust,
       .sentence =
           "Layers, low to high: component config or, inside a step, that step's settings; then "
           "the per-call override. Only fields that were set take part; a field set to its "
           "default counts as set.",
       .intent = "The same configuration must give the same environment everywhere. A default that "
                 "overrides what somebody set is a change that nobody made.",
       .capabilities = {},
       .unless = std::nullopt,
       .needs = {},
       .since = "0.1",
       .bugs = {"https://github.com/zenml-io/zenml/pull/4866"}},
      {.id = "SET-002",
       .level = Level::kMust,
       .sentence = "A map-valued field is replaced as a whole, not merged.",
       .intent =
           "Replacing and merging give different maps. If flavors differ, keys that were to be "
           "removed stay in.",
       .capabilities = {},
       .unless = std::nullopt,
       .needs = {},
       .since = "0.1",
       .bugs = {}},
      {.id = "SET-003",
       .level = Level::kMust,
       .sentence =
           "An invalid value fails with `InvalidArgumentError` that names the field, before "
           "anything is contacted; an unknown field is refused by name.",
       .intent =
           "A misspelt field that is ignored runs with the default for months; one that fails "
           "after the container was made leaks it.",
       .capabilities = {},
       .unless = std::nullopt,
       .needs = {},
       .since = "0.1",
       .bugs = {}},
      {.id = "SET-004",
       .level = Level::kMust,
       .sentence = "The caller's settings object is not changed.",
       .intent =
           "Callers reuse one settings object for many sessions. One that is changed on the way "
           "carries the first session's values into the next.",
       .capabilities = {},
       .unless = std::nullopt,
       .needs = {},
       .since = "0.1",
       .bugs = {}},
      {.id = "SET-005",
       .level = Level::kMust,
       .sentence =
           "Secret references `{{name.key}}` are resolved from the secret store, or refused by "
           "name, in settings fields and in settings' environment only — never in argv, exec env "
           "or stdin; `{{{{` is a literal `{{`. Resolved values (4 bytes and more) are replaced "
           "by `***` in every text that the framework makes and in logged output; the bytes given "
           "to the caller are not changed.",
       .intent =
           "Secrets in configuration files leak by copies, logs and errors. References that are "
           "resolved in the wrong place, or left unresolved, either show them or break the "
           "program.",
       .capabilities = {},
       .unless = std::nullopt,
       .needs = {},
       .since = "0.1",
       .bugs = {}},
      {.id = "SET-006",
       .level = Level::kMust,
       .sentence = "A negative or oversized `max_chars` or timeout is `InvalidArgumentError`.",
       .intent =
           "A negative number is a bug of the caller. Taken as zero or as no limit, it turns into "
           "lost output or a hang.",
       .capabilities = {},
       .unless = std::nullopt,
       .needs = {},
       .since = "0.1",
       .bugs = {}},
  };
}

}  // namespace sandproof::conformance
