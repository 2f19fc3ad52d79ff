// SPDX-License-Identifier: Apache-2.0
// A serialisable reference to captured environment state. A value; any thread.
#pragma once

#include <map>
#include <string>
#include <string_view>

namespace sandproof {

struct Snapshot {
  /// The component that made it; only that one restores it (SNAP-005).
  std::string component_id;
  /// The flavor's own name for the captured state; unique.
  std::string ref;
  /// What the flavor needs beside it: session id, working directory, environment …
  std::map<std::string, std::string> metadata;

  friend bool operator==(const Snapshot&, const Snapshot&) = default;
};

/// JSON text with the keys component_id, ref, metadata (SNAP-004).
std::string to_json(const Snapshot& snapshot);
/// Throws InvalidArgumentError that names the key that is missing or of the wrong type.
Snapshot snapshot_from_json(std::string_view json);

}  // namespace sandproof
