// SPDX-License-Identifier: Apache-2.0
// Flavors that break META. Each mutation is used from any thread.
#include <atomic>
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

class TheFlavorIsMisnamed : public Faulty<SandboxWrapper> {
 public:
  using Faulty::Faulty;
  std::string flavor() const override { return fires() ? "another" : inner().flavor(); }
};

/// Answers an attach with the handle that create gave, without asking.
class AttachPublishesNothing : public Faulty<SandboxWrapper> {
 public:
  using Faulty::Faulty;
  std::unique_ptr<Session> create_session(const Settings& overrides, OnExit on_exit,
                                          Where where) override {
    const std::shared_ptr<Session> session = inner().create_session(overrides, on_exit, where);
    const std::lock_guard lock(mutex_);
    last_ = session;
    return handle_to(session);
  }
  std::unique_ptr<Session> attach(std::string_view id, Where where) override {
    {
      const std::lock_guard lock(mutex_);
      const std::shared_ptr<Session> last = last_.lock();
      if (last != nullptr && last->id() == id && fires()) return handle_to(last);
    }
    return inner().attach(id, where);
  }

 private:
  std::mutex mutex_;
  std::weak_ptr<Session> last_;
};

/// The URL is not known yet when it is asked for the first time.
class TheUrlIsNotPublished : public Faulty<SandboxWrapper> {
 public:
  using Faulty::Faulty;
  std::unique_ptr<Session> create_session(const Settings& overrides, OnExit on_exit,
                                          Where where) override {
    auto session = inner().create_session(overrides, on_exit, where);
    if (!fires()) return session;
    return std::make_unique<LateUrl>(std::move(session));
  }

 private:
  class LateUrl : public SessionWrapper {
   public:
    using SessionWrapper::SessionWrapper;
    std::optional<std::string> dashboard_url() const override {
      return inner().dashboard_url().value_or("") + "?late";
    }
  };
};

class AnAttachedSessionHasNoUrl : public Faulty<SandboxHookWrapper> {
 public:
  using Faulty::Faulty;
  std::unique_ptr<SessionHooks> do_attach(const SessionSpec& spec) override {
    auto session = inner().do_attach(spec);
    if (!fires()) return session;
    return std::make_unique<NoUrl>(std::move(session));
  }

 private:
  class NoUrl : public SessionHookWrapper {
   public:
    using SessionHookWrapper::SessionHookWrapper;
    std::optional<std::string> do_dashboard_url() override { return std::nullopt; }
  };
};

class AFailingSinkFailsTheCreate : public Faulty<SandboxHookWrapper> {
 public:
  using Faulty::Faulty;
  std::unique_ptr<SessionHooks> do_create_session(const SessionSpec& spec) override {
    if (spec.step_id == "failing-sink" && fires()) throw BackendError("nothing can be published");
    return inner().do_create_session(spec);
  }
};

}  // namespace

std::vector<Mutant> meta_mutants() {
  return {
      {.name = "TheFlavorIsMisnamed",
       .rule = "META-001",
       .what = "what is published is not the flavor's name",
       .wrap = the_sandbox<TheFlavorIsMisnamed>()},
      {.name = "AttachPublishesNothing",
       .rule = "META-001",
       .what = "an attach publishes nothing",
       .wrap = the_sandbox<AttachPublishesNothing>(),
       .with = {Capability::kAttach, Capability::kOutlives}},
      {.name = "TheUrlIsNotPublished",
       .rule = "META-001",
       .what = "the published URL is not the session's",
       .wrap = the_sandbox<TheUrlIsNotPublished>(),
       .with = {Capability::kDashboardUrl}},
      {.name = "AnAttachedSessionHasNoUrl",
       .rule = "META-001",
       .what = "an attach does not publish the URL",
       .wrap_hooks = the_sandbox_hooks<AnAttachedSessionHasNoUrl>(),
       .with = {Capability::kAttach, Capability::kDashboardUrl, Capability::kSnapshot,
                Capability::kRestore}},
      {.name = "AFailingSinkFailsTheCreate",
       .rule = "META-002",
       .what = "a sink that fails fails the create",
       .wrap_hooks = the_sandbox_hooks<AFailingSinkFailsTheCreate>()},
  };
}

}  // namespace sandproof::conformance
