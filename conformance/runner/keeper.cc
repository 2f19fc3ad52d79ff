// SPDX-License-Identifier: Apache-2.0
// The process that keeps a worker's tree together (keeper.h).
#include "conformance/runner/keeper.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>

#include "conformance/runner/self_spawn.h"
#include "conformance/runner/system.h"

namespace sandproof::conformance::runner {
namespace {

void tell(int status_fd, KeeperMessage::Kind kind, int value) {
  const KeeperMessage message{kind, value};
  while (::write(status_fd, &message, sizeof(message)) < 0 && errno == EINTR) {
  }
}

// Away from the terminal and its signals, and from the supervisor's own handling of them.
void leave_supervisor(pid_t supervisor) {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != supervisor) ::_exit(1);  // It has died before that.
  ::prctl(PR_SET_CHILD_SUBREAPER, 1);
  ::prctl(PR_SET_NAME, "sandproof-keep");
  ::setsid();
  for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGCHLD, SIGPIPE}) ::signal(signal, SIG_DFL);
  sigset_t none;
  ::sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);
}

pid_t start_worker(const KeeperParts& parts, int null_fd) {
  SelfSpawn spawn;
  spawn.arguments = {
      "worker",     "--flavor", parts.flavor, "--fd-commands",           "3", "--fd-events", "4",
      "--fd-block", "5",        "--parent",   std::to_string(::getpid())};
  spawn.input = null_fd;
  spawn.output = parts.output;
  spawn.error = parts.output;
  spawn.handed = {parts.commands, parts.events, parts.block};
  spawn.own_session = true;
  return spawn_self(spawn);
}

// Keeps descriptor 3 alone: an end of a pipe that stayed open here would hide another worker's end.
void drop_descriptors(int null_fd, int status_fd) {
  // no-cloexec: the keeper executes nothing.
  for (int fd = 0; fd < 3; ++fd) ::dup2(null_fd, fd);  // no-cloexec: as above.
  ::dup2(status_fd, 3);                                // no-cloexec: as above.
  ::close_range(4, ~0U, 0);
}

[[noreturn]] void reap_for_ever(pid_t worker) {
  while (true) {
    int status = 0;
    const pid_t pid = ::waitpid(-1, &status, 0);
    if (pid == worker) tell(3, KeeperMessage::kEnded, status);
    if (pid < 0 && errno == ECHILD) ::_exit(0);
  }
}

[[noreturn]] void keep(const KeeperParts& parts, pid_t supervisor) {
  leave_supervisor(supervisor);
  const int null_fd = ::open("/dev/null", O_RDWR | O_CLOEXEC);
  try {
    const pid_t worker = start_worker(parts, null_fd);
    drop_descriptors(null_fd, parts.status);
    tell(3, KeeperMessage::kStarted, worker);
    reap_for_ever(worker);
  } catch (...) {
    tell(parts.status, KeeperMessage::kNotStarted, errno);
    ::_exit(1);
  }
}

}  // namespace

pid_t start_keeper(const KeeperParts& parts) {
  const pid_t supervisor = ::getpid();
  const pid_t pid = ::fork();
  if (pid < 0) throw_system_error("cannot start a worker");
  if (pid == 0) keep(parts, supervisor);
  return pid;
}

}  // namespace sandproof::conformance::runner
