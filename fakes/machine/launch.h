// SPDX-License-Identifier: Apache-2.0
// A process that was started from outside of its box, as its starter sees it. Used from the
// machine's thread.
#pragma once

#include <functional>
#include <optional>

#include "fakes/machine/process.h"

namespace sandproof::machine {

class Launch {
 public:
  explicit Launch(std::function<void(WaitStatus)> on_end) : on_end_(std::move(on_end)) {}

  Pid pid() const { return pid_; }
  /// Of the process and all that is forked of it: see Machine::kill_family().
  std::uint64_t family() const { return family_; }
  /// Nothing while it runs. Its starter is told at once: it never is a zombie.
  std::optional<WaitStatus> status() const { return status_; }

 private:
  friend class Kernel;
  Pid pid_ = 0;
  std::uint64_t family_ = 0;
  std::optional<WaitStatus> status_;
  std::function<void(WaitStatus)> on_end_;
};

/// What to start. Either a program of the table, by a path as exec() finds it, or `body`.
struct Start {
  Strings argv;
  /// Of the program; argv[0] if it is empty.
  std::string path = {};
  Strings env = {};
  /// At 0, 1, 2 …; a null one is left closed.
  std::vector<FilePtr> files = {};
  Credentials credentials = {};
  /// ENOENT and the like if it cannot be; of no use in a box without a file system.
  std::string cwd = "/";
  ProcessBody body = nullptr;
  /// Called when it has ended, within a step of the machine: it may note that, no more.
  std::function<void(WaitStatus)> on_end = nullptr;
};

}  // namespace sandproof::machine
