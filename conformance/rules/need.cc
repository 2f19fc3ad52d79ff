// SPDX-License-Identifier: Apache-2.0
// What a case may need of a binding: the list, and the words for it. Constant; any thread.
#include <array>
#include <span>
#include <string_view>

#include "sandproof/conformance/rule.h"

namespace sandproof::conformance {
namespace {

// In declaration order, so that a need's place is its value.
constexpr std::array kNeeds = {
    Need::kProcessTable,   Need::kLeakCensus,           Need::kIdentity,
    Need::kFaults,         Need::kFailingStart,         Need::kSmallPidSpace,
    Need::kQuota,          Need::kReadOnlyRoot,         Need::kUnprivilegedUser,
    Need::kImages,         Need::kNoIsolation,          Need::kReportsSignals,
    Need::kHostileArchive, Need::kStoppableEnvironment,
};

}  // namespace

std::span<const Need> all_needs() { return kNeeds; }

std::string_view to_string(Need need) {
  switch (need) {
    case Need::kProcessTable:
      return "process table";
    case Need::kLeakCensus:
      return "leak census";
    case Need::kIdentity:
      return "identity mark";
    case Need::kFaults:
      return "faults";
    case Need::kFailingStart:
      return "failing start";
    case Need::kSmallPidSpace:
      return "small pid space";
    case Need::kQuota:
      return "quota";
    case Need::kReadOnlyRoot:
      return "read-only root";
    case Need::kUnprivilegedUser:
      return "unprivileged user";
    case Need::kImages:
      return "images";
    case Need::kNoIsolation:
      return "no isolation";
    case Need::kReportsSignals:
      return "reported signals";
    case Need::kHostileArchive:
      return "hostile archive";
    case Need::kStoppableEnvironment:
      return "stoppable environment";
  }
  // Reached only by a value that is no enumerator.
  return "unknown need";
}

}  // namespace sandproof::conformance
