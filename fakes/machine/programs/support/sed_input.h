// SPDX-License-Identifier: Apache-2.0
// What sed reads. One process uses it.
#pragma once

#include <deque>
#include <memory>
#include <string>

#include "fakes/machine/programs/support/files.h"
#include "fakes/machine/programs/support/line_reader.h"
#include "fakes/machine/programs/support/tool.h"

namespace sandproof::machine::programs {

/// The lines of files in a row, one ahead, so that the last is known. A file that is edited in
/// place is a row of its own.
class SedInput {
 public:
  SedInput(Tool& tool, Strings paths) : tool_(tool), paths_(paths.begin(), paths.end()) {}

  /// False at the end.
  Task<bool> next(std::string& line, bool& ended);
  bool at_last() const { return primed_ && !has_ahead_; }

 private:
  Task<void> advance();

  Tool& tool_;
  std::deque<std::string> paths_;
  std::unique_ptr<OwnedFd> file_;
  std::unique_ptr<LineReader> reader_;
  bool primed_ = false;
  bool has_ahead_ = false;
  std::string ahead_;
  bool ahead_ended_ = false;
};

}  // namespace sandproof::machine::programs
