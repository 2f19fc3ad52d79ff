// SPDX-License-Identifier: Apache-2.0
// Changing owners.
#include "fakes/machine/programs/support/change_owner.h"

#include "fakes/machine/printed.h"
#include "fakes/machine/programs/support/files.h"
#include "fakes/machine/programs/support/paths.h"

namespace sandproof::machine::programs {
namespace {

class ChangeOwner {
 public:
  ChangeOwner(Tool& tool, const Options& options, NewOwner owner)
      : tool_(tool), options_(options), owner_(owner) {}

  Task<void> change(std::string path, bool top) {
    co_await tool_.self.yield_point();
    const bool follow_walk = options_.has('L') || (top && options_.has('H'));
    const bool link_itself = options_.has('h') || (options_.has('R') && !follow_walk);
    const Follow follow = link_itself ? Follow::kNo : Follow::kYes;
    const Result<Attributes> file = tool_.self.stat(path, follow);
    // What is below first: as its owner no more, one might not get in.
    if (file && file->type == FileType::kDirectory && options_.has('R')) co_await below(path);
    const Errno error = file ? tool_.self.chown(path, owner_, follow).error() : file.error();
    if (error != Errno::kOk) {
      tool_.status = 1;
      if (!options_.has('f')) co_await tool_.fail(path, error);
    } else {
      co_await report(path, *file);
    }
  }

 private:
  Task<void> report(std::string path, Attributes before) {
    const unsigned uid = owner_.uid.value_or(before.uid);
    const unsigned gid = owner_.gid.value_or(before.gid);
    const bool changed = uid != before.uid || gid != before.gid;
    if (!options_.has('v') && !(options_.has('c') && changed)) co_return;
    const std::string line =
        printed("changed ownership of '%s' to %u:%u\n", path.c_str(), uid, gid);
    (void)co_await tool_.out.put(line);
  }

  Task<void> below(std::string path) {
    const Result<Strings> names = co_await list_names(tool_.self, path);
    if (!names) {
      co_await tool_.fail(path, names.error());
      co_return;
    }
    for (const std::string& name : *names) co_await change(join_path(path, name), false);
  }

  Tool& tool_;
  const Options& options_;
  NewOwner owner_;
};

Task<void> change_all(Tool& tool, const Options& options, NewOwner owner) {
  ChangeOwner changer(tool, options, owner);
  for (std::size_t at = 1; at < options.operands.size(); ++at) {
    co_await changer.change(options.operands[at], true);
  }
}

}  // namespace

Task<void> change_owners(Tool& tool, const Options& options, NewOwner owner) {
  return change_all(tool, options, owner);
}

}  // namespace sandproof::machine::programs
