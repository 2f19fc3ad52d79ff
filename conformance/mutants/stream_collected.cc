// SPDX-License-Identifier: Apache-2.0
// Flavors that break STREAM: the text that collect() returns, which is decoded on a way of its own.
// Each mutation is used from any thread.
#include <vector>

#include "conformance/mutants/areas.h"
#include "conformance/mutants/support.h"

namespace sandproof::conformance {
namespace {

class CollectDoesNotDecode : public Faulty<ProcessWrapper> {
 public:
  using Faulty::Faulty;
  Output collect(const CollectOptions& options, Where where) override {
    CollectOptions changed = options;
    if (fires()) changed.raw = true;
    return inner().collect(changed, where);
  }
};

}  // namespace

std::vector<Mutant> stream_collected_mutants() {
  return {
      {.name = "CollectDoesNotDecode",
       .rule = "STREAM-005",
       .what = "collect() returns invalid bytes as they are.",
       .wrap = each_process<CollectDoesNotDecode>()},
  };
}

}  // namespace sandproof::conformance
