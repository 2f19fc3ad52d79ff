// SPDX-License-Identifier: Apache-2.0
// See support_fake_command.h.
#include "tests/framework/support_fake_command.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <utility>

namespace sandproof {
namespace {

[[noreturn]] void fail(const char* what) {
  throw std::system_error(errno, std::generic_category(), what);
}

std::shared_ptr<FakeDescriptor> make_event() {
  const int fd = ::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
  if (fd < 0) fail("eventfd");
  return std::make_shared<FakeDescriptor>(fd);
}

void set_event(int fd) {
  const std::uint64_t one = 1;
  if (::write(fd, &one, sizeof one) < 0 && errno != EAGAIN) fail("write to an eventfd");
}

/// Takes what wake_for_nothing() has left there: it would be ready for ever.
void take_event(int fd) noexcept {
  std::uint64_t ignored = 0;
  [[maybe_unused]] const ssize_t count = ::read(fd, &ignored, sizeof ignored);
}

/// False when the command died first.
bool wait_until_ready(int fd, short events, int death_event) {
  pollfd items[] = {{fd, events, 0}, {death_event, POLLIN, 0}};
  while (::poll(items, 2, -1) < 0) {
    if (errno != EINTR) fail("poll");
  }
  return items[1].revents == 0;
}

std::size_t index_of(Stream stream) { return static_cast<std::size_t>(stream); }

}  // namespace

FakeDescriptor::~FakeDescriptor() { ::close(fd_); }

FakeCommand::Pipe FakeCommand::make_pipe() {
  int ends[2];
  // Both ends non-blocking: the command's side polls, so that its death ends a write.
  if (::pipe2(ends, O_CLOEXEC | O_NONBLOCK) != 0) fail("pipe2");
  return {std::make_shared<FakeDescriptor>(ends[0]), std::make_shared<FakeDescriptor>(ends[1])};
}

FakeCommand::FakeCommand(ExecRequest asked)
    : request(std::move(asked)),
      out_(make_pipe()),
      err_(make_pipe()),
      exit_event_(make_event()),
      death_event_(make_event()) {
  if (request.wants_input) in_ = make_pipe();
}

FakeCommand::Descriptor FakeCommand::mine(const Descriptor& end) const {
  const std::lock_guard lock(mutex_);
  return end;
}

bool FakeCommand::write(Stream stream, std::string_view bytes) {
  const Descriptor end = mine(pipe(stream).writing);
  if (end == nullptr) return false;
  while (!bytes.empty()) {
    if (!wait_until_ready(end->get(), POLLOUT, death_event_->get())) return false;
    const ssize_t n = ::write(end->get(), bytes.data(), bytes.size());
    if (n >= 0) {
      bytes.remove_prefix(static_cast<std::size_t>(n));
    } else if (errno != EAGAIN && errno != EINTR) {
      return false;
    }
  }
  return true;
}

void FakeCommand::close(Stream stream) {
  Descriptor end;  // Closed after the lock.
  const std::lock_guard lock(mutex_);
  end.swap(pipe(stream).writing);
}

void FakeCommand::break_stream(Stream stream, std::errc error) {
  {
    const std::lock_guard lock(mutex_);
    broken_[index_of(stream)] = error;
  }
  close(stream);
}

std::string FakeCommand::read_input(std::size_t most) {
  const Descriptor end = mine(in_.reading);
  if (end == nullptr) return {};
  std::string bytes(most, '\0');
  for (;;) {
    if (!wait_until_ready(end->get(), POLLIN, death_event_->get())) return {};
    const ssize_t n = ::read(end->get(), bytes.data(), bytes.size());
    if (n >= 0) {
      bytes.resize(static_cast<std::size_t>(n));
      return bytes;
    }
    if (errno != EAGAIN && errno != EINTR) return {};
  }
}

std::string FakeCommand::read_all_input() {
  std::string all;
  for (;;) {
    const std::string piece = read_input(1 << 16);
    if (piece.empty()) return all;
    all += piece;
  }
}

void FakeCommand::close_input() {
  Descriptor end;
  const std::lock_guard lock(mutex_);
  end.swap(in_.reading);
}

void FakeCommand::exit(ExitStatus status) {
  const std::lock_guard lock(mutex_);
  if (status_) return;
  status_ = std::move(status);
  set_event(exit_event_->get());
}

void FakeCommand::die(ExitStatus status) {
  set_event(death_event_->get());
  close(Stream::kOut);
  close(Stream::kErr);
  close_input();
  exit(std::move(status));
}

void FakeCommand::finish(int code) {
  close(Stream::kOut);
  close(Stream::kErr);
  exit(ExitStatus::exited(code));
}

void FakeCommand::wake_for_nothing() {
  const std::lock_guard lock(mutex_);
  set_event(exit_event_->get());
}

int FakeCommand::kills() const {
  const std::lock_guard lock(mutex_);
  return kills_;
}

bool FakeCommand::wait_for_kill() const {
  std::unique_lock lock(mutex_);
  return changed_.wait_for(lock, kPatience, [this] { return kills_ > 0; });
}

bool FakeCommand::wait_for_hooks_gone() const {
  std::unique_lock lock(mutex_);
  return changed_.wait_for(lock, kPatience, [this] { return hooks_gone_; });
}

bool FakeCommand::hooks_gone() const {
  const std::lock_guard lock(mutex_);
  return hooks_gone_;
}

int FakeCommand::exit_polls() const {
  const std::lock_guard lock(mutex_);
  return exit_polls_;
}

FakeProcessHooks::FakeProcessHooks(std::shared_ptr<FakeCommand> command)
    : command_(std::move(command)),
      ends_{std::exchange(command_->out_.reading, nullptr),
            std::exchange(command_->err_.reading, nullptr)},
      input_(std::exchange(command_->in_.writing, nullptr)),
      exit_event_(command_->exit_event_) {}

FakeProcessHooks::~FakeProcessHooks() {
  const std::lock_guard lock(command_->mutex_);
  command_->hooks_gone_ = true;
  command_->changed_.notify_all();
}

int FakeProcessHooks::do_descriptor(Channel channel) const noexcept {
  if (command_->blind) return -1;
  const auto number = [](const FakeCommand::Descriptor& end) { return end ? end->get() : -1; };
  switch (channel) {
    case Channel::kOut:
      return number(ends_[0]);
    case Channel::kErr:
      return number(ends_[1]);
    case Channel::kExit:
      return number(exit_event_);
    case Channel::kIn:
      return number(input_);
  }
  return -1;
}

IoResult FakeProcessHooks::do_read(Stream stream, std::span<std::byte> buffer) noexcept {
  if (!command_->reads_ahead) return read_pipe(stream, buffer);
  std::string& ahead = ahead_[index_of(stream)];
  IoResult last = IoResult::ready(0);
  while (ahead.empty() && last.state == IoState::kReady) {
    char piece[1 << 16];
    while ((last = read_pipe(stream, std::as_writable_bytes(std::span(piece)))).state ==
           IoState::kReady) {
      ahead.append(piece, last.count);
    }
  }
  if (ahead.empty()) return last;
  const std::size_t count = std::min({buffer.size(), ahead.size(), command_->most_per_read});
  ahead.copy(reinterpret_cast<char*>(buffer.data()), count);
  ahead.erase(0, count);
  return IoResult::ready(count);
}

IoResult FakeProcessHooks::read_pipe(Stream stream, std::span<std::byte> buffer) noexcept {
  FakeCommand::Descriptor& end = ends_[index_of(stream)];
  if (end == nullptr) return IoResult::end();
  const std::size_t most = std::min(buffer.size(), command_->most_per_read);
  for (;;) {
    const ssize_t n = ::read(end->get(), buffer.data(), most);
    if (n > 0) return IoResult::ready(static_cast<std::size_t>(n));
    if (n < 0 && errno == EINTR) continue;
    if (n < 0 && errno == EAGAIN) return IoResult::again();
    if (n < 0) return IoResult::failed({errno, std::generic_category()});
    break;
  }
  end.reset();
  const std::lock_guard lock(command_->mutex_);
  const std::optional<std::errc> broken = command_->broken_[index_of(stream)];
  return broken ? IoResult::failed(std::make_error_code(*broken)) : IoResult::end();
}

std::optional<ExitStatus> FakeProcessHooks::do_poll_exit() noexcept {
  const std::lock_guard lock(command_->mutex_);
  ++command_->exit_polls_;
  if (!command_->status_) take_event(exit_event_->get());
  return command_->status_;
}

void FakeProcessHooks::do_kill() {
  {
    const std::lock_guard lock(command_->mutex_);
    ++command_->kills_;
    command_->changed_.notify_all();
  }
  if (command_->on_kill) {
    command_->on_kill();
  } else {
    command_->die(ExitStatus::signaled(9));
  }
}

IoResult FakeProcessHooks::do_write(std::span<const std::byte> bytes) noexcept {
  if (input_ == nullptr) return IoResult::end();
  for (;;) {
    const ssize_t n = ::write(input_->get(), bytes.data(), bytes.size());
    if (n >= 0) return IoResult::ready(static_cast<std::size_t>(n));
    if (errno == EAGAIN) return IoResult::again();
    if (errno == EPIPE) return IoResult::end();
    if (errno != EINTR) return IoResult::failed({errno, std::generic_category()});
  }
}

void FakeProcessHooks::do_close_input() noexcept { input_.reset(); }

}  // namespace sandproof
