// SPDX-License-Identifier: Apache-2.0
// The rules of the area CAP. What a flavor declares, and that it keeps to it. A table; any thread.
#include "conformance/rules/areas.h"

namespace sandproof::conformance {

std::vector<Rule> cap_rules() {
  return {
      {.id = "CAP-001",
       .level = Level::kMust,
       .sentence = "`capabilities()` is constant over the life of the sandbox and equals what the "
                   "flavor's registration declares.",
       .intent =
           "A program decides by the declaration what it may call. If it drifts or differs from "
           "the registration, the program takes a path that the flavor does not have.",
       .capabilities = {},
       .unless = std::nullopt,
       .needs = {},
       .since = "0.1",
       .bugs = {}},
      {.id = "CAP-002",
       .level = Level::kMust,
       .sentence = "An operation whose capability is not claimed throws `UnsupportedError` naming "
                   "operation and flavor, and has no side effect.",
       .intent =
           "Consumers probe and degrade by one clear error. A flavor that half-does what it does "
           "not offer leaves an environment, a file or a wrong answer behind.",
       .capabilities = {},
       .unless = std::nullopt,
       .needs = {},
       .since = "0.1",
       .bugs = {"https://github.com/zenml-io/zenml/pull/4868",
                "https://github.com/zenml-io/kitaru/issues/417",
                "https://github.com/zenml-io/kitaru/pull/423"}},
      {.id = "CAP-003",
       .level = Level::kMust,
       .sentence = "An operation whose capability is claimed never throws `UnsupportedError`.",
       .intent = "A claim that is refused at run time breaks the program that relied on it, at the "
                 "worst moment: after it chose the flavor for that claim.",
       .capabilities = {},
       .unless = std::nullopt,
       .needs = {},
       .since = "0.1",
       .bugs = {}},
      {.id = "CAP-004",
       .level = Level::kShould,
       .sentence =
           "An operation that works although unclaimed is reported as under-claimed (a warning in "
           "the report).",
       .intent =
           "An operation that works but is not claimed is neither tested nor kept: people come to "
           "rely on it and the next version takes it away.",
       .capabilities = {},
       .unless = std::nullopt,
       .needs = {},
       .since = "0.1",
       .bugs = {}},
      {.id = "CAP-005",
       .level = Level::kMust,
       .sentence =
           "The flavor is really engaged: the identity mark that its binding names (working "
           "directory for local; host name and process namespace for the rest), seen from inside, "
           "differs from the harness's own and from another session's.",
       .intent =
           "A flavor that silently falls back to the host passes every other rule, while nothing "
           "at all is isolated.",
       .capabilities = {},
       .unless = std::nullopt,
       .needs = {Need::kIdentity},
       .since = "0.1",
       .bugs = {}},
  };
}

}  // namespace sandproof::conformance
