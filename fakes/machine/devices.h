// SPDX-License-Identifier: Apache-2.0
// Open files that are neither pipes nor in a file system: the simple devices, and buffers by which
// an embedder feeds a process and keeps what it writes. One thread per machine.
#pragma once

#include <cstddef>
#include <string>

#include "fakes/machine/descriptor.h"
#include "fakes/machine/scheduler.h"

namespace sandproof::machine {

/// Reads nothing, takes everything.
FilePtr open_null(Access access = Access::kBoth);
/// Reads zeros without end, takes everything.
FilePtr open_zero(Access access = Access::kBoth);
/// Reads zeros, has no room: ENOSPC.
FilePtr open_full(Access access = Access::kBoth);
/// Reads what `random` gives, which outlives it: the same in two runs with the same seed. Takes
/// everything.
FilePtr open_random(Random& random, Access access = Access::kBoth);

/// Reads `text` to its end; EBADF to write. Seeks.
FilePtr open_text(std::string text);

/// Takes what is written, up to a limit; EBADF to read.
class Capture final : public OpenFile, public std::enable_shared_from_this<Capture> {
 public:
  static constexpr std::size_t kDefaultLimit = std::size_t{64} << 20U;

  /// ENOSPC beyond `limit` bytes.
  explicit Capture(std::size_t limit = kDefaultLimit) : OpenFile(Access::kWrite), limit_(limit) {}

  Result<std::size_t> try_write(std::span<const std::byte> from) override;
  std::string describe() const override { return "capture"; }
  /// Itself: all that is written to it is kept in one text.
  Result<FilePtr> reopen(Access access) override;
  const std::string& text() const { return text_; }

 private:
  std::size_t limit_;
  std::string text_;
};

}  // namespace sandproof::machine
