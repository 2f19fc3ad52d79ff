// SPDX-License-Identifier: Apache-2.0
// Signals: who gets them, what they do, stopping and going on.
#include <array>

#include "fakes/machine/kernel.h"

namespace sandproof::machine {
namespace {

constexpr std::array kStopSignals = {Signal::kStop, Signal::kTstp, Signal::kTtin, Signal::kTtou};

bool is_ignored(const ProcessEntry& entry, Signal signal) {
  if (entry.ignored.has(signal)) return true;
  if (entry.handled.has(signal)) return false;
  return default_action(signal) == DefaultAction::kIgnore;
}

// Nothing that a PID 1 leaves to its default reaches it, but for what cannot be refused and comes
// from outside of its box.
bool spares_init(const ProcessEntry& entry, Signal signal, Origin origin) {
  if (entry.pid != Box::kInitPid || entry.handled.has(signal)) return false;
  if (signal == Signal::kCont) return false;
  const bool forced = signal == Signal::kKill || signal == Signal::kStop;
  return origin == Origin::kInside || !forced;
}

}  // namespace

void Kernel::post_signal(ProcessEntry& entry, Signal signal, Origin origin) {
  if (!entry.alive()) return;
  if (spares_init(entry, signal, origin)) return;
  note(entry, JournalEntry::Event::kSignal, static_cast<int>(signal));
  if (signal == Signal::kCont) {
    for (const Signal stops : kStopSignals) entry.pending.remove(stops);
    // Going on does not depend on what the process does with the signal.
    if (entry.stopped) resume_stopped(entry);
  }
  if (default_action(signal) == DefaultAction::kStop) entry.pending.remove(Signal::kCont);
  if (!is_ignored(entry, signal) || entry.mask.has(signal)) entry.pending.add(signal);
  act_on_signals(entry);
}

void Kernel::act_on_signals(ProcessEntry& entry) {
  if (entry.pending.has(Signal::kKill)) {
    terminate(entry, WaitStatus::signaled(Signal::kKill));
    return;
  }
  if (entry.stopped) return;
  SignalSet open = entry.pending.without(entry.mask);
  while (!open.empty() && !entry.leaving() && !entry.stopped) {
    const Signal signal = open.first();
    open.remove(signal);
    if (entry.handled.has(signal)) {
      wake(entry);
      continue;
    }
    entry.pending.remove(signal);
    if (entry.ignored.has(signal)) continue;
    const bool ends = default_action(signal) == DefaultAction::kTerminate;
    do_default(entry, signal);
    // The entry may be gone.
    if (ends) return;
  }
}

void Kernel::do_default(ProcessEntry& entry, Signal signal) {
  switch (default_action(signal)) {
    case DefaultAction::kTerminate:
      terminate(entry, WaitStatus::signaled(signal));
      return;
    case DefaultAction::kStop:
      // Nobody could let a member of an orphaned group go on, so the terminal's stops pass it by.
      if (signal == Signal::kStop || !is_orphaned(entry.box, entry.group)) stop(entry, signal);
      return;
    case DefaultAction::kIgnore:
    case DefaultAction::kContinue:
      return;
  }
}

void Kernel::stop(ProcessEntry& entry, Signal signal) {
  entry.stopped = true;
  ++entry.box.stopped_count;
  scheduler_.remove(entry);
  note(entry, JournalEntry::Event::kStop, static_cast<int>(signal));
  tell_parent(entry, WaitStatus::stopped(signal));
}

void Kernel::resume_stopped(ProcessEntry& entry) {
  entry.stopped = false;
  --entry.box.stopped_count;
  if (entry.state == RunState::kReady) scheduler_.add(entry);
  note(entry, JournalEntry::Event::kContinue);
  tell_parent(entry, WaitStatus::continued());
}

bool Kernel::is_orphaned(const Box& box, Pid group) const {
  for (const auto& [pid, entry] : box.table()) {
    if (entry->group != group || !entry->alive() || entry->parent == nullptr) continue;
    const ProcessEntry& parent = *entry->parent;
    if (parent.group != group && parent.session == entry->session) return false;
  }
  return true;
}

void Kernel::hang_up_if_orphaned(Box& box, Pid group) {
  if (box.stopped_count == 0 || box.ending || !is_orphaned(box, group)) return;
  std::vector<Pid> members;
  bool any_stopped = false;
  for (const auto& [pid, entry] : box.table()) {
    if (entry->group != group || !entry->alive()) continue;
    members.push_back(pid);
    any_stopped = any_stopped || entry->stopped;
  }
  if (!any_stopped) return;
  for (const Pid pid : members) {
    for (const Signal signal : {Signal::kHup, Signal::kCont}) {
      ProcessEntry* const member = box.find(pid);
      if (member != nullptr) post_signal(*member, signal, Origin::kInside);
    }
  }
}

}  // namespace sandproof::machine
