// SPDX-License-Identifier: Apache-2.0
// A mutant: a healthy flavor with one fault, made by a decorator over the interfaces or the hooks.
// A row of a table; decorators in mutants/<area>.cc. It must be killed by a case of its rule.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <string_view>
#include <vector>

#include "sandproof/conformance/case.h"
#include "sandproof/hooks.h"
#include "sandproof/sandbox.h"

namespace sandproof::conformance {

/// Decides when a fault fires, and proves that it did: the count lives in memory that the
/// supervisor reads even after a crash. Any thread.
class Trigger {
 public:
  /// Fires from the `first`-th opportunity on (1 is the first), `times` times.
  explicit Trigger(std::atomic<std::uint64_t>& fired, std::uint64_t first = 1,
                   std::uint64_t times = UINT64_MAX)
      : fired_(fired), first_(first), times_(times) {}
  /// An opportunity. True: do the wrong thing now.
  bool fires() {
    const std::uint64_t seen = ++seen_;
    if (seen < first_ || seen - first_ >= times_) return false;
    ++fired_;
    return true;
  }

 private:
  std::atomic<std::uint64_t>& fired_;
  std::atomic<std::uint64_t> seen_{0};
  std::uint64_t first_;
  std::uint64_t times_;
};

enum class KilledBy {
  kAssertion,  ///< A case of its rule fails.
  kTimeout,    ///< A case of its rule runs into its limit: hangs.
  kCrash,      ///< The worker dies in a case of its rule.
};

struct Mutant {
  std::string_view name;  ///< "SplitsAtCarriageReturn". Unique.
  std::string_view rule;  ///< The one that it breaks.
  std::string_view what;  ///< The fault in a sentence.
  /// Exactly one of the two is set.
  std::function<std::unique_ptr<Sandbox>(std::unique_ptr<Sandbox>, std::shared_ptr<Trigger>)> wrap =
      {};
  std::function<std::unique_ptr<SandboxHooks>(std::unique_ptr<SandboxHooks>,
                                              std::shared_ptr<Trigger>)>
      wrap_hooks = {};
  std::uint64_t first = 1;
  std::uint64_t times = UINT64_MAX;
  /// Capabilities that a binding must, and must not, claim for the fault to be one there.
  std::vector<Capability> with = {};
  std::vector<Capability> without = {};
  KilledBy killed_by = KilledBy::kAssertion;
  /// The public report that it reproduces; may be empty.
  std::string_view bug = {};
};

/// Every mutant, area by area. Composed in mutants/mutants.cc.
const std::vector<Mutant>& all_mutants();

}  // namespace sandproof::conformance
