// SPDX-License-Identifier: Apache-2.0
// Starts one real process and waits for all that it prints.
#pragma once

#include <chrono>
#include <filesystem>
#include <string>
#include <vector>

#include "tests/fidelity/row.h"

namespace sandproof::fidelity {

// Rows end in milliseconds; a busy machine may take a hundred times that.
constexpr auto kTimeLimit = std::chrono::seconds(10);

struct Launch {
  std::filesystem::path file;
  std::vector<std::string> argv;
  std::filesystem::path directory;
  std::vector<std::string> environment = {};
  std::string input = {};  // At most what a pipe holds.
  std::chrono::milliseconds limit = kTimeLimit;
  bool drop_root = false;  // As root: runs as nobody, who is given the directory.
};

// Runs it in a session of its own, and returns when it has ended and its output has; after its
// limit kills the session's group, with the status "time limit". Thread-safe. Throws EngineError
// when the process cannot be made.
Result launch(const Launch& what);

}  // namespace sandproof::fidelity
