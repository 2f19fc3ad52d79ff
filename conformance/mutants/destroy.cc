// SPDX-License-Identifier: Apache-2.0
// Flavors that break DESTROY: what it does by itself. What it does to other handles and to what
// runs is in destroy_others.cc. Each mutation is used from any thread.
#include <atomic>
#include <exception>
#include <filesystem>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "conformance/mutants/areas.h"
#include "conformance/mutants/support.h"
#include "sandproof/errors.h"

namespace sandproof::conformance {
namespace {

class DestroyLeavesTheHandleOpen : public Faulty<SessionWrapper> {
 public:
  using Faulty::Faulty;
  bool closed() const override { return inner().closed() && !(destroyed_ && fires()); }
  void destroy(Where where) override {
    inner().destroy(where);
    destroyed_ = true;
  }

 private:
  std::atomic<bool> destroyed_ = false;
};

class ExecAfterDestroyIsLost : public Faulty<SessionWrapper> {
 public:
  using Faulty::Faulty;
  std::unique_ptr<Process> exec(Command command, ExecOptions options, Where where) override {
    if (destroyed_ && fires()) throw SandboxLostError("the environment of " + id() + " is gone");
    return inner().exec(std::move(command), std::move(options), where);
  }
  void destroy(Where where) override {
    inner().destroy(where);
    destroyed_ = true;
  }

 private:
  std::atomic<bool> destroyed_ = false;
};

class DestroyOnlyCloses : public Faulty<SessionWrapper> {
 public:
  using Faulty::Faulty;
  void destroy(Where where) override { fires() ? inner().close(where) : inner().destroy(where); }
};

/// What is put in the place of a destroyed environment is never used, and stays.
class DestroyMakesAnother : public Faulty<SandboxWrapper> {
 public:
  using Faulty::Faulty;
  std::unique_ptr<Session> create_session(const Settings& overrides, OnExit on_exit,
                                          Where where) override {
    return std::make_unique<Replaced>(inner().create_session(overrides, on_exit, where), trigger(),
                                      inner().create_session({}, OnExit::kDestroy, where), spares_);
  }

 private:
  using Spares = std::vector<std::unique_ptr<Session>>;

  class Replaced : public Faulty<SessionWrapper> {
   public:
    Replaced(std::unique_ptr<Session> inner, std::shared_ptr<Trigger> trigger,
             std::unique_ptr<Session> spare, std::shared_ptr<Spares> spares)
        : Faulty(std::move(inner), std::move(trigger)),
          spare_(std::move(spare)),
          spares_(std::move(spares)) {}
    void destroy(Where where) override {
      inner().destroy(where);
      if (spare_ != nullptr && fires()) spares_->push_back(std::move(spare_));
      spare_.reset();
    }

   private:
    std::unique_ptr<Session> spare_;
    const std::shared_ptr<Spares> spares_;
  };

  const std::shared_ptr<Spares> spares_ = std::make_shared<Spares>();
};

class DestroyOfAClosedHandleIsRefused : public Faulty<SessionWrapper> {
 public:
  using Faulty::Faulty;
  void destroy(Where where) override {
    if (closed() && fires()) throw SessionClosedError(id());
    inner().destroy(where);
  }
};

class DestroyOfAClosedHandleDoesNothing : public Faulty<SessionWrapper> {
 public:
  using Faulty::Faulty;
  void destroy(Where where) override {
    if (!closed() || !fires()) inner().destroy(where);
  }
};

class SecondDestroyThrows : public Faulty<SessionWrapper> {
 public:
  using Faulty::Faulty;
  void destroy(Where where) override {
    if (destroyed_ && fires()) throw NotFoundError("the environment of " + id() + " is gone");
    inner().destroy(where);
    destroyed_ = true;
  }

 private:
  std::atomic<bool> destroyed_ = false;
};

class ConcurrentDestroyIsRefused : public Faulty<SessionWrapper> {
 public:
  using Faulty::Faulty;
  void destroy(Where where) override {
    crossing_.cross([&] { inner().destroy(where); },
                    [&] {
                      if (fires()) throw BackendError("removal is already in progress", 409);
                      inner().destroy(where);
                    });
  }

 private:
  Crossing crossing_;
};

/// A second removal of one environment, through whatever handle, is an error.
class DestroyOfTheGoneThrows : public Faulty<SandboxHookWrapper> {
 public:
  using Faulty::Faulty;
  std::unique_ptr<SessionHooks> do_create_session(const SessionSpec& spec) override {
    return std::make_unique<Once>(inner().do_create_session(spec), trigger(), spec.id, gone_);
  }
  std::unique_ptr<SessionHooks> do_attach(const SessionSpec& spec) override {
    return std::make_unique<Once>(inner().do_attach(spec), trigger(), spec.id, gone_);
  }

 private:
  struct Gone {
    std::mutex mutex;
    std::set<std::string> ids;
  };

  class Once : public Faulty<SessionHookWrapper> {
   public:
    Once(std::unique_ptr<SessionHooks> inner, std::shared_ptr<Trigger> trigger, std::string id,
         std::shared_ptr<Gone> gone)
        : Faulty(std::move(inner), std::move(trigger)),
          id_(std::move(id)),
          gone_(std::move(gone)) {}
    void do_destroy() override {
      {
        const std::lock_guard lock(gone_->mutex);
        if (!gone_->ids.insert(id_).second && fires()) throw NotFoundError(id_ + " is gone");
      }
      inner().do_destroy();
    }

   private:
    const std::string id_;
    const std::shared_ptr<Gone> gone_;
  };

  const std::shared_ptr<Gone> gone_ = std::make_shared<Gone>();
};

class DestroyOfTheStoppedThrows : public Faulty<SessionHookWrapper> {
 public:
  using Faulty::Faulty;
  void do_destroy() override {
    try {
      ExecRequest request;
      request.argv = {"true"};
      inner().do_exec(request);
    } catch (const SandboxLostError& error) {
      const bool stopped = std::string_view(error.what()).find("stopped") != std::string_view::npos;
      if (stopped && fires()) throw BackendError("the environment is not running", 409);
    }
    inner().do_destroy();
  }
};

class DestroyWithoutItsDirectoryThrows : public KnowsItsDirectory {
 public:
  using KnowsItsDirectory::KnowsItsDirectory;
  void destroy(Where where) override {
    std::error_code ignored;
    if (!inner().closed() && !std::filesystem::exists(directory(), ignored) && fires()) {
      throw BackendError("the directory " + directory().string() + " is not there");
    }
    inner().destroy(where);
  }
};

class AFailedDestroyClosesTheHandle : public Faulty<SessionWrapper> {
 public:
  using Faulty::Faulty;
  void destroy(Where where) override {
    try {
      inner().destroy(where);
    } catch (const Error&) {
      if (fires()) inner().close(where);
      throw;
    }
  }
};

class AFailedDestroyRefusesExec : public Faulty<SessionWrapper> {
 public:
  using Faulty::Faulty;
  std::unique_ptr<Process> exec(Command command, ExecOptions options, Where where) override {
    if (failed_ && fires()) throw SandboxLostError("the environment of " + id() + " is going");
    return inner().exec(std::move(command), std::move(options), where);
  }
  void destroy(Where where) override {
    try {
      inner().destroy(where);
    } catch (const Error&) {
      failed_ = true;
      throw;
    }
  }

 private:
  std::atomic<bool> failed_ = false;
};

class AFailedDestroyIsSwallowed : public Faulty<SessionWrapper> {
 public:
  using Faulty::Faulty;
  void destroy(Where where) override {
    try {
      inner().destroy(where);
    } catch (const BackendError&) {
      if (!fires()) throw;
    }
  }
};

class AFailedDestroyIsFinal : public Faulty<SessionWrapper> {
 public:
  using Faulty::Faulty;
  void destroy(Where where) override {
    if (error_ && fires()) std::rethrow_exception(error_);
    try {
      inner().destroy(where);
    } catch (const Error&) {
      error_ = std::current_exception();
      throw;
    }
  }

 private:
  std::exception_ptr error_;  // Destroyed by one thread in its cases.
};

class ARetriedDestroyOnlyCloses : public Faulty<SessionWrapper> {
 public:
  using Faulty::Faulty;
  void destroy(Where where) override {
    if (failed_ && fires()) return inner().close(where);
    try {
      inner().destroy(where);
    } catch (const Error&) {
      failed_ = true;
      throw;
    }
  }

 private:
  std::atomic<bool> failed_ = false;
};

}  // namespace

std::vector<Mutant> destroy_mutants() {
  using enum Capability;
  std::vector<Mutant> mutants{
      {.name = "DestroyLeavesTheHandleOpen",
       .rule = "DESTROY-001",
       .what = "closed() is false after destroy().",
       .wrap = each_session<DestroyLeavesTheHandleOpen>()},
      {.name = "ExecAfterDestroyIsLost",
       .rule = "DESTROY-001",
       .what = "exec on a destroyed handle is SandboxLostError: the handle was not closed.",
       .wrap = each_session<ExecAfterDestroyIsLost>()},
      {.name = "DestroyOnlyCloses",
       .rule = "DESTROY-001",
       .what = "destroy() closes the handle and leaves the environment.",
       .wrap = each_session<DestroyOnlyCloses>(),
       .with = {kOutlives}},
      {.name = "DestroyMakesAnother",
       .rule = "DESTROY-001",
       .what = "destroy() replaces the environment by a new one that nobody uses.",
       .wrap = the_sandbox<DestroyMakesAnother>()},
      {.name = "DestroyOfAClosedHandleIsRefused",
       .rule = "DESTROY-002",
       .what = "destroy() of a closed handle throws SessionClosedError.",
       .wrap = each_session<DestroyOfAClosedHandleIsRefused>()},
      {.name = "DestroyOfAClosedHandleDoesNothing",
       .rule = "DESTROY-002",
       .what = "destroy() of a closed handle does nothing: the environment leaks.",
       .wrap = each_session<DestroyOfAClosedHandleDoesNothing>(),
       .with = {kOutlives}},
      {.name = "SecondDestroyThrows",
       .rule = "DESTROY-003",
       .what = "A second destroy() of one handle throws NotFoundError.",
       .wrap = each_session<SecondDestroyThrows>()},
      {.name = "ConcurrentDestroyIsRefused",
       .rule = "DESTROY-003",
       .what = "destroy() during a destroy on another thread throws BackendError.",
       .wrap = each_session<ConcurrentDestroyIsRefused>()},
      {.name = "DestroyOfTheGoneThrows",
       .rule = "DESTROY-003",
       .what = "destroy() of what another handle has destroyed throws NotFoundError.",
       .wrap_hooks = the_sandbox_hooks<DestroyOfTheGoneThrows>(),
       .with = {kAttach, kOutlives}},
      {.name = "DestroyOfTheStoppedThrows",
       .rule = "DESTROY-003",
       .what = "destroy() of an environment that has stopped is refused by the backend.",
       .wrap_hooks = each_session_hooks<DestroyOfTheStoppedThrows>(),
       .with = {kOutlives}},
      {.name = "DestroyWithoutItsDirectoryThrows",
       .rule = "DESTROY-003",
       .what = "destroy() is refused when the working directory is gone.",
       .wrap = each_session<DestroyWithoutItsDirectoryThrows>()},
      {.name = "AFailedDestroyClosesTheHandle",
       .rule = "DESTROY-004",
       .what = "A destroy() that failed has closed the handle.",
       .wrap = each_session<AFailedDestroyClosesTheHandle>()},
      {.name = "AFailedDestroyRefusesExec",
       .rule = "DESTROY-004",
       .what = "After a destroy() that failed, exec is refused.",
       .wrap = each_session<AFailedDestroyRefusesExec>()},
      {.name = "AFailedDestroyIsSwallowed",
       .rule = "DESTROY-004",
       .what = "A destroy() that failed reports nothing.",
       .wrap = each_session<AFailedDestroyIsSwallowed>()},
      {.name = "AFailedDestroyIsFinal",
       .rule = "DESTROY-004",
       .what = "After a destroy() that failed, every other one throws the same error.",
       .wrap = each_session<AFailedDestroyIsFinal>()},
      {.name = "ARetriedDestroyOnlyCloses",
       .rule = "DESTROY-004",
       .what = "The second destroy() closes the handle and leaves the environment.",
       .wrap = each_session<ARetriedDestroyOnlyCloses>(),
       .with = {kOutlives}},
  };
  for (Mutant& row : destroy_others_mutants()) mutants.push_back(std::move(row));
  return mutants;
}

}  // namespace sandproof::conformance
