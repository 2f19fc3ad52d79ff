// SPDX-License-Identifier: Apache-2.0
// One running command of the memory flavor. Thread rules of ProcessHooks (hooks.h).
#pragma once

#include <memory>

#include "fakes/machine/host/host_process.h"
#include "flavors/memory/world.h"
#include "sandproof/hooks.h"

namespace sandproof::memory {

class MemoryProcess : public ProcessHooks {
 public:
  MemoryProcess(std::shared_ptr<World> world, std::unique_ptr<machine::HostProcess> process)
      : world_(std::move(world)), process_(std::move(process)) {}
  /// Kills the tree where the command has not ended.
  ~MemoryProcess() override;
  MemoryProcess(const MemoryProcess&) = delete;
  MemoryProcess& operator=(const MemoryProcess&) = delete;

  int do_descriptor(Channel channel) const noexcept override;
  IoResult do_read(Stream stream, std::span<std::byte> buffer) noexcept override;
  std::optional<ExitStatus> do_poll_exit() noexcept override;
  void do_kill() override;
  IoResult do_write(std::span<const std::byte> bytes) noexcept override;
  void do_close_input() noexcept override;

 private:
  const std::shared_ptr<World> world_;
  const std::unique_ptr<machine::HostProcess> process_;  // Of the world's loop.
};

}  // namespace sandproof::memory
