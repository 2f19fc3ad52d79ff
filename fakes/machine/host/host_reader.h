// SPDX-License-Identifier: Apache-2.0
// The host's end of a pipe into which processes of a machine write: never blocks, can be polled,
// and holds the writers up when it is not read. Thread-safe.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <utility>

#include "fakes/machine/descriptor.h"
#include "fakes/machine/host/host_loop.h"

namespace sandproof::machine {

/// What a transfer of the host came to.
struct HostTransfer {
  enum class State : unsigned char { kMoved, kAgain, kEnd };
  State state = State::kAgain;
  std::size_t count = 0;
};

class HostReader {
 public:
  /// Bytes that wait here besides those in the pipe. As much as a pipe of the host has.
  static constexpr std::size_t kCapacity = 65536;

  /// A reader, and the end to be given to a process: when the last copy of it is closed, the reader
  /// is at its end. On the loop's thread. Throws std::system_error without descriptors.
  static std::pair<std::unique_ptr<HostReader>, FilePtr> make(HostLoop& loop, Box& box,
                                                              std::uint64_t pipe_id);
  /// As close().
  ~HostReader();
  HostReader(const HostReader&) = delete;
  HostReader& operator=(const HostReader&) = delete;

  /// kEnd at the end of file, and after close().
  HostTransfer read(std::span<std::byte> into);
  /// POLLIN while there is something to read, the end included. Open as long as the object.
  int descriptor() const;
  /// Reads no more: writers get EPIPE.
  void close();

 private:
  struct Shared;
  class Bridge;
  explicit HostReader(HostLoop& loop, std::shared_ptr<Bridge> bridge);
  void want_service();

  HostLoop& loop_;
  std::shared_ptr<Bridge> bridge_;
};

}  // namespace sandproof::machine
