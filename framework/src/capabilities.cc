// SPDX-License-Identifier: Apache-2.0
// The capabilities of sandproof/capabilities.h and their names. Values; any thread.
#include "sandproof/capabilities.h"

#include <array>
#include <stdexcept>
#include <utility>

namespace sandproof {
namespace {

constexpr std::array kAll = {
    Capability::kAttach, Capability::kOutlives,  Capability::kCrossProcess, Capability::kKillTree,
    Capability::kUpload, Capability::kDownload,  Capability::kSnapshot,     Capability::kRestore,
    Capability::kStdin,  Capability::kAsyncExec, Capability::kDashboardUrl,
};

}  // namespace

std::span<const Capability> all_capabilities() { return kAll; }

std::string_view to_string(Capability capability) {
  // A switch, so that the compiler names an enumerator that was forgotten here.
  switch (capability) {
    case Capability::kAttach:
      return "attach";
    case Capability::kOutlives:
      return "outlives";
    case Capability::kCrossProcess:
      return "cross_process";
    case Capability::kKillTree:
      return "kill_tree";
    case Capability::kUpload:
      return "upload";
    case Capability::kDownload:
      return "download";
    case Capability::kSnapshot:
      return "snapshot";
    case Capability::kRestore:
      return "restore";
    case Capability::kStdin:
      return "stdin";
    case Capability::kAsyncExec:
      return "async_exec";
    case Capability::kDashboardUrl:
      return "dashboard_url";
  }
  throw std::logic_error("there is no capability " + std::to_string(static_cast<int>(capability)));
}

std::optional<Capability> capability_from_string(std::string_view name) {
  for (const Capability capability : kAll) {
    if (to_string(capability) == name) return capability;
  }
  return std::nullopt;
}

Capabilities::Capabilities(std::initializer_list<Capability> claimed) {
  for (const Capability capability : claimed) bits_ |= bit(capability);
}

Capabilities Capabilities::all() {
  Capabilities every;
  for (const Capability capability : kAll) every.bits_ |= bit(capability);
  return every;
}

Capabilities Capabilities::with(Capability capability) const {
  Capabilities copy = *this;
  copy.bits_ |= bit(capability);
  return copy;
}

Capabilities Capabilities::without(Capability capability) const {
  Capabilities copy = *this;
  copy.bits_ &= ~bit(capability);
  return copy;
}

std::vector<Capability> Capabilities::list() const {
  std::vector<Capability> claimed;
  for (const Capability capability : kAll) {
    if (has(capability)) claimed.push_back(capability);
  }
  return claimed;
}

}  // namespace sandproof
