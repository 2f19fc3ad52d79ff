// SPDX-License-Identifier: Apache-2.0
// Lines of a descriptor, read in chunks: what it has read ahead is gone for others who share the
// descriptor, as with stdio. One process uses it.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "fakes/machine/program.h"

namespace sandproof::machine::programs {

class LineReader {
 public:
  static constexpr std::size_t kChunkBytes = 4096;
  /// A line that is longer comes in parts: a box must not take the memory of its host.
  static constexpr std::size_t kMaxLineBytes = std::size_t{64} << 20;

  /// Borrows the descriptor; `end` is what lines end with.
  LineReader(Process& self, int fd, char end = '\n') : self_(self), fd_(fd), end_(end) {}
  LineReader(const LineReader&) = delete;
  LineReader& operator=(const LineReader&) = delete;

  /// Await it at once. True: `line` has the next one, without its end; false: there is none, or
  /// reading failed (error()).
  class [[nodiscard]] Next {
   public:
    Next(LineReader& reader, std::string& line) : reader_(reader), line_(line) {}
    bool await_ready() { return reader_.take(line_); }
    bool await_suspend(std::coroutine_handle<> awaiter) {
      fill_ = reader_.fill(line_);
      return fill_.await_suspend(awaiter);
    }
    bool await_resume() const { return reader_.taken_; }

   private:
    LineReader& reader_;
    std::string& line_;
    Task<void> fill_;
  };

  Next next(std::string& line) { return Next(*this, line); }
  /// Whether the last line had its end, which the last of a file may lack.
  bool ended() const { return ended_; }
  Errno error() const { return error_; }

 private:
  /// From what has been read; false where that needs more.
  bool take(std::string& line);
  Task<void> fill(std::string& line);

  Process& self_;
  int fd_;
  char end_;
  std::string held_;
  std::size_t at_ = 0;        // Of the next line in held_.
  std::size_t searched_ = 0;  // No end before it.
  bool at_end_ = false;
  bool taken_ = false;
  bool ended_ = false;
  Errno error_ = Errno::kOk;
};

}  // namespace sandproof::machine::programs
