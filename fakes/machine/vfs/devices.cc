// SPDX-License-Identifier: Apache-2.0
// The table of devices; see devices.h.
#include "fakes/machine/vfs/devices.h"

#include <array>
#include <string>
#include <utility>

namespace sandproof::machine {
namespace {

constexpr std::array kDevices = {
    DeviceRow{"null", DeviceKind::kNull, 1, 3, 0666},
    DeviceRow{"zero", DeviceKind::kZero, 1, 5, 0666},
    DeviceRow{"full", DeviceKind::kFull, 1, 7, 0666},
    DeviceRow{"random", DeviceKind::kRandom, 1, 8, 0666},
    DeviceRow{"urandom", DeviceKind::kUrandom, 1, 9, 0666},
    DeviceRow{"tty", DeviceKind::kTty, 5, 0, 0666},
    DeviceRow{"console", DeviceKind::kConsole, 5, 1, 0620},
};

constexpr std::array<std::pair<std::string_view, std::string_view>, 4> kLinks = {
    {{"fd", "/proc/self/fd"},
     {"stdin", "/proc/self/fd/0"},
     {"stdout", "/proc/self/fd/1"},
     {"stderr", "/proc/self/fd/2"}}};

}  // namespace

std::span<const DeviceRow> devices() { return kDevices; }

const DeviceRow* find_device(DeviceKind kind) {
  for (const DeviceRow& row : kDevices) {
    if (row.kind == kind) return &row;
  }
  return nullptr;
}

std::optional<DeviceKind> device_of(std::uint32_t major, std::uint32_t minor) {
  for (const DeviceRow& row : kDevices) {
    if (row.major == major && row.minor == minor) return row.kind;
  }
  return std::nullopt;
}

Result<void> make_devices(Vfs& files, std::string_view directory, TimeNs now) {
  Caller caller;
  caller.now = now;
  const Result<NodePtr> at = files.lookup({files.root(), directory}, Follow::kYes, caller);
  if (!at) return at.error();
  for (const DeviceRow& row : kDevices) {
    const NewSpecial device{FileType::kCharDevice, row.kind, row.mode};
    const Result<void> made = files.make_special({*at, row.name}, device, caller);
    if (!made) return made;
  }
  for (const auto& [name, target] : kLinks) {
    const Result<void> made = files.make_symlink(target, {*at, name}, caller);
    if (!made) return made;
  }
  return {};
}

}  // namespace sandproof::machine
