// SPDX-License-Identifier: Apache-2.0
// What a flavor claims to be able to do (CONTRACT.md, CAP). A value; any thread.
#pragma once

#include <initializer_list>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace sandproof {

enum class Capability {
  kAttach,
  kOutlives,
  kCrossProcess,
  kKillTree,
  kUpload,
  kDownload,
  kSnapshot,
  kRestore,
  kStdin,
  kAsyncExec,
  kDashboardUrl,
};

/// Every capability once, in declaration order.
std::span<const Capability> all_capabilities();
/// The name in CONTRACT.md: "attach", "cross_process" …
std::string_view to_string(Capability capability);
std::optional<Capability> capability_from_string(std::string_view name);

class Capabilities {
 public:
  Capabilities() = default;
  Capabilities(std::initializer_list<Capability> claimed);
  static Capabilities all();

  bool has(Capability capability) const { return (bits_ & bit(capability)) != 0; }
  Capabilities with(Capability capability) const;
  Capabilities without(Capability capability) const;
  std::vector<Capability> list() const;
  friend bool operator==(const Capabilities&, const Capabilities&) = default;

 private:
  static unsigned bit(Capability capability) { return 1u << static_cast<unsigned>(capability); }
  unsigned bits_ = 0;
};

}  // namespace sandproof
