// SPDX-License-Identifier: Apache-2.0
// Flavors that break ATTACH. Whose environment variables a handle has is in attach_environment.cc.
// Each mutation is used from any thread.
#include <atomic>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "conformance/mutants/areas.h"
#include "conformance/mutants/support.h"
#include "sandproof/errors.h"

namespace sandproof::conformance {
namespace {

class AttachMakesAnEmptyEnvironment : public Faulty<SandboxWrapper> {
 public:
  using Faulty::Faulty;
  std::unique_ptr<Session> attach(std::string_view id, Where where) override {
    auto session = inner().attach(id, where);
    if (!fires()) return session;
    return with_id(inner().create_session({}, OnExit::kDestroy, where), std::string(id));
  }
};

class AttachChangesTheId : public Faulty<SandboxWrapper> {
 public:
  using Faulty::Faulty;
  std::unique_ptr<Session> attach(std::string_view id, Where where) override {
    auto session = inner().attach(id, where);
    return fires() ? with_id(std::move(session), std::string(id) + "-2") : std::move(session);
  }
};

class AttachGivesACopy : public Faulty<SandboxWrapper> {
 public:
  using Faulty::Faulty;
  std::unique_ptr<Session> attach(std::string_view id, Where where) override {
    auto session = inner().attach(id, where);
    if (!fires()) return session;
    const Snapshot snapshot = session->create_snapshot(where);
    auto copy = inner().restore(snapshot, {}, OnExit::kDestroy, where);
    inner().delete_snapshot(snapshot, where);
    return with_id(std::move(copy), std::string(id));
  }
};

/// Handles of one id share whether they are closed.
class ClosingOneClosesAll : public Faulty<SandboxWrapper> {
 public:
  using Faulty::Faulty;
  std::unique_ptr<Session> create_session(const Settings& overrides, OnExit on_exit,
                                          Where where) override {
    return shared(inner().create_session(overrides, on_exit, where));
  }
  std::unique_ptr<Session> attach(std::string_view id, Where where) override {
    return shared(inner().attach(id, where));
  }

 private:
  using Closed = std::shared_ptr<std::atomic<bool>>;

  class Shares : public Faulty<SessionWrapper> {
   public:
    Shares(std::unique_ptr<Session> inner, std::shared_ptr<Trigger> trigger, Closed all_closed)
        : Faulty(std::move(inner), std::move(trigger)), all_closed_(std::move(all_closed)) {}
    bool closed() const override { return inner().closed() || (*all_closed_ && fires()); }
    void close(Where where) override {
      inner().close(where);
      *all_closed_ = true;
    }

   private:
    const Closed all_closed_;
  };

  std::unique_ptr<Session> shared(std::unique_ptr<Session> session) {
    const std::lock_guard lock(mutex_);
    Closed& closed = closed_[session->id()];
    if (closed == nullptr) closed = std::make_shared<std::atomic<bool>>(false);
    return std::make_unique<Shares>(std::move(session), trigger(), closed);
  }

  std::mutex mutex_;
  std::map<std::string, Closed> closed_;
};

/// Whatever attach() throws for an id that it does not know goes through `change`.
template <typename Change>
class ChangesNotFound : public Faulty<SandboxWrapper> {
 public:
  using Faulty<SandboxWrapper>::Faulty;
  std::unique_ptr<Session> attach(std::string_view id, Where where) override {
    try {
      return inner().attach(id, where);
    } catch (const NotFoundError& error) {
      const std::string text = error.what();
      if (Change::applies(text) && fires()) return Change::instead(inner(), std::string(id));
      throw;
    }
  }
};

/// Asks the backend for what could be an id.
struct BackendErrorForTheUnknown {
  static bool applies(const std::string& text) { return text.find("id/..") == std::string::npos; }
  static std::unique_ptr<Session> instead(Sandbox&, const std::string& id) {
    throw BackendError("no such container: " + id, 404);
  }
};

struct NoIdForTheUnknown {
  static bool applies(const std::string&) { return true; }
  static std::unique_ptr<Session> instead(Sandbox&, const std::string&) {
    throw NotFoundError("there is no such session");
  }
};

/// Says the same of a session of another component, and of one that has stopped, as of none.
struct OnlyUnknown {
  static bool applies(const std::string& text) {
    return text.find("component") != std::string::npos || text.find("stopped") != std::string::npos;
  }
  static std::unique_ptr<Session> instead(Sandbox&, const std::string& id) {
    throw NotFoundError("there is no session " + id);
  }
};

struct RevivesTheStopped {
  static bool applies(const std::string& text) { return text.find("stopped") != std::string::npos; }
  static std::unique_ptr<Session> instead(Sandbox& sandbox, const std::string& id) {
    return with_id(sandbox.create_session({}, OnExit::kDestroy), id);
  }
};

class AMalformedIdIsAnInvalidArgument : public Faulty<SandboxWrapper> {
 public:
  using Faulty::Faulty;
  std::unique_ptr<Session> attach(std::string_view id, Where where) override {
    if (id.find(' ') != std::string_view::npos && fires()) {
      throw InvalidArgumentError("'" + std::string(id) + "' is no session id");
    }
    return inner().attach(id, where);
  }
};

class AttachCreatesTheUnknown : public Faulty<SandboxWrapper> {
 public:
  using Faulty::Faulty;
  std::unique_ptr<Session> attach(std::string_view id, Where where) override {
    try {
      return inner().attach(id, where);
    } catch (const NotFoundError&) {
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

/// The sessions that any sandbox of the mutant has made.
struct Everybodys {
  std::mutex mutex;
  std::map<std::string, std::weak_ptr<Session>, std::less<>> sessions;
};

class AttachIgnoresTheComponent : public Faulty<SandboxWrapper> {
 public:
  AttachIgnoresTheComponent(std::unique_ptr<Sandbox> inner, std::shared_ptr<Trigger> trigger,
                            std::shared_ptr<Everybodys> all)
      : Faulty(std::move(inner), std::move(trigger)), all_(std::move(all)) {}
  std::unique_ptr<Session> create_session(const Settings& overrides, OnExit on_exit,
                                          Where where) override {
    std::shared_ptr<Session> session = inner().create_session(overrides, on_exit, where);
    const std::lock_guard lock(all_->mutex);
    all_->sessions[session->id()] = session;
    return handle_to(std::move(session));
  }
  std::unique_ptr<Session> attach(std::string_view id, Where where) override {
    try {
      return inner().attach(id, where);
    } catch (const NotFoundError&) {
      const std::lock_guard lock(all_->mutex);
      const auto found = all_->sessions.find(id);
      std::shared_ptr<Session> session =
          found == all_->sessions.end() ? nullptr : found->second.lock();
      if (session == nullptr || !fires()) throw;
      return handle_to(std::move(session));
    }
  }

 private:
  const std::shared_ptr<Everybodys> all_;
};

WrapSandbox attach_ignores_the_component() {
  return [all = std::make_shared<Everybodys>()](std::unique_ptr<Sandbox> inner,
                                                std::shared_ptr<Trigger> trigger) {
    return std::make_unique<AttachIgnoresTheComponent>(std::move(inner), std::move(trigger), all);
  };
}

/// What an attached handle executes goes through `Change`.
template <typename Change>
class ChangesAttachedExec : public Faulty<SandboxWrapper> {
 public:
  using Faulty<SandboxWrapper>::Faulty;
  std::unique_ptr<Session> attach(std::string_view id, Where where) override {
    return std::make_unique<Attached>(inner().attach(id, where), trigger());
  }

 private:
  class Attached : public Faulty<SessionWrapper> {
   public:
    using Faulty<SessionWrapper>::Faulty;
    std::unique_ptr<Process> exec(Command command, ExecOptions options, Where where) override {
      if (this->fires()) Change::change(command, options);
      return this->inner().exec(std::move(command), std::move(options), where);
    }
  };
};

void unset(Command& command, const std::string& variable) {
  std::vector<std::string> argv = command.words();
  argv.insert(argv.begin(), {"env", "-u", variable});
  command = argv;
}

struct WithoutColor {
  static void change(Command& command, ExecOptions&) { unset(command, "COLOR"); }
};
struct AttachedWithoutEmpty {
  static void change(Command& command, ExecOptions&) { unset(command, "EMPTY"); }
};
struct AttachedAtTheRoot {
  static void change(Command&, ExecOptions& options) {
    if (options.cwd.empty()) options.cwd = "/";
  }
};

/// Ids are aliases that this object alone translates.
class TheIdIsOnlyKnownHere : public Faulty<SandboxWrapper> {
 public:
  using Faulty::Faulty;
  std::unique_ptr<Session> create_session(const Settings& overrides, OnExit on_exit,
                                          Where where) override {
    auto session = inner().create_session(overrides, on_exit, where);
    if (!fires()) return session;
    std::string alias = session->id();
    alias.back() = alias.back() == '0' ? '1' : '0';
    const std::lock_guard lock(mutex_);
    real_[alias] = session->id();
    return with_id(std::move(session), std::move(alias));
  }
  std::unique_ptr<Session> attach(std::string_view id, Where where) override {
    const std::string alias(id);
    const std::string real = translated(alias);
    auto session = inner().attach(real, where);
    return real == alias ? std::move(session) : with_id(std::move(session), alias);
  }

 private:
  std::string translated(const std::string& id) {
    const std::lock_guard lock(mutex_);
    const auto found = real_.find(id);
    return found == real_.end() ? id : found->second;
  }

  std::mutex mutex_;
  std::map<std::string, std::string> real_;
};

}  // namespace

// Every rule of the area needs the capability: no row has to say it.
std::vector<Mutant> attach_mutants() {
  std::vector<Mutant> mutants = {
      {.name = "AttachMakesAnEmptyEnvironment",
       .rule = "ATTACH-001",
       .what = "attach() gives a new environment under the id.",
       .wrap = the_sandbox<AttachMakesAnEmptyEnvironment>()},
      {.name = "AttachChangesTheId",
       .rule = "ATTACH-001",
       .what = "The attached handle has another id.",
       .wrap = the_sandbox<AttachChangesTheId>()},
      {.name = "AttachGivesACopy",
       .rule = "ATTACH-001",
       .what = "attach() gives a copy of the environment: what it writes nobody else sees.",
       .wrap = the_sandbox<AttachGivesACopy>(),
       .with = {Capability::kSnapshot, Capability::kRestore}},
      {.name = "ClosingOneClosesAll",
       .rule = "ATTACH-002",
       .what = "Closing one handle closes every handle of the environment.",
       .wrap = the_sandbox<ClosingOneClosesAll>()},
      {.name = "UnknownIdIsABackendError",
       .rule = "ATTACH-003",
       .what = "attach() to an unknown id throws BackendError.",
       .wrap = the_sandbox<ChangesNotFound<BackendErrorForTheUnknown>>()},
      {.name = "NotFoundForgetsTheId",
       .rule = "ATTACH-003",
       .what = "attach() to an unknown id does not name it.",
       .wrap = the_sandbox<ChangesNotFound<NoIdForTheUnknown>>()},
      {.name = "AMalformedIdIsAnInvalidArgument",
       .rule = "ATTACH-003",
       .what = "attach() to an id that no session can have throws InvalidArgumentError.",
       .wrap = the_sandbox<AMalformedIdIsAnInvalidArgument>()},
      {.name = "AttachCreatesTheUnknown",
       .rule = "ATTACH-003",
       .what = "attach() to an unknown id makes an environment and leaves it.",
       .wrap = the_sandbox<AttachCreatesTheUnknown>()},
      {.name = "AttachIgnoresTheComponent",
       .rule = "ATTACH-004",
       .what = "attach() finds the sessions of other components.",
       .wrap = attach_ignores_the_component()},
      {.name = "ForeignIsReportedAsUnknown",
       .rule = "ATTACH-004",
       .what = "attach() to another component's session says that there is none.",
       .wrap = the_sandbox<ChangesNotFound<OnlyUnknown>>()},
      {.name = "AttachForgetsTheEnvironment",
       .rule = "ATTACH-005",
       .what = "Commands of an attached handle lack a variable of the session.",
       .wrap = the_sandbox<ChangesAttachedExec<WithoutColor>>()},
      {.name = "AttachDropsEmptyVariables",
       .rule = "ATTACH-005",
       .what = "Commands of an attached handle lack the session's empty variables.",
       .wrap = the_sandbox<ChangesAttachedExec<AttachedWithoutEmpty>>()},
      {.name = "AttachStartsElsewhere",
       .rule = "ATTACH-005",
       .what = "Commands of an attached handle start in the root directory.",
       .wrap = the_sandbox<ChangesAttachedExec<AttachedAtTheRoot>>()},
      {.name = "TheIdIsOnlyKnownHere",
       .rule = "ATTACH-006",
       .what = "Ids are translated by a table in memory that no other process has.",
       .wrap = the_sandbox<TheIdIsOnlyKnownHere>()},
      {.name = "AttachRevivesTheStopped",
       .rule = "ATTACH-007",
       .what = "attach() to an environment that has stopped gives a new one.",
       .wrap = the_sandbox<ChangesNotFound<RevivesTheStopped>>()},
      {.name = "StoppedIsReportedAsUnknown",
       .rule = "ATTACH-007",
       .what = "attach() to an environment that has stopped says that there is none.",
       .wrap = the_sandbox<ChangesNotFound<OnlyUnknown>>()},
  };
  for (Mutant& row : attach_environment_mutants()) mutants.push_back(std::move(row));
  return mutants;
}

}  // namespace sandproof::conformance
