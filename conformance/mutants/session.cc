// SPDX-License-Identifier: Apache-2.0
// Flavors that break SESSION: how sessions are made. Their ends are in session_end.cc. Each
// mutation is used from any thread.
#include <algorithm>
#include <cctype>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "conformance/mutants/areas.h"
#include "conformance/mutants/support.h"
#include "sandproof/errors.h"

namespace sandproof::conformance {
namespace {

class SessionHasNoId : public Faulty<SessionWrapper> {
 public:
  using Faulty::Faulty;
  std::string id() const override { return fires() ? "" : inner().id(); }
};

class ANewSessionSaysClosed : public Faulty<SessionWrapper> {
 public:
  using Faulty::Faulty;
  bool closed() const override { return inner().closed() || fires(); }
};

/// Is closed before it is handed out, and does not say so.
class CreateGivesADeadSession : public Faulty<SandboxWrapper> {
 public:
  using Faulty::Faulty;
  std::unique_ptr<Session> create_session(const Settings& overrides, OnExit on_exit,
                                          Where where) override {
    auto session = inner().create_session(overrides, on_exit, where);
    if (!fires()) return session;
    session->close();
    return std::make_unique<SaysOpen>(std::move(session));
  }

 private:
  class SaysOpen : public SessionWrapper {
   public:
    using SessionWrapper::SessionWrapper;
    bool closed() const override { return false; }
  };
};

class AnIdComesTwice : public Faulty<SandboxWrapper> {
 public:
  using Faulty::Faulty;
  std::unique_ptr<Session> create_session(const Settings& overrides, OnExit on_exit,
                                          Where where) override {
    auto session = inner().create_session(overrides, on_exit, where);
    const std::lock_guard lock(mutex_);
    std::string before = std::exchange(last_, session->id());
    if (before.empty() || !fires()) return session;
    return with_id(std::move(session), std::move(before));
  }

 private:
  std::mutex mutex_;
  std::string last_;
};

class ALaterIdHasUpperCase : public Faulty<SandboxWrapper> {
 public:
  using Faulty::Faulty;
  std::unique_ptr<Session> create_session(const Settings& overrides, OnExit on_exit,
                                          Where where) override {
    auto session = inner().create_session(overrides, on_exit, where);
    if (!fires()) return session;
    std::string id = session->id();
    std::ranges::transform(id, id.begin(), [](unsigned char c) { return std::toupper(c); });
    return with_id(std::move(session), std::move(id));
  }
};

class IdNamesNoFlavor : public Faulty<SessionWrapper> {
 public:
  using Faulty::Faulty;
  std::string id() const override {
    return fires() ? "session-" + inner().id().substr(inner().id().rfind('-') + 1) : inner().id();
  }
};

class SessionsShareADirectory : public Faulty<SandboxWrapper> {
 public:
  using Faulty::Faulty;
  std::unique_ptr<Session> create_session(const Settings& overrides, OnExit on_exit,
                                          Where where) override {
    std::shared_ptr<Session> made = inner().create_session(overrides, on_exit, where);
    const std::lock_guard lock(mutex_);
    if (first_ == nullptr) {
      first_ = made;
      return handle_to(made);
    }
    if (!fires()) return handle_to(made);
    return std::make_unique<ExecsElsewhere>(handle_to(made), first_);
  }

 private:
  class ExecsElsewhere : public SessionWrapper {
   public:
    ExecsElsewhere(std::unique_ptr<Session> inner, std::shared_ptr<Session> target)
        : SessionWrapper(std::move(inner)), target_(std::move(target)) {}
    std::unique_ptr<Process> exec(Command command, ExecOptions options, Where where) override {
      return target_->exec(std::move(command), std::move(options), where);
    }

   private:
    const std::shared_ptr<Session> target_;
  };

  std::mutex mutex_;
  std::shared_ptr<Session> first_;
};

class ConcurrentCreatesAreRefused : public Faulty<SandboxWrapper> {
 public:
  using Faulty::Faulty;
  std::unique_ptr<Session> create_session(const Settings& overrides, OnExit on_exit,
                                          Where where) override {
    const auto create = [&] { return inner().create_session(overrides, on_exit, where); };
    return crossing_.cross(create, [&] {
      if (fires()) throw BackendError("another session is being created");
      return create();
    });
  }

 private:
  Crossing crossing_;
};

class ConcurrentCreatesGetOneSession : public Faulty<SandboxWrapper> {
 public:
  using Faulty::Faulty;
  std::unique_ptr<Session> create_session(const Settings& overrides, OnExit on_exit,
                                          Where where) override {
    const auto create = [&] {
      std::shared_ptr<Session> made = inner().create_session(overrides, on_exit, where);
      const std::lock_guard lock(mutex_);
      last_ = made;
      return handle_to(std::move(made));
    };
    return crossing_.cross(create, [&] {
      std::shared_ptr<Session> last;
      {
        const std::lock_guard lock(mutex_);
        last = last_.lock();
      }
      return last != nullptr && fires() ? handle_to(std::move(last)) : create();
    });
  }

 private:
  Crossing crossing_;
  std::mutex mutex_;
  std::weak_ptr<Session> last_;
};

class RefusedCreateLeavesASession : public Faulty<SandboxWrapper> {
 public:
  using Faulty::Faulty;
  std::unique_ptr<Session> create_session(const Settings& overrides, OnExit on_exit,
                                          Where where) override {
    try {
      return inner().create_session(overrides, on_exit, where);
    } catch (const InvalidArgumentError&) {
      if (fires()) {
        const std::lock_guard lock(mutex_);
        left_.push_back(inner().create_session({}, OnExit::kDestroy, where));
      }
      throw;
    }
  }

 private:
  std::mutex mutex_;
  std::vector<std::unique_ptr<Session>> left_;
};

class FailedStartLeavesTheEnvironment : public Faulty<SandboxHookWrapper> {
 public:
  using Faulty::Faulty;
  ~FailedStartLeavesTheEnvironment() override {
    for (const auto& session : left_) session->do_destroy();
  }
  std::unique_ptr<SessionHooks> do_create_session(const SessionSpec& spec) override {
    try {
      return inner().do_create_session(spec);
    } catch (const BackendError&) {
      if (fires()) left_.push_back(inner().do_create_session(spec));
      throw;
    }
  }

 private:
  std::vector<std::unique_ptr<SessionHooks>> left_;
};

class AFailedRestoreLeavesTheEnvironment : public Faulty<SandboxHookWrapper> {
 public:
  using Faulty::Faulty;
  ~AFailedRestoreLeavesTheEnvironment() override {
    for (const auto& session : left_) session->do_destroy();
  }
  std::unique_ptr<SessionHooks> do_restore(const Snapshot& snapshot, const Settings& overrides,
                                           const SessionSpec& spec) override {
    try {
      return inner().do_restore(snapshot, overrides, spec);
    } catch (const BackendError&) {
      if (fires()) left_.push_back(inner().do_restore(snapshot, overrides, spec));
      throw;
    }
  }

 private:
  std::vector<std::unique_ptr<SessionHooks>> left_;
};

class AFailedStartIsHidden : public Faulty<SandboxWrapper> {
 public:
  using Faulty::Faulty;
  std::unique_ptr<Session> create_session(const Settings& overrides, OnExit on_exit,
                                          Where where) override {
    try {
      return inner().create_session(overrides, on_exit, where);
    } catch (const BackendError&) {
      if (!fires()) throw;
      return nullptr;
    }
  }
};

}  // namespace

std::vector<Mutant> session_mutants() {
  using enum Capability;
  std::vector<Mutant> mutants{
      {.name = "SessionHasNoId",
       .rule = "SESSION-001",
       .what = "id() is empty.",
       .wrap = each_session<SessionHasNoId>()},
      {.name = "ANewSessionSaysClosed",
       .rule = "SESSION-001",
       .what = "closed() is true from the start.",
       .wrap = each_session<ANewSessionSaysClosed>()},
      {.name = "CreateGivesADeadSession",
       .rule = "SESSION-001",
       .what = "A new session says that it is open and refuses every exec.",
       .wrap = the_sandbox<CreateGivesADeadSession>()},
      {.name = "AnIdComesTwice",
       .rule = "SESSION-002",
       .what = "The 60th session has the id of the 59th.",
       .wrap = the_sandbox<AnIdComesTwice>(),
       .first = 59,
       .times = 1},
      {.name = "ALaterIdHasUpperCase",
       .rule = "SESSION-002",
       .what = "The 60th session has an id in upper-case letters.",
       .wrap = the_sandbox<ALaterIdHasUpperCase>(),
       .first = 59,
       .times = 1},
      {.name = "IdNamesNoFlavor",
       .rule = "SESSION-002",
       .what = "Ids do not begin with the flavor's name.",
       .wrap = each_session<IdNamesNoFlavor>()},
      {.name = "SessionsShareADirectory",
       .rule = "SESSION-003",
       .what = "Commands of the second session run where the first one's run.",
       .wrap = the_sandbox<SessionsShareADirectory>()},
      {.name = "ConcurrentCreatesAreRefused",
       .rule = "SESSION-004",
       .what = "A create during another create is refused as busy.",
       .wrap = the_sandbox<ConcurrentCreatesAreRefused>()},
      {.name = "ConcurrentCreatesGetOneSession",
       .rule = "SESSION-004",
       .what = "Creates at the same time give handles to one session.",
       .wrap = the_sandbox<ConcurrentCreatesGetOneSession>()},
      {.name = "RefusedCreateLeavesASession",
       .rule = "SESSION-005",
       .what = "The settings are checked after the environment was made, which then stays.",
       .wrap = the_sandbox<RefusedCreateLeavesASession>()},
      {.name = "FailedStartLeavesTheEnvironment",
       .rule = "SESSION-005",
       .what = "An environment that did not start is not removed.",
       .wrap_hooks = the_sandbox_hooks<FailedStartLeavesTheEnvironment>(),
       .with = {kOutlives}},
      {.name = "AFailedRestoreLeavesTheEnvironment",
       .rule = "SESSION-005",
       .what = "The environment of a restore that failed is not removed.",
       .wrap_hooks = the_sandbox_hooks<AFailedRestoreLeavesTheEnvironment>(),
       .with = {kSnapshot, kRestore, kOutlives}},
      {.name = "AFailedStartIsHidden",
       .rule = "SESSION-005",
       .what = "A start that failed gives a null session instead of an error.",
       .wrap = the_sandbox<AFailedStartIsHidden>(),
       .with = {kOutlives}},
  };
  for (Mutant& row : session_end_mutants()) mutants.push_back(std::move(row));
  return mutants;
}

}  // namespace sandproof::conformance
