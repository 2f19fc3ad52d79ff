// SPDX-License-Identifier: Apache-2.0
// A process that the host started in a box: its streams, its end, and the end of all that came of
// it. Thread-safe, but for start(). The loop outlives it.
#pragma once

#include <memory>
#include <mutex>
#include <optional>

#include "fakes/machine/host/host_event.h"
#include "fakes/machine/host/host_reader.h"
#include "fakes/machine/host/host_writer.h"

namespace sandproof::machine {

class HostProcess {
 public:
  /// Starts it, on the loop's thread, with streams in the place of `start.files`: the input is at
  /// its end unless `wants_input`. Fails as Machine::start() does; EMFILE too where the host has no
  /// descriptors left.
  static Result<std::unique_ptr<HostProcess>> start(HostLoop& loop, Machine& machine, Box& box,
                                                    Start start, bool wants_input);
  /// Ends nothing: whoever wants it ended, calls kill_tree() before.
  ~HostProcess();
  HostProcess(const HostProcess&) = delete;
  HostProcess& operator=(const HostProcess&) = delete;

  Pid pid() const { return pid_; }
  HostReader& out() { return *out_; }
  HostReader& err() { return *err_; }
  /// Null for one without input.
  HostWriter* in() { return in_.get(); }

  /// Nothing while it runs. Its descendants may run on.
  std::optional<WaitStatus> status() const;
  /// POLLIN once it has ended.
  int exit_descriptor() const { return end_->ended->descriptor(); }

  /// Kills what was started and all that was forked of it, whatever session it went to; nobody
  /// else. Returns when they are dead. Nothing after the end of the box.
  void kill_tree();

 private:
  struct End {
    mutable std::mutex mutex;
    std::optional<HostEvent> ended{std::in_place, HostEvent::Kind::kReadable};  // As the object.
    std::optional<WaitStatus> status;
  };

  explicit HostProcess(HostLoop& loop) : loop_(loop), end_(std::make_shared<End>()) {}

  HostLoop& loop_;
  std::uint32_t box_ = 0;
  std::uint64_t family_ = 0;
  Pid pid_ = 0;
  std::shared_ptr<End> end_;
  std::unique_ptr<HostReader> out_;
  std::unique_ptr<HostReader> err_;
  std::unique_ptr<HostWriter> in_;
};

}  // namespace sandproof::machine
