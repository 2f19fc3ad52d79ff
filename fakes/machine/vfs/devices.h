// SPDX-License-Identifier: Apache-2.0
// The devices that the machine knows: names, numbers, permissions; one table for /dev, for stat and
// for archives. Constants; any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "fakes/machine/vfs/vfs.h"

namespace sandproof::machine {

struct DeviceRow {
  std::string_view name;  // Below /dev.
  DeviceKind kind = DeviceKind::kNone;
  std::uint32_t major = 0;  // Linux's.
  std::uint32_t minor = 0;
  std::uint32_t mode = 0;
};

std::span<const DeviceRow> devices();
/// nullptr for kNone.
const DeviceRow* find_device(DeviceKind kind);
std::optional<DeviceKind> device_of(std::uint32_t major, std::uint32_t minor);

/// Puts them into `directory` (an absolute path of an existing directory), and beside them the
/// links fd, stdin, stdout and stderr into /proc/self.
Result<void> make_devices(Vfs& files, std::string_view directory, TimeNs now);

}  // namespace sandproof::machine
