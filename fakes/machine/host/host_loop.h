// SPDX-License-Identifier: Apache-2.0
// A thread that owns a machine and runs it in real time, and the way in for other threads.
//
// Thread rules. The machine, its boxes, and all that is reached through them belong to the loop's
// thread. Other threads hand it work with post() and call(), and exchange bytes with processes by
// HostReader, HostWriter and HostProcess, which are thread-safe. Work gets the machine between
// slices, never within one; it may not wait. The loop outlives what was made with it.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <functional>
#include <future>
#include <memory>
#include <mutex>
#include <set>
#include <stdexcept>
#include <thread>
#include <type_traits>
#include <vector>

#include "fakes/machine/machine.h"

namespace sandproof::machine {

class HostLoop;

/// One that moves bytes between a pipe of the machine and the host. On the loop's thread alone.
class HostBridge : public std::enable_shared_from_this<HostBridge> {
 public:
  explicit HostBridge(HostLoop& loop) : loop_(loop) {}
  virtual ~HostBridge() = default;
  HostBridge(const HostBridge&) = delete;
  HostBridge& operator=(const HostBridge&) = delete;

  /// Moves what can be moved now.
  virtual void service() = 0;
  /// The machine is gone: tells the host that nothing comes any more.
  virtual void abandon() = 0;

 protected:
  HostLoop& loop() const { return loop_; }

  /// Stands in a queue of the pipe, and asks for service().
  class Watcher final : public Waiter {
   public:
    explicit Watcher(HostBridge& bridge) : bridge_(bridge) {}

   private:
    void woken() override;
    HostBridge& bridge_;
  };

 private:
  friend class HostLoop;
  HostLoop& loop_;
  bool queued_ = false;
};

class HostLoop {
 public:
  using Work = std::function<void(Machine&)>;

  /// The programs of the options are borrowed. `time_factor` as make_host_clock().
  explicit HostLoop(MachineOptions options, double time_factor = 1.0);
  /// As stop().
  ~HostLoop();
  HostLoop(const HostLoop&) = delete;
  HostLoop& operator=(const HostLoop&) = delete;

  /// Any thread; does not wait. Work is done in the order of its posting; it may not throw. False
  /// after stop(): it is dropped then.
  bool post(Work work);
  /// Any thread; waits for `work(machine)` and gives, or throws, what it does. From the loop's own
  /// thread it is done at once. Throws std::runtime_error where the loop has stopped.
  template <typename F>
  auto call(F&& work) -> std::invoke_result_t<F&, Machine&>;
  bool on_thread() const { return std::this_thread::get_id() == thread_id_; }

  /// Ends all boxes, so that their processes end and their streams are at their ends, and joins the
  /// thread. Not from it. Idempotent.
  void stop();

  // For bridges, on the loop's thread.

  void keep(std::shared_ptr<HostBridge> bridge) { bridges_.insert(std::move(bridge)); }
  void forget(HostBridge& bridge) { bridges_.erase(bridge.shared_from_this()); }
  void want_service(HostBridge& bridge);

 private:
  // Slices between two looks at work and bridges: a fraction of a millisecond.
  static constexpr int kSlicesPerTurn = 64;

  void run();
  /// Waits, where there is nothing to do, for work or the next deadline; false to stop.
  bool take_work(bool busy, std::vector<Work>& into);
  void service_bridges();
  Machine& machine_for_call() { return *machine_; }

  std::unique_ptr<Clock> clock_;
  std::unique_ptr<Machine> machine_;
  std::set<std::shared_ptr<HostBridge>> bridges_;
  std::vector<std::shared_ptr<HostBridge>> wanting_;

  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<Work> posted_;  // With the mutex, like
  bool stopping_ = false;     // this.

  std::thread::id thread_id_;
  std::jthread thread_;
};

template <typename F>
auto HostLoop::call(F&& work) -> std::invoke_result_t<F&, Machine&> {
  using Value = std::invoke_result_t<F&, Machine&>;
  if (on_thread()) return work(machine_for_call());
  auto task = std::make_shared<std::packaged_task<Value(Machine&)>>(std::ref(work));
  std::future<Value> done = task->get_future();
  const bool posted = post([task](Machine& machine) { (*task)(machine); });
  task.reset();
  try {
    if (posted) return done.get();
  } catch (const std::future_error&) {
    // It was dropped: the loop stopped before it came to it.
  }
  throw std::runtime_error("the machine has stopped; make another one");
}

}  // namespace sandproof::machine
