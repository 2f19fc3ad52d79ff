// SPDX-License-Identifier: Apache-2.0
// System calls about the caller itself, and time.
#include "fakes/machine/block.h"
#include "fakes/machine/kernel.h"

namespace sandproof::machine {

Pid Process::pid() const { return entry_.pid; }
Pid Process::parent() const { return entry_.parent == nullptr ? 0 : entry_.parent->pid; }
Pid Process::group() const { return entry_.group; }
Pid Process::session() const { return entry_.session; }
const Credentials& Process::credentials() const { return *entry_.credentials; }
Result<void> Process::set_credentials(Credentials credentials) {
  if (!entry_.credentials->root()) return Errno::kPerm;
  entry_.credentials = std::make_shared<const Credentials>(std::move(credentials));
  return {};
}
const Strings& Process::argv() const { return *entry_.argv; }
const Strings& Process::env() const { return *entry_.env; }
const std::string& Process::hostname() const { return entry_.box.options().hostname; }

unsigned Process::umask(unsigned mask) { return std::exchange(entry_.umask, mask & 0777U); }

std::uint64_t Process::random() { return entry_.kernel.numbers()(); }

Nanoseconds Process::now() const { return entry_.kernel.clock().now(); }
Nanoseconds Process::wall_time() const { return entry_.kernel.clock().wall(); }

// sleep: in the machine's time
Task<Result<void>> Process::sleep(Nanoseconds length) {
  const Nanoseconds deadline = now() + length;
  co_await yield_point();
  while (now() < deadline) {
    if (!entry_.takeable().empty()) co_return Errno::kIntr;
    co_await Block(entry_, nullptr, deadline);
  }
  co_return Result<void>();
}

Nanoseconds Process::alarm(Nanoseconds after) {
  Nanoseconds left = Nanoseconds::zero();
  if (entry_.alarm.is_set()) left = std::max(entry_.alarm.deadline() - now(), Nanoseconds(1));
  entry_.alarm.unset();
  if (after > Nanoseconds::zero()) entry_.kernel.timers().set(entry_.alarm, now() + after);
  return left;
}

}  // namespace sandproof::machine
