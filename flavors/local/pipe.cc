// SPDX-License-Identifier: Apache-2.0
// Pipes between the harness and a command. See pipe.h.
#include "flavors/local/pipe.h"

#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <unistd.h>

#include <array>
#include <ctime>
#include <system_error>

namespace sandproof::local {
namespace {

// Holds SIGPIPE back from this thread, and takes away the one that a write has raised meanwhile.
// One that was pending before is not ours and stays.
class QuietSigpipe {
 public:
  QuietSigpipe() noexcept {
    sigemptyset(&sigpipe_);
    sigaddset(&sigpipe_, SIGPIPE);
    pthread_sigmask(SIG_BLOCK, &sigpipe_, &before_);
    // A SIGPIPE can only be pending already where it was blocked already.
    was_pending_ = sigismember(&before_, SIGPIPE) == 1 && pending();
  }
  QuietSigpipe(const QuietSigpipe&) = delete;
  QuietSigpipe& operator=(const QuietSigpipe&) = delete;
  ~QuietSigpipe() {
    const int saved = errno;
    if (raised_ && !was_pending_) {
      const timespec now{};
      retry_eintr([&] { return sigtimedwait(&sigpipe_, nullptr, &now); });
    }
    pthread_sigmask(SIG_SETMASK, &before_, nullptr);
    errno = saved;
  }
  void raised() noexcept { raised_ = true; }

 private:
  static bool pending() noexcept {
    sigset_t set;
    sigemptyset(&set);
    return sigpending(&set) == 0 && sigismember(&set, SIGPIPE) == 1;
  }

  sigset_t sigpipe_;
  sigset_t before_;
  bool was_pending_ = false;
  bool raised_ = false;
};

}  // namespace

Pipe make_pipe() {
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) {
    throw std::system_error(errno, std::generic_category(), "cannot make a pipe");
  }
  Descriptor read_end(ends[0]);
  Descriptor write_end(ends[1]);
  return {lifted(std::move(read_end)), lifted(std::move(write_end))};
}

void set_nonblocking(int fd) {
  const int flags = ::fcntl(fd, F_GETFL);
  if (flags < 0 || ::fcntl(fd, F_SETFL, flags | O_NONBLOCK) != 0) {
    throw std::system_error(errno, std::generic_category(), "cannot make a pipe non-blocking");
  }
}

IoResult read_pipe(int fd, std::span<std::byte> buffer) noexcept {
  const ssize_t count = retry_eintr([&] { return ::read(fd, buffer.data(), buffer.size()); });
  if (count > 0) return IoResult::ready(static_cast<std::size_t>(count));
  if (count == 0) return IoResult::end();
  if (errno == EAGAIN) return IoResult::again();
  return IoResult::failed({errno, std::generic_category()});
}

IoResult write_pipe(int fd, std::span<const std::byte> bytes) noexcept {
  QuietSigpipe quiet;
  const ssize_t count = retry_eintr([&] { return ::write(fd, bytes.data(), bytes.size()); });
  if (count >= 0) return IoResult::ready(static_cast<std::size_t>(count));
  if (errno == EAGAIN) return IoResult::again();
  if (errno == EPIPE) {
    quiet.raised();
    return IoResult::end();
  }
  return IoResult::failed({errno, std::generic_category()});
}

}  // namespace sandproof::local
