// SPDX-License-Identifier: Apache-2.0
// The hidden subcommands (run.h): which part of somebody's run this process is.
#include <string>
#include <vector>

#include "conformance/runner/elsewhere.h"
#include "conformance/runner/run.h"
#include "conformance/runner/worker_main.h"

namespace sandproof::conformance {

std::optional<int> run_hidden(const Suite& suite, int argc, char** argv) {
  if (argc < 2) return std::nullopt;
  const std::string subcommand = argv[1];
  if (subcommand == "worker") {
    return runner::worker_main(suite, std::vector<std::string>(argv + 2, argv + argc));
  }
  if (subcommand == "elsewhere") return runner::elsewhere_main(suite);
  return std::nullopt;
}

}  // namespace sandproof::conformance
