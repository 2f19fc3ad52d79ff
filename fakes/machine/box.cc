// SPDX-License-Identifier: Apache-2.0
// The pids of a box.
#include "fakes/machine/box.h"

namespace sandproof::machine {
namespace {

// Linux leaves those below to daemons when it begins anew.
constexpr Pid kFirstPidAgain = 300;

}  // namespace

FileSystem* ProcessEntry::files() const { return box.options().files.get(); }

ProcessEntry* Box::find(Pid pid) const {
  const auto found = table_.find(pid);
  return found == table_.end() ? nullptr : found->second.get();
}

Result<Pid> Box::next_pid() {
  if (table_.empty()) {
    last_pid_ = kInitPid;
    return last_pid_;
  }
  Pid candidate = last_pid_;
  const Pid again = kFirstPidAgain < options_.pid_max / 2 ? kFirstPidAgain : kInitPid + 1;
  for (Pid tries = 0; tries < options_.pid_max; ++tries) {
    candidate = candidate + 1 >= options_.pid_max ? again : candidate + 1;
    if (table_.contains(candidate) || holds_.contains(candidate)) continue;
    last_pid_ = candidate;
    return candidate;
  }
  return Errno::kAgain;
}

ProcessEntry& Box::insert(std::unique_ptr<ProcessEntry> entry) {
  const Pid pid = entry->pid;
  ProcessEntry& inserted = *(table_[pid] = std::move(entry));
  ++born_;
  hold(inserted.group, 1);
  hold(inserted.session, 1);
  return inserted;
}

void Box::erase(Pid pid) {
  const auto found = table_.find(pid);
  hold(found->second->group, -1);
  hold(found->second->session, -1);
  table_.erase(found);
}

void Box::set_group(ProcessEntry& entry, Pid group) {
  hold(group, 1);
  hold(entry.group, -1);
  entry.group = group;
}

void Box::set_session(ProcessEntry& entry, Pid session) {
  hold(session, 1);
  hold(entry.session, -1);
  entry.session = session;
}

void Box::hold(Pid number, int by) {
  const auto held = holds_.try_emplace(number, 0).first;
  held->second += by;
  if (held->second == 0) holds_.erase(held);
}

}  // namespace sandproof::machine
