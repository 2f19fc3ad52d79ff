// SPDX-License-Identifier: Apache-2.0
// The small fixed pool behind exec_async: two threads, started with the first task. Thread-safe.
// Tasks run in order of arrival, under no lock.
#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

namespace sandproof {

class ExecPool {
 public:
  /// Starts are short; two keep one slow backend call from holding up everybody.
  static constexpr int kThreads = 2;

  ExecPool();
  /// Runs what is queued, then ends. On a thread of the pool itself (the last handle was dropped by
  /// a task) that thread ends by itself after its task.
  ~ExecPool();
  ExecPool(const ExecPool&) = delete;
  ExecPool& operator=(const ExecPool&) = delete;

  void post(std::function<void()> task);

 private:
  struct Queue {
    std::mutex mutex;
    std::condition_variable changed;
    std::deque<std::function<void()>> tasks;
    bool stopped = false;
  };
  static void work(const std::shared_ptr<Queue>& queue);

  std::shared_ptr<Queue> queue_;
  std::mutex threads_mutex_;
  std::vector<std::thread> threads_;
};

}  // namespace sandproof
