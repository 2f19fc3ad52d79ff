// SPDX-License-Identifier: Apache-2.0
// The table of flavors; see flavor_table.h.
#include "apps/sandproof/flavor_table.h"

namespace sandproof::apps {

std::vector<conformance::Binding> flavor_table() {
  return {local_binding(), detached_binding(), bare_binding()};
}

}  // namespace sandproof::apps
