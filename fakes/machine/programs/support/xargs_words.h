// SPDX-License-Identifier: Apache-2.0
// The words of xargs's input: between blanks, with quotes and backslashes, or lines, or what NULs
// end. One process uses it.
#pragma once

#include <optional>
#include <string>

#include "fakes/machine/programs/support/line_reader.h"

namespace sandproof::machine::programs {

struct XargsSyntax {
  bool by_nul = false;
  bool by_line = false;
  std::optional<std::string> end_word = {};
};

class XargsWords {
 public:
  enum class Read : unsigned char { kWord, kEnd, kWrong };

  XargsWords(Process& self, int fd, XargsSyntax syntax)
      : reader_(self, fd, syntax.by_nul ? '\0' : '\n'), syntax_(std::move(syntax)) {}

  Task<Read> next(std::string& word);
  /// After kWrong.
  std::string wrong() const { return wrong_; }

 private:
  /// The next word of the line that is there; false where it has no more.
  bool word_of_line(std::string& word);

  LineReader reader_;
  XargsSyntax syntax_;
  std::string line_;
  std::size_t at_ = 0;
  bool has_line_ = false;
  bool ended_ = false;
  std::string wrong_;
};

}  // namespace sandproof::machine::programs
