// SPDX-License-Identifier: Apache-2.0
// The one list of the flavors that this program knows, each bound to the suite. Values; any thread.
#pragma once

#include <vector>

#include "sandproof/conformance/binding.h"

namespace sandproof::apps {

/// In the order in which they run.
std::vector<conformance::Binding> flavor_table();

// The rows; one file each.
conformance::Binding local_binding();
conformance::Binding detached_binding();
conformance::Binding bare_binding();

}  // namespace sandproof::apps
