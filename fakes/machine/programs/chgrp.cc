// SPDX-License-Identifier: Apache-2.0
// chgrp: gives files to another group.
#include "fakes/machine/programs/mains.h"
#include "fakes/machine/programs/support/change_owner.h"
#include "fakes/machine/programs/support/users.h"

namespace sandproof::machine::programs {
namespace {

constexpr Usage kChgrpUsage = {
    .text = "[-RhLHPcvf]... GROUP FILE...", .letters = "RhLHPcvf", .least = 2};

Task<int> run_chgrp(Process& self) {
  Tool tool(self, kChgrpUsage);
  const std::optional<Options> options = co_await read_options(tool);
  if (!options) co_return tool.status;
  const Users users = co_await Users::load(self);
  NewOwner owner;
  owner.gid = users.gid_of(options->operands.front());
  if (!owner.gid) {
    const std::string why = "unknown group " + options->operands.front();
    co_await tool.fail(why);
    co_return tool.status;
  }
  co_await change_owners(tool, *options, owner);
  co_return co_await tool.finish();
}

}  // namespace

Task<int> chgrp_main(Process& self) { return run_chgrp(self); }

}  // namespace sandproof::machine::programs
