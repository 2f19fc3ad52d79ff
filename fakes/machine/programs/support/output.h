// SPDX-License-Identifier: Apache-2.0
// What a program writes, in a buffer as stdio keeps one for what is no terminal: it goes out where
// the buffer is full and where the program says so, never by itself, also not at its end. One
// process uses it.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "fakes/machine/program.h"

namespace sandproof::machine::programs {

class Output {
 public:
  /// As stdio's on a pipe.
  static constexpr std::size_t kBufferBytes = 4096;

  Output(Process& self, int fd) : self_(self), fd_(fd) {}
  Output(const Output&) = delete;
  Output& operator=(const Output&) = delete;

  /// Await it at once: it waits only where the buffer is full. False once a write has failed.
  class [[nodiscard]] Put {
   public:
    explicit Put(Output& out) : out_(out) {}
    bool await_ready() const { return out_.held_.size() < kBufferBytes; }
    bool await_suspend(std::coroutine_handle<> awaiter) {
      flush_ = out_.flush();
      return flush_.await_suspend(awaiter);
    }
    bool await_resume() const { return out_.error_ == Errno::kOk; }

   private:
    Output& out_;
    Task<bool> flush_;
  };

  Put put(std::string_view text) {
    held_ += text;
    return Put(*this);
  }
  /// Whether all has been written, ever. What could not be is dropped.
  Task<bool> flush();
  /// Of the first write that failed.
  Errno error() const { return error_; }
  int fd() const { return fd_; }

 private:
  Process& self_;
  int fd_;
  std::string held_;
  Errno error_ = Errno::kOk;
};

/// All of it, also where handled signals come; the error that ended it.
Task<Errno> write_all(Process& self, int fd, std::string_view text);

}  // namespace sandproof::machine::programs
