// SPDX-License-Identifier: Apache-2.0
// The one background poller: it looks after processes that nobody waits for, so that a server left
// alone does not block on its log and every command is reaped.
//
// One thread for the whole harness, started with the first sandbox, ended with the last; shared
// through a weak reference. A registration is one-shot: it fires when a descriptor is ready or its
// time has come, whichever is first, calls the client on the poller's thread, and is gone. A call
// may come late: after the client was armed again or disarmed.
// Thread-safe. Lock order: process before poller; a client is called under no lock.
#pragma once

#include <poll.h>

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <thread>

namespace sandproof {

class PollerClient {
 public:
  virtual ~PollerClient() = default;
  /// On the poller's thread. Must not block: every other client waits meanwhile.
  virtual void on_poller() noexcept = 0;
};

class Poller {
 public:
  using Clock = std::chrono::steady_clock;

  /// The process's poller. Throws std::system_error when it cannot be started.
  static std::shared_ptr<Poller> shared();
  ~Poller();
  Poller(const Poller&) = delete;
  Poller& operator=(const Poller&) = delete;

  /// Registers `client` once, in place of an earlier registration of the same client. The poller
  /// keeps it alive until it fires. `when` empty: no time limit.
  void arm(std::shared_ptr<PollerClient> client, std::span<const pollfd> interest,
           std::optional<Clock::time_point> when);
  /// Forgets the client's registration, if there is one. A call that is due already still comes.
  void disarm(PollerClient* client);

 private:
  class Loop;
  Poller();

  std::shared_ptr<Loop> loop_;
  std::thread thread_;
};

}  // namespace sandproof
