// SPDX-License-Identifier: Apache-2.0
// The loop; see host_loop.h.
#include "fakes/machine/host/host_loop.h"

#include <utility>

namespace sandproof::machine {

void HostBridge::Watcher::woken() { bridge_.loop_.want_service(bridge_); }

HostLoop::HostLoop(MachineOptions options, double time_factor)
    : clock_(make_host_clock(time_factor)), machine_(std::make_unique<Machine>(*clock_, options)) {
  // The id is known before the thread does anything: it waits for the lock.
  const std::lock_guard lock(mutex_);
  thread_ = std::jthread([this] { run(); });
  thread_id_ = thread_.get_id();
}

HostLoop::~HostLoop() { stop(); }

bool HostLoop::post(Work work) {
  {
    const std::lock_guard lock(mutex_);
    if (stopping_) return false;
    posted_.push_back(std::move(work));
  }
  changed_.notify_one();
  return true;
}

void HostLoop::stop() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  changed_.notify_one();
  if (thread_.joinable()) thread_.join();
}

void HostLoop::want_service(HostBridge& bridge) {
  if (std::exchange(bridge.queued_, true)) return;
  wanting_.push_back(bridge.shared_from_this());
}

void HostLoop::service_bridges() {
  // What they do may wake processes, not other bridges of this round for long: each is bounded.
  const std::vector<std::shared_ptr<HostBridge>> now = std::exchange(wanting_, {});
  for (const auto& bridge : now) {
    bridge->queued_ = false;
    bridge->service();
  }
}

bool HostLoop::take_work(bool busy, std::vector<Work>& into) {
  std::unique_lock lock(mutex_);
  const auto woken = [this] { return stopping_ || !posted_.empty(); };
  if (!busy) {
    const std::optional<Nanoseconds> deadline = machine_->next_deadline();
    std::optional<Nanoseconds> delay;
    if (deadline) delay = clock_->host_delay(*deadline);
    if (delay) {
      changed_.wait_for(lock, *delay, woken);
    } else {
      changed_.wait(lock, woken);
    }
  }
  into.swap(posted_);
  return !stopping_;
}

void HostLoop::run() {
  bool busy = false;
  std::vector<Work> work;
  while (take_work(busy, work)) {
    for (Work& one : work) std::exchange(one, nullptr)(*machine_);
    work.clear();
    const std::size_t done = machine_->run_until_idle(kSlicesPerTurn);
    const bool serviced = !wanting_.empty();
    service_bridges();
    busy = done == kSlicesPerTurn || serviced;
  }
  // Work that was not done is dropped here, outside of the lock: who waits for it is told.
  work.clear();
  machine_.reset();
  wanting_.clear();
  const auto bridges = std::exchange(bridges_, {});
  for (const auto& bridge : bridges) bridge->abandon();
  wanting_.clear();
}

}  // namespace sandproof::machine
