// SPDX-License-Identifier: Apache-2.0
// The suite as a program: `run`, `list`, `replay`, `mutants`, `report`, `diff`, `verify` (and the
// hidden `worker` and `elsewhere` that it starts itself with) over a table of bindings.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "sandproof/conformance/binding.h"

namespace CLI {
class App;
}

namespace sandproof::conformance {

/// Exit codes of the program (DESIGN §5).
enum class ExitCode {
  kConformant = 0,
  kNotConformant = 1,
  kUsage = 2,
  kEnvironment = 3,
  kNothingSelected = 4,
  kRunner = 5,
  kIncomplete = 6,
};

/// A subcommand that the program's composition adds (`exec` of apps/sandproof).
struct Subcommand {
  std::string name;
  std::string help;
  /// Adds options and returns what runs when it was chosen; its result is the exit code.
  std::function<std::function<int()>(CLI::App&)> setup;
};

/// Never throws; prints one sentence on stderr for what goes wrong. Called from main() before any
/// thread is started.
int run_program(int argc, char** argv, std::vector<Binding> bindings,
                std::vector<Subcommand> more = {});

}  // namespace sandproof::conformance
