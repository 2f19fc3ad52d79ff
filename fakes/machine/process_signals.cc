// SPDX-License-Identifier: Apache-2.0
// System calls about signals.
#include "fakes/machine/block.h"
#include "fakes/machine/kernel.h"

namespace sandproof::machine {
namespace {

bool may_signal(const ProcessEntry& from, const ProcessEntry& to, int number) {
  const Uid uid = from.credentials->uid;
  if (from.credentials->root() || uid == to.credentials->uid) return true;
  return number == static_cast<int>(Signal::kCont) && from.session == to.session;
}

bool is_meant(const ProcessEntry& from, const ProcessEntry& candidate, Pid to) {
  if (to > 0) return candidate.pid == to;
  if (to == -1) return candidate.pid != Box::kInitPid && &candidate != &from;
  return candidate.group == (to == 0 ? from.group : -to);
}

std::vector<Pid> those_meant(const ProcessEntry& from, Pid to) {
  std::vector<Pid> meant;
  if (to > 0) {
    if (from.box.find(to) != nullptr) meant.push_back(to);
    return meant;
  }
  for (const auto& [pid, entry] : from.box.table()) {
    if (is_meant(from, *entry, to)) meant.push_back(pid);
  }
  return meant;
}

/// The caller last: it may not come back from it.
Result<void> send(ProcessEntry& from, Pid to, int number) {
  if (number != 0 && !is_signal(number)) return Errno::kInval;
  const std::vector<Pid> meant = those_meant(from, to);
  if (meant.empty()) return Errno::kSrch;
  bool any = false;
  bool self = false;
  for (const Pid pid : meant) {
    // One that was signalled before may have taken others with it.
    ProcessEntry* const target = from.box.find(pid);
    if (target == nullptr || !may_signal(from, *target, number)) continue;
    any = true;
    self = self || target == &from;
    if (number != 0 && target != &from) {
      from.kernel.post_signal(*target, static_cast<Signal>(number), Origin::kInside);
    }
  }
  if (self && number != 0) {
    from.kernel.post_signal(from, static_cast<Signal>(number), Origin::kInside);
  }
  if (!any) return Errno::kPerm;
  return {};
}

bool may_be_changed(Signal signal) { return signal != Signal::kKill && signal != Signal::kStop; }

}  // namespace

Task<Result<void>> Process::kill(Pid to, int number) {
  co_await yield_point();
  const Result<void> sent = send(entry_, to, number);
  // Here it stops or ends if it was meant itself.
  co_await yield_point();
  co_return sent;
}

Result<Disposition> Process::set_disposition(Signal signal, Disposition to) {
  --entry_.budget;
  if (!is_signal(static_cast<int>(signal)) || !may_be_changed(signal)) return Errno::kInval;
  const Disposition old = disposition(signal);
  entry_.ignored.remove(signal);
  entry_.handled.remove(signal);
  if (to == Disposition::kIgnore) entry_.ignored.add(signal);
  if (to == Disposition::kHandle) entry_.handled.add(signal);
  const bool ignored_now =
      to == Disposition::kIgnore ||
      (to == Disposition::kDefault && default_action(signal) == DefaultAction::kIgnore);
  if (ignored_now) entry_.pending.remove(signal);
  return old;
}

Disposition Process::disposition(Signal signal) const {
  if (entry_.ignored.has(signal)) return Disposition::kIgnore;
  return entry_.handled.has(signal) ? Disposition::kHandle : Disposition::kDefault;
}

SignalSet Process::change_mask(MaskChange how, SignalSet signals) {
  --entry_.budget;
  const SignalSet old = entry_.mask;
  switch (how) {
    case MaskChange::kBlock:
      entry_.mask = old.either(signals);
      break;
    case MaskChange::kUnblock:
      entry_.mask = old.without(signals);
      break;
    case MaskChange::kSet:
      entry_.mask = signals;
      break;
  }
  entry_.mask.remove(Signal::kKill);
  entry_.mask.remove(Signal::kStop);
  entry_.kernel.act_on_signals(entry_);
  return old;
}

SignalSet Process::pending() const { return entry_.pending; }

std::optional<Signal> Process::take_signal() {
  const SignalSet takeable = entry_.takeable();
  if (takeable.empty()) return std::nullopt;
  const Signal taken = takeable.first();
  entry_.pending.remove(taken);
  return taken;
}

Task<Result<void>> Process::pause() {
  co_await yield_point();
  while (entry_.takeable().empty()) co_await Block(entry_, nullptr);
  co_return Errno::kIntr;
}

}  // namespace sandproof::machine
