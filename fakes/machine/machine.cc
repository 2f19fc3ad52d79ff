// SPDX-License-Identifier: Apache-2.0
// Boxes, and the small programs that are PID 1 in them.
#include "fakes/machine/machine.h"

#include <stdexcept>

#include "fakes/machine/proc/proc_volume.h"

namespace sandproof::machine {
namespace {

Task<int> reaping_init(Process& self) {
  for (const Signal ends : {Signal::kTerm, Signal::kInt, Signal::kChld}) {
    (void)self.set_disposition(ends, Disposition::kHandle);
  }
  for (;;) {
    const Result<ChildChange> change = co_await self.wait_child();
    // Without children it waits for one: a child that ends, or is adopted as a zombie, signals.
    if (change.error() == Errno::kChild) (void)co_await self.pause();
    while (const std::optional<Signal> signal = self.take_signal()) {
      if (*signal != Signal::kChld) co_return 128 + static_cast<int>(*signal);
    }
  }
}

Task<int> sleeping_init(Process& self) {
  (void)co_await self.pause();
  co_return 0;
}

}  // namespace

Machine::Machine(Clock& clock, MachineOptions options)
    : kernel_(clock, options.seed, options.journal_limit, options.programs) {}

Machine::~Machine() {
  while (!boxes_.empty()) remove_box(*boxes_.begin()->second);
}

Box& Machine::make_box(BoxOptions options) {
  if (options.process_limit < 1 || options.file_limit < 1 || options.pipe_capacity < 1 ||
      options.pid_max < 3) {
    throw std::invalid_argument("the limits of the box " + options.hostname +
                                " must be at least 1 (pid_max 3)");
  }
  const Init init = options.init;
  const std::shared_ptr<ProcVolume> proc = options.proc;
  const std::uint32_t id = ++last_box_;
  Box& box = *(boxes_[id] = std::make_unique<Box>(id, std::move(options)));
  if (proc) proc->show(box, kernel_);
  if (init == Init::kFirst) return box;
  Start start;
  start.argv = {"init"};
  start.body = init == Init::kReaps ? reaping_init : sleeping_init;
  (void)kernel_.start(box, std::move(start));
  return box;
}

void Machine::remove_box(Box& box) {
  kernel_.end_box(box);
  if (box.options().proc) box.options().proc->hide();
  boxes_.erase(box.id());
}

Result<std::shared_ptr<const Launch>> Machine::start(Box& box, Start start) {
  return kernel_.start(box, std::move(start));
}

Result<void> Machine::kill(Box& box, Pid pid, Signal signal) {
  if (!is_signal(static_cast<int>(signal))) return Errno::kInval;
  ProcessEntry* const entry = box.find(pid);
  if (entry == nullptr) return Errno::kSrch;
  kernel_.post_signal(*entry, signal, Origin::kOutside);
  return {};
}

Box* Machine::find_box(std::uint32_t id) {
  const auto found = boxes_.find(id);
  return found == boxes_.end() ? nullptr : found->second.get();
}

void Machine::kill_family(Box& box, std::uint64_t family) {
  std::vector<Pid> members;
  for (const auto& [pid, entry] : box.table()) {
    if (entry->family == family && entry->alive()) members.push_back(pid);
  }
  for (const Pid pid : members) {
    // One that was killed before may have taken others with it.
    ProcessEntry* const member = box.find(pid);
    if (member != nullptr) kernel_.post_signal(*member, Signal::kKill, Origin::kOutside);
  }
}

std::vector<ProcessInfo> Machine::processes(const Box& box) const {
  std::vector<ProcessInfo> all;
  for (const auto& [pid, entry] : box.table()) {
    const bool zombie = !entry->alive();
    all.push_back({.pid = pid,
                   .parent = entry->face.parent(),
                   .group = entry->group,
                   .session = entry->session,
                   .uid = entry->credentials->uid,
                   .state = entry->letter(),
                   .argv = zombie ? Strings() : *entry->argv,
                   .born_at = entry->born_at});
  }
  return all;
}

std::size_t Machine::run_until_idle(std::size_t most) {
  std::size_t done = 0;
  while (done < most && step()) ++done;
  return done;
}

}  // namespace sandproof::machine
