// SPDX-License-Identifier: Apache-2.0
// Flavors that break SESSION: what becomes of sessions without being asked. Each mutation is used
// from any thread.
#include <atomic>
#include <exception>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "conformance/mutants/areas.h"
#include "conformance/mutants/registers_processes.h"
#include "conformance/mutants/support.h"
#include "sandproof/errors.h"

namespace sandproof::conformance {
namespace {

class ClosesInsteadOfDestroying : public SessionWrapper {
 public:
  using SessionWrapper::SessionWrapper;
  void destroy(Where where) override { inner().close(where); }
};

class ScopeExitNeverDestroys : public Faulty<SandboxWrapper> {
 public:
  using Faulty::Faulty;
  std::unique_ptr<Session> create_session(const Settings& overrides, OnExit on_exit,
                                          Where where) override {
    if (on_exit == OnExit::kClose || !fires()) {
      return inner().create_session(overrides, on_exit, where);
    }
    return std::make_unique<ClosesInsteadOfDestroying>(
        inner().create_session(overrides, OnExit::kClose, where));
  }
};

/// Destroys by call and on the way of an exception, and forgets the plain end of a handle.
class APlainScopeExitOnlyCloses : public Faulty<SandboxWrapper> {
 public:
  using Faulty::Faulty;
  std::unique_ptr<Session> create_session(const Settings& overrides, OnExit on_exit,
                                          Where where) override {
    auto session = inner().create_session(overrides, OnExit::kClose, where);
    if (on_exit == OnExit::kClose) return session;
    return std::make_unique<Closes>(std::move(session), trigger());
  }

 private:
  class Closes : public Faulty<SessionWrapper> {
   public:
    using Faulty::Faulty;
    ~Closes() override {
      if (std::uncaught_exceptions() > 0 || !fires()) inner().destroy();
    }
  };
};

class ScopeExitAlwaysDestroys : public Faulty<SandboxWrapper> {
 public:
  using Faulty::Faulty;
  std::unique_ptr<Session> create_session(const Settings& overrides, OnExit on_exit,
                                          Where where) override {
    return inner().create_session(
        overrides, on_exit == OnExit::kClose && fires() ? OnExit::kDestroy : on_exit, where);
  }
};

class AnExceptionLeavesTheSessionOpen : public Faulty<SandboxWrapper> {
 public:
  using Faulty::Faulty;
  std::unique_ptr<Session> create_session(const Settings& overrides, OnExit on_exit,
                                          Where where) override {
    return std::make_unique<Kept>(inner().create_session(overrides, on_exit, where), trigger(),
                                  kept_);
  }

 private:
  using Sessions = std::vector<std::shared_ptr<Session>>;

  class Kept : public Faulty<SessionWrapper> {
   public:
    Kept(std::shared_ptr<Session> session, std::shared_ptr<Trigger> trigger,
         std::shared_ptr<Sessions> kept)
        : Faulty(handle_to(session), std::move(trigger)),
          session_(std::move(session)),
          kept_(std::move(kept)) {}
    ~Kept() override {
      if (std::uncaught_exceptions() > 0 && fires()) kept_->push_back(session_);
    }

   private:
    const std::shared_ptr<Session> session_;
    const std::shared_ptr<Sessions> kept_;
  };

  const std::shared_ptr<Sessions> kept_ = std::make_shared<Sessions>();
};

class TeardownErrorIsSwallowed : public Faulty<SessionWrapper> {
 public:
  using Faulty::Faulty;
  void close(Where where) override {
    try {
      inner().close(where);
    } catch (const Error&) {
      if (!fires()) throw;
    }
  }
};

/// Where scope exit is to destroy, what could not be destroyed is closed, and nobody is told.
class AFailedScopeDestroyIsSwallowed : public Faulty<SandboxWrapper> {
 public:
  using Faulty::Faulty;
  std::unique_ptr<Session> create_session(const Settings& overrides, OnExit on_exit,
                                          Where where) override {
    auto session = inner().create_session(overrides, on_exit, where);
    if (on_exit == OnExit::kClose) return session;
    return std::make_unique<Quiet>(std::move(session), trigger());
  }

 private:
  class Quiet : public Faulty<SessionWrapper> {
   public:
    using Faulty::Faulty;
    void destroy(Where where) override {
      try {
        inner().destroy(where);
      } catch (const Error&) {
        if (!fires()) throw;
        inner().close(where);
      }
    }
  };
};

class TeardownErrorIsForgotten : public Faulty<SandboxWrapper> {
 public:
  using Faulty::Faulty;
  std::exception_ptr last_teardown_error() const override {
    return fires() ? nullptr : inner().last_teardown_error();
  }
};

class ADestructorThrows : public Faulty<SessionWrapper> {
 public:
  using Faulty::Faulty;
  ~ADestructorThrows() override {
    try {
      inner().close();
    } catch (const Error&) {
      if (fires()) std::terminate();  // What a throw from here comes to.
    }
  }
};

class ADestructorWaitsForReaders : public RegistersProcesses {
 public:
  using RegistersProcesses::RegistersProcesses;
  ~ADestructorWaitsForReaders() override {
    if (inner().closed()) return;
    std::unique_lock lock(registry().mutex);
    // A thread that is about to call shall be inside.
    registry().changed.wait_for(lock, Crossing::kHold, [this] { return registry().inside > 0; });
    if (registry().inside > 0 && fires()) {
      registry().changed.wait_for(lock, kHang, [this] { return registry().inside == 0; });
    }
  }
};

class AttachedHandleDestroys : public Faulty<SandboxWrapper> {
 public:
  using Faulty::Faulty;
  std::unique_ptr<Session> attach(std::string_view id, Where where) override {
    return std::make_unique<DestroysAtTheEnd>(inner().attach(id, where), trigger());
  }

 private:
  class DestroysAtTheEnd : public Faulty<SessionWrapper> {
   public:
    using Faulty::Faulty;
    ~DestroysAtTheEnd() override {
      if (fires()) inner().destroy();
    }
  };
};

class CloseEndsTheEnvironment : public Faulty<SessionWrapper> {
 public:
  using Faulty::Faulty;
  void close(Where where) override { fires() ? inner().destroy(where) : inner().close(where); }
};

class DroppingEndsTheEnvironment : public Faulty<SessionWrapper> {
 public:
  using Faulty::Faulty;
  ~DroppingEndsTheEnvironment() override {
    if (!inner().closed() && fires()) inner().destroy();
  }
};

class ASandboxTakesItsEnvironmentsAlong : public Faulty<SandboxWrapper> {
 public:
  using Faulty::Faulty;
  ~ASandboxTakesItsEnvironmentsAlong() override {
    for (const std::string& id : made_) {
      if (!fires()) continue;
      try {
        inner().attach(id, Where::current())->destroy();
      } catch (const Error&) {
        // It is gone already.
      }
    }
  }
  std::unique_ptr<Session> create_session(const Settings& overrides, OnExit on_exit,
                                          Where where) override {
    auto session = inner().create_session(overrides, on_exit, where);
    const std::lock_guard lock(mutex_);
    made_.push_back(session->id());
    return session;
  }

 private:
  std::mutex mutex_;
  std::vector<std::string> made_;
};

class ProcessDiesWithItsHandle : public Faulty<ProcessWrapper> {
 public:
  using Faulty::Faulty;
  ~ProcessDiesWithItsHandle() override {
    if (!inner().exit_status() && fires()) inner().kill();
  }
};

class SessionDiesWithItsSandbox : public Faulty<SandboxWrapper> {
 public:
  using Faulty::Faulty;
  ~SessionDiesWithItsSandbox() override {
    for (const auto& weak : made_) {
      const std::shared_ptr<Session> session = weak.lock();
      if (session != nullptr && fires()) session->close();
    }
  }
  std::unique_ptr<Session> create_session(const Settings& overrides, OnExit on_exit,
                                          Where where) override {
    std::shared_ptr<Session> made = inner().create_session(overrides, on_exit, where);
    const std::lock_guard lock(mutex_);
    made_.push_back(made);
    return handle_to(std::move(made));
  }

 private:
  std::mutex mutex_;
  std::vector<std::weak_ptr<Session>> made_;
};

/// exit_status() of a command whose session is gone is not known any more.
class StatusDiesWithItsSession : public Faulty<SessionWrapper> {
 public:
  using Faulty::Faulty;
  ~StatusDiesWithItsSession() override { *gone_ = true; }
  std::unique_ptr<Process> exec(Command command, ExecOptions options, Where where) override {
    return std::make_unique<Forgetful>(inner().exec(std::move(command), std::move(options), where),
                                       trigger(), gone_);
  }

 private:
  class Forgetful : public Faulty<ProcessWrapper> {
   public:
    Forgetful(std::unique_ptr<Process> inner, std::shared_ptr<Trigger> trigger,
              std::shared_ptr<std::atomic<bool>> gone)
        : Faulty(std::move(inner), std::move(trigger)), gone_(std::move(gone)) {}
    std::optional<ExitStatus> exit_status() const override {
      return *gone_ && fires() ? std::nullopt : inner().exit_status();
    }

   private:
    const std::shared_ptr<std::atomic<bool>> gone_;
  };

  const std::shared_ptr<std::atomic<bool>> gone_ = std::make_shared<std::atomic<bool>>(false);
};

}  // namespace

std::vector<Mutant> session_end_mutants() {
  using enum Capability;
  return {
      {.name = "ScopeExitNeverDestroys",
       .rule = "SESSION-006",
       .what = "destroy_on_exit is ignored: scope exit closes.",
       .wrap = the_sandbox<ScopeExitNeverDestroys>(),
       .with = {kOutlives}},
      {.name = "APlainScopeExitOnlyCloses",
       .rule = "SESSION-006",
       .what = "A handle that is dropped only closes its session, although it is to destroy it.",
       .wrap = the_sandbox<APlainScopeExitOnlyCloses>(),
       .with = {kOutlives}},
      {.name = "ScopeExitAlwaysDestroys",
       .rule = "SESSION-006",
       .what = "Scope exit destroys although only a close was asked for.",
       .wrap = the_sandbox<ScopeExitAlwaysDestroys>(),
       .with = {kAttach, kOutlives}},
      {.name = "AnExceptionLeavesTheSessionOpen",
       .rule = "SESSION-006",
       .what = "A handle that dies by an exception leaves its session as it was.",
       .wrap = the_sandbox<AnExceptionLeavesTheSessionOpen>()},
      {.name = "TeardownErrorIsSwallowed",
       .rule = "SESSION-006",
       .what = "The error of a failing close is dropped.",
       .wrap = each_session<TeardownErrorIsSwallowed>()},
      {.name = "AFailedScopeDestroyIsSwallowed",
       .rule = "SESSION-006",
       .what = "The error of a failing destroy at scope exit is dropped.",
       .wrap = the_sandbox<AFailedScopeDestroyIsSwallowed>()},
      {.name = "TeardownErrorIsForgotten",
       .rule = "SESSION-006",
       .what = "last_teardown_error() is always null.",
       .wrap = the_sandbox<TeardownErrorIsForgotten>()},
      {.name = "ADestructorThrows",
       .rule = "SESSION-006",
       .what = "The destructor of a session lets the error of its close escape.",
       .wrap = each_session<ADestructorThrows>(),
       .killed_by = KilledBy::kCrash},
      {.name = "ADestructorWaitsForReaders",
       .rule = "SESSION-006",
       .what = "The destructor of a session waits until nobody reads, waits or collects.",
       .wrap = each_session<ADestructorWaitsForReaders>()},
      {.name = "DestroyOnExitByDefault",
       .rule = "SESSION-007",
       .what = "A session that is dropped is destroyed, asked or not.",
       .wrap = the_sandbox<ScopeExitAlwaysDestroys>()},
      {.name = "AttachedHandleDestroys",
       .rule = "SESSION-007",
       .what = "A handle from attach() destroys the environment when it is dropped.",
       .wrap = the_sandbox<AttachedHandleDestroys>(),
       .with = {kAttach, kOutlives}},
      {.name = "CloseEndsTheEnvironment",
       .rule = "SESSION-008",
       .what = "close() ends the environment.",
       .wrap = each_session<CloseEndsTheEnvironment>(),
       .with = {kAttach, kOutlives}},
      {.name = "DroppingEndsTheEnvironment",
       .rule = "SESSION-008",
       .what = "Dropping an open handle ends the environment.",
       .wrap = each_session<DroppingEndsTheEnvironment>(),
       .with = {kAttach, kOutlives}},
      {.name = "ASandboxTakesItsEnvironmentsAlong",
       .rule = "SESSION-008",
       .what = "Dropping the sandbox destroys the environments that it made.",
       .wrap = the_sandbox<ASandboxTakesItsEnvironmentsAlong>(),
       .with = {kAttach, kOutlives}},
      {.name = "ProcessDiesWithItsHandle",
       .rule = "SESSION-011",
       .what = "Dropping the handle of a process kills the command.",
       .wrap = each_process<ProcessDiesWithItsHandle>()},
      {.name = "SessionDiesWithItsSandbox",
       .rule = "SESSION-011",
       .what = "Dropping the sandbox closes its sessions.",
       .wrap = the_sandbox<SessionDiesWithItsSandbox>()},
      {.name = "StatusDiesWithItsSession",
       .rule = "SESSION-011",
       .what = "Dropping the session takes the status of its processes away.",
       .wrap = each_session<StatusDiesWithItsSession>()},
  };
}

}  // namespace sandproof::conformance
