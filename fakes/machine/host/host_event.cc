// SPDX-License-Identifier: Apache-2.0
// Over eventfd(2), which is readable while its count is above 0, and writable while 1 can be added
// to it; see host_event.h.
#include "fakes/machine/host/host_event.h"

#include <sys/eventfd.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <system_error>

namespace sandproof::machine {
namespace {

// The largest count: nothing can be added to it.
constexpr std::uint64_t kFull = UINT64_MAX - 1;

}  // namespace

HostEvent::HostEvent(Kind kind) : kind_(kind), fd_(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {
  if (fd_ < 0) {
    throw std::system_error(errno, std::generic_category(),
                            "a command of the machine cannot be polled, since the host has no "
                            "descriptor left for it; close some, or raise the limit");
  }
  if (kind_ == Kind::kWritable) fill();
}

HostEvent::~HostEvent() { ::close(fd_); }

void HostEvent::set(bool to) {
  if (to == set_) return;
  set_ = to;
  const bool full = (kind_ == Kind::kReadable) == to;
  full ? fill() : drain();
}

void HostEvent::fill() const {
  const std::uint64_t count = kFull;
  // Neither can fail: the count is 0 before, and full after it.
  [[maybe_unused]] const ssize_t done = ::write(fd_, &count, sizeof count);
}

void HostEvent::drain() const {
  std::uint64_t count = 0;
  [[maybe_unused]] const ssize_t done = ::read(fd_, &count, sizeof count);
}

}  // namespace sandproof::machine
