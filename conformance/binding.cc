// SPDX-License-Identifier: Apache-2.0
// The short cut for new bindings (binding.h). Pure; any thread.
#include "sandproof/conformance/binding.h"

namespace sandproof::conformance {

std::map<Capability, std::string> unclaimed_because(const Flavor& flavor,
                                                    const std::string& reason) {
  std::map<Capability, std::string> reasons;
  for (const Capability capability : all_capabilities()) {
    if (!flavor.capabilities.has(capability)) reasons[capability] = reason;
  }
  return reasons;
}

}  // namespace sandproof::conformance
