// SPDX-License-Identifier: Apache-2.0
// chown: gives files to another user and group.
#include <algorithm>

#include "fakes/machine/programs/mains.h"
#include "fakes/machine/programs/support/change_owner.h"
#include "fakes/machine/programs/support/users.h"

namespace sandproof::machine::programs {
namespace {

constexpr Usage kChownUsage = {
    .text = "[-RhLHPcvf]... USER[:[GRP]] FILE...", .letters = "RhLHPcvf", .least = 2};

Task<int> run_chown(Process& self) {
  Tool tool(self, kChownUsage);
  const std::optional<Options> options = co_await read_options(tool);
  if (!options) co_return tool.status;
  const Users users = co_await Users::load(self);
  const std::string& text = options->operands.front();
  const std::size_t colon = std::min(text.find_first_of(":."), text.size());
  const std::string user = text.substr(0, colon);
  NewOwner owner;
  if (!user.empty()) {
    owner.uid = users.uid_of(user);
    if (!owner.uid) {
      const std::string why = "unknown user " + user;
      co_await tool.fail(why);
      co_return tool.status;
    }
  }
  if (colon < text.size()) {
    const std::string group = text.substr(colon + 1);
    const User* const row = owner.uid ? users.user(*owner.uid) : nullptr;
    if (!group.empty()) {
      owner.gid = users.gid_of(group);
    } else if (row != nullptr) {
      owner.gid = row->gid;
    }
    if (!group.empty() && !owner.gid) {
      const std::string why = "unknown group " + group;
      co_await tool.fail(why);
      co_return tool.status;
    }
  }
  co_await change_owners(tool, *options, owner);
  co_return co_await tool.finish();
}

}  // namespace

Task<int> chown_main(Process& self) { return run_chown(self); }

}  // namespace sandproof::machine::programs
