// SPDX-License-Identifier: Apache-2.0
// basename: the last component of a path, less a suffix.
#include "fakes/machine/programs/mains.h"
#include "fakes/machine/programs/support/options.h"
#include "fakes/machine/programs/support/paths.h"

namespace sandproof::machine::programs {
namespace {

constexpr Usage kBasenameUsage = {
    .text = "FILE [SUFFIX] | -a FILE... | -s SUFFIX FILE...", .letters = "+as:", .least = 1};

Task<int> run_basename(Process& self) {
  Tool tool(self, kBasenameUsage);
  std::optional<Options> options = co_await read_options(tool);
  if (!options) co_return tool.status;
  Strings& words = options->operands;
  std::string suffix = options->value('s').value_or("");
  if (!options->has_any("as")) {
    if (words.size() > 2) co_return co_await tool.misuse();
    if (words.size() == 2) suffix = words.back();
    words.resize(1);
  }
  for (const std::string& path : words) {
    std::string_view name = base_name(path);
    if (name.size() > suffix.size() && name.ends_with(suffix)) name.remove_suffix(suffix.size());
    const std::string line = std::string(name) + "\n";
    if (!co_await tool.out.put(line)) break;
  }
  co_return co_await tool.finish();
}

}  // namespace

Task<int> basename_main(Process& self) { return run_basename(self); }

}  // namespace sandproof::machine::programs
