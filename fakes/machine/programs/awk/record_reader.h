// SPDX-License-Identifier: Apache-2.0
// Records of a descriptor, by what RS is when each is read. One process uses it.
#pragma once

#include <cstddef>
#include <string>

#include "fakes/machine/program.h"
#include "fakes/machine/programs/awk/separator.h"

namespace sandproof::machine::programs::awk {

class RecordReader {
 public:
  /// Borrows the descriptor.
  RecordReader(Process& self, int fd) : self_(self), fd_(fd) {}
  RecordReader(const RecordReader&) = delete;
  RecordReader& operator=(const RecordReader&) = delete;

  struct Read {
    std::string text;
    std::string terminator;
  };
  enum class Took : unsigned char { kRecord, kEnd, kNeedsMore };
  /// From what has been read. A record beyond kMaxTextBytes comes in parts.
  Took take(const Separator& separator, bool ignore_case, Read& into);
  /// The next part of the file; after it, take() again.
  Task<void> fill();
  /// Of reading, which ends the file.
  Errno error() const { return error_; }

 private:
  struct Bounds {
    std::size_t begin = 0;
    std::size_t end = 0;   // Of the text.
    std::size_t next = 0;  // Behind the terminator.
    bool found = false;
  };
  Bounds find_byte(char byte);
  Bounds find_pattern(const Regex& regex) const;
  Bounds find_paragraph() const;

  Process& self_;
  int fd_;
  std::string held_;
  std::size_t at_ = 0;        // Of the next record in held_.
  std::size_t searched_ = 0;  // No byte of that kind before it.
  bool at_end_ = false;
  Errno error_ = Errno::kOk;
};

}  // namespace sandproof::machine::programs::awk
