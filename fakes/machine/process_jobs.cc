// SPDX-License-Identifier: Apache-2.0
// System calls that make, replace and end processes, wait for them, and put them in groups.
#include "fakes/machine/block.h"
#include "fakes/machine/executable.h"
#include "fakes/machine/kernel.h"

namespace sandproof::machine {
namespace {

bool matches(const ProcessEntry& child, Pid which, Pid own_group) {
  if (which > 0) return child.pid == which;
  if (which == -1) return true;
  return child.group == (which == 0 ? own_group : -which);
}

bool is_asked_for(WaitStatus change, const WaitFor& what) {
  switch (change.kind()) {
    case WaitStatus::Kind::kStopped:
      return what.stopped;
    case WaitStatus::Kind::kContinued:
      return what.continued;
    default:
      return true;
  }
}

/// The oldest child of which there is something to tell, told: an ended one is gone then.
std::optional<ChildChange> take_change(ProcessEntry& parent, const WaitFor& what) {
  for (const auto& [serial, child] : parent.waitable) {
    if (!matches(*child, what.which, parent.group) || !is_asked_for(*child->untold, what)) continue;
    const ChildChange change{.pid = child->pid, .status = *child->untold};
    if (child->state == RunState::kZombie) {
      parent.kernel.release(*child);
    } else {
      child->untold.reset();
      parent.waitable.erase(serial);
    }
    return change;
  }
  return std::nullopt;
}

bool has_child(const ProcessEntry& parent, Pid which) {
  if (which == -1) return !parent.children.empty();
  if (which > 0) {
    const ProcessEntry* const child = parent.box.find(which);
    return child != nullptr && child->parent == &parent;
  }
  for (const auto& [serial, child] : parent.children) {
    if (matches(*child, which, parent.group)) return true;
  }
  return false;
}

}  // namespace

Result<Pid> Process::fork(ProcessBody body) {
  --entry_.budget;
  return entry_.kernel.fork(entry_, std::move(body));
}

Task<Result<void>> Process::exec(std::string path, Strings argv, Strings env) {
  co_await yield_point();
  if (arguments_too_big(argv, env)) co_return Errno::k2big;
  Result<Executable> found = find_executable(entry_, path, std::move(argv));
  if (!found) co_return found.error();
  auto image = std::make_unique<NextImage>();
  image->main = std::move(found->main);
  image->comm = std::move(found->comm);
  image->exe = std::move(found->exe);
  image->argv = std::make_shared<const Strings>(std::move(found->argv));
  image->env = std::make_shared<const Strings>(std::move(env));
  entry_.next_image = std::move(image);
  co_await yield_point();
  co_return Errno::kNosys;  // Not reached: a leaving process is not resumed.
}

Task<void> Process::exit(int code) {
  entry_.kernel.terminate(entry_, WaitStatus::exited(code));
  co_await yield_point();
}

Task<Result<ChildChange>> Process::wait_child(WaitFor what) {
  co_await yield_point();
  for (;;) {
    const std::optional<ChildChange> change = take_change(entry_, what);
    if (change) co_return *change;
    if (!has_child(entry_, what.which)) co_return Errno::kChild;
    if (what.no_hang) co_return ChildChange();
    if (!entry_.takeable().empty()) co_return Errno::kIntr;
    co_await Block(entry_, &entry_.changes);
  }
}

Result<void> Process::set_group(Pid pid, Pid group) {
  --entry_.budget;
  if (group < 0) return Errno::kInval;
  ProcessEntry* const target = pid == 0 ? &entry_ : entry_.box.find(pid);
  if (target == nullptr) return Errno::kSrch;
  if (target != &entry_) {
    if (target->parent != &entry_ || !target->alive()) return Errno::kSrch;
    if (target->session != entry_.session) return Errno::kPerm;
    if (target->has_execed) return Errno::kAcces;
  }
  if (target->session == target->pid) return Errno::kPerm;
  const Pid wanted = group == 0 ? target->pid : group;
  if (wanted != target->pid) {
    bool found = false;
    for (const auto& [other_pid, other] : entry_.box.table()) {
      found = found || (other->group == wanted && other->session == target->session);
    }
    if (!found) return Errno::kPerm;
  }
  entry_.box.set_group(*target, wanted);
  return {};
}

Result<Pid> Process::group_of(Pid pid) const {
  const ProcessEntry* const target = pid == 0 ? &entry_ : entry_.box.find(pid);
  if (target == nullptr) return Errno::kSrch;
  return target->group;
}

Result<Pid> Process::session_of(Pid pid) const {
  const ProcessEntry* const target = pid == 0 ? &entry_ : entry_.box.find(pid);
  if (target == nullptr) return Errno::kSrch;
  return target->session;
}

Result<Pid> Process::new_session() {
  --entry_.budget;
  for (const auto& [pid, other] : entry_.box.table()) {
    if (other->group == entry_.pid) return Errno::kPerm;
  }
  entry_.box.set_session(entry_, entry_.pid);
  entry_.box.set_group(entry_, entry_.pid);
  return entry_.pid;
}

}  // namespace sandproof::machine
