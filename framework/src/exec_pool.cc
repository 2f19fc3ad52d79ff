// SPDX-License-Identifier: Apache-2.0
// See exec_pool.h.
#include "exec_pool.h"

#include <system_error>
#include <utility>

#include "quiet_thread.h"

namespace sandproof {

ExecPool::~ExecPool() {
  {
    const std::lock_guard lock(queue_->mutex);
    queue_->stopped = true;
  }
  queue_->changed.notify_all();
  for (std::thread& thread : threads_) {
    if (thread.get_id() == std::this_thread::get_id()) {
      thread.detach();
    } else {
      thread.join();
    }
  }
}

void ExecPool::post(std::function<void()> task) {
  start_threads();
  {
    const std::lock_guard lock(queue_->mutex);
    queue_->tasks.push_back(std::move(task));
  }
  queue_->changed.notify_one();
}

void ExecPool::start_threads() {
  const std::lock_guard lock(threads_mutex_);
  try {
    while (threads_.size() < count_) {
      threads_.push_back(start_quiet_thread([queue = queue_] { work(queue); }));
    }
  } catch (const std::system_error&) {
    if (threads_.empty()) throw;  // Fewer will do.
  }
}

void ExecPool::work(const std::shared_ptr<Queue>& queue) {
  for (;;) {
    std::function<void()> task;
    {
      std::unique_lock lock(queue->mutex);
      queue->changed.wait(lock, [&] { return queue->stopped || !queue->tasks.empty(); });
      if (queue->tasks.empty()) return;
      task = std::move(queue->tasks.front());
      queue->tasks.pop_front();
    }
    task();
  }
}

}  // namespace sandproof
