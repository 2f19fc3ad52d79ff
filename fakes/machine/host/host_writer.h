// SPDX-License-Identifier: Apache-2.0
// The host's end of a pipe from which processes of a machine read: never blocks, can be polled.
// Thread-safe.
#pragma once

#include <memory>
#include <span>
#include <utility>

#include "fakes/machine/host/host_reader.h"

namespace sandproof::machine {

class HostWriter {
 public:
  /// A writer, and the end to be given to a process. On the loop's thread. Throws std::system_error
  /// without descriptors.
  static std::pair<std::unique_ptr<HostWriter>, FilePtr> make(HostLoop& loop, Box& box,
                                                              std::uint64_t pipe_id);
  /// As close().
  ~HostWriter();
  HostWriter(const HostWriter&) = delete;
  HostWriter& operator=(const HostWriter&) = delete;

  /// As much as fits. kEnd where nobody can ever read it: that is seen when something that was
  /// written before could not be delivered.
  HostTransfer write(std::span<const std::byte> from);
  /// POLLOUT while something fits, or the next write tells kEnd. Open as long as the object.
  int descriptor() const;
  /// Readers are at the end of file once they have read what was written.
  void close();

 private:
  struct Shared;
  class Bridge;
  explicit HostWriter(HostLoop& loop, std::shared_ptr<Bridge> bridge);
  void want_service();

  HostLoop& loop_;
  std::shared_ptr<Bridge> bridge_;
};

}  // namespace sandproof::machine
