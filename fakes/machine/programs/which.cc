// SPDX-License-Identifier: Apache-2.0
// which: where along PATH a program is.
#include <algorithm>

#include "fakes/machine/programs/mains.h"
#include "fakes/machine/programs/support/files.h"
#include "fakes/machine/programs/support/options.h"
#include "fakes/machine/programs/support/paths.h"

namespace sandproof::machine::programs {
namespace {

constexpr Usage kWhichUsage = {.text = "[-a] COMMAND...", .letters = "a", .least = 1};

bool is_program(Process& self, const std::string& path) {
  const Result<Attributes> found = self.stat(path);
  return found && found->type == FileType::kRegular && self.access(path, {.execute = true}).ok();
}

Task<int> run_which(Process& self) {
  Tool tool(self, kWhichUsage);
  const std::optional<Options> options = co_await read_options(tool);
  if (!options) co_return tool.status;
  const std::string path = variable(self, "PATH").value_or("/sbin:/usr/sbin:/bin:/usr/bin");
  for (const std::string& name : options->operands) {
    Strings found;
    if (name.find('/') != name.npos) {
      if (is_program(self, name)) found.push_back(name);
    }
    for (std::size_t at = 0; name.find('/') == name.npos && at <= path.size();) {
      const std::size_t end = std::min(path.find(':', at), path.size());
      const std::string folder = end > at ? path.substr(at, end - at) : ".";
      const std::string candidate = join_path(folder, name);
      if (is_program(self, candidate)) found.push_back(candidate);
      at = end + 1;
    }
    if (found.empty()) tool.status = 1;
    if (!options->has('a') && found.size() > 1) found.resize(1);
    for (const std::string& place : found) (void)co_await tool.out.put(place + "\n");
  }
  co_return co_await tool.finish();
}

}  // namespace

Task<int> which_main(Process& self) { return run_which(self); }

}  // namespace sandproof::machine::programs
