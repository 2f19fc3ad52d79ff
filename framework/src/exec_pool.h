// SPDX-License-Identifier: Apache-2.0
// A small fixed pool, for exec_async and for kills at deadlines; its threads start with the first
// task. Thread-safe. Tasks are taken in order of arrival, and run under no lock; they must not
// throw.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

namespace sandproof {

class ExecPool {
 public:
  explicit ExecPool(std::size_t threads) : queue_(std::make_shared<Queue>()), count_(threads) {}
  /// Runs what is queued, then ends. On a thread of the pool itself (the last handle was dropped by
  /// a task) that thread ends by itself after its task.
  ~ExecPool();
  ExecPool(const ExecPool&) = delete;
  ExecPool& operator=(const ExecPool&) = delete;

  /// Throws std::system_error when not a single thread can be had.
  void post(std::function<void()> task);

 private:
  struct Queue {
    std::mutex mutex;
    std::condition_variable changed;
    std::deque<std::function<void()>> tasks;
    bool stopped = false;
  };
  void start_threads();
  static void work(const std::shared_ptr<Queue>& queue);

  const std::shared_ptr<Queue> queue_;
  const std::size_t count_;
  std::mutex threads_mutex_;
  std::vector<std::thread> threads_;
};

}  // namespace sandproof
