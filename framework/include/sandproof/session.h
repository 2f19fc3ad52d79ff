// SPDX-License-Identifier: Apache-2.0
// A handle to one isolated environment.
//
// A pure interface; thread-safe. The destructor is close(), or destroy() if the session was so
// created: bounded, never throwing; its error goes to the log and to
// Sandbox::last_teardown_error().
#pragma once

#include <filesystem>
#include <future>
#include <memory>
#include <optional>
#include <string>

#include "sandproof/command.h"
#include "sandproof/process.h"
#include "sandproof/snapshot.h"
#include "sandproof/where.h"

namespace sandproof {

class Session {
 public:
  virtual ~Session() = default;

  virtual std::string id() const = 0;
  virtual bool closed() const = 0;
  virtual std::optional<std::string> dashboard_url() const = 0;

  /// Starts a command; returns when it has started, not when it has finished. Throws
  /// SessionClosedError, InvalidArgumentError (empty command, unbalanced quotes, bad env name, bad
  /// timeout), ExecError (did not start), UnsupportedError (stdin where not claimed),
  /// SandboxLostError.
  virtual std::unique_ptr<Process> exec(Command command, ExecOptions options = {},
                                        Where where = Where::current()) = 0;
  /// The same on a small fixed pool. Dropping the future neither blocks nor cancels. close()
  /// fails what is still queued with SessionClosedError.
  virtual std::future<std::unique_ptr<Process>> exec_async(Command command,
                                                           ExecOptions options = {},
                                                           Where where = Where::current()) = 0;

  /// Regular files; links are followed; written aside, then renamed. A relative remote path is
  /// relative to the session's working directory. Throws SessionClosedError, UnsupportedError,
  /// NotFoundError (source), FileTransferError, InvalidArgumentError (leaves the working directory
  /// where the flavor does not isolate).
  virtual void upload_file(const std::filesystem::path& local, const std::string& remote,
                           Where where = Where::current()) = 0;
  virtual void download_file(const std::string& remote, const std::filesystem::path& local,
                             Where where = Where::current()) = 0;

  /// Throws SessionClosedError, UnsupportedError, BackendError.
  virtual Snapshot create_snapshot(Where where = Where::current()) = 0;

  /// Releases the handle; idempotent. Where the flavor does not outlive its handle, ends every
  /// process of the session and removes the working directory. A failing hook's error propagates
  /// once; the session is closed all the same.
  virtual void close(Where where = Where::current()) = 0;
  /// Ends the environment, then closes the handle; works on a closed handle; idempotent. On
  /// failure the error propagates, the handle stays open, and it can be tried again.
  virtual void destroy(Where where = Where::current()) = 0;
};

}  // namespace sandproof
