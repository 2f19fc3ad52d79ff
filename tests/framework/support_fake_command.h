// SPDX-License-Identifier: Apache-2.0
// A command that does what a test says: real pipes and an eventfd, no process. The test holds the
// command's side, FakeProcessHooks the framework's.
//
// Thread-safe: any method from any thread. Owned by both sides together; a descriptor that a thread
// is writing to is closed when that thread has left.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>

#include "sandproof/hooks.h"

namespace sandproof {

/// Long enough for a busy machine under sanitizers; a test that waits that long has failed.
inline constexpr std::chrono::seconds kPatience{60};

class FakeDescriptor {
 public:
  explicit FakeDescriptor(int fd) : fd_(fd) {}
  ~FakeDescriptor();
  FakeDescriptor(const FakeDescriptor&) = delete;
  FakeDescriptor& operator=(const FakeDescriptor&) = delete;
  int get() const { return fd_; }

 private:
  const int fd_;
};

class FakeCommand {
 public:
  explicit FakeCommand(ExecRequest asked);
  FakeCommand(const FakeCommand&) = delete;
  FakeCommand& operator=(const FakeCommand&) = delete;

  const ExecRequest request;

  // How it behaves; set before do_exec returns, in FakeBackend::on_exec.

  /// No channel has a descriptor.
  bool blind = false;
  /// The hooks take all that is in a pipe with the first read and give it out in pieces: the
  /// descriptor says nothing of what they hold.
  bool reads_ahead = false;
  /// What do_read gives at most.
  std::size_t most_per_read = 1 << 20;
  /// Instead of die(signaled(9)); may throw.
  std::function<void()> on_kill;

  // The command's side.

  /// Writes all bytes, blocking; false if the command died or nobody reads meanwhile.
  bool write(Stream stream, std::string_view bytes);
  void close(Stream stream);
  /// The transport breaks behind the bytes that were written.
  void break_stream(Stream stream, std::errc error);
  /// Reads the input: up to `most` bytes, blocking; empty at its end or when the command died.
  std::string read_input(std::size_t most);
  /// Everything up to the end of the input.
  std::string read_all_input();
  /// The command stops reading.
  void close_input();
  /// The command itself ends; its descendants may hold the streams.
  void exit(ExitStatus status);
  /// It ends with all its descendants. Does nothing once it has.
  void die(ExitStatus status);
  /// Closes both streams, then exits.
  void finish(int code = 0);
  /// The exit's descriptor says once that there is something, and there is nothing.
  void wake_for_nothing();

  // What happened to it. The waits are false when kPatience is over.

  int kills() const;
  [[nodiscard]] bool wait_for_kill() const;
  [[nodiscard]] bool wait_for_hooks_gone() const;
  bool hooks_gone() const;
  int exit_polls() const;

 private:
  friend class FakeProcessHooks;
  using Descriptor = std::shared_ptr<FakeDescriptor>;
  struct Pipe {
    Descriptor reading;
    Descriptor writing;
  };
  static Pipe make_pipe();
  Pipe& pipe(Stream stream) { return stream == Stream::kOut ? out_ : err_; }
  /// The command's end of a pipe; null once it was closed.
  Descriptor mine(const Descriptor& end) const;

  mutable std::mutex mutex_;
  mutable std::condition_variable changed_;
  Pipe out_;
  Pipe err_;
  Pipe in_;  ///< Empty unless an input was asked for.
  std::optional<std::errc> broken_[2];
  Descriptor exit_event_;
  Descriptor death_event_;
  std::optional<ExitStatus> status_;
  int kills_ = 0;
  int exit_polls_ = 0;
  bool hooks_gone_ = false;
};

class FakeProcessHooks : public ProcessHooks {
 public:
  explicit FakeProcessHooks(std::shared_ptr<FakeCommand> command);
  ~FakeProcessHooks() override;

  int do_descriptor(Channel channel) const noexcept override;
  IoResult do_read(Stream stream, std::span<std::byte> buffer) noexcept override;
  std::optional<ExitStatus> do_poll_exit() noexcept override;
  void do_kill() override;
  IoResult do_write(std::span<const std::byte> bytes) noexcept override;
  void do_close_input() noexcept override;

 private:
  IoResult read_pipe(Stream stream, std::span<std::byte> buffer) noexcept;

  const std::shared_ptr<FakeCommand> command_;
  std::string ahead_[2];
  // The framework's ends: closed at the end of each, as a flavor may.
  FakeCommand::Descriptor ends_[2];
  FakeCommand::Descriptor input_;
  FakeCommand::Descriptor exit_event_;
};

}  // namespace sandproof
