// SPDX-License-Identifier: Apache-2.0
// whoami: the name of the user.
#include "fakes/machine/programs/mains.h"
#include "fakes/machine/programs/support/options.h"
#include "fakes/machine/programs/support/users.h"

namespace sandproof::machine::programs {
namespace {

constexpr Usage kWhoamiUsage = {.text = "", .most = 0};

Task<int> run_whoami(Process& self) {
  Tool tool(self, kWhoamiUsage);
  const std::optional<Options> options = co_await read_options(tool);
  if (!options) co_return tool.status;
  const Users users = co_await Users::load(self);
  const Uid uid = self.credentials().uid;
  const User* const user = users.user(uid);
  if (user == nullptr) {
    const std::string why = "unknown uid " + std::to_string(uid);
    co_await tool.fail(why);
    co_return tool.status;
  }
  (void)co_await tool.out.put(user->name + "\n");
  co_return co_await tool.finish();
}

}  // namespace

Task<int> whoami_main(Process& self) { return run_whoami(self); }

}  // namespace sandproof::machine::programs
