// SPDX-License-Identifier: Apache-2.0
// The rules of the area META. What a session publishes about itself. A table; any thread.
#include "conformance/rules/areas.h"

namespace sandproof::conformance {

std::vector<Rule> meta_rules() {
  return {
      {.id = "META-001",
       .level = Level::kMust,
       .sentence =
           "On create, attach and restore, inside a step, `sandbox.<id>.flavor` is published, and "
           "`sandbox.<id>.dashboard_url` where the flavor has one.",
       .intent =
           "Dashboards link to sessions by these keys. Without them a running environment cannot "
           "be found from the run that made it.",
       .capabilities = {},
       .unless = std::nullopt,
       .needs = {},
       .since = "0.1",
       .bugs = {}},
      {.id = "META-002",
       .level = Level::kMust,
       .sentence = "A failing publisher or a throwing dashboard hook does not fail the session.",
       .intent =
           "Metadata is decoration. If it can fail a session, a broken dashboard stops all work.",
       .capabilities = {},
       .unless = std::nullopt,
       .needs = {},
       .since = "0.1",
       .bugs = {}},
  };
}

}  // namespace sandproof::conformance
