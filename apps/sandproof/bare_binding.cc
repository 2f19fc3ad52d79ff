// SPDX-License-Identifier: Apache-2.0
// `bare`, for tests alone: the flavor `local` that claims next to nothing. So the cases of what a
// flavor does *not* claim run on real processes, each of them.
#include <utility>

#include "apps/sandproof/flavor_table.h"

namespace sandproof::apps {

conformance::Binding bare_binding() {
  conformance::Binding binding = local_binding();
  binding.flavor.name = "bare";
  binding.test_only = true;
  binding.flavor.capabilities = {Capability::kKillTree};
  binding.unclaimed =
      conformance::unclaimed_because(binding.flavor, "it is there to refuse, for tests");
  return binding;
}

}  // namespace sandproof::apps
