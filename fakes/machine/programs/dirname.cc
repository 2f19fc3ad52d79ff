// SPDX-License-Identifier: Apache-2.0
// dirname: a path less its last component.
#include <algorithm>

#include "fakes/machine/programs/mains.h"
#include "fakes/machine/programs/support/options.h"
#include "fakes/machine/programs/support/paths.h"

namespace sandproof::machine::programs {
namespace {

constexpr Usage kDirnameUsage = {.text = "FILENAME", .least = 1, .most = 1};

std::string directory_of(std::string_view path) {
  // "//" may be another root than "/": POSIX leaves it be.
  if (path == "//") return "//";
  path = without_slashes(path);
  const std::size_t slash = path.rfind('/');
  if (slash == path.npos) return ".";
  if (path.size() == 1) return "/";
  return std::string(without_slashes(path.substr(0, std::max<std::size_t>(slash, 1))));
}

Task<int> run_dirname(Process& self) {
  Tool tool(self, kDirnameUsage);
  const std::optional<Options> options = co_await read_options(tool);
  if (!options) co_return tool.status;
  const std::string line = directory_of(options->operands.front()) + "\n";
  (void)co_await tool.out.put(line);
  co_return co_await tool.finish();
}

}  // namespace

Task<int> dirname_main(Process& self) { return run_dirname(self); }

}  // namespace sandproof::machine::programs
