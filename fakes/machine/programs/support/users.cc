// SPDX-License-Identifier: Apache-2.0
// Reading the lists of users and groups.
#include "fakes/machine/programs/support/users.h"

#include <algorithm>

#include "fakes/machine/programs/support/files.h"
#include "fakes/machine/programs/support/numbers.h"

namespace sandproof::machine::programs {
namespace {

Strings parts_of(std::string_view text, char separator) {
  Strings parts;
  for (;;) {
    const std::size_t end = text.find(separator);
    parts.emplace_back(text.substr(0, end));
    if (end == text.npos) return parts;
    text.remove_prefix(end + 1);
  }
}

template <typename Row, typename Match>
const Row* find_row(const std::vector<Row>& rows, Match match) {
  const auto found = std::find_if(rows.begin(), rows.end(), match);
  return found == rows.end() ? nullptr : &*found;
}

}  // namespace

Task<Users> Users::load(Process& self) {
  Users users;
  const Result<std::string> passwd = co_await read_file(self, "/etc/passwd");
  for (const std::string& line : parts_of(passwd.value_or(""), '\n')) {
    const Strings fields = parts_of(line, ':');
    if (fields.size() < 7) continue;
    const auto uid = read_unsigned(fields[2]);
    const auto gid = read_unsigned(fields[3]);
    if (!uid || !gid) continue;
    users.users_.push_back({.name = fields[0],
                            .uid = static_cast<Uid>(*uid),
                            .gid = static_cast<Gid>(*gid),
                            .home = fields[5],
                            .shell = fields[6]});
  }
  const Result<std::string> groups = co_await read_file(self, "/etc/group");
  for (const std::string& line : parts_of(groups.value_or(""), '\n')) {
    const Strings fields = parts_of(line, ':');
    if (fields.size() < 4) continue;
    const auto gid = read_unsigned(fields[2]);
    if (!gid) continue;
    users.groups_.push_back(
        {.name = fields[0], .gid = static_cast<Gid>(*gid), .members = parts_of(fields[3], ',')});
  }
  co_return users;
}

const User* Users::user(Uid uid) const {
  return find_row(users_, [uid](const User& user) { return user.uid == uid; });
}

const User* Users::user(std::string_view name) const {
  return find_row(users_, [name](const User& user) { return user.name == name; });
}

const Group* Users::group(Gid gid) const {
  return find_row(groups_, [gid](const Group& group) { return group.gid == gid; });
}

const Group* Users::group(std::string_view name) const {
  return find_row(groups_, [name](const Group& group) { return group.name == name; });
}

std::string Users::user_text(Uid uid) const {
  const User* const found = user(uid);
  return found != nullptr ? found->name : std::to_string(uid);
}

std::string Users::group_text(Gid gid) const {
  const Group* const found = group(gid);
  return found != nullptr ? found->name : std::to_string(gid);
}

std::optional<Uid> Users::uid_of(std::string_view text) const {
  if (const auto number = read_unsigned(text)) return static_cast<Uid>(*number);
  const User* const found = user(text);
  if (found == nullptr) return std::nullopt;
  return found->uid;
}

std::optional<Gid> Users::gid_of(std::string_view text) const {
  if (const auto number = read_unsigned(text)) return static_cast<Gid>(*number);
  const Group* const found = group(text);
  if (found == nullptr) return std::nullopt;
  return found->gid;
}

std::vector<Gid> Users::groups_of(const User& user) const {
  std::vector<Gid> all = {user.gid};
  for (const Group& group : groups_) {
    const bool member =
        std::find(group.members.begin(), group.members.end(), user.name) != group.members.end();
    if (member && group.gid != user.gid) all.push_back(group.gid);
  }
  return all;
}

}  // namespace sandproof::machine::programs
