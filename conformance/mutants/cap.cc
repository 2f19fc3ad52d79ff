// SPDX-License-Identifier: Apache-2.0
// Flavors that break CAP. Each mutation is used from any thread.
#include <atomic>
#include <filesystem>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "conformance/mutants/areas.h"
#include "conformance/mutants/support.h"
#include "sandproof/errors.h"

namespace sandproof::conformance {
namespace {

class ForgetsACapabilityAfterUse : public Faulty<SandboxWrapper> {
 public:
  using Faulty::Faulty;
  const Capabilities& capabilities() const override {
    if (!used_ || !fires()) return inner().capabilities();
    less_ = inner().capabilities().without(Capability::kAsyncExec);
    return less_;
  }
  std::unique_ptr<Session> create_session(const Settings& overrides, OnExit on_exit,
                                          Where where) override {
    used_ = true;
    return inner().create_session(overrides, on_exit, where);
  }

 private:
  std::atomic<bool> used_ = false;
  mutable Capabilities less_;
};

class ClaimsMoreThanItDeclares : public Faulty<SandboxWrapper> {
 public:
  using Faulty::Faulty;
  const Capabilities& capabilities() const override {
    if (!fires()) return inner().capabilities();
    more_ = inner().capabilities().with(Capability::kDashboardUrl);
    return more_;
  }

 private:
  mutable Capabilities more_;
};

class AttachMakesANewSession : public Faulty<SandboxWrapper> {
 public:
  using Faulty::Faulty;
  std::unique_ptr<Session> attach(std::string_view id, Where where) override {
    return fires() ? inner().create_session({}, OnExit::kDestroy, where)
                   : inner().attach(id, where);
  }
};

class SnapshotIsAnEmptyPromise : public Faulty<SessionWrapper> {
 public:
  using Faulty::Faulty;
  Snapshot create_snapshot(Where where) override {
    return fires() ? Snapshot{.component_id = "any", .ref = "none", .metadata = {}}
                   : inner().create_snapshot(where);
  }
};

class DeletingASnapshotIsANod : public Faulty<SandboxWrapper> {
 public:
  using Faulty::Faulty;
  void delete_snapshot(const Snapshot& snapshot, Where where) override {
    if (!fires()) inner().delete_snapshot(snapshot, where);
  }
};

class RestoreMakesAnEmptySession : public Faulty<SandboxWrapper> {
 public:
  using Faulty::Faulty;
  std::unique_ptr<Session> restore(const Snapshot& snapshot, const Settings& overrides,
                                   OnExit on_exit, Where where) override {
    return fires() ? inner().create_session(overrides, OnExit::kDestroy, where)
                   : inner().restore(snapshot, overrides, on_exit, where);
  }
};

class RefusalForgetsTheFlavor : public Faulty<SandboxWrapper> {
 public:
  using Faulty::Faulty;
  std::unique_ptr<Session> attach(std::string_view id, Where where) override {
    if (fires()) throw UnsupportedError("attach", "");
    return inner().attach(id, where);
  }
};

class RefusalLeavesAnEnvironment : public Faulty<SandboxWrapper> {
 public:
  using Faulty::Faulty;
  std::unique_ptr<Session> attach(std::string_view id, Where where) override {
    if (fires()) {
      const std::lock_guard lock(mutex_);
      left_.push_back(inner().create_session({}, OnExit::kDestroy, where));
    }
    return inner().attach(id, where);
  }

 private:
  std::mutex mutex_;
  std::vector<std::unique_ptr<Session>> left_;
};

class RefusesAttach : public Faulty<SandboxWrapper> {
 public:
  using Faulty::Faulty;
  std::unique_ptr<Session> attach(std::string_view id, Where where) override {
    if (fires()) throw UnsupportedError("attach", flavor());
    return inner().attach(id, where);
  }
};

class RefusesRestore : public Faulty<SandboxWrapper> {
 public:
  using Faulty::Faulty;
  std::unique_ptr<Session> restore(const Snapshot& snapshot, const Settings& overrides,
                                   OnExit on_exit, Where where) override {
    if (fires()) throw UnsupportedError("restore", flavor());
    return inner().restore(snapshot, overrides, on_exit, where);
  }
};

class RefusesDownload : public Faulty<SessionWrapper> {
 public:
  using Faulty::Faulty;
  void download_file(const std::string& remote, const std::filesystem::path& local,
                     Where where) override {
    if (fires()) throw UnsupportedError("download_file", "this flavor");
    inner().download_file(remote, local, where);
  }
};

class RefusesInput : public Faulty<SessionWrapper> {
 public:
  using Faulty::Faulty;
  std::unique_ptr<Process> exec(Command command, ExecOptions options, Where where) override {
    if (!options.input.is_empty() && fires()) throw UnsupportedError("exec", "this flavor");
    return inner().exec(std::move(command), std::move(options), where);
  }
};

class RefusesAsyncExec : public Faulty<SessionWrapper> {
 public:
  using Faulty::Faulty;
  std::future<std::unique_ptr<Process>> exec_async(Command command, ExecOptions options,
                                                   Where where) override {
    if (fires()) throw UnsupportedError("exec_async", "this flavor");
    return inner().exec_async(std::move(command), std::move(options), where);
  }
};

class RefusesDestroyOfAClosedHandle : public Faulty<SessionWrapper> {
 public:
  using Faulty::Faulty;
  void destroy(Where where) override {
    if (inner().closed() && fires()) throw UnsupportedError("destroy", "this flavor");
    inner().destroy(where);
  }
};

/// attach() of what this sandbox made gives a second handle, whatever is claimed.
class AttachWorksUnclaimed : public Faulty<SandboxWrapper> {
 public:
  using Faulty::Faulty;
  std::unique_ptr<Session> create_session(const Settings& overrides, OnExit on_exit,
                                          Where where) override {
    std::shared_ptr<Session> session = inner().create_session(overrides, on_exit, where);
    const std::lock_guard lock(mutex_);
    made_.push_back(session);
    return handle_to(session);
  }
  std::unique_ptr<Session> attach(std::string_view id, Where where) override {
    {
      const std::lock_guard lock(mutex_);
      for (const auto& session : made_) {
        if (session->id() == id && fires()) return handle_to(session);
      }
    }
    return inner().attach(id, where);
  }

 private:
  std::mutex mutex_;
  std::vector<std::shared_ptr<Session>> made_;
};

class RunsInTheHarnessesDirectory : public Faulty<SessionHookWrapper> {
 public:
  using Faulty::Faulty;
  std::unique_ptr<ProcessHooks> do_exec(const ExecRequest& request) override {
    ExecRequest changed = request;
    if (changed.cwd.empty() && fires()) changed.cwd = std::filesystem::current_path();
    return inner().do_exec(changed);
  }
};

class EverySessionIsTheFirst : public Faulty<SandboxWrapper> {
 public:
  using Faulty::Faulty;
  std::unique_ptr<Session> create_session(const Settings& overrides, OnExit on_exit,
                                          Where where) override {
    const std::lock_guard lock(mutex_);
    if (first_ != nullptr && fires()) return handle_to(first_);
    std::shared_ptr<Session> made = inner().create_session(overrides, on_exit, where);
    if (first_ == nullptr) first_ = made;
    return handle_to(made);
  }

 private:
  std::mutex mutex_;
  std::shared_ptr<Session> first_;
};

}  // namespace

// NOLINTNEXTLINE(readability-function-size): a table of rows.
std::vector<Mutant> cap_mutants() {
  using enum Capability;
  return {
      {.name = "ForgetsACapabilityAfterUse",
       .rule = "CAP-001",
       .what = "Once a session was created, capabilities() lacks async_exec.",
       .wrap = the_sandbox<ForgetsACapabilityAfterUse>(),
       .with = {kAsyncExec}},
      {.name = "ClaimsMoreThanItDeclares",
       .rule = "CAP-001",
       .what = "capabilities() has dashboard_url, which the registration does not declare.",
       .wrap = the_sandbox<ClaimsMoreThanItDeclares>(),
       .without = {kDashboardUrl}},
      {.name = "AttachMakesANewSession",
       .rule = "CAP-002",
       .what = "attach() is not claimed and gives a new session.",
       .wrap = the_sandbox<AttachMakesANewSession>(),
       .without = {kAttach}},
      {.name = "SnapshotIsAnEmptyPromise",
       .rule = "CAP-002",
       .what = "create_snapshot() is not claimed and gives a reference to nothing.",
       .wrap = each_session<SnapshotIsAnEmptyPromise>(),
       .without = {kSnapshot}},
      {.name = "DeletingASnapshotIsANod",
       .rule = "CAP-002",
       .what = "delete_snapshot() is not claimed and does nothing.",
       .wrap = the_sandbox<DeletingASnapshotIsANod>(),
       .without = {kSnapshot}},
      {.name = "RestoreMakesAnEmptySession",
       .rule = "CAP-002",
       .what = "restore() is not claimed and gives a new, empty session.",
       .wrap = the_sandbox<RestoreMakesAnEmptySession>(),
       .without = {kRestore}},
      {.name = "RefusalForgetsTheFlavor",
       .rule = "CAP-002",
       .what = "The refusal of attach() does not say which flavor refuses.",
       .wrap = the_sandbox<RefusalForgetsTheFlavor>(),
       .without = {kAttach}},
      {.name = "RefusalLeavesAnEnvironment",
       .rule = "CAP-002",
       .what = "attach() makes an environment, then refuses, and leaves it behind.",
       .wrap = the_sandbox<RefusalLeavesAnEnvironment>(),
       .without = {kAttach}},
      {.name = "RefusesAttach",
       .rule = "CAP-003",
       .what = "attach() is claimed and refused.",
       .wrap = the_sandbox<RefusesAttach>(),
       .with = {kAttach}},
      {.name = "RefusesRestore",
       .rule = "CAP-003",
       .what = "restore() is claimed and refused.",
       .wrap = the_sandbox<RefusesRestore>(),
       .with = {kRestore}},
      {.name = "RefusesDownload",
       .rule = "CAP-003",
       .what = "download_file() is claimed and refused.",
       .wrap = each_session<RefusesDownload>(),
       .with = {kDownload}},
      {.name = "RefusesInput",
       .rule = "CAP-003",
       .what = "stdin is claimed, and an exec with stdin is refused.",
       .wrap = each_session<RefusesInput>(),
       .with = {kStdin}},
      {.name = "RefusesAsyncExec",
       .rule = "CAP-003",
       .what = "exec_async() is claimed and refused.",
       .wrap = each_session<RefusesAsyncExec>(),
       .with = {kAsyncExec}},
      {.name = "RefusesDestroyOfAClosedHandle",
       .rule = "CAP-003",
       .what = "destroy() of a closed handle is UnsupportedError.",
       .wrap = each_session<RefusesDestroyOfAClosedHandle>()},
      {.name = "AttachWorksUnclaimed",
       .rule = "CAP-004",
       .what = "attach() works although it is not claimed.",
       .wrap = the_sandbox<AttachWorksUnclaimed>(),
       .without = {kAttach}},
      {.name = "RunsInTheHarnessesDirectory",
       .rule = "CAP-005",
       .what = "Commands run in the harness's own working directory.",
       .wrap_hooks = each_session_hooks<RunsInTheHarnessesDirectory>()},
      {.name = "EverySessionIsTheFirst",
       .rule = "CAP-005",
       .what = "Every session that is created is another handle to the first one.",
       .wrap = the_sandbox<EverySessionIsTheFirst>()},
  };
}

}  // namespace sandproof::conformance
