// SPDX-License-Identifier: Apache-2.0
// What ends the program early: one sentence and an exit code. Thrown by the subcommands, caught in
// run_program(). Also how such a sentence is printed.
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>

#include "sandproof/conformance/program.h"

namespace sandproof::conformance {

class ProgramError : public std::runtime_error {
 public:
  ProgramError(ExitCode code, const std::string& sentence)
      : std::runtime_error(sentence), code_(code) {}
  ExitCode code() const { return code_; }

 private:
  ExitCode code_;
};

inline ProgramError usage_error(const std::string& sentence) {
  return {ExitCode::kUsage, sentence};
}

/// "sandproof: <sentence>" and a newline on stderr, in one write. Any thread.
void print_error(std::string_view sentence);

}  // namespace sandproof::conformance
