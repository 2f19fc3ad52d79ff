// SPDX-License-Identifier: Apache-2.0
// id: who the process, or a user of the box, is.
#include <algorithm>

#include "fakes/machine/programs/mains.h"
#include "fakes/machine/programs/support/options.h"
#include "fakes/machine/programs/support/users.h"

namespace sandproof::machine::programs {
namespace {

constexpr Usage kIdUsage = {.text = "[-ugGnr] [USER]", .letters = "ugGnr", .most = 1};

class Identity {
 public:
  Identity(Tool& tool, const Options& options, Users users)
      : tool_(tool), options_(options), users_(std::move(users)) {}

  /// False after a complaint: no such user.
  Task<bool> find() {
    if (options_.operands.empty()) {
      const Credentials& who = tool_.self.credentials();
      uid_ = who.uid;
      gid_ = who.gid;
      groups_.assign(who.groups.begin(), who.groups.end());
      if (std::find(groups_.begin(), groups_.end(), gid_) == groups_.end()) {
        groups_.insert(groups_.begin(), gid_);
      }
      co_return true;
    }
    const std::string& name = options_.operands.front();
    const User* const user = users_.user(name);
    if (user == nullptr) {
      const std::string why = "unknown user " + name;
      co_await tool_.fail(why);
      co_return false;
    }
    uid_ = user->uid;
    gid_ = user->gid;
    groups_ = users_.groups_of(*user);
    co_return true;
  }

  std::string text() const {
    if (options_.has('u')) return one(uid_, users_.user_text(uid_));
    if (options_.has('g')) return one(gid_, users_.group_text(gid_));
    std::string all;
    for (const Gid group : groups_) {
      if (!all.empty()) all += options_.has('G') ? " " : ",";
      all += options_.has('G') ? one(group, users_.group_text(group))
                               : both(group, users_.group(group));
    }
    if (options_.has('G')) return all;
    std::string line = "uid=" + both(uid_, users_.user(uid_));
    line += " gid=" + both(gid_, users_.group(gid_));
    return line + " groups=" + all;
  }

 private:
  std::string one(unsigned number, const std::string& name) const {
    return options_.has('n') ? name : std::to_string(number);
  }
  template <typename Row>
  static std::string both(unsigned number, const Row* row) {
    std::string text = std::to_string(number);
    if (row != nullptr) text += "(" + row->name + ")";
    return text;
  }

  Tool& tool_;
  const Options& options_;
  Users users_;
  Uid uid_ = 0;
  Gid gid_ = 0;
  std::vector<Gid> groups_;
};

Task<int> run_id(Process& self) {
  Tool tool(self, kIdUsage);
  const std::optional<Options> options = co_await read_options(tool);
  if (!options) co_return tool.status;
  const int chosen = options->has('u') + options->has('g') + options->has('G');
  if (chosen > 1 || (chosen == 0 && options->has_any("nr"))) co_return co_await tool.misuse();
  Users users = co_await Users::load(self);
  Identity identity(tool, *options, std::move(users));
  if (!co_await identity.find()) co_return tool.status;
  (void)co_await tool.out.put(identity.text() + "\n");
  co_return co_await tool.finish();
}

}  // namespace

Task<int> id_main(Process& self) { return run_id(self); }

}  // namespace sandproof::machine::programs
