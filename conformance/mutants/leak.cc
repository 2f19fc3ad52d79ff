// SPDX-License-Identifier: Apache-2.0
// Flavors that break LEAK. What they leave is kept in the mutation, so that the runner can still
// clean up. Each mutation is used from any thread.
#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "conformance/mutants/areas.h"
#include "conformance/mutants/support.h"

namespace sandproof::conformance {
namespace {

/// Every create makes a second session, which is kept.
class CreateMakesTwo : public Faulty<SandboxWrapper> {
 public:
  using Faulty::Faulty;
  std::unique_ptr<Session> create_session(const Settings& overrides, OnExit on_exit,
                                          Where where) override {
    auto session = inner().create_session(overrides, on_exit, where);
    if (fires()) {
      auto second = inner().create_session(overrides, OnExit::kDestroy, where);
      const std::lock_guard lock(mutex_);
      kept_.push_back(std::move(second));
    }
    return session;
  }

 private:
  std::mutex mutex_;
  std::vector<std::unique_ptr<Session>> kept_;
};

/// Destroying is forgotten now and then: only the handle is closed.
class SomeSessionsStay : public Faulty<SandboxWrapper> {
 public:
  using Faulty::Faulty;
  std::unique_ptr<Session> create_session(const Settings& overrides, OnExit on_exit,
                                          Where where) override {
    auto session = inner().create_session(overrides, on_exit, where);
    if (++created_ % 10 != 0 || !fires()) return session;
    auto extra = inner().create_session(overrides, OnExit::kDestroy, where);
    const std::lock_guard lock(mutex_);
    kept_.push_back(std::move(extra));
    return session;
  }

 private:
  std::atomic<int> created_{0};
  std::mutex mutex_;
  std::vector<std::unique_ptr<Session>> kept_;
};

class LeaksADescriptor : public Faulty<SessionWrapper> {
 public:
  using Faulty::Faulty;
  ~LeaksADescriptor() override {
    for (const int fd : leaked_) ::close(fd);
  }
  std::unique_ptr<Process> exec(Command command, ExecOptions options, Where where) override {
    if (fires()) {
      const std::lock_guard lock(mutex_);
      leaked_.push_back(::open("/dev/null", O_RDONLY | O_CLOEXEC));
    }
    return inner().exec(std::move(command), std::move(options), where);
  }

 private:
  std::mutex mutex_;
  std::vector<int> leaked_;
};

class LeaksAThread : public Faulty<SessionWrapper> {
 public:
  using Faulty::Faulty;
  ~LeaksAThread() override { over_.release(); }
  std::unique_ptr<Process> exec(Command command, ExecOptions options, Where where) override {
    if (fires()) {
      const std::lock_guard lock(mutex_);
      threads_.emplace_back([this] { over_.stay(std::chrono::minutes(1)); });
    }
    return inner().exec(std::move(command), std::move(options), where);
  }

 private:
  Hold over_;
  std::mutex mutex_;
  std::vector<std::jthread> threads_;  // Joined before over_ goes.
};

class ExecLeavesAZombie : public Faulty<SessionWrapper> {
 public:
  using Faulty::Faulty;
  ~ExecLeavesAZombie() override {
    for (const pid_t pid : children_) ::waitpid(pid, nullptr, 0);
  }
  std::unique_ptr<Process> exec(Command command, ExecOptions options, Where where) override {
    if (fires()) {
      const pid_t pid = ::fork();
      if (pid == 0) ::_exit(0);
      const std::lock_guard lock(mutex_);
      if (pid > 0) children_.push_back(pid);
    }
    return inner().exec(std::move(command), std::move(options), where);
  }

 private:
  std::mutex mutex_;
  std::vector<pid_t> children_;
};

class ChildrenGetADescriptor : public Faulty<SessionHookWrapper> {
 public:
  using Faulty::Faulty;
  std::unique_ptr<ProcessHooks> do_exec(const ExecRequest& request) override {
    ExecRequest changed = request;
    if (fires()) {
      const std::vector<std::string> wrapper = {"sh", "-c", "exec 7</dev/null; exec \"$@\"", "sh"};
      changed.argv.insert(changed.argv.begin(), wrapper.begin(), wrapper.end());
    }
    return inner().do_exec(changed);
  }
};

/// The program does not know of the child that it has, and does not reap it. The child ends when no
/// shell is there any more, which would reap it with its own.
struct GetsAStrayChild {
  void operator()(ExecRequest& request) const {
    const std::vector<std::string> wrapper = {"sh", "-c", "sleep 2 >/dev/null 2>&1 & exec \"$@\"",
                                              "sh"};
    request.argv.insert(request.argv.begin(), wrapper.begin(), wrapper.end());
  }
};

}  // namespace

std::vector<Mutant> leak_mutants() {
  return {
      {.name = "CreateMakesTwo",
       .rule = "LEAK-001",
       .what = "every create makes a second environment that nobody destroys",
       .wrap = the_sandbox<CreateMakesTwo>()},
      {.name = "CommandsHaveAStrayChild",
       .rule = "LEAK-001",
       .what = "every command has a dead child that nobody reaps",
       .wrap_hooks = each_session_hooks<ChangedRequest<GetsAStrayChild>>()},
      session_mutant<LeaksADescriptor>("LeaksADescriptor", "LEAK-002",
                                       "every exec leaves a descriptor",
                                       "https://github.com/docker/docker-py/issues/1755"),
      session_mutant<LeaksAThread>("LeaksAThread", "LEAK-002", "every exec leaves a thread"),
      session_mutant<ExecLeavesAZombie>("LeavesAZombie", "LEAK-002", "every exec leaves a zombie"),
      {.name = "ChildrenGetADescriptor",
       .rule = "LEAK-003",
       .what = "commands inherit a descriptor",
       .wrap_hooks = each_session_hooks<ChildrenGetADescriptor>(),
       .bug = "https://github.com/boostorg/process/issues/170"},
      {.name = "SomeSessionsStay",
       .rule = "LEAK-004",
       .what = "every tenth create leaves an environment",
       .wrap = the_sandbox<SomeSessionsStay>()},
  };
}

}  // namespace sandproof::conformance
