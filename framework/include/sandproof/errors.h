// SPDX-License-Identifier: Apache-2.0
// The one small set of errors that every flavor throws (CONTRACT.md, "Errors").
// Values: each owns its text; copying is cheap enough for an exceptional path. Any thread.
// A message is one sentence that names what failed, on what, why, and what to do where there is
// something to do. It never carries secrets.
#pragma once

#include <memory>
#include <stdexcept>
#include <string>
#include <utility>

namespace sandproof {

struct Output;

/// The base of all errors of the contract.
class Error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// The handle was closed or destroyed. The message holds the session id.
class SessionClosedError : public Error {
 public:
  explicit SessionClosedError(const std::string& session_id);
};

/// Why a command did not start.
enum class LaunchFailure {
  kNotFound,
  kNotExecutable,
  kBadCwd,
  kBadFormat,
  kTooLarge,
  kNoResources,
  kOther,
};

/// The command did not start; there is no process.
class ExecError : public Error {
 public:
  ExecError(LaunchFailure why, const std::string& message) : Error(message), why_(why) {}
  LaunchFailure why() const { return why_; }

 private:
  LaunchFailure why_;
};

/// The flavor does not offer the operation. The message names both.
class UnsupportedError : public Error {
 public:
  UnsupportedError(const std::string& operation, const std::string& flavor);
};

/// A session, snapshot, file or image does not exist. The message names it.
class NotFoundError : public Error {
 public:
  using Error::Error;
};

/// An argument or a setting is wrong. Thrown before anything is contacted.
class InvalidArgumentError : public Error {
 public:
  using Error::Error;
};

/// A deadline passed. Never inferred from an exit code.
class TimeoutError : public Error {
 public:
  using Error::Error;
};

/// `collect()` was called before on this process.
class AlreadyCollectedError : public Error {
 public:
  using Error::Error;
};

/// The environment or its transport went away; the status of the command is unknown.
class SandboxLostError : public Error {
 public:
  explicit SandboxLostError(const std::string& message) : Error(message) {}
  SandboxLostError(const std::string& message, std::shared_ptr<const Output> partial)
      : Error(message), partial_(std::move(partial)) {}
  /// What `collect()` had received so far; null where the error does not come from `collect()`.
  const Output* partial() const { return partial_.get(); }

 private:
  std::shared_ptr<const Output> partial_;
};

/// A file could not be transferred; the target is as it was.
class FileTransferError : public Error {
 public:
  using Error::Error;
};

/// The backend refused. Carries its status (0 where it has none) and its text.
class BackendError : public Error {
 public:
  explicit BackendError(const std::string& message, int status = 0)
      : Error(message), status_(status) {}
  int status() const { return status_; }

 private:
  int status_;
};

}  // namespace sandproof
