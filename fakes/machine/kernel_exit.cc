// SPDX-License-Identifier: Apache-2.0
// The ends of processes: frames are destroyed, descriptors closed, children given to PID 1, parents
// told; and the end of a box with its PID 1.
#include <vector>

#include "fakes/machine/kernel.h"

namespace sandproof::machine {

void Kernel::terminate(ProcessEntry& entry, WaitStatus status) {
  if (!entry.alive()) return;
  if (&entry != current_) {
    finish(entry, status);
  } else if (!entry.dying) {
    entry.dying = status;
  }
}

void Kernel::finish(ProcessEntry& entry, WaitStatus status) {
  if (!entry.alive()) return;
  entry.state = RunState::kExiting;
  scheduler_.remove(entry);
  if (entry.stopped) --entry.box.stopped_count;
  entry.stopped = false;
  entry.alarm.unset();
  entry.task = {};
  entry.body = nullptr;
  entry.next_image = nullptr;
  entry.descriptors.close_all();
  entry.cwd = nullptr;
  entry.exe = nullptr;
  entry.state = RunState::kZombie;
  note(entry, JournalEntry::Event::kExit, status.word());

  Box& box = entry.box;
  if (entry.pid == Box::kInitPid) kill_all_but_init(box);
  give_children_to_init(entry);
  hang_up_if_orphaned(box, entry.group);
  entry.untold = status;
  tell_of_end(entry);
  if (box.table().empty()) box.ending = false;
}

void Kernel::kill_all_but_init(Box& box) {
  box.ending = true;
  std::vector<Pid> others;
  for (const auto& [pid, entry] : box.table()) {
    if (pid != Box::kInitPid) others.push_back(pid);
  }
  for (const Pid pid : others) {
    // Gone already where its parent, killed before it, had nobody to leave it to.
    ProcessEntry* const other = box.find(pid);
    if (other != nullptr) terminate(*other, WaitStatus::signaled(Signal::kKill));
  }
  // Zombies whose parent is gone, or was PID 1, are nobody's any more.
  for (const Pid pid : others) {
    ProcessEntry* const zombie = box.find(pid);
    if (zombie != nullptr && !zombie->alive()) release(*zombie);
  }
}

void Kernel::give_children_to_init(ProcessEntry& entry) {
  if (entry.children.empty()) return;
  ProcessEntry* const init = entry.box.init();
  const bool adopted = init != nullptr && init != &entry && init->alive();
  const ProcessEntry::Children children = std::exchange(entry.children, {});
  entry.waitable.clear();
  for (const auto& [serial, child] : children) {
    child->parent = adopted ? init : nullptr;
    if (!adopted) {
      if (child->state == RunState::kZombie) release(*child);
      continue;
    }
    init->children.emplace(serial, child);
    const Pid group = child->group;
    if (child->state == RunState::kZombie) {
      tell_of_end(*child);
    } else if (group != entry.group) {
      hang_up_if_orphaned(entry.box, group);
    }
  }
}

void Kernel::tell_parent(ProcessEntry& entry, WaitStatus change) {
  ProcessEntry* const parent = entry.parent;
  entry.untold = change;
  if (parent == nullptr || !parent->alive()) return;
  parent->waitable.emplace(entry.serial, &entry);
  post_signal(*parent, Signal::kChld, Origin::kInside);
  parent->changes.wake_all();
}

void Kernel::tell_of_end(ProcessEntry& entry) {
  ProcessEntry* const parent = entry.parent;
  if (parent == nullptr) {
    const std::shared_ptr<Launch> launch = entry.launch;
    const WaitStatus status = *entry.untold;
    release(entry);
    if (launch == nullptr) return;
    launch->status_ = status;
    if (launch->on_end_) std::exchange(launch->on_end_, nullptr)(status);
    return;
  }
  // A parent that ignores SIGCHLD, which is more than its default, leaves no zombies.
  if (parent->ignored.has(Signal::kChld)) {
    release(entry);
    parent->changes.wake_all();
    return;
  }
  tell_parent(entry, *entry.untold);
}

void Kernel::release(ProcessEntry& entry) {
  if (entry.parent != nullptr) {
    entry.parent->children.erase(entry.serial);
    entry.parent->waitable.erase(entry.serial);
  }
  note(entry, JournalEntry::Event::kReap);
  entry.box.erase(entry.pid);
}

void Kernel::end_box(Box& box) {
  ProcessEntry* const init = box.init();
  if (init != nullptr) finish(*init, WaitStatus::signaled(Signal::kKill));
}

}  // namespace sandproof::machine
