// SPDX-License-Identifier: Apache-2.0
// See sandbox_core.h.
#include "sandbox_core.h"

#include <stdexcept>
#include <utility>

#include "guarded.h"
#include "report_quietly.h"
#include "sandproof/errors.h"
#include "sandproof/log_stores.h"
#include "secret_resolution.h"
#include "session_core.h"
#include "session_metadata.h"
#include "settings_layers.h"

namespace sandproof {
namespace {

/// The longest id that is passed on to a backend: a DNS label (SESSION-002).
constexpr std::size_t kLongestId = 63;

bool is_session_id(std::string_view id) {
  if (id.empty() || id.size() > kLongestId || id.front() == '-') return false;
  for (const char c : id) {
    if (!((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-')) return false;
  }
  return true;
}

std::unique_ptr<SandboxHooks> make_hooks(const Flavor& flavor, const SandboxOptions& options,
                                         ComponentContext context, const Redactor& redactor) {
  return guarded(redactor, "start of sandbox " + context.component_id, [&] {
    auto hooks = flavor.make_hooks(context);
    if (options.decorate_hooks) hooks = options.decorate_hooks(std::move(hooks));
    if (hooks == nullptr) throw std::logic_error("the flavor made no hooks");
    return hooks;
  });
}

std::shared_ptr<Poller> start_poller(const std::string& component_id) {
  return guarded(Redactor(), "start of sandbox " + component_id, [] { return Poller::shared(); });
}

/// What was made and cannot be handed out is ended: a create that fails leaves nothing behind.
void undo(SessionHooks& hooks, bool destroy_it) noexcept {
  try {
    if (destroy_it) hooks.do_destroy();
  } catch (...) {  // What made the create fail is what is reported.
  }
  try {
    hooks.do_close();
  } catch (...) {
  }
}

}  // namespace

/// What a session is made of before the flavor is asked.
struct SandboxCore::Plan {
  SessionSpec spec;
  Redactor redactor;
  std::optional<StepContext> step;
};

SandboxCore::SandboxCore(Flavor flavor, const SandboxOptions& options)
    : flavor_(std::move(flavor)),
      component_id_(options.component_id.empty() ? flavor_.name + "-default"
                                                 : options.component_id),
      component_settings_(flavor_.settings.checked(options.settings)),
      secrets_(options.secrets),
      ids_(options.ids ? options.ids : system_id_source()),
      diagnostics_(options.diagnostics ? options.diagnostics : spdlog_diagnostics()),
      current_step_(options.current_step),
      poller_(start_poller(component_id_)) {
  std::vector<std::string> secret_values;
  ComponentContext context;
  context.component_id = component_id_;
  context.settings = resolve_secrets(flavor_.settings.completed(component_settings_),
                                     secrets_.get(), secret_values);
  context.ids = ids_;
  context.diagnostics = diagnostics_;
  hooks_ = make_hooks(flavor_, options, std::move(context), Redactor(secret_values));
}

SandboxCore::~SandboxCore() = default;

void SandboxCore::require(Capability capability, const char* operation) const {
  if (!has(capability)) throw UnsupportedError(operation, flavor_.name);
}

SandboxCore::Plan SandboxCore::plan_session(const Settings& overrides, std::string id) {
  Plan plan;
  if (current_step_) plan.step = current_step_();
  const Settings layered =
      effective_settings(flavor_.settings, component_settings_,
                         plan.step ? plan.step->settings : std::nullopt, overrides);
  std::vector<std::string> secret_values;
  plan.spec.settings = resolve_secrets(layered, secrets_.get(), secret_values);
  plan.redactor = Redactor(secret_values);
  plan.spec.id = std::move(id);
  plan.spec.component_id = component_id_;
  plan.spec.env = setting<Environment>(plan.spec.settings, "environment");
  if (plan.step) {
    plan.spec.run_id = plan.step->run_id;
    plan.spec.step_id = plan.step->step_id;
  }
  plan.spec.start_deadline =
      std::chrono::steady_clock::now() + setting_duration(plan.spec.settings, "operation_timeout");
  return plan;
}

std::shared_ptr<SessionCore> SandboxCore::finish_session(Plan plan,
                                                         std::unique_ptr<SessionHooks> hooks,
                                                         Origin origin) {
  if (hooks == nullptr) {
    throw BackendError("session " + plan.spec.id + ": the flavor " + flavor_.name +
                       " made no hooks for it");
  }
  const std::shared_ptr<SessionHooks> shared = std::move(hooks);
  try {
    SessionParts parts;
    parts.id = plan.spec.id;
    parts.sandbox = shared_from_this();
    parts.hooks = shared;
    parts.settings = std::move(plan.spec.settings);
    parts.env = std::move(plan.spec.env);
    parts.redactor = plan.redactor;
    parts.log = std::make_shared<SessionLog>(plan.step, plan.spec.id, plan.redactor, diagnostics_);
    auto session = std::make_shared<SessionCore>(std::move(parts));
    if (has(Capability::kDashboardUrl)) session->learn_dashboard_url();
    if (plan.step) {
      publish_session_metadata(*plan.step, session->id(), flavor_.name, session->dashboard_url(),
                               *diagnostics_);
    }
    return session;
  } catch (...) {
    undo(*shared, origin == Origin::kMade);
    throw;
  }
}

std::shared_ptr<SessionCore> SandboxCore::create_session(const Settings& overrides) {
  Plan plan = plan_session(overrides, new_session_id(*ids_, flavor_.name));
  auto hooks = guarded(plan.redactor, "create_session on " + component_id_,
                       [&] { return hooks_->do_create_session(plan.spec); });
  return finish_session(std::move(plan), std::move(hooks), Origin::kMade);
}

std::shared_ptr<SessionCore> SandboxCore::attach(std::string_view id) {
  require(Capability::kAttach, "attach");
  if (!is_session_id(id)) {
    throw NotFoundError("there is no session '" + std::string(id) + "' of " + component_id_ +
                        ": ids have at most 63 lower-case letters, digits and dashes");
  }
  Plan plan = plan_session({}, std::string(id));
  auto hooks = guarded(plan.redactor, "attach to " + plan.spec.id,
                       [&] { return hooks_->do_attach(plan.spec); });
  return finish_session(std::move(plan), std::move(hooks), Origin::kAttached);
}

void SandboxCore::check_component(const Snapshot& snapshot, const char* operation) const {
  if (snapshot.component_id == component_id_) return;
  throw InvalidArgumentError(std::string(operation) + ": the snapshot " + snapshot.ref +
                             " was made by the sandbox '" + snapshot.component_id +
                             "' and this is '" + component_id_ + "'; use the one that made it");
}

std::shared_ptr<SessionCore> SandboxCore::restore(const Snapshot& snapshot,
                                                  const Settings& overrides) {
  require(Capability::kRestore, "restore");
  check_component(snapshot, "restore");
  Plan plan = plan_session(overrides, new_session_id(*ids_, flavor_.name));
  const Settings checked = flavor_.settings.checked(overrides);
  auto hooks = guarded(plan.redactor, "restore of " + snapshot.ref,
                       [&] { return hooks_->do_restore(snapshot, checked, plan.spec); });
  return finish_session(std::move(plan), std::move(hooks), Origin::kMade);
}

void SandboxCore::delete_snapshot(const Snapshot& snapshot) {
  require(Capability::kSnapshot, "delete_snapshot");
  check_component(snapshot, "delete_snapshot");
  guarded(Redactor(), "delete_snapshot of " + snapshot.ref,
          [&] { hooks_->do_delete_snapshot(snapshot); });
}

void SandboxCore::note_teardown_error(const std::string& session_id, std::exception_ptr error) {
  try {
    std::rethrow_exception(error);
  } catch (...) {
    report_quietly(diagnostics_.get(), LogLevel::kError, [&] {
      return "teardown of session " + session_id + " failed: " + current_exception_text();
    });
  }
  const std::lock_guard lock(mutex_);
  teardown_error_ = std::move(error);
}

std::exception_ptr SandboxCore::last_teardown_error() const {
  const std::lock_guard lock(mutex_);
  return teardown_error_;
}

}  // namespace sandproof
