// SPDX-License-Identifier: Apache-2.0
// See memory_process.h.
#include "flavors/memory/memory_process.h"

#include <exception>

namespace sandproof::memory {
namespace {

IoResult result_of(const machine::HostTransfer& transfer) {
  switch (transfer.state) {
    case machine::HostTransfer::State::kMoved:
      return IoResult::ready(transfer.count);
    case machine::HostTransfer::State::kAgain:
      return IoResult::again();
    case machine::HostTransfer::State::kEnd:
      break;
  }
  return IoResult::end();
}

}  // namespace

MemoryProcess::~MemoryProcess() {
  if (process_->status()) return;
  try {
    process_->kill_tree();
  } catch (const std::exception&) {
    // Nobody is left to be told; the process goes with its environment.
  }
}

int MemoryProcess::do_descriptor(Channel channel) const noexcept {
  switch (channel) {
    case Channel::kIn:
      return process_->in() == nullptr ? -1 : process_->in()->descriptor();
    case Channel::kOut:
      return process_->out().descriptor();
    case Channel::kErr:
      return process_->err().descriptor();
    case Channel::kExit:
      return process_->exit_descriptor();
  }
  return -1;
}

IoResult MemoryProcess::do_read(Stream stream, std::span<std::byte> buffer) noexcept {
  return result_of((stream == Stream::kOut ? process_->out() : process_->err()).read(buffer));
}

std::optional<ExitStatus> MemoryProcess::do_poll_exit() noexcept {
  const std::optional<machine::WaitStatus> status = process_->status();
  if (!status) return std::nullopt;
  return ExitStatus::from_wait_status(status->word());
}

void MemoryProcess::do_kill() {
  if (!process_->status()) process_->kill_tree();
}

IoResult MemoryProcess::do_write(std::span<const std::byte> bytes) noexcept {
  return process_->in() == nullptr ? IoResult::end() : result_of(process_->in()->write(bytes));
}

void MemoryProcess::do_close_input() noexcept {
  if (process_->in() != nullptr) process_->in()->close();
}

}  // namespace sandproof::memory
