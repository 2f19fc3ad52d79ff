// SPDX-License-Identifier: Apache-2.0
// The wrappers that put a mutation around everything that a sandbox mints (support.h).
#include "conformance/mutants/support.h"

#include "sandproof/errors.h"

namespace sandproof::conformance {
namespace {

class Sessions : public SandboxWrapper {
 public:
  Sessions(std::unique_ptr<Sandbox> inner, Wrap<Session> wrap)
      : SandboxWrapper(std::move(inner)), wrap_(std::move(wrap)) {}

  std::unique_ptr<Session> create_session(const Settings& overrides, OnExit on_exit,
                                          Where where) override {
    return wrap_(inner().create_session(overrides, on_exit, where));
  }
  std::unique_ptr<Session> attach(std::string_view id, Where where) override {
    return wrap_(inner().attach(id, where));
  }
  std::unique_ptr<Session> restore(const Snapshot& snapshot, const Settings& overrides,
                                   OnExit on_exit, Where where) override {
    return wrap_(inner().restore(snapshot, overrides, on_exit, where));
  }

 private:
  const Wrap<Session> wrap_;
};

class Processes : public SessionWrapper {
 public:
  Processes(std::unique_ptr<Session> inner, Wrap<Process> wrap)
      : SessionWrapper(std::move(inner)), wrap_(std::move(wrap)) {}

  std::unique_ptr<Process> exec(Command command, ExecOptions options, Where where) override {
    return wrap_(inner().exec(std::move(command), std::move(options), where));
  }

 private:
  const Wrap<Process> wrap_;
};

class SharedSession : public Session {
 public:
  explicit SharedSession(std::shared_ptr<Session> target) : target_(std::move(target)) {}
  std::string id() const override { return target_->id(); }
  bool closed() const override { return target_->closed(); }
  std::optional<std::string> dashboard_url() const override { return target_->dashboard_url(); }
  std::unique_ptr<Process> exec(Command command, ExecOptions options, Where where) override {
    return target_->exec(std::move(command), std::move(options), where);
  }
  std::future<std::unique_ptr<Process>> exec_async(Command command, ExecOptions options,
                                                   Where where) override {
    return target_->exec_async(std::move(command), std::move(options), where);
  }
  void upload_file(const std::filesystem::path& local, const std::string& remote,
                   Where where) override {
    target_->upload_file(local, remote, where);
  }
  void download_file(const std::string& remote, const std::filesystem::path& local,
                     Where where) override {
    target_->download_file(remote, local, where);
  }
  Snapshot create_snapshot(Where where) override { return target_->create_snapshot(where); }
  void close(Where where) override { target_->close(where); }
  void destroy(Where where) override { target_->destroy(where); }

 private:
  const std::shared_ptr<Session> target_;
};

class SaysAnotherId : public SessionWrapper {
 public:
  SaysAnotherId(std::unique_ptr<Session> inner, std::string id)
      : SessionWrapper(std::move(inner)), id_(std::move(id)) {}
  std::string id() const override { return id_; }

 private:
  const std::string id_;
};

class SessionHooksOfAll : public SandboxHookWrapper {
 public:
  SessionHooksOfAll(std::unique_ptr<SandboxHooks> inner, Wrap<SessionHooks> wrap)
      : SandboxHookWrapper(std::move(inner)), wrap_(std::move(wrap)) {}

  std::unique_ptr<SessionHooks> do_create_session(const SessionSpec& spec) override {
    return wrap_(inner().do_create_session(spec));
  }
  std::unique_ptr<SessionHooks> do_attach(const SessionSpec& spec) override {
    return wrap_(inner().do_attach(spec));
  }
  std::unique_ptr<SessionHooks> do_restore(const Snapshot& snapshot, const Settings& overrides,
                                           const SessionSpec& spec) override {
    return wrap_(inner().do_restore(snapshot, overrides, spec));
  }

 private:
  const Wrap<SessionHooks> wrap_;
};

class ProcessHooksOfAll : public SessionHookWrapper {
 public:
  ProcessHooksOfAll(std::unique_ptr<SessionHooks> inner, Wrap<ProcessHooks> wrap)
      : SessionHookWrapper(std::move(inner)), wrap_(std::move(wrap)) {}

  std::unique_ptr<ProcessHooks> do_exec(const ExecRequest& request) override {
    return wrap_(inner().do_exec(request));
  }

 private:
  const Wrap<ProcessHooks> wrap_;
};

}  // namespace

std::unique_ptr<Sandbox> with_sessions(std::unique_ptr<Sandbox> sandbox, Wrap<Session> wrap) {
  return std::make_unique<Sessions>(std::move(sandbox), std::move(wrap));
}

std::unique_ptr<Session> with_processes(std::unique_ptr<Session> session, Wrap<Process> wrap) {
  return std::make_unique<Processes>(std::move(session), std::move(wrap));
}

std::unique_ptr<SandboxHooks> with_session_hooks(std::unique_ptr<SandboxHooks> hooks,
                                                 Wrap<SessionHooks> wrap) {
  return std::make_unique<SessionHooksOfAll>(std::move(hooks), std::move(wrap));
}

std::unique_ptr<SessionHooks> with_process_hooks(std::unique_ptr<SessionHooks> hooks,
                                                 Wrap<ProcessHooks> wrap) {
  return std::make_unique<ProcessHooksOfAll>(std::move(hooks), std::move(wrap));
}

std::unique_ptr<Session> with_id(std::unique_ptr<Session> session, std::string id) {
  return std::make_unique<SaysAnotherId>(std::move(session), std::move(id));
}

std::unique_ptr<Session> handle_to(std::shared_ptr<Session> session) {
  return std::make_unique<SharedSession>(std::move(session));
}

void stall(std::chrono::milliseconds time) {
  std::mutex mutex;
  std::condition_variable never;
  std::unique_lock lock(mutex);
  never.wait_for(lock, time, [] { return false; });
}

void Hold::stay(std::chrono::milliseconds time) {
  std::unique_lock lock(mutex_);
  changed_.wait_for(lock, time, [this] { return released_; });
}

void Hold::release() {
  const std::lock_guard lock(mutex_);
  released_ = true;
  changed_.notify_all();
}

void stall_until(const std::function<bool()>& ended) {
  const auto deadline = std::chrono::steady_clock::now() + kHang;
  while (!ended() && std::chrono::steady_clock::now() < deadline) {
    stall(std::chrono::milliseconds(5));
  }
}

void wait_for_end(Process& process) {
  try {
    process.wait(kHang);
  } catch (const Error&) {
    // It runs on, or its status is lost: whoever asks next will see.
  }
}

bool Crossing::enter() {
  const std::lock_guard lock(mutex_);
  ++seen_;
  changed_.notify_all();
  if (++inside_ > 1) return false;
  first_ = seen_;
  return true;
}

void Crossing::leave() {
  const std::lock_guard lock(mutex_);
  --inside_;
}

void Crossing::wait_for_another() {
  std::unique_lock lock(mutex_);
  changed_.wait_for(lock, kHold, [this] { return seen_ != first_; });
}

void run_below(SessionHooks& session, std::vector<std::string> argv) {
  constexpr std::chrono::seconds kLimit{2};
  const auto deadline = std::chrono::steady_clock::now() + kLimit;
  ExecRequest request;
  request.argv = std::move(argv);
  request.start_deadline = deadline;
  const std::unique_ptr<ProcessHooks> process = session.do_exec(request);
  while (!process->do_poll_exit() && std::chrono::steady_clock::now() < deadline) {
    stall(std::chrono::milliseconds(1));
  }
}

std::string output_of(Session& session, const std::string& script) {
  std::string text = session.exec({"sh", "-c", script})->collect().out;
  while (text.ends_with('\n')) text.pop_back();
  return text;
}

KnowsItsDirectory::KnowsItsDirectory(std::unique_ptr<Session> inner,
                                     std::shared_ptr<Trigger> trigger)
    : Faulty(std::move(inner), std::move(trigger)), directory_(output_of(this->inner(), "pwd")) {}

WrapSandbox wrap_the_sandbox(MakeFaulty<Sandbox> make) { return make; }

WrapSandbox wrap_each_session(MakeFaulty<Session> make) {
  return [make](std::unique_ptr<Sandbox> inner, const std::shared_ptr<Trigger>& trigger) {
    return with_sessions(std::move(inner), [make, trigger](std::unique_ptr<Session> session) {
      return make(std::move(session), trigger);
    });
  };
}

WrapSandbox wrap_each_process(MakeFaulty<Process> make) {
  return [make](std::unique_ptr<Sandbox> inner, const std::shared_ptr<Trigger>& trigger) {
    return with_sessions(std::move(inner), [make, trigger](std::unique_ptr<Session> session) {
      return with_processes(std::move(session), [make, trigger](std::unique_ptr<Process> process) {
        return make(std::move(process), trigger);
      });
    });
  };
}

WrapSandboxHooks wrap_the_sandbox_hooks(MakeFaulty<SandboxHooks> make) { return make; }

WrapSandboxHooks wrap_each_session_hooks(MakeFaulty<SessionHooks> make) {
  return [make](std::unique_ptr<SandboxHooks> inner, const std::shared_ptr<Trigger>& trigger) {
    return with_session_hooks(std::move(inner), [make, trigger](auto session) {
      return make(std::move(session), trigger);
    });
  };
}

WrapSandboxHooks wrap_each_process_hooks(MakeFaulty<ProcessHooks> make) {
  return [make](std::unique_ptr<SandboxHooks> inner, const std::shared_ptr<Trigger>& trigger) {
    return with_session_hooks(std::move(inner), [make, trigger](auto session) {
      return with_process_hooks(std::move(session), [make, trigger](auto hooks) {
        return make(std::move(hooks), trigger);
      });
    });
  };
}

Mutant mutant_of(WrapSandbox wrap, const char* name, const char* rule, const char* what,
                 const char* bug) {
  return {.name = name, .rule = rule, .what = what, .wrap = std::move(wrap), .bug = bug};
}

}  // namespace sandproof::conformance
