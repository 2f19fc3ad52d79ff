// SPDX-License-Identifier: Apache-2.0
// A flavor whose environments are nothing and whose commands are FakeCommands, so that tests drive
// the framework through its public interfaces and decide what happens behind the hooks.
//
// FakeBackend is shared by the test and the hooks; thread-safe. Its functions are set before the
// sandbox is made.
#pragma once

#include <gtest/gtest.h>

#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "sandproof/flavor.h"
#include "sandproof/log_stores.h"
#include "tests/framework/support_fake_command.h"

namespace sandproof {

class FakeBackend {
 public:
  using CommandPtr = std::shared_ptr<FakeCommand>;

  // All may be empty, and may throw what a hook may throw.

  std::function<void(const SessionSpec&)> on_create;
  /// In do_exec, when the command is there; what throws here did not start.
  std::function<void(const CommandPtr&)> on_exec;
  /// Instead of ending every command of the session with signaled(15).
  std::function<void()> on_close;
  std::function<void()> on_destroy;
  std::function<void()> on_transfer;
  std::function<std::optional<std::string>()> on_dashboard_url;

  /// The command that was started last; waits for the first.
  CommandPtr last() const;
  std::vector<CommandPtr> all() const;
  int creates() const { return count(creates_); }
  int closes() const { return count(closes_); }
  int destroys() const { return count(destroys_); }
  int execs() const { return count(execs_); }
  int sessions_alive() const { return count(sessions_alive_); }
  [[nodiscard]] bool wait_for_execs(int at_least) const;
  /// A session's hooks go an instant after those of its last process.
  [[nodiscard]] bool wait_for_no_sessions() const;

  static Flavor flavor(std::shared_ptr<FakeBackend> backend, Capabilities capabilities);

 private:
  friend class FakeSessionHooks;
  friend class FakeSandboxHooks;
  int count(const int& counter) const;
  void add(int& counter, int by = 1);

  mutable std::mutex mutex_;
  mutable std::condition_variable changed_;
  std::vector<CommandPtr> commands_;
  int creates_ = 0;
  int closes_ = 0;
  int destroys_ = 0;
  int execs_ = 0;
  int sessions_alive_ = 0;
};

/// Diagnostics that a test can wait for.
class FakeDiagnostics : public Diagnostics {
 public:
  void report(LogLevel level, std::string_view text) override;
  /// False when kPatience is over.
  [[nodiscard]] bool wait_for(std::string_view part) const;
  int count(std::string_view part) const;

 private:
  mutable std::mutex mutex_;
  mutable std::condition_variable changed_;
  std::vector<std::string> texts_;
};

/// A sandbox over a FakeBackend, a session and its commands.
class FakeFlavorTest : public testing::Test {
 protected:
  FakeFlavorTest();

  /// What the sandbox is made with; to be changed before the first use.
  Capabilities capabilities_{Capability::kStdin, Capability::kAsyncExec};
  Settings settings_;
  bool in_step_ = false;

  const std::shared_ptr<FakeBackend> backend_ = std::make_shared<FakeBackend>();
  const std::shared_ptr<FakeDiagnostics> diagnostics_ = std::make_shared<FakeDiagnostics>();
  const std::shared_ptr<MemoryLogStore> logs_ = std::make_shared<MemoryLogStore>();
  const std::shared_ptr<MemoryMetadataSink> metadata_ = std::make_shared<MemoryMetadataSink>();
  SandboxOptions options_;

  Sandbox& sandbox();
  Session& session();
  std::unique_ptr<Process> exec(ExecOptions options = {});
  FakeCommand& command() { return *backend_->last(); }
  void drop_session() { session_.reset(); }
  void drop_sandbox() { sandbox_.reset(); }

 private:
  std::unique_ptr<Sandbox> sandbox_;
  std::unique_ptr<Session> session_;
};

ExecOptions with_timeout(std::chrono::milliseconds timeout);
ExecOptions with_input(Stdin input);

/// All lines of a stream, to its end.
std::vector<std::string> all_lines(LineStream& stream);
/// All bytes, in reads of at most `piece`.
std::string all_bytes(Process& process, Stream stream, std::size_t piece = 4096);
/// Lines "0 …\n", "1 …\n" …, that make up at least `size` bytes.
std::string numbered_lines(std::size_t size);

}  // namespace sandproof
