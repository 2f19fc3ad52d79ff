// SPDX-License-Identifier: Apache-2.0
// Checks of processes and their limits; see checks.h.
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <vector>

#include "sandproof/conformance/checks.h"

namespace sandproof::conformance {
namespace {

constexpr const char* kNewerKernel =
    "use Linux 5.4 or newer; in a container, a seccomp profile that allows it (`docker run "
    "--security-opt seccomp=…`)";

/// Children that wait until the pipe that they all read is closed. Killed and reaped by the
/// destructor.
class WaitingChildren {
 public:
  WaitingChildren() {
    if (::pipe2(ends_.data(), O_CLOEXEC) != 0) ends_ = {-1, -1};
  }
  ~WaitingChildren() {
    for (const int end : ends_) ::close(end);
    for (const pid_t child : children_) ::kill(child, SIGKILL);
    for (const pid_t child : children_) {
      while (::waitpid(child, nullptr, 0) < 0 && errno == EINTR) {
      }
    }
  }
  WaitingChildren(const WaitingChildren&) = delete;
  WaitingChildren& operator=(const WaitingChildren&) = delete;

  /// False with errno set.
  bool add() {
    if (ends_[0] < 0) return false;
    const pid_t child = ::fork();
    if (child < 0) return false;
    if (child == 0) {
      ::close(ends_[1]);
      char byte = 0;
      while (::read(ends_[0], &byte, 1) < 0 && errno == EINTR) {
      }
      ::_exit(0);
    }
    children_.push_back(child);
    return true;
  }
  const std::vector<pid_t>& children() const { return children_; }

 private:
  std::array<int, 2> ends_{};
  std::vector<pid_t> children_;
};

}  // namespace

CheckResult check_pidfd() {
  WaitingChildren waiting;
  if (!waiting.add()) {
    return CheckResult::failed(std::string("no child process: ") + std::strerror(errno),
                               "raise the limits of processes");
  }
  const pid_t child = waiting.children().front();
  const int pidfd = static_cast<int>(::syscall(SYS_pidfd_open, child, 0U));
  if (pidfd < 0) {
    return CheckResult::failed(std::string("pidfd_open: ") + std::strerror(errno), kNewerKernel);
  }
  siginfo_t info = {};
  const char* failed = nullptr;
  if (::syscall(SYS_pidfd_send_signal, pidfd, 0, nullptr, 0U) != 0) failed = "pidfd_send_signal";
  // It has not ended: WNOHANG gives 0, an unknown kind of id an error.
  if (failed == nullptr &&
      ::waitid(P_PIDFD, static_cast<id_t>(pidfd), &info, WEXITED | WNOHANG | WNOWAIT) != 0) {
    failed = "waitid(P_PIDFD)";
  }
  const int error = errno;
  ::close(pidfd);
  if (failed == nullptr) return CheckResult::ok();
  return CheckResult::failed(fmt::format("{}: {}", failed, std::strerror(error)), kNewerKernel);
}

CheckResult check_descriptors(std::uint64_t least, std::uint64_t wanted) {
  rlimit limit = {};
  if (::getrlimit(RLIMIT_NOFILE, &limit) != 0) {
    return CheckResult::failed(std::strerror(errno), "see `ulimit -n`");
  }
  const bool unlimited = limit.rlim_max == RLIM_INFINITY;
  std::string found = unlimited ? std::string("no limit") : fmt::format("{}", limit.rlim_max);
  if (limit.rlim_cur != limit.rlim_max) {
    found += fmt::format(", {} until a program asks for more", limit.rlim_cur);
  }
  const std::string fix =
      fmt::format("raise it: `ulimit -n {}`, or LimitNOFILE= of the service", wanted);
  if (!unlimited && limit.rlim_max < least) return CheckResult::failed("only " + found, fix);
  if (!unlimited && limit.rlim_max < wanted) return CheckResult::warning("only " + found, fix);
  return CheckResult::ok(found);
}

CheckResult check_processes(int least, int wanted) {
  WaitingChildren waiting;
  int count = 0;
  while (count < wanted && waiting.add()) ++count;
  if (count == wanted) return CheckResult::ok(fmt::format("{} were tried", count));
  const std::string found = fmt::format("only {}, then: {}", count, std::strerror(errno));
  const std::string fix =
      "raise it: `ulimit -u`, the container's pids limit (`docker run --pids-limit`), or TasksMax= "
      "of the service";
  return count < least ? CheckResult::failed(found, fix) : CheckResult::warning(found, fix);
}

}  // namespace sandproof::conformance
