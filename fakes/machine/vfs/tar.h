// SPDX-License-Identifier: Apache-2.0
// Trees from and to tar archives, by way of libarchive: modes, owners, times to the nanosecond,
// links of both kinds, FIFOs, devices, long names, holes. One thread per machine.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "fakes/machine/vfs/vfs.h"

namespace sandproof::machine {

/// One sentence: what failed, on what, why; and the error that a system call would have given.
struct TarFailure {
  Errno error = Errno::kInval;
  std::string message;
};

/// The next bytes of an archive, valid until the next call; empty at the end.
using TarSource = std::function<std::span<const std::byte>()>;
/// Takes all of them; false if it cannot, which ends the packing.
using TarSink = std::function<bool(std::span<const std::byte>)>;

struct UnpackOptions {
  bool keep_owners = true;  // Otherwise all belongs to 0:0.
  // An archive of a few bytes can promise any amount; both count what is really made.
  std::uint64_t bytes_max = std::uint64_t{4} << 30;
  std::uint64_t entries_max = 1'000'000;
  TimeNs now = 0;  // For what the archive says no time of.
};

/// Unpacks below `directory`, an absolute path. An archive may be compressed (gzip, bzip2, xz).
/// What it names again is replaced, a directory by nothing but a directory. Refused, and named in
/// the failure: a name that leaves the directory, by ".." or through a symbolic link; a device that
/// the machine has not; a damaged or cut archive. What came before it stays.
std::optional<TarFailure> unpack_tar(Vfs& files, std::string_view directory,
                                     const TarSource& source, const UnpackOptions& options);

enum class TarFormat {
  kPax,  // What GNU tar, libarchive and Docker read; has holes and all of the times.
  kGnu,  // For busybox, which does not read long names otherwise: whole seconds, holes filled.
};

struct PackOptions {
  TarFormat format = TarFormat::kPax;
  /// The name of the file, or the directory, in the archive: "." or "a/b".
  std::string name = ".";
};

/// Packs the file or the directory at `path`, an absolute path, with what is below it in the order
/// of its names, without what is mounted there.
std::optional<TarFailure> pack_tar(Vfs& files, std::string_view path, const PackOptions& options,
                                   const TarSink& sink);

}  // namespace sandproof::machine
