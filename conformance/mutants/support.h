// SPDX-License-Identifier: Apache-2.0
// What the mutants share: wrappers that hold a trigger, and ways to put one around every session,
// process or hook, so that a mutant is the one method that it gets wrong.
//
//   class StatusIsZero : public Faulty<ProcessWrapper> {
//    public:
//     using Faulty::Faulty;
//     ExitStatus wait(Where where) override {
//       const ExitStatus status = inner().wait(where);
//       return fires() ? ExitStatus::exited(0) : status;
//     }
//   };
//   … {.name = "StatusIsZero", …, .wrap = each_process<StatusIsZero>()}
//
// Thread-safe where the wrapped object is.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sandproof/conformance/mutant.h"
#include "sandproof/wrappers.h"

namespace sandproof::conformance {

/// A wrapper of wrappers.h with the trigger of its mutant.
template <typename Wrapper>
class Faulty : public Wrapper {
 public:
  template <typename Inner>
  Faulty(std::unique_ptr<Inner> inner, std::shared_ptr<Trigger> trigger)
      : Wrapper(std::move(inner)), trigger_(std::move(trigger)) {}

 protected:
  /// An opportunity for the fault. True: do the wrong thing.
  bool fires() const { return trigger_->fires(); }
  const std::shared_ptr<Trigger>& trigger() const { return trigger_; }

 private:
  std::shared_ptr<Trigger> trigger_;
};

template <typename T>
using Wrap = std::function<std::unique_ptr<T>(std::unique_ptr<T>)>;

/// A sandbox whose every session (created, attached, restored) goes through `wrap`.
std::unique_ptr<Sandbox> with_sessions(std::unique_ptr<Sandbox> sandbox, Wrap<Session> wrap);
/// A session whose every process goes through `wrap`, but those of exec_async.
std::unique_ptr<Session> with_processes(std::unique_ptr<Session> session, Wrap<Process> wrap);
/// The same for the hooks.
std::unique_ptr<SandboxHooks> with_session_hooks(std::unique_ptr<SandboxHooks> hooks,
                                                 Wrap<SessionHooks> wrap);
std::unique_ptr<SessionHooks> with_process_hooks(std::unique_ptr<SessionHooks> hooks,
                                                 Wrap<ProcessHooks> wrap);

using WrapSandbox = decltype(Mutant::wrap);
using WrapSandboxHooks = decltype(Mutant::wrap_hooks);

/// A mutation around what it wraps. A plain pointer: that leaves each mutation one function of its
/// own to compile, where lambdas would have many.
template <typename Part>
using MakeFaulty = std::unique_ptr<Part> (*)(std::unique_ptr<Part>, std::shared_ptr<Trigger>);

template <typename Mutation, typename Part>
std::unique_ptr<Part> make_faulty(std::unique_ptr<Part> inner, std::shared_ptr<Trigger> trigger) {
  return std::make_unique<Mutation>(std::move(inner), std::move(trigger));
}

WrapSandbox wrap_the_sandbox(MakeFaulty<Sandbox> make);
WrapSandbox wrap_each_session(MakeFaulty<Session> make);
WrapSandbox wrap_each_process(MakeFaulty<Process> make);
WrapSandboxHooks wrap_the_sandbox_hooks(MakeFaulty<SandboxHooks> make);
WrapSandboxHooks wrap_each_session_hooks(MakeFaulty<SessionHooks> make);
WrapSandboxHooks wrap_each_process_hooks(MakeFaulty<ProcessHooks> make);

// For Mutant::wrap and Mutant::wrap_hooks: a `Mutation` around the sandbox, every session, every
// process. A Mutation is made of what it wraps and the trigger, as Faulty is.
template <typename Mutation>
WrapSandbox the_sandbox() {
  return wrap_the_sandbox(&make_faulty<Mutation, Sandbox>);
}
template <typename Mutation>
WrapSandbox each_session() {
  return wrap_each_session(&make_faulty<Mutation, Session>);
}
template <typename Mutation>
WrapSandbox each_process() {
  return wrap_each_process(&make_faulty<Mutation, Process>);
}
template <typename Mutation>
WrapSandboxHooks the_sandbox_hooks() {
  return wrap_the_sandbox_hooks(&make_faulty<Mutation, SandboxHooks>);
}
template <typename Mutation>
WrapSandboxHooks each_session_hooks() {
  return wrap_each_session_hooks(&make_faulty<Mutation, SessionHooks>);
}
template <typename Mutation>
WrapSandboxHooks each_process_hooks() {
  return wrap_each_process_hooks(&make_faulty<Mutation, ProcessHooks>);
}

/// A row of a table whose mutation wraps the interfaces.
Mutant mutant_of(WrapSandbox wrap, const char* name, const char* rule, const char* what,
                 const char* bug = "");
template <typename Mutation>
Mutant sandbox_mutant(const char* name, const char* rule, const char* what, const char* bug = "") {
  return mutant_of(the_sandbox<Mutation>(), name, rule, what, bug);
}
template <typename Mutation>
Mutant session_mutant(const char* name, const char* rule, const char* what, const char* bug = "") {
  return mutant_of(each_session<Mutation>(), name, rule, what, bug);
}
template <typename Mutation>
Mutant process_mutant(const char* name, const char* rule, const char* what, const char* bug = "") {
  return mutant_of(each_process<Mutation>(), name, rule, what, bug);
}

/// Session hooks that start commands with a request that `Change` has altered; for
/// each_session_hooks<ChangedRequest<…>>. A Change is called by any thread, several at once.
template <typename Change>
class ChangedRequest : public Faulty<SessionHookWrapper> {
 public:
  using Faulty<SessionHookWrapper>::Faulty;
  std::unique_ptr<ProcessHooks> do_exec(const ExecRequest& request) override {
    if (!fires()) return inner().do_exec(request);
    ExecRequest changed = request;
    change_(changed);
    return inner().do_exec(changed);
  }

 private:
  Change change_;
};

/// Process hooks that report a status that `Change` has altered: ExitStatus(ExitStatus), a pure
/// function; for each_process_hooks<ChangedStatus<…>>.
template <typename Change>
class ChangedStatus : public Faulty<ProcessHookWrapper> {
 public:
  using Faulty<ProcessHookWrapper>::Faulty;
  std::optional<ExitStatus> do_poll_exit() noexcept override {
    const std::optional<ExitStatus> status = inner().do_poll_exit();
    return status && fires() ? Change()(*status) : status;
  }
};

/// A line stream whose next() is `next`, given the healthy stream; a member of a process mutation:
///   HookedStream out_{inner().out(), [this](LineStream& healthy, std::string& line, Where where) …
class HookedStream : public LineStream {
 public:
  using Next = std::function<bool(LineStream& healthy, std::string& line, Where where)>;
  HookedStream(LineStream& healthy, Next next) : healthy_(healthy), next_(std::move(next)) {}
  bool next(std::string& line, Where where) override { return next_(healthy_, line, where); }
  std::optional<StreamEnd> end_state() const override { return healthy_.end_state(); }

 private:
  LineStream& healthy_;
  const Next next_;
};

inline constexpr std::size_t kMebi = std::size_t{1} << 20;

/// Over every bound of an operation without a deadline (3 s), and below a case's limit.
inline constexpr std::chrono::seconds kHang{8};

/// Blocks for `time`: the fault of a mutant that hangs, bounded so that the case can join it.
void stall(std::chrono::milliseconds time);

/// The same until `ended` says so, for kHang at most; so that the case need not wait for all of it.
void stall_until(const std::function<bool()>& ended);

/// A process that knows whether kill() was called.
class KnowsOfKill : public Faulty<ProcessWrapper> {
 public:
  using Faulty::Faulty;
  void kill(Where where) override {
    killed_ = true;
    inner().kill(where);
  }

 protected:
  bool killed() const { return killed_; }
  /// For what never returns by itself: the case can end it.
  void stall_until_killed() const {
    stall_until([this] { return killed(); });
  }

 private:
  std::atomic<bool> killed_ = false;
};

/// A session that knows its working directory on this machine.
class KnowsItsDirectory : public Faulty<SessionWrapper> {
 public:
  KnowsItsDirectory(std::unique_ptr<Session> inner, std::shared_ptr<Trigger> trigger);

 protected:
  const std::filesystem::path& directory() const { return directory_; }

 private:
  const std::filesystem::path directory_;
};

/// What a session and its processes know of each other.
struct Bond {
  std::atomic<bool> closed{false};
  std::atomic<bool> destroyed{false};
  std::atomic<bool> snapshotted{false};
};

/// A process mutation that knows what became of its session; for each_session<Bonded<…>>.
class BondedProcess : public Faulty<ProcessWrapper> {
 public:
  BondedProcess(std::unique_ptr<Process> inner, std::shared_ptr<Trigger> trigger,
                std::shared_ptr<Bond> bond)
      : Faulty(std::move(inner), std::move(trigger)), bond_(std::move(bond)) {}

 protected:
  bool closed() const { return bond_->closed; }
  bool destroyed() const { return bond_->destroyed; }
  bool snapshotted() const { return bond_->snapshotted; }

 private:
  const std::shared_ptr<Bond> bond_;
};

/// A session whose processes are `Mutation`s, a BondedProcess each. The bond is told before the
/// session closes or is destroyed.
template <typename Mutation>
class Bonded : public Faulty<SessionWrapper> {
 public:
  using Faulty<SessionWrapper>::Faulty;
  std::unique_ptr<Process> exec(Command command, ExecOptions options, Where where) override {
    return std::make_unique<Mutation>(inner().exec(std::move(command), std::move(options), where),
                                      trigger(), bond_);
  }
  void close(Where where) override {
    bond_->closed = true;
    inner().close(where);
  }
  void destroy(Where where) override {
    bond_->destroyed = true;
    inner().destroy(where);
  }
  Snapshot create_snapshot(Where where) override {
    Snapshot snapshot = inner().create_snapshot(where);
    bond_->snapshotted = true;
    return snapshot;
  }

 private:
  const std::shared_ptr<Bond> bond_ = std::make_shared<Bond>();
};

/// A stay that can be cut short, so that a case that has seen enough need not wait.
class Hold {
 public:
  /// Blocks until release(), at most for `time`.
  void stay(std::chrono::milliseconds time);
  void release();

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  bool released_ = false;
};

/// Waits for the end of a command, for kHang at most; throws nothing.
void wait_for_end(Process& process);

/// Lets callers in, and says whether another one was inside meanwhile: for faults of calls that are
/// made at once. The first caller is held up for a moment so that a second one can come.
class Crossing {
 public:
  /// How long the first waits for a second.
  static constexpr std::chrono::milliseconds kHold{200};

  /// Calls `first` as the first one inside, `other` while another is inside.
  template <typename First, typename Other>
  auto cross(First first, Other other) {
    if (!enter()) {
      const Leave leave(*this);
      return other();
    }
    const Leave leave(*this);
    wait_for_another();
    return first();
  }

 private:
  class Leave {
   public:
    explicit Leave(Crossing& crossing) : crossing_(crossing) {}
    ~Leave() { crossing_.leave(); }
    Leave(const Leave&) = delete;
    Leave& operator=(const Leave&) = delete;

   private:
    Crossing& crossing_;
  };
  bool enter();
  void leave();
  void wait_for_another();

  std::mutex mutex_;
  std::condition_variable changed_;
  int inside_ = 0;
  /// How many callers came, and which of them is the first inside.
  std::uint64_t seen_ = 0;
  std::uint64_t first_ = 0;
};

/// A handle that says another id.
std::unique_ptr<Session> with_id(std::unique_ptr<Session> session, std::string id);

/// A handle that shares `session`: closing or destroying either closes both.
std::unique_ptr<Session> handle_to(std::shared_ptr<Session> session);

/// Runs `argv` below the framework and waits for its end, for two seconds at most; for mutations of
/// hooks that need a command of their own.
void run_below(SessionHooks& session, std::vector<std::string> argv);

/// What `sh -c script` prints in the session, without the newlines at its end; for mutants that
/// have to learn something of the environment.
std::string output_of(Session& session, const std::string& script);

}  // namespace sandproof::conformance
