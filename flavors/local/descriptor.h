// SPDX-License-Identifier: Apache-2.0
// An owned file descriptor, and the loop that every interruptible system call goes through.
// A Descriptor is owned by one thread at a time.
#pragma once

#include <cerrno>
#include <chrono>
#include <utility>

namespace sandproof::local {

/// Closes what it holds. Every descriptor that gets in here was opened with O_CLOEXEC.
class Descriptor {
 public:
  Descriptor() = default;
  explicit Descriptor(int fd) : fd_(fd) {}
  Descriptor(Descriptor&& other) noexcept : fd_(other.release()) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    if (this != &other) reset(other.release());
    return *this;
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() { reset(); }

  int get() const { return fd_; }
  bool valid() const { return fd_ >= 0; }
  int release() { return std::exchange(fd_, -1); }
  /// Leaves errno as it was.
  void reset(int fd = -1) noexcept;

 private:
  int fd_ = -1;
};

/// The result of `call`, a system call that says -1 and errno, made again while a signal
/// interrupts it.
template <typename Call>
auto retry_eintr(Call call) -> decltype(call()) {
  decltype(call()) result = 0;
  do {
    result = call();
  } while (result == -1 && errno == EINTR);
  return result;
}

/// What poll() takes for "until then": at least 0, at most some weeks.
int milliseconds_until(std::chrono::steady_clock::time_point deadline);

/// The same descriptor, or, where its number is 0, 1 or 2, a duplicate above them: a program that
/// was started without its standard descriptors gets these numbers for pipes, and what some library
/// prints must not end up in one. Throws std::system_error.
Descriptor lifted(Descriptor descriptor);

}  // namespace sandproof::local
