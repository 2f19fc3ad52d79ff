// SPDX-License-Identifier: Apache-2.0
// Flavors that break EXEC: what becomes of commands that cannot start. Each mutation is used from
// any thread.
#include <poll.h>
#include <sys/types.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "conformance/mutants/areas.h"
#include "conformance/mutants/support.h"
#include "sandproof/errors.h"

namespace sandproof::conformance {
namespace {

/// An exec that was refused.
template <typename Problem>
struct Refused {
  Session& session;
  const Command& command;
  const ExecOptions& options;
  const Problem& error;
};
using BadCommand = Refused<InvalidArgumentError>;
using FailedLaunch = Refused<ExecError>;

/// Where exec throws a Problem and `Fault` applies, what the fault makes of it: another error, a
/// process, or null for the same error after all.
template <typename Problem, typename Fault>
class Instead : public Faulty<SessionWrapper> {
 public:
  using Faulty<SessionWrapper>::Faulty;
  std::unique_ptr<Process> exec(Command command, ExecOptions options, Where where) override {
    try {
      return inner().exec(command, options, where);
    } catch (const Problem& error) {
      const Refused<Problem> refused = {inner(), command, options, error};
      if (!Fault::applies(refused) || !fires()) throw;
      if (auto process = Fault::come_to(refused)) return process;
      throw;
    }
  }
};

struct Succeeds {
  static bool applies(const BadCommand&) { return true; }
  static std::unique_ptr<Process> come_to(const BadCommand& refused) {
    return refused.session.exec({"true"});
  }
};
struct IsAnExecError {
  static bool applies(const BadCommand&) { return true; }
  static std::unique_ptr<Process> come_to(const BadCommand& refused) {
    throw ExecError(LaunchFailure::kOther, refused.error.what());
  }
};
struct IsTriedFirst {
  static bool applies(const BadCommand&) { return true; }
  static std::unique_ptr<Process> come_to(const BadCommand& refused) {
    refused.session.exec({"true"})->wait();
    return nullptr;
  }
};

/// For failures of one kind.
template <LaunchFailure kWhy>
struct Of {
  static bool applies(const FailedLaunch& refused) { return refused.error.why() == kWhy; }
};
struct OfAnyKind {
  static bool applies(const FailedLaunch&) { return true; }
};

struct IsExit127 : Of<LaunchFailure::kNotFound> {
  static std::unique_ptr<Process> come_to(const FailedLaunch& refused) {
    return refused.session.exec({"sh", "-c", "exit 127"});
  }
};
struct IsABackendError : Of<LaunchFailure::kNotExecutable> {
  static std::unique_ptr<Process> come_to(const FailedLaunch& refused) {
    throw BackendError(refused.error.what());
  }
};
struct ForgetsTheName : OfAnyKind {
  static std::unique_ptr<Process> come_to(const FailedLaunch& refused) {
    throw ExecError(refused.error.why(), "the command could not be started");
  }
};
struct ForgetsTheReason : OfAnyKind {
  static std::unique_ptr<Process> come_to(const FailedLaunch& refused) {
    throw ExecError(LaunchFailure::kOther, refused.error.what());
  }
};

class FailsLater : public ProcessWrapper {
 public:
  FailsLater(std::unique_ptr<Process> inner, ExecError error)
      : ProcessWrapper(std::move(inner)), error_(std::move(error)) {}
  ExitStatus wait(Where) override { throw ExecError(error_); }
  ExitStatus wait(std::chrono::milliseconds, Where) override { throw ExecError(error_); }
  Output collect(const CollectOptions&, Where) override { throw ExecError(error_); }

 private:
  const ExecError error_;
};
struct ComesFromWait : Of<LaunchFailure::kNotFound> {
  static std::unique_ptr<Process> come_to(const FailedLaunch& refused) {
    return std::make_unique<FailsLater>(refused.session.exec({"true"}), refused.error);
  }
};

/// The read of the report that the program could not be executed is not made again.
struct IsNotNoticedWhenInterrupted {
  static bool applies(const FailedLaunch&) { return ::poll(nullptr, 0, 1) < 0 && errno == EINTR; }
  static std::unique_ptr<Process> come_to(const FailedLaunch& refused) {
    return refused.session.exec({"true"});
  }
};

struct LeavesAZombie : OfAnyKind {
  static std::unique_ptr<Process> come_to(const FailedLaunch&) {
    if (::fork() == 0) ::_exit(0);
    return nullptr;
  }
};
struct ClosesTheSession : OfAnyKind {
  static std::unique_ptr<Process> come_to(const FailedLaunch& refused) {
    refused.session.close();
    return nullptr;
  }
};
/// As some C libraries do.
struct IsRunByAShell : Of<LaunchFailure::kBadFormat> {
  static std::unique_ptr<Process> come_to(const FailedLaunch& refused) {
    std::vector<std::string> words = refused.command.words();
    words.insert(words.begin(), "sh");
    return refused.session.exec(words, refused.options);
  }
};
struct IsExit126 {
  static bool applies(const FailedLaunch& refused) {
    return std::string(refused.error.what()).find("interpreter") != std::string::npos;
  }
  static std::unique_ptr<Process> come_to(const FailedLaunch& refused) {
    return refused.session.exec({"sh", "-c", "exit 126"});
  }
};

ExecOptions without_cwd(ExecOptions options) {
  options.cwd.clear();
  return options;
}
struct IgnoresTheCwd : Of<LaunchFailure::kBadCwd> {
  static std::unique_ptr<Process> come_to(const FailedLaunch& refused) {
    return refused.session.exec(refused.command, without_cwd(refused.options));
  }
};
struct SaysBadCwdTooLate : Of<LaunchFailure::kBadCwd> {
  static std::unique_ptr<Process> come_to(const FailedLaunch& refused) {
    refused.session.exec(refused.command, without_cwd(refused.options))->wait();
    return nullptr;
  }
};
struct IsExit1 : Of<LaunchFailure::kBadCwd> {
  static std::unique_ptr<Process> come_to(const FailedLaunch& refused) {
    return refused.session.exec({"sh", "-c", "echo cd: no such directory >&2; exit 1"});
  }
};

struct ForgetsThatItIsFull : Of<LaunchFailure::kNoResources> {
  static std::unique_ptr<Process> come_to(const FailedLaunch& refused) {
    throw ExecError(LaunchFailure::kOther, refused.error.what());
  }
};

/// A command that did not fit is kept, and started once there is room.
class StartsItLater : public Faulty<SessionWrapper> {
 public:
  using Faulty::Faulty;
  std::unique_ptr<Process> exec(Command command, ExecOptions options, Where where) override {
    if (const auto late = take_late(); late && fires()) inner().exec(*late, {}, where);
    try {
      return inner().exec(command, options, where);
    } catch (const ExecError& error) {
      if (error.why() == LaunchFailure::kNoResources) {
        const std::lock_guard lock(mutex_);
        late_ = command;
      }
      throw;
    }
  }

 private:
  std::optional<Command> take_late() {
    const std::lock_guard lock(mutex_);
    return std::exchange(late_, std::nullopt);
  }

  std::mutex mutex_;
  std::optional<Command> late_;
};

}  // namespace

std::vector<Mutant> exec_launch_mutants() {
  return {
      {.name = "AnEmptyCommandSucceeds",
       .rule = "EXEC-003",
       .what = "A command that is none succeeds.",
       .wrap = each_session<Instead<InvalidArgumentError, Succeeds>>(),
       .bug = "https://github.com/daytonaio/daytona/issues/4230"},
      {.name = "AnEmptyCommandIsAnExecError",
       .rule = "EXEC-003",
       .what = "A command that is none throws ExecError.",
       .wrap = each_session<Instead<InvalidArgumentError, IsAnExecError>>()},
      {.name = "ABadCommandIsTried",
       .rule = "EXEC-003",
       .what = "The backend is asked before the command is looked at.",
       .wrap = each_session<Instead<InvalidArgumentError, IsTriedFirst>>()},
      {.name = "NotFoundIsExit127",
       .rule = "EXEC-004",
       .what = "A program that is not found is a command that exits with 127.",
       .wrap = each_session<Instead<ExecError, IsExit127>>(),
       .bug = "https://github.com/daytonaio/daytona/issues/2283"},
      {.name = "ADirectoryIsABackendError",
       .rule = "EXEC-004",
       .what = "A program that cannot be executed throws BackendError.",
       .wrap = each_session<Instead<ExecError, IsABackendError>>(),
       .bug = "https://github.com/moby/moby/issues/45795"},
      {.name = "AFailedLaunchForgetsTheProgram",
       .rule = "EXEC-004",
       .what = "The ExecError does not name the program.",
       .wrap = each_session<Instead<ExecError, ForgetsTheName>>()},
      {.name = "AFailedLaunchForgetsTheReason",
       .rule = "EXEC-004",
       .what = "The ExecError does not say why.",
       .wrap = each_session<Instead<ExecError, ForgetsTheReason>>()},
      {.name = "ALaunchFailureComesFromWait",
       .rule = "EXEC-004",
       .what = "exec gives a handle for a program that is not found, and wait() throws ExecError.",
       .wrap = each_session<Instead<ExecError, ComesFromWait>>()},
      {.name = "AnInterruptedLaunchSucceeds",
       .rule = "EXEC-004",
       .what = "A failed launch that a signal interrupts is not noticed.",
       .wrap = each_session<Instead<ExecError, IsNotNoticedWhenInterrupted>>(),
       .bug = "https://github.com/cpan-authors/IPC-Run/pull/177"},
      {.name = "AFailedLaunchLeavesAZombie",
       .rule = "EXEC-004",
       .what = "The child that could not execute the program is not reaped.",
       .wrap = each_session<Instead<ExecError, LeavesAZombie>>(),
       .bug = "https://github.com/swiftlang/swift-subprocess/pull/282"},
      {.name = "AFailedLaunchClosesTheSession",
       .rule = "EXEC-004",
       .what = "A failed launch closes the session.",
       .wrap = each_session<Instead<ExecError, ClosesTheSession>>()},
      {.name = "ABadFormatIsRunByAShell",
       .rule = "EXEC-004",
       .what = "A file that is no program is run by sh.",
       .wrap = each_session<Instead<ExecError, IsRunByAShell>>()},
      {.name = "ABadInterpreterIsExit126",
       .rule = "EXEC-004",
       .what = "A script whose interpreter is missing exits with 126.",
       .wrap = each_session<Instead<ExecError, IsExit126>>()},
      {.name = "ABadCwdIsIgnored",
       .rule = "EXEC-005",
       .what = "A missing cwd is ignored.",
       .wrap = each_session<Instead<ExecError, IgnoresTheCwd>>()},
      {.name = "BadCwdIsNotNamed",
       .rule = "EXEC-005",
       .what = "The ExecError does not name the cwd.",
       .wrap = each_session<Instead<ExecError, ForgetsTheName>>()},
      {.name = "ABadCwdIsExit1",
       .rule = "EXEC-005",
       .what = "A missing cwd is a command that exits with 1.",
       .wrap = each_session<Instead<ExecError, IsExit1>>()},
      {.name = "ABadCwdIsNoticedAfterwards",
       .rule = "EXEC-005",
       .what = "The command runs elsewhere before exec throws.",
       .wrap = each_session<Instead<ExecError, SaysBadCwdTooLate>>()},
      {.name = "AFullEnvironmentForgetsItsReason",
       .rule = "EXEC-019",
       .what = "The ExecError does not say that the environment is full.",
       .wrap = each_session<Instead<ExecError, ForgetsThatItIsFull>>()},
      {.name = "ACommandThatDidNotFitIsStartedLater",
       .rule = "EXEC-019",
       .what = "A command that was refused is started when there is room.",
       .wrap = each_session<StartsItLater>()},
  };
}

}  // namespace sandproof::conformance
