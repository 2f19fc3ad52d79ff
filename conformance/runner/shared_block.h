// SPDX-License-Identifier: Apache-2.0
// The memory that a worker shares with the supervisor, and that survives the worker's death: who
// waits for what, how often a mutant's fault has fired, how many assertions were evaluated.
//
// The supervisor makes it, one per worker, and reads it; the worker maps it and writes. Lock-free.
#pragma once

#include <atomic>
#include <cstdint>

#include "conformance/runner/unique_fd.h"
#include "sandproof/wait_board.h"

namespace sandproof::conformance::runner {

struct SharedBlock {
  WaitBoard board;
  /// Both since the current case began.
  std::atomic<std::uint64_t> fired;
  std::atomic<std::uint64_t> assertions;
};

class SharedBlockMapping {
 public:
  /// A new zeroed block. Throws RunnerError.
  SharedBlockMapping();
  /// Maps the block that `fd` holds; takes the descriptor. Throws RunnerError when it is none.
  explicit SharedBlockMapping(UniqueFd fd);
  ~SharedBlockMapping();
  SharedBlockMapping(const SharedBlockMapping&) = delete;
  SharedBlockMapping& operator=(const SharedBlockMapping&) = delete;

  int descriptor() const { return fd_.get(); }
  SharedBlock& block() const { return *block_; }

 private:
  void* map();
  UniqueFd fd_;
  SharedBlock* block_ = nullptr;
};

}  // namespace sandproof::conformance::runner
