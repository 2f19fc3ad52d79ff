// SPDX-License-Identifier: Apache-2.0
// Makes the sandbox that a stack describes (sandproof/stack.h). Any thread.
#include <utility>

#include "sandproof/stack.h"

namespace sandproof {

std::unique_ptr<Sandbox> make_sandbox(const StackEntry& entry, const FlavorTable& flavors,
                                      SandboxOptions options) {
  options.component_id = entry.id;
  options.settings = entry.config;
  return make_sandbox(flavors.at(entry.flavor), std::move(options));
}

}  // namespace sandproof
