// SPDX-License-Identifier: Apache-2.0
// A loop over numbers on several threads.
#pragma once

#include <atomic>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace sandproof::fidelity {

// Calls body(0) … body(count - 1), each once, on `threads` threads; returns when all have returned.
// Rethrows the first exception, after which no further number is begun.
inline void for_each_number(std::size_t count, unsigned threads,
                            const std::function<void(std::size_t)>& body) {
  std::atomic<std::size_t> next = 0;
  std::mutex mutex;
  std::exception_ptr error;
  const auto work = [&] {
    try {
      for (std::size_t at = next++; at < count; at = next++) body(at);
    } catch (...) {
      next = count;
      const std::lock_guard lock(mutex);
      if (!error) error = std::current_exception();
    }
  };
  {
    std::vector<std::jthread> pool;
    for (unsigned made = 0; made < threads; ++made) pool.emplace_back(work);
  }
  if (error) std::rethrow_exception(error);
}

}  // namespace sandproof::fidelity
