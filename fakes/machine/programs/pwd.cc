// SPDX-License-Identifier: Apache-2.0
// pwd: the working directory.
#include "fakes/machine/programs/mains.h"
#include "fakes/machine/programs/support/options.h"

namespace sandproof::machine::programs {
namespace {

constexpr Usage kPwdUsage = {.text = "", .letters = "LP"};

Task<int> run_pwd(Process& self) {
  Tool tool(self, kPwdUsage);
  const std::optional<Options> options = co_await read_options(tool);
  if (!options) co_return tool.status;
  const Result<std::string> here = self.getcwd();
  if (here) {
    (void)co_await tool.out.put(*here + "\n");
  } else {
    co_await tool.fail("getcwd", here.error());
  }
  co_return co_await tool.finish();
}

}  // namespace

Task<int> pwd_main(Process& self) { return run_pwd(self); }

}  // namespace sandproof::machine::programs
