// SPDX-License-Identifier: Apache-2.0
// The one header of programs and builtins: what a process may do. A program is a coroutine over its
// Process, whose members are its system calls, with Linux's errors. Calls that can wait are tasks:
// `co_await` them at once. One thread per machine.
//
// The end of a process destroys its frames, innermost first, so destructors run; they may close
// descriptors, and nothing else of Process. It ends only where it waits: after a call that kills
// the caller itself (kill, exit, a write without readers) it is not resumed.
#pragma once

#include <coroutine>
#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "fakes/machine/clock.h"
#include "fakes/machine/credentials.h"
#include "fakes/machine/descriptor.h"
#include "fakes/machine/result.h"
#include "fakes/machine/signal.h"
#include "fakes/machine/task.h"
#include "fakes/machine/vfs/file_system.h"
#include "fakes/machine/wait_status.h"

namespace sandproof::machine {

class Process;
struct ProcessEntry;

using Pid = int;
using Strings = std::vector<std::string>;
/// What a forked child runs; it is kept as long as the child runs it, with what it captured.
using ProcessBody = std::function<Task<int>(Process&)>;
using ProgramMain = Task<int> (*)(Process&);

/// A row of the one table of programs.
struct ProgramRow {
  std::string_view name;
  ProgramMain main;
};

/// Where a process may be made to wait its turn, be stopped, or end. Await it at once.
class [[nodiscard]] Checkpoint {
 public:
  explicit Checkpoint(ProcessEntry& entry) : entry_(entry) {}
  bool await_ready() const;
  void await_suspend(std::coroutine_handle<> resume_point) const;
  void await_resume() const {}

 private:
  ProcessEntry& entry_;
};

enum class Disposition : unsigned char { kDefault, kIgnore, kHandle };
enum class MaskChange : unsigned char { kBlock, kUnblock, kSet };

/// Which children, as waitpid(2) has it: above 0 that one, -1 any, 0 of the caller's group, below
/// -1 of that group; and what to tell of besides their ends.
struct WaitFor {
  Pid which = -1;
  bool no_hang = false;    // WNOHANG
  bool stopped = false;    // WUNTRACED
  bool continued = false;  // WCONTINUED
};

/// pid 0 with no_hang, where there are such children and nothing to tell.
struct ChildChange {
  Pid pid = 0;
  WaitStatus status = WaitStatus::exited(0);
};

struct PollItem {
  int fd = -1;  // Below 0: ignored.
  bool read = false;
  bool write = false;
  // Given back:
  Readiness ready = {};
  bool invalid = false;  // Not open.
};

struct OpenOptions {
  OpenFlags flags = {};
  unsigned mode = 0666;  // Of a file that it creates, before the umask.
  bool append = false;
  bool nonblocking = false;
  bool close_on_exec = false;
};

struct PipeFds {
  int read = -1;
  int write = -1;
};

class Process {
 public:
  explicit Process(ProcessEntry& entry) : entry_(entry) {}
  Process(const Process&) = delete;
  Process& operator=(const Process&) = delete;

  // Who it is. None fails.

  Pid pid() const;
  /// 0 where the parent is outside of the box.
  Pid parent() const;
  Pid group() const;
  Pid session() const;
  const Credentials& credentials() const;
  /// All of the caller's ids, as setgroups(2), setresgid(2) and setresuid(2) together: EPERM but
  /// for root. What credentials() gave before is gone.
  Result<void> set_credentials(Credentials credentials);
  const Strings& argv() const;
  /// As it was given to exec: "NAME=value" each. A program keeps changes by itself.
  const Strings& env() const;
  const std::string& hostname() const;
  /// The new mask, its permission bits; gives the old one. 022 at first.
  unsigned umask(unsigned mask);
  /// Numbers that are alike in two runs with the same seed.
  std::uint64_t random();

  // Time.

  Nanoseconds now() const;
  Nanoseconds wall_time() const;
  /// EINTR by a handled signal.
  Task<Result<void>> sleep(Nanoseconds length);  // sleep: in the machine's time
  /// SIGALRM in `after`; zero unsets. What was left of the one before, zero if none was set.
  Nanoseconds alarm(Nanoseconds after);
  /// Must stand in every loop that can run long without another call.
  Checkpoint yield_point() const { return Checkpoint(entry_); }

  // Descriptors. EBADF for one that is not open, or not for this.

  /// 0 at the end of the file. EAGAIN only where it is nonblocking, EINTR by a handled signal.
  Task<Result<std::size_t>> read(int fd, std::span<std::byte> into);
  /// All of it, unless it is nonblocking, or a handled signal or an error comes after a part.
  /// EPIPE, after SIGPIPE, where nobody reads.
  Task<Result<std::size_t>> write(int fd, std::span<const std::byte> from);
  Task<Result<std::size_t>> write(int fd, std::string_view text);
  /// Waits until one is ready or `timeout` passed (none: for ever); the count of those that are.
  Task<Result<std::size_t>> poll(std::span<PollItem> items, std::optional<Nanoseconds> timeout);
  Result<void> close(int fd);
  Result<int> dup(int fd, int at_least = 0, bool close_on_exec = false);
  /// EINVAL never: dup2(fd, fd) gives fd.
  Result<int> dup2(int fd, int to);
  Result<PipeFds> pipe(bool close_on_exec = false);
  Result<std::uint64_t> seek(int fd, std::int64_t by, Whence whence);
  Result<bool> close_on_exec(int fd) const;
  Result<void> set_close_on_exec(int fd, bool close_on_exec);
  Result<void> set_nonblocking(int fd, bool nonblocking);
  Result<FilePtr> file(int fd) const;
  std::vector<int> open_fds() const;
  /// RLIMIT_NOFILE. EPERM to raise it, but for root.
  int file_limit() const;
  Result<void> set_file_limit(int limit);

  // Files. ENOSYS in a box without a file system; otherwise Linux's errors, from the file system.

  /// Waits at a FIFO for the other side. ENXIO for a terminal: there are none.
  Task<Result<int>> open(std::string_view path, OpenOptions options);
  Result<Attributes> stat(std::string_view path, Follow follow = Follow::kYes);
  Result<Attributes> stat_fd(int fd);
  Result<void> access(std::string_view path, AccessMask mask);
  Result<void> mkdir(std::string_view path, unsigned mode = 0777);
  Result<void> mkfifo(std::string_view path, unsigned mode = 0666);
  Result<void> rmdir(std::string_view path);
  Result<void> unlink(std::string_view path);
  Result<void> rename(std::string_view from, std::string_view to);
  Result<void> link(std::string_view from, std::string_view to, Follow follow = Follow::kNo);
  Result<void> symlink(std::string_view target, std::string_view path);
  Result<std::string> readlink(std::string_view path);
  Result<void> chmod(std::string_view path, unsigned mode);
  Result<void> chown(std::string_view path, NewOwner owner, Follow follow = Follow::kYes);
  Result<void> utimens(std::string_view path, NewTimes times, Follow follow = Follow::kYes);
  Result<void> truncate(std::string_view path, std::uint64_t size);
  Result<void> truncate_fd(int fd, std::uint64_t size);
  /// The next entries of a directory that is open, at most `limit`; none at its end.
  Result<std::vector<DirEntry>> readdir(int fd, std::size_t limit = 256);
  Result<VolumeFigures> statfs(std::string_view path);
  Result<void> chdir(std::string_view path);
  Result<std::string> getcwd() const;

  // Processes.

  /// A child with copies of descriptors, environment, dispositions and mask; it begins later.
  /// EAGAIN where the box has as many processes as it may.
  Result<Pid> fork(ProcessBody body);
  /// Runs the program in the caller's place; comes back only to say why not: ENOENT, EACCES,
  /// ENOEXEC, ELOOP, E2BIG. Name
  /// the lists first: g++ 12 does not compile `co_await self.exec(path, {"a", "b"}, …)`.
  Task<Result<void>> exec(std::string path, Strings argv, Strings env);
  /// Does not come back.
  Task<void> exit(int code);
  /// ECHILD without such children, EINTR by a handled signal.
  Task<Result<ChildChange>> wait_child(WaitFor what = {});
  /// 0 for the caller, or its group. ESRCH, EPERM, EACCES, EINVAL as setpgid(2).
  Result<void> set_group(Pid pid, Pid group);
  Result<Pid> group_of(Pid pid) const;
  Result<Pid> session_of(Pid pid) const;
  /// The caller becomes the leader of a session; EPERM for the leader of a group.
  Result<Pid> new_session();

  // Signals.

  /// `to` as kill(2): above 0 a process, 0 the caller's group, -1 all but the caller and PID 1,
  /// below -1 a group. Number 0 only asks. ESRCH, EPERM, EINVAL.
  Task<Result<void>> kill(Pid to, int number);
  Task<Result<void>> kill(Pid to, Signal signal) { return kill(to, static_cast<int>(signal)); }
  /// Gives the old one. EINVAL for SIGKILL and SIGSTOP.
  Result<Disposition> set_disposition(Signal signal, Disposition disposition);
  Disposition disposition(Signal signal) const;
  /// Gives the old mask; SIGKILL and SIGSTOP are left out of the new one.
  SignalSet change_mask(MaskChange how, SignalSet signals);
  SignalSet pending() const;
  /// A handled signal that has come and is not blocked, lowest first: where a real program's
  /// handler would have run. While one is there, calls that would wait give EINTR.
  std::optional<Signal> take_signal();
  /// Until a handled signal: always EINTR.
  Task<Result<void>> pause();

 private:
  ProcessEntry& entry_;
};

}  // namespace sandproof::machine
