// SPDX-License-Identifier: Apache-2.0
// The reaping of one child. See child.h.
#include "flavors/local/child.h"

#include <poll.h>
#include <signal.h>
#include <sys/wait.h>

#include <string>
#include <system_error>

#include "flavors/local/pidfd.h"
#include "flavors/local/reason.h"

namespace sandproof::local {
namespace {

// A killed process that takes longer is stuck in the kernel; it is then left to whoever inherits
// it, because a destructor has to end.
constexpr std::chrono::milliseconds kDestroyLimit{2000};

ExitStatus status_of(const siginfo_t& info) {
  if (info.si_code == CLD_EXITED) return ExitStatus::exited(info.si_status & 0xff);
  return ExitStatus::signaled(info.si_status);
}

}  // namespace

Child::Child(Launched launched) : pid_(launched.pid), pidfd_(std::move(launched.pidfd)) {}

Child::~Child() {
  if (poll()) return;
  signal_group(SIGKILL);
  signal(SIGKILL);
  wait_until(std::chrono::steady_clock::now() + kDestroyLimit);
}

std::optional<ExitStatus> Child::poll() noexcept {
  const std::lock_guard lock(mutex_);
  return poll_locked();
}

std::optional<ExitStatus> Child::poll_locked() noexcept {
  if (reaped_ || (status_ && holds_ > 0)) return status_;
  siginfo_t info{};
  const int options = WEXITED | WNOHANG | (holds_ > 0 ? WNOWAIT : 0);
  const int result = retry_eintr(
      [&] { return ::waitid(P_PIDFD, static_cast<id_t>(pidfd_.get()), &info, options); });
  if (result == 0 && info.si_pid == 0) return status_;  // It runs.
  // A failure (ECHILD) says that it is not ours to wait for any more.
  reaped_ = result != 0 || holds_ == 0;
  if (status_) return status_;
  if (result == 0) {
    status_ = status_of(info);
  } else {
    const std::string why = reason_of(errno);
    status_ = ExitStatus::lost(
        "the status of process " + std::to_string(pid_) + " is gone (" + why +
        "): this program ignores SIGCHLD, or another part of it waits for any child");
  }
  return status_;
}

std::optional<ExitStatus> Child::wait_until(
    std::chrono::steady_clock::time_point deadline) noexcept {
  for (;;) {
    if (auto status = poll()) return status;
    const int left = milliseconds_until(deadline);
    if (left == 0) return std::nullopt;
    pollfd ready{pidfd_.get(), POLLIN, 0};
    ::poll(&ready, 1, left);
  }
}

bool Child::signal(int number) noexcept {
  const std::lock_guard lock(mutex_);
  if (reaped_) return false;
  return send_through(pidfd_.get(), number);
}

bool Child::signal_group(int number) noexcept {
  const std::lock_guard lock(mutex_);
  if (reaped_) return false;
  return ::kill(-pid_, number) == 0;
}

std::optional<Child::Hold> Child::hold() {
  const std::lock_guard lock(mutex_);
  if (reaped_) return std::nullopt;
  ++holds_;
  return Hold(this);
}

void Child::release() noexcept {
  const std::lock_guard lock(mutex_);
  --holds_;
  // What has ended meanwhile is reaped now. What runs on, is not asked for.
  if (holds_ == 0 && status_) poll_locked();
}

}  // namespace sandproof::local
