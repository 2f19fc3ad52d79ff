// SPDX-License-Identifier: Apache-2.0
// From a row of the flavor table to a sandbox handle; with_session().
#include <cstdlib>
#include <utility>

#include "handles.h"
#include "sandbox_core.h"
#include "sandproof/flavor.h"
#include "sandproof/wait_board.h"
#include "session_core.h"

namespace sandproof {
namespace {

class SandboxHandle : public Sandbox {
 public:
  explicit SandboxHandle(std::shared_ptr<SandboxCore> core)
      : core_(std::move(core)), name_("sandbox " + core_->component_id()) {}

  std::string flavor() const override { return core_->flavor(); }
  std::string component_id() const override { return core_->component_id(); }
  const Capabilities& capabilities() const override { return core_->capabilities(); }

  std::unique_ptr<Session> create_session(const Settings& overrides, OnExit on_exit,
                                          Where where) override {
    const WaitScope scope("create_session", name_, where);
    return make_session_handle(core_->create_session(overrides), on_exit, core_);
  }
  std::unique_ptr<Session> attach(std::string_view id, Where where) override {
    const WaitScope scope("attach", name_, where);
    return make_session_handle(core_->attach(id), OnExit::kClose, core_);
  }
  std::unique_ptr<Session> restore(const Snapshot& snapshot, const Settings& overrides,
                                   OnExit on_exit, Where where) override {
    const WaitScope scope("restore", name_, where);
    return make_session_handle(core_->restore(snapshot, overrides), on_exit, core_);
  }
  void delete_snapshot(const Snapshot& snapshot, Where where) override {
    const WaitScope scope("delete_snapshot", name_, where);
    core_->delete_snapshot(snapshot);
  }
  std::exception_ptr last_teardown_error() const override { return core_->last_teardown_error(); }

 private:
  const std::shared_ptr<SandboxCore> core_;
  const std::string name_;
};

}  // namespace

std::string spill_directory(const Settings& settings) {
  const std::string& configured = setting<std::string>(settings, "spill_dir");
  if (!configured.empty()) return configured;
  const char* tmp = std::getenv("TMPDIR");
  return tmp != nullptr && *tmp != '\0' ? tmp : "/tmp";
}

std::unique_ptr<Sandbox> make_sandbox_handle(std::shared_ptr<SandboxCore> core) {
  return std::make_unique<SandboxHandle>(std::move(core));
}

std::unique_ptr<Sandbox> make_sandbox(
    const Flavor& flavor, SandboxOptions options) {  // NOLINT(performance-unnecessary-value-param)
  return make_sandbox_handle(std::make_shared<SandboxCore>(flavor, options));
}

void with_session(Sandbox& sandbox, const Settings& settings, OnExit on_exit,
                  const std::function<void(Session&)>& body) {
  // The handle's own destructor finishes what an exception interrupts: the body's error is the
  // one that is seen, and the teardown's is left with the sandbox.
  const std::unique_ptr<Session> session = sandbox.create_session(settings, on_exit);
  body(*session);
  on_exit == OnExit::kDestroy ? session->destroy() : session->close();
}

}  // namespace sandproof
