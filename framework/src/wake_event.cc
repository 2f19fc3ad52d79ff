// SPDX-License-Identifier: Apache-2.0
// See wake_event.h.
#include "wake_event.h"

#include <sys/eventfd.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <system_error>

namespace sandproof {

WakeEvent::WakeEvent() : fd_(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {
  if (fd_ < 0) throw std::system_error(errno, std::generic_category(), "cannot make an eventfd");
}

WakeEvent::~WakeEvent() { ::close(fd_); }

void WakeEvent::set() noexcept {
  const std::uint64_t one = 1;
  // EAGAIN means that the counter is full, so the descriptor is readable: what was wanted.
  while (::write(fd_, &one, sizeof one) < 0 && errno == EINTR) {
  }
}

void WakeEvent::reset() noexcept {
  std::uint64_t count = 0;
  while (::read(fd_, &count, sizeof count) < 0 && errno == EINTR) {
  }
}

}  // namespace sandproof
