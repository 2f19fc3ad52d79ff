// SPDX-License-Identifier: Apache-2.0
// readlink: what a symbolic link says, or where a path really leads.
#include "fakes/machine/programs/mains.h"
#include "fakes/machine/programs/support/files.h"
#include "fakes/machine/programs/support/options.h"

namespace sandproof::machine::programs {
namespace {

constexpr Usage kReadlinkUsage = {.text = "[-fnv] FILE", .letters = "fnvsq", .least = 1, .most = 1};

Task<int> run_readlink(Process& self) {
  Tool tool(self, kReadlinkUsage);
  const std::optional<Options> options = co_await read_options(tool);
  if (!options) co_return tool.status;
  const std::string& path = options->operands.front();
  const Result<std::string> text = options->has('f') ? real_path(self, path) : self.readlink(path);
  if (!text) {
    if (options->has('v')) {
      std::string why = path + ": cannot read link: ";
      why += text.error() == Errno::kInval ? "not a symlink" : text_of(text.error());
      co_await tool.fail(why);
    }
    co_return 1;
  }
  (void)co_await tool.out.put(*text + (options->has('n') ? "" : "\n"));
  co_return co_await tool.finish();
}

}  // namespace

Task<int> readlink_main(Process& self) { return run_readlink(self); }

}  // namespace sandproof::machine::programs
