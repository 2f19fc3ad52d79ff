// SPDX-License-Identifier: Apache-2.0
// The contract as a table: one row per rule of CONTRACT.md, with the same ids, levels and
// sentences. Immutable; any thread.
#pragma once

#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "sandproof/capabilities.h"

namespace sandproof::conformance {

enum class Level { kMust, kShould };

/// What a case needs of a binding beyond the flavor itself.
enum class Need {
  kProcessTable,  ///< The probe lists the processes of an environment.
  kLeakCensus,    ///< The probe lists what the backend holds of a component.
  kIdentity,      ///< The binding names an identity mark.
  kFaults,        ///< The environment can be made to misbehave.
  kFailingStart,  ///< A create can be made to fail after the environment was made.
  kSmallPidSpace,
  kQuota,
  kReadOnlyRoot,
  kUnprivilegedUser,      ///< Commands run as a user who is refused something.
  kImages,                ///< Environments start from images that have to be pulled.
  kNoIsolation,           ///< Commands and transfers share the harness's file system.
  kReportsSignals,        ///< The backend tells a death by signal from an exit.
  kHostileArchive,        ///< A fake can answer a download with an archive of its own making.
  kStoppableEnvironment,  ///< An environment can be stopped without being destroyed.
};
std::span<const Need> all_needs();
/// "process table", "leak census" …, for people and reports.
std::string_view to_string(Need need);

struct Rule {
  std::string_view id;  ///< "KILL-004"
  Level level;
  std::string_view sentence;             ///< CONTRACT.md's, word for word, without markers.
  std::string_view intent;               ///< What goes wrong without it, and for whom.
  std::vector<Capability> capabilities;  ///< All must be claimed, else CAP-002 applies instead.
  std::optional<Capability> unless;      ///< "where X is not claimed".
  std::vector<Need> needs;               ///< What every case of it needs.
  std::string_view since;                ///< The version that brought it: "0.1".
  std::vector<std::string_view> bugs;    ///< Addresses of public reports behind it.

  /// "KILL" of "KILL-004".
  std::string_view area() const { return id.substr(0, id.find('-')); }
};

/// A chapter of the contract.
struct Area {
  std::string_view name;  ///< "KILL"
  /// What it is about, in a few words that follow "KILL: ".
  std::string_view title;
};
/// In the order of the contract.
std::span<const Area> all_areas();

/// Every rule of the contract, in its order.
const std::vector<Rule>& all_rules();
/// Null for an unknown id.
const Rule* find_rule(std::string_view id);

}  // namespace sandproof::conformance
