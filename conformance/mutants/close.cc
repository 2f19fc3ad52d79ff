// SPDX-License-Identifier: Apache-2.0
// Flavors that break CLOSE: what close() does to the handle. What it does to commands and blocked
// calls is in close_running.cc, what comes too late in close_late.cc. Each mutation is used from
// any thread.
#include <atomic>
#include <exception>
#include <memory>
#include <thread>
#include <utility>
#include <vector>

#include "conformance/mutants/areas.h"
#include "conformance/mutants/support.h"
#include "sandproof/errors.h"

namespace sandproof::conformance {
namespace {

class ExecAfterCloseIsAnExecError : public Faulty<SessionWrapper> {
 public:
  using Faulty::Faulty;
  std::unique_ptr<Process> exec(Command command, ExecOptions options, Where where) override {
    if (closed() && fires()) {
      throw ExecError(LaunchFailure::kOther, "the session " + id() + " is closed");
    }
    return inner().exec(std::move(command), std::move(options), where);
  }
};

class ClosedErrorForgetsTheId : public Faulty<SessionWrapper> {
 public:
  using Faulty::Faulty;
  std::future<std::unique_ptr<Process>> exec_async(Command command, ExecOptions options,
                                                   Where where) override {
    if (closed() && fires()) throw SessionClosedError("?");
    return inner().exec_async(std::move(command), std::move(options), where);
  }
};

class SnapshotAfterCloseIsUnsupported : public Faulty<SessionWrapper> {
 public:
  using Faulty::Faulty;
  Snapshot create_snapshot(Where where) override {
    if (closed() && fires()) throw UnsupportedError("create_snapshot", id());
    return inner().create_snapshot(where);
  }
};

class UploadLooksAtTheSourceFirst : public Faulty<SessionWrapper> {
 public:
  using Faulty::Faulty;
  void upload_file(const std::filesystem::path& local, const std::string& remote,
                   Where where) override {
    if (closed() && !std::filesystem::exists(local) && fires()) {
      throw NotFoundError("session " + id() + ": there is no file " + local.string());
    }
    inner().upload_file(local, remote, where);
  }
};

class DownloadAfterCloseIsATransferError : public Faulty<SessionWrapper> {
 public:
  using Faulty::Faulty;
  void download_file(const std::string& remote, const std::filesystem::path& local,
                     Where where) override {
    if (closed() && fires()) throw FileTransferError("the session " + id() + " is closed");
    inner().download_file(remote, local, where);
  }
};

/// Each session has a hidden twin that is asked first.
class AsksTheBackendBeforeItRefuses : public Faulty<SandboxWrapper> {
 public:
  using Faulty::Faulty;
  std::unique_ptr<Session> create_session(const Settings& overrides, OnExit on_exit,
                                          Where where) override {
    auto session = inner().create_session(overrides, on_exit, where);
    return std::make_unique<Asks>(std::move(session), trigger(),
                                  inner().create_session({}, OnExit::kDestroy, where));
  }

 private:
  class Asks : public Faulty<SessionWrapper> {
   public:
    Asks(std::unique_ptr<Session> inner, std::shared_ptr<Trigger> trigger,
         std::unique_ptr<Session> twin)
        : Faulty(std::move(inner), std::move(trigger)), twin_(std::move(twin)) {}
    std::unique_ptr<Process> exec(Command command, ExecOptions options, Where where) override {
      if (closed() && fires()) twin_->exec({"true"})->wait();
      return inner().exec(std::move(command), std::move(options), where);
    }

   private:
    const std::unique_ptr<Session> twin_;
  };
};

/// Takes a second close on one thread for a recursion.
class SecondCloseThrows : public Faulty<SessionWrapper> {
 public:
  using Faulty::Faulty;
  void close(Where where) override {
    if (closer_.exchange(std::this_thread::get_id()) == std::this_thread::get_id() && fires()) {
      throw SessionClosedError(id());
    }
    inner().close(where);
  }

 private:
  std::atomic<std::thread::id> closer_ = std::thread::id();
};

class ConcurrentCloseIsRefused : public Faulty<SessionWrapper> {
 public:
  using Faulty::Faulty;
  void close(Where where) override {
    crossing_.cross([&] { inner().close(where); },
                    [&] {
                      if (fires()) throw BackendError("session " + id() + " is being closed");
                      inner().close(where);
                    });
  }

 private:
  Crossing crossing_;
};

/// Each session has a hidden twin; a second close closes that.
class ASecondCloseReachesTheBackend : public Faulty<SandboxWrapper> {
 public:
  using Faulty::Faulty;
  std::unique_ptr<Session> create_session(const Settings& overrides, OnExit on_exit,
                                          Where where) override {
    auto session = inner().create_session(overrides, on_exit, where);
    return std::make_unique<ClosesTwice>(std::move(session), trigger(),
                                         inner().create_session({}, OnExit::kDestroy, where));
  }

 private:
  class ClosesTwice : public Faulty<SessionWrapper> {
   public:
    ClosesTwice(std::unique_ptr<Session> inner, std::shared_ptr<Trigger> trigger,
                std::unique_ptr<Session> twin)
        : Faulty(std::move(inner), std::move(trigger)), twin_(std::move(twin)) {}
    void close(Where where) override {
      if (closed() && fires()) twin_->close(where);
      inner().close(where);
    }

   private:
    const std::unique_ptr<Session> twin_;
  };
};

class ClosedStaysFalse : public Faulty<SessionWrapper> {
 public:
  using Faulty::Faulty;
  bool closed() const override { return inner().closed() && !fires(); }
};

class ClosedIsTrueAfterAnExec : public Faulty<SessionWrapper> {
 public:
  using Faulty::Faulty;
  bool closed() const override { return inner().closed() || (used_ && fires()); }
  std::unique_ptr<Process> exec(Command command, ExecOptions options, Where where) override {
    used_ = true;
    return inner().exec(std::move(command), std::move(options), where);
  }

 private:
  std::atomic<bool> used_ = false;
};

class CloseErrorIsSwallowed : public Faulty<SessionWrapper> {
 public:
  using Faulty::Faulty;
  void close(Where where) override {
    try {
      inner().close(where);
    } catch (const BackendError&) {
      if (!fires()) throw;
    }
  }
};

class CloseErrorComesTwice : public Faulty<SessionWrapper> {
 public:
  using Faulty::Faulty;
  void close(Where where) override {
    if (error_ && fires()) std::rethrow_exception(error_);
    try {
      inner().close(where);
    } catch (const Error&) {
      error_ = std::current_exception();
      throw;
    }
  }

 private:
  std::exception_ptr error_;  // Closed by one thread at a time in its cases.
};

class AFailedCloseStaysOpen : public Faulty<SessionWrapper> {
 public:
  using Faulty::Faulty;
  bool closed() const override { return inner().closed() && !(failed_ && fires()); }
  void close(Where where) override {
    try {
      inner().close(where);
    } catch (const Error&) {
      failed_ = true;
      throw;
    }
  }

 private:
  std::atomic<bool> failed_ = false;
};

/// Reports what the flavor would, is closed from then on, and has not ended its log.
class AFailedCloseForgetsTheLog : public Faulty<SessionWrapper> {
 public:
  using Faulty::Faulty;
  bool closed() const override { return failed_ || inner().closed(); }
  std::unique_ptr<Process> exec(Command command, ExecOptions options, Where where) override {
    if (failed_) throw SessionClosedError(id());
    return inner().exec(std::move(command), std::move(options), where);
  }
  void close(Where where) override {
    if (failed_) return;
    if (fires()) {
      failed_ = true;
      throw BackendError("injected: close refused");
    }
    inner().close(where);
  }

 private:
  std::atomic<bool> failed_ = false;
};

}  // namespace

std::vector<Mutant> close_mutants() {
  std::vector<Mutant> mutants{
      {.name = "ExecAfterCloseIsAnExecError",
       .rule = "CLOSE-001",
       .what = "exec on a closed session throws ExecError.",
       .wrap = each_session<ExecAfterCloseIsAnExecError>()},
      {.name = "ClosedErrorForgetsTheId",
       .rule = "CLOSE-001",
       .what = "exec_async on a closed session does not name the session.",
       .wrap = each_session<ClosedErrorForgetsTheId>()},
      {.name = "SnapshotAfterCloseIsUnsupported",
       .rule = "CLOSE-001",
       .what = "create_snapshot on a closed session throws UnsupportedError.",
       .wrap = each_session<SnapshotAfterCloseIsUnsupported>()},
      {.name = "UploadLooksAtTheSourceFirst",
       .rule = "CLOSE-001",
       .what = "upload_file on a closed session complains of the missing source.",
       .wrap = each_session<UploadLooksAtTheSourceFirst>()},
      {.name = "DownloadAfterCloseIsATransferError",
       .rule = "CLOSE-001",
       .what = "download_file on a closed session throws FileTransferError.",
       .wrap = each_session<DownloadAfterCloseIsATransferError>()},
      {.name = "AsksTheBackendBeforeItRefuses",
       .rule = "CLOSE-001",
       .what = "exec on a closed session starts something in the backend before it refuses.",
       .wrap = the_sandbox<AsksTheBackendBeforeItRefuses>()},
      {.name = "SecondCloseThrows",
       .rule = "CLOSE-002",
       .what = "A second close() on the same thread throws SessionClosedError.",
       .wrap = each_session<SecondCloseThrows>()},
      {.name = "ConcurrentCloseIsRefused",
       .rule = "CLOSE-002",
       .what = "close() during a close on another thread throws BackendError.",
       .wrap = each_session<ConcurrentCloseIsRefused>()},
      {.name = "ASecondCloseReachesTheBackend",
       .rule = "CLOSE-002",
       .what = "A second close() closes something in the backend once more.",
       .wrap = the_sandbox<ASecondCloseReachesTheBackend>()},
      {.name = "ClosedStaysFalse",
       .rule = "CLOSE-003",
       .what = "closed() is false after close().",
       .wrap = each_session<ClosedStaysFalse>()},
      {.name = "ClosedIsTrueAfterAnExec",
       .rule = "CLOSE-003",
       .what = "closed() is true once a command ran.",
       .wrap = each_session<ClosedIsTrueAfterAnExec>()},
      {.name = "CloseErrorIsSwallowed",
       .rule = "CLOSE-006",
       .what = "The error of a close that failed is dropped.",
       .wrap = each_session<CloseErrorIsSwallowed>()},
      {.name = "CloseErrorComesTwice",
       .rule = "CLOSE-006",
       .what = "The error of a close that failed is thrown by the second close, too.",
       .wrap = each_session<CloseErrorComesTwice>()},
      {.name = "AFailedCloseStaysOpen",
       .rule = "CLOSE-006",
       .what = "closed() is false after a close that failed.",
       .wrap = each_session<AFailedCloseStaysOpen>()},
      {.name = "AFailedCloseForgetsTheLog",
       .rule = "CLOSE-006",
       .what = "A close that failed leaves the log source open.",
       .wrap = each_session<AFailedCloseForgetsTheLog>()},
  };
  for (const auto part : {close_running_mutants, close_late_mutants}) {
    for (Mutant& row : part()) mutants.push_back(std::move(row));
  }
  return mutants;
}

}  // namespace sandproof::conformance
