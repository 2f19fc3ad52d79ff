// SPDX-License-Identifier: Apache-2.0
// Writing down what a case makes (ledger.h).
#include "conformance/runner/ledger.h"

#include <cstddef>
#include <utility>

namespace sandproof::conformance::runner {
namespace {

class RememberingSession : public SessionWrapper {
 public:
  RememberingSession(std::unique_ptr<Session> inner, std::string component,
                     std::shared_ptr<Ledger> ledger)
      : SessionWrapper(std::move(inner)),
        component_(std::move(component)),
        ledger_(std::move(ledger)) {}

  Snapshot create_snapshot(Where where) override {
    Snapshot snapshot = SessionWrapper::create_snapshot(where);
    ledger_->snapshot(component_, snapshot);
    return snapshot;
  }

 private:
  std::string component_;
  std::shared_ptr<Ledger> ledger_;
};

}  // namespace

std::string left_behind(const std::vector<std::string>& items) {
  std::string text = "left behind: ";
  bool processes = false;
  bool others = false;
  for (std::size_t i = 0; i < items.size(); ++i) {
    text += (i == 0 ? "" : "; ") + items[i];
    const bool is_rest = items[i].starts_with("and ");  // "and 180 more processes"
    if (!is_rest) (items[i].starts_with("process ") ? processes : others) = true;
  }
  text += " (see ";
  if (processes) text += "CLOSE-005, or DESTROY-001 where the flavor claims outlives";
  if (others) text += processes ? "; LEAK-001" : "LEAK-001";
  return text + ")";
}

void Ledger::component(const std::string& id, const Settings& settings) {
  const std::lock_guard lock(mutex_);
  components_.try_emplace(id, ComponentRecord{settings, {}, {}});
}

void Ledger::session(const std::string& component, const std::string& id) {
  const std::lock_guard lock(mutex_);
  components_[component].sessions.insert(id);
}

void Ledger::snapshot(const std::string& component, const Snapshot& snapshot) {
  const std::lock_guard lock(mutex_);
  components_[component].snapshots.push_back(snapshot);
}

std::map<std::string, ComponentRecord> Ledger::take() {
  const std::lock_guard lock(mutex_);
  return std::exchange(components_, {});
}

RememberingSandbox::RememberingSandbox(std::unique_ptr<Sandbox> inner, std::string component,
                                       std::shared_ptr<Ledger> ledger)
    : SandboxWrapper(std::move(inner)),
      component_(std::move(component)),
      ledger_(std::move(ledger)) {}

std::unique_ptr<Session> RememberingSandbox::remembered(std::unique_ptr<Session> session) {
  // A mutant may return nothing; the case has to see that, not the harness.
  if (session == nullptr) return session;
  ledger_->session(component_, session->id());
  return std::make_unique<RememberingSession>(std::move(session), component_, ledger_);
}

std::unique_ptr<Session> RememberingSandbox::create_session(const Settings& overrides,
                                                            OnExit on_exit, Where where) {
  return remembered(SandboxWrapper::create_session(overrides, on_exit, where));
}

std::unique_ptr<Session> RememberingSandbox::attach(std::string_view id, Where where) {
  return remembered(SandboxWrapper::attach(id, where));
}

std::unique_ptr<Session> RememberingSandbox::restore(const Snapshot& snapshot,
                                                     const Settings& overrides, OnExit on_exit,
                                                     Where where) {
  return remembered(SandboxWrapper::restore(snapshot, overrides, on_exit, where));
}

}  // namespace sandproof::conformance::runner
