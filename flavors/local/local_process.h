// SPDX-License-Identifier: Apache-2.0
// One running command of the local flavor: its pipes, and its child process. Thread rules of
// ProcessHooks (hooks.h).
#pragma once

#include <atomic>
#include <memory>

#include "flavors/local/child.h"
#include "flavors/local/children.h"
#include "flavors/local/descriptor.h"
#include "flavors/local/mark.h"
#include "flavors/local/process_table.h"
#include "sandproof/hooks.h"

namespace sandproof::local {

/// The harness's ends, non-blocking. `in` is invalid for a command without an input.
struct Ends {
  Descriptor in;
  Descriptor out;
  Descriptor err;
};

class LocalProcess : public ProcessHooks {
 public:
  LocalProcess(std::shared_ptr<ProcessTable> table, std::shared_ptr<Children> children,
               std::shared_ptr<Child> child, Mark mark, Ends ends);
  /// Kills the tree where the command has not ended.
  ~LocalProcess() override;
  LocalProcess(const LocalProcess&) = delete;
  LocalProcess& operator=(const LocalProcess&) = delete;

  int do_descriptor(Channel channel) const noexcept override;
  IoResult do_read(Stream stream, std::span<std::byte> buffer) noexcept override;
  std::optional<ExitStatus> do_poll_exit() noexcept override;
  void do_kill() override;
  IoResult do_write(std::span<const std::byte> bytes) noexcept override;
  void do_close_input() noexcept override;

 private:
  /// Closed by the one thread that uses it, while others may ask for its number.
  using End = std::atomic<int>;
  static void close_end(End& end) noexcept;

  const std::shared_ptr<ProcessTable> table_;
  const std::shared_ptr<Children> children_;
  const std::shared_ptr<Child> child_;
  const Mark mark_;
  End in_;
  End out_;
  End err_;
};

}  // namespace sandproof::local
