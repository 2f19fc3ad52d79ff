// SPDX-License-Identifier: Apache-2.0
// What ends a program of awk before its time: thrown where it is found, said by main. Value.
#pragma once

#include <stdexcept>
#include <string>
#include <utility>

namespace sandproof::machine::programs::awk {

class Failure : public std::runtime_error {
 public:
  explicit Failure(const std::string& text) : std::runtime_error(text) {}
  Failure(const std::string& text, int at_line) : std::runtime_error(text), line(at_line) {}

  /// Of the program's text; 0 where the message does not name a place.
  int line = 0;
};

/// One that the interpreter gives the line of what it is executing.
class RunFailure : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace sandproof::machine::programs::awk
