// SPDX-License-Identifier: Apache-2.0
// What a flavor writes: three small classes of hooks, from which make_sandbox() builds the
// interfaces of sandbox.h, session.h and process.h.
//
// The framework holds the contract: argument and state checks, deadlines, line splitting, decoding,
// caps, spilling, logging, error conversion, wait records, lifetimes. A hook supplies what only the
// flavor knows: an environment, a started command, bytes per stream, a status, a kill.
//
// Thread rules. Sandbox and session hooks are called from any thread, several at once, and never
// under a lock of the framework. The hooks of one process: do_read, do_poll_exit and the write
// hooks are called by one thread at a time each (reads and the exit poll by the leader, writes by
// the writer); do_kill and do_descriptor may be called beside them.
//
// Errors. Hooks throw the errors of errors.h; anything else that derives from std::exception is
// converted to BackendError. The hooks of a process marked noexcept report through their results.
#pragma once

#include <chrono>
#include <cstddef>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <system_error>
#include <vector>

#include "sandproof/command.h"
#include "sandproof/exit_status.h"
#include "sandproof/output.h"
#include "sandproof/settings.h"
#include "sandproof/snapshot.h"

namespace sandproof {

/// What the pump polls of one process.
enum class Channel { kOut, kErr, kExit, kIn };

enum class IoState {
  kReady,  ///< `count` bytes were transferred.
  kAgain,  ///< Nothing now; poll the descriptor.
  kEnd,    ///< End of file; for writes, nobody reads any more.
  kError,  ///< The transport broke; `error` says how.
};

struct IoResult {
  IoState state = IoState::kAgain;
  std::size_t count = 0;
  std::error_code error;

  static IoResult ready(std::size_t count) { return {IoState::kReady, count, {}}; }
  static IoResult again() { return {}; }
  static IoResult end() { return {IoState::kEnd, 0, {}}; }
  static IoResult failed(std::error_code error) { return {IoState::kError, 0, error}; }
};

/// One running command. Destroyed when its status is known and nobody holds it any more; if it is
/// destroyed earlier (a session that is torn down), it must not leak or leave a zombie.
class ProcessHooks {
 public:
  virtual ~ProcessHooks() = default;

  /// The descriptor to poll for a channel (POLLIN; POLLOUT for kIn), or -1 for none. Two channels
  /// may share one descriptor. Constant while the channel has not ended.
  virtual int do_descriptor(Channel channel) const noexcept = 0;

  /// Non-blocking. Reads at most buffer.size() bytes of one output stream.
  virtual IoResult do_read(Stream stream, std::span<std::byte> buffer) noexcept = 0;

  /// Non-blocking. The status once the command itself has ended: reaped, whatever its descendants
  /// hold open. Lost when it cannot be learned any more. The same answer ever after.
  virtual std::optional<ExitStatus> do_poll_exit() noexcept = 0;

  /// Ends the command and every descendant that the flavor can reach. Does nothing after exit: it
  /// must never signal a stranger. Throws on transport trouble.
  virtual void do_kill() = 0;

  /// Non-blocking. Only called for commands started with an input. Default: kEnd.
  virtual IoResult do_write(std::span<const std::byte> bytes) noexcept;
  virtual void do_close_input() noexcept {}
};

/// What do_exec gets: everything checked, split and merged.
struct ExecRequest {
  std::vector<std::string> argv;
  /// As the caller gave it: empty, relative or absolute.
  std::string cwd;
  /// The whole environment of the command where the flavor builds it: the session's (SessionSpec)
  /// with this exec's on top. Attached sessions: the flavor's hook adds what it restored.
  Environment env;
  /// This exec's own variables, for flavors whose backend already holds the session's.
  Environment exec_env;
  /// A pipe is wanted for the command's input.
  bool wants_input = false;
  /// Until when the start itself may take (operation_timeout).
  std::chrono::steady_clock::time_point start_deadline;
};

class SessionHooks {
 public:
  virtual ~SessionHooks() = default;

  /// Starts the command: returns when it has started. Throws ExecError, SandboxLostError,
  /// BackendError.
  virtual std::unique_ptr<ProcessHooks> do_exec(const ExecRequest& request) = 0;

  /// Called once. Where the flavor does not claim `outlives`: ends every process of the session
  /// (TERM, grace, KILL, in parallel, bounded by one grace) and removes the environment. Where it
  /// does: releases what the handle holds, and nothing else.
  virtual void do_close() = 0;

  /// Ends the environment; success when it is gone already. Called again after a failure, and also
  /// after do_close(). Default, for flavors that do not outlive their handle: nothing, since
  /// the do_close() that follows ends everything.
  virtual void do_destroy() {}

  /// The defaults throw UnsupportedError.
  virtual void do_upload_file(const std::filesystem::path& local, const std::string& remote);
  virtual void do_download_file(const std::string& remote, const std::filesystem::path& local);
  /// `ref` and `metadata`; the framework adds the component id.
  virtual Snapshot do_create_snapshot();
  virtual std::optional<std::string> do_dashboard_url() { return std::nullopt; }
};

/// What do_create_session gets.
struct SessionSpec {
  /// Made by the framework; unique.
  std::string id;
  std::string component_id;
  /// Complete: every field of the flavor's description, secrets resolved.
  Settings settings;
  /// `environment` of the settings, secrets resolved; forwarding is the flavor's.
  Environment env;
  std::string run_id;
  std::string step_id;
  std::chrono::steady_clock::time_point start_deadline;
};

class SandboxHooks {
 public:
  virtual ~SandboxHooks() = default;

  /// A new environment. On an error nothing of it may be left.
  virtual std::unique_ptr<SessionHooks> do_create_session(const SessionSpec& spec) = 0;
  /// The defaults throw UnsupportedError. `spec.id` is the id to attach to.
  virtual std::unique_ptr<SessionHooks> do_attach(const SessionSpec& spec);
  virtual std::unique_ptr<SessionHooks> do_restore(const Snapshot& snapshot,
                                                   const Settings& overrides,
                                                   const SessionSpec& spec);
  virtual void do_delete_snapshot(const Snapshot& snapshot);
};

}  // namespace sandproof
