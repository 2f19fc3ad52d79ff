// SPDX-License-Identifier: Apache-2.0
// Starts a thread that takes no signals: they are for the threads of the program that uses the
// library, which may have a handler in mind or wait with sigwait. A function; any thread.
#pragma once

#include <pthread.h>
#include <signal.h>

#include <thread>
#include <utility>

namespace sandproof {

/// Throws std::system_error when there is no thread to be had.
template <typename Body>
[[nodiscard]] std::thread start_quiet_thread(Body body) {
  // A new thread begins with its maker's mask.
  class Block {
   public:
    Block() {
      sigset_t all;
      ::sigfillset(&all);
      ::pthread_sigmask(SIG_SETMASK, &all, &before_);
    }
    ~Block() { ::pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
    Block(const Block&) = delete;
    Block& operator=(const Block&) = delete;

   private:
    sigset_t before_;
  };
  const Block block;
  return std::thread(std::move(body));
}

}  // namespace sandproof
