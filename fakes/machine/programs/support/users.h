// SPDX-License-Identifier: Apache-2.0
// The users and groups of the box: /etc/passwd and /etc/group. Values.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "fakes/machine/program.h"

namespace sandproof::machine::programs {

struct User {
  std::string name;
  Uid uid = 0;
  Gid gid = 0;
  std::string home;
  std::string shell;
};

struct Group {
  std::string name;
  Gid gid = 0;
  Strings members;
};

class Users {
 public:
  /// Files that are not there have nobody in them.
  static Task<Users> load(Process& self);

  const User* user(Uid uid) const;
  const User* user(std::string_view name) const;
  const Group* group(Gid gid) const;
  const Group* group(std::string_view name) const;
  /// The name, or the number where there is none.
  std::string user_text(Uid uid) const;
  std::string group_text(Gid gid) const;
  /// By name or number; nothing for an unknown name.
  std::optional<Uid> uid_of(std::string_view text) const;
  std::optional<Gid> gid_of(std::string_view text) const;
  /// The supplementary groups of a user, with its own first.
  std::vector<Gid> groups_of(const User& user) const;

 private:
  std::vector<User> users_;
  std::vector<Group> groups_;
};

}  // namespace sandproof::machine::programs
