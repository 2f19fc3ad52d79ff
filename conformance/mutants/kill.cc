// SPDX-License-Identifier: Apache-2.0
// Flavors that break KILL. Each mutation is used from any thread.
#include <algorithm>
#include <atomic>
#include <chrono>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "conformance/mutants/areas.h"
#include "conformance/mutants/shell_kill.h"
#include "conformance/mutants/support.h"
#include "sandproof/errors.h"

namespace sandproof::conformance {
namespace {

using std::chrono::milliseconds;

class KillDoesNothing : public Faulty<ProcessWrapper> {
 public:
  using Faulty::Faulty;
  void kill(Where where) override {
    if (!fires()) inner().kill(where);
  }
};

/// What wait() says after a kill().
template <int kCode>
class KilledIs : public Faulty<ProcessWrapper> {
 public:
  using Faulty<ProcessWrapper>::Faulty;
  ExitStatus wait(milliseconds timeout, Where where) override {
    const ExitStatus status = inner().wait(timeout, where);
    return status.integer() == 137 && fires() ? ExitStatus::exited(kCode) : status;
  }
};

class ASecondKillThrows : public Faulty<ProcessWrapper> {
 public:
  using Faulty::Faulty;
  void kill(Where where) override {
    if (killed_.exchange(true) && fires()) throw BackendError("no such process");
    inner().kill(where);
  }

 private:
  std::atomic<bool> killed_ = false;
};

/// The verbs by which a status is learned.
enum class Verb { kWait, kExitStatus, kCollect };

/// After a kill(), that verb says 137, whatever the command said before.
template <Verb kVerb>
class KillRewritesTheStatus : public KnowsOfKill {
 public:
  using KnowsOfKill::KnowsOfKill;
  ExitStatus wait(milliseconds timeout, Where where) override {
    return said_by(Verb::kWait, inner().wait(timeout, where));
  }
  std::optional<ExitStatus> exit_status() const override {
    const std::optional<ExitStatus> status = inner().exit_status();
    return status ? said_by(Verb::kExitStatus, *status) : status;
  }
  Output collect(const CollectOptions& options, Where where) override {
    Output output = inner().collect(options, where);
    output.status = said_by(Verb::kCollect, output.status);
    return output;
  }

 private:
  ExitStatus said_by(Verb verb, const ExitStatus& status) const {
    return verb == kVerb && killed() && fires() ? ExitStatus::exited(137) : status;
  }
};

/// The handles of one session, in the order of their commands' starts.
class Handles {
 public:
  void add(Process* process) {
    const std::lock_guard lock(mutex_);
    processes_.push_back(process);
  }
  void remove(Process* process) {
    const std::lock_guard lock(mutex_);
    std::erase(processes_, process);
  }
  void kill_all() {
    const std::lock_guard lock(mutex_);
    for (Process* process : processes_) process->kill();
  }
  void kill_the_newest() {
    const std::lock_guard lock(mutex_);
    if (!processes_.empty()) processes_.back()->kill();
  }

 private:
  std::mutex mutex_;
  std::vector<Process*> processes_;
};

/// A handle that knows those of its session.
class OneOfMany : public Faulty<ProcessWrapper> {
 public:
  OneOfMany(std::unique_ptr<Process> inner, std::shared_ptr<Trigger> trigger,
            std::shared_ptr<Handles> handles)
      : Faulty(std::move(inner), std::move(trigger)), handles_(std::move(handles)) {
    handles_->add(&this->inner());
  }
  ~OneOfMany() override { handles_->remove(&inner()); }

 protected:
  Handles& handles() const { return *handles_; }

 private:
  const std::shared_ptr<Handles> handles_;
};

class KillEndsAll : public OneOfMany {
 public:
  using OneOfMany::OneOfMany;
  void kill(Where where) override { fires() ? handles().kill_all() : inner().kill(where); }
};
class KillAfterTheExitHitsTheNewest : public OneOfMany {
 public:
  using OneOfMany::OneOfMany;
  void kill(Where where) override {
    if (inner().exit_status() && fires()) handles().kill_the_newest();
    inner().kill(where);
  }
};

template <typename Handle>
class AmongHandles : public Faulty<SessionWrapper> {
 public:
  using Faulty<SessionWrapper>::Faulty;
  std::unique_ptr<Process> exec(Command command, ExecOptions options, Where where) override {
    return std::make_unique<Handle>(inner().exec(std::move(command), std::move(options), where),
                                    trigger(), handles_);
  }

 private:
  const std::shared_ptr<Handles> handles_ = std::make_shared<Handles>();
};

class KillClosesTheSession : public Faulty<SessionWrapper> {
 public:
  using Faulty::Faulty;
  std::unique_ptr<Process> exec(Command command, ExecOptions options, Where where) override {
    return std::make_unique<Closes>(inner().exec(std::move(command), std::move(options), where),
                                    trigger(), inner());
  }

 private:
  class Closes : public Faulty<ProcessWrapper> {
   public:
    Closes(std::unique_ptr<Process> inner, std::shared_ptr<Trigger> trigger, Session& session)
        : Faulty(std::move(inner), std::move(trigger)), session_(session) {}
    void kill(Where where) override {
      inner().kill(where);
      if (fires()) session_.close(where);
    }

   private:
    Session& session_;  // Outlives the handles of the rule's cases.
  };
};

struct KillsTheGroupOnly {
  static constexpr const char* kScript = "kill -9 -$p";
};
/// Finds the tree by the pipe that it writes to.
struct KillsWhatHoldsStdout {
  static constexpr const char* kScript =
      "pipe=$(readlink /proc/$p/fd/1) && kill -9 $(ls -l /proc/[0-9]*/fd/1 2>/dev/null | "
      "grep -F \"$pipe\" | sed 's|.*/proc/\\([0-9]*\\)/.*|\\1|')";
};
/// Follows the parents: what was orphaned is not found.
struct WalksTheTree {
  static constexpr const char* kScript =
      "k() { for c in $(grep -l \"^PPid:.$1\\$\" /proc/[0-9]*/status 2>/dev/null | "
      "sed 's|/proc/\\([0-9]*\\)/status|\\1|'); do k $c; done; kill -9 $1; }; k $p";
};
/// The set of ignored signals is in hexadecimal digits; TERM is the third bit of the fourth.
struct AsksWhatIgnoresTerm {
  static constexpr const char* kScript =
      "if grep -q '^SigIgn:.*[4567cdef]...$' /proc/$p/status; then kill -TERM $p; "
      "else kill -9 -$p; fi";
};
struct SkipsWhatIsStopped {
  static constexpr const char* kScript = "grep -q '^State:.T' /proc/$p/status || kill -9 -$p";
};

class AnEarlyKillIsLost : public Faulty<ProcessWrapper> {
 public:
  using Faulty::Faulty;
  void kill(Where where) override {
    constexpr milliseconds kEarly{20};
    const bool early = std::chrono::steady_clock::now() - started_ < kEarly;
    if (!early || !fires()) inner().kill(where);
  }

 private:
  const std::chrono::steady_clock::time_point started_ = std::chrono::steady_clock::now();
};

class KillDropsTheOutput : public KnowsOfKill {
 public:
  using KnowsOfKill::KnowsOfKill;
  LineStream& out() override { return out_; }

 private:
  HookedStream out_{inner().out(), [this](LineStream& healthy, std::string& line, Where where) {
                      return !(killed() && fires()) && healthy.next(line, where);
                    }};
};

/// A reader that was blocked at a kill() stays so until the next one.
class KillForgetsTheReader : public Faulty<ProcessWrapper> {
 public:
  using Faulty::Faulty;
  LineStream& out() override { return out_; }
  void kill(Where where) override {
    ++kills_;
    inner().kill(where);
  }

 private:
  HookedStream out_{inner().out(), [this](LineStream& healthy, std::string& line, Where where) {
                      const bool before = kills_ == 0;
                      const bool more = healthy.next(line, where);
                      if (!more && before && kills_ > 0 && fires()) {
                        stall_until([this] { return kills_ > 1; });
                      }
                      return more;
                    }};
  std::atomic<int> kills_ = 0;
};

/// wait() and collect() that were blocked at a kill().
template <Verb kVerb>
class KillFailsTheBlocked : public KnowsOfKill {
 public:
  using KnowsOfKill::KnowsOfKill;
  ExitStatus wait(Where where) override {
    ExitStatus status = inner().wait(where);
    check(Verb::kWait);
    return status;
  }
  Output collect(const CollectOptions& options, Where where) override {
    Output output = inner().collect(options, where);
    check(Verb::kCollect);
    return output;
  }

 private:
  void check(Verb verb) const {
    if (verb == kVerb && killed() && fires()) throw SandboxLostError("interrupted by kill()");
  }
};

/// kill() that meets trouble, which only wait() shows here.
class KillThrowsItsTrouble : public Faulty<ProcessWrapper> {
 public:
  using Faulty::Faulty;
  void kill(Where where) override {
    inner().kill(where);
    if (!inner().exit_status() && fires()) throw BackendError("the command could not be killed");
  }
};
class KillTroubleIsNotShown : public Faulty<ProcessWrapper> {
 public:
  using Faulty::Faulty;
  ExitStatus wait(milliseconds timeout, Where where) override {
    try {
      return inner().wait(timeout, where);
    } catch (const TimeoutError&) {
      if (!fires()) throw;
      throw TimeoutError("the command did not end in time");
    }
  }
};
class TheFirstKillIsNotTried : public Faulty<ProcessWrapper> {
 public:
  using Faulty::Faulty;
  void kill(Where where) override {
    if (tried_.exchange(true) || !fires()) inner().kill(where);
  }

 private:
  std::atomic<bool> tried_ = false;
};

}  // namespace

// NOLINTNEXTLINE(readability-function-size): a table is as long as its contents.
std::vector<Mutant> kill_mutants() {
  using enum Capability;
  return {
      {.name = "KillDoesNothing",
       .rule = "KILL-001",
       .what = "The first kill() does nothing.",
       .wrap = each_process<KillDoesNothing>(),
       .times = 1},
      {.name = "KilledIsTerminated",
       .rule = "KILL-001",
       .what = "A command that was killed has status 143.",
       .wrap = each_process<KilledIs<143>>()},
      {.name = "KilledIsSuccess",
       .rule = "KILL-001",
       .what = "A command that was killed has status 0.",
       .wrap = each_process<KilledIs<0>>()},
      {.name = "ASecondKillThrows",
       .rule = "KILL-002",
       .what = "A second kill() throws.",
       .wrap = each_process<ASecondKillThrows>()},
      {.name = "KillRewritesWait",
       .rule = "KILL-002",
       .what = "After a kill(), wait() says 137 for a command that had ended by itself.",
       .wrap = each_process<KillRewritesTheStatus<Verb::kWait>>()},
      {.name = "KillRewritesExitStatus",
       .rule = "KILL-002",
       .what = "After a kill(), exit_status() says 137 for a command that had ended by itself.",
       .wrap = each_process<KillRewritesTheStatus<Verb::kExitStatus>>()},
      {.name = "KillRewritesCollect",
       .rule = "KILL-002",
       .what = "After a kill(), collect() says 137 for a command that had ended by itself.",
       .wrap = each_process<KillRewritesTheStatus<Verb::kCollect>>()},
      {.name = "KillEndsAll",
       .rule = "KILL-003",
       .what = "kill() ends every command of the session.",
       .wrap = each_session<AmongHandles<KillEndsAll>>()},
      {.name = "KillClosesTheSession",
       .rule = "KILL-003",
       .what = "kill() closes the session.",
       .wrap = each_session<KillClosesTheSession>()},
      {.name = "KillEndsTheLeaderOnly",
       .rule = "KILL-004",
       .what = "kill() ends the command and leaves what it started.",
       .wrap_hooks = each_session_hooks<ShellKill<KillsTheLeaderOnly>>(),
       .with = {kKillTree}},
      {.name = "KillEndsTheGroupOnly",
       .rule = "KILL-004",
       .what = "kill() leaves what has left the process group.",
       .wrap_hooks = each_session_hooks<ShellKill<KillsTheGroupOnly>>(),
       .with = {kKillTree}},
      {.name = "KillWalksTheTree",
       .rule = "KILL-004",
       .what = "kill() leaves what has lost its parent.",
       .wrap_hooks = each_session_hooks<ShellKill<WalksTheTree>>(),
       .with = {kKillTree}},
      {.name = "KillEndsWhatHoldsStdout",
       .rule = "KILL-004",
       .what = "kill() leaves what has closed its streams.",
       .wrap_hooks = each_session_hooks<ShellKill<KillsWhatHoldsStdout>>(),
       .with = {kKillTree}},
      {.name = "AnEarlyKillIsLost",
       .rule = "KILL-005",
       .what = "A kill() just after the start gets lost.",
       .wrap = each_process<AnEarlyKillIsLost>()},
      {.name = "KillAsksPolitely",
       .rule = "KILL-006",
       .what = "kill() sends TERM to a command that ignores it.",
       .wrap_hooks = each_session_hooks<ShellKill<AsksWhatIgnoresTerm>>(),
       .bug = "https://github.com/narailabs/doc-wiki/pull/72"},
      {.name = "KillSkipsWhatIsStopped",
       .rule = "KILL-006",
       .what = "kill() leaves a command that is stopped.",
       .wrap_hooks = each_session_hooks<ShellKill<SkipsWhatIsStopped>>()},
      {.name = "KillAfterTheExitHitsTheNewest",
       .rule = "KILL-007",
       .what = "kill() of a command that has ended ends the newest one.",
       .wrap = each_session<AmongHandles<KillAfterTheExitHitsTheNewest>>(),
       .bug = "https://github.com/NousResearch/hermes-agent/pull/43046"},
      {.name = "KillDropsTheOutput",
       .rule = "KILL-008",
       .what = "After a kill() there is no output.",
       .wrap = each_process<KillDropsTheOutput>()},
      {.name = "KillForgetsTheReader",
       .rule = "KILL-009",
       .what = "A reader that is blocked at a kill() stays blocked.",
       .wrap = each_process<KillForgetsTheReader>()},
      {.name = "KillFailsABlockedWait",
       .rule = "KILL-009",
       .what = "A wait() that is blocked at a kill() throws.",
       .wrap = each_process<KillFailsTheBlocked<Verb::kWait>>()},
      {.name = "KillFailsABlockedCollect",
       .rule = "KILL-009",
       .what = "A collect() that is blocked at a kill() throws.",
       .wrap = each_process<KillFailsTheBlocked<Verb::kCollect>>()},
      {.name = "KillThrowsItsTrouble",
       .rule = "KILL-010",
       .what = "kill() throws what went wrong.",
       .wrap = each_process<KillThrowsItsTrouble>()},
      {.name = "KillTroubleIsNotShown",
       .rule = "KILL-010",
       .what = "wait() does not say that kill() has failed.",
       .wrap = each_process<KillTroubleIsNotShown>()},
      {.name = "TheFirstKillIsNotTried",
       .rule = "KILL-010",
       .what = "A kill() that goes wrong is reported nowhere.",
       .wrap = each_process<TheFirstKillIsNotTried>()},
      {.name = "TheLastStatusWins",
       .rule = "KILL-011",
       .what = "A kill() after the exit makes wait() say 137.",
       .wrap = each_process<KillRewritesTheStatus<Verb::kWait>>()},
      {.name = "StatusDependsOnWhoAsks",
       .rule = "KILL-011",
       .what = "After a kill(), collect() says 137, and wait() what the command said.",
       .wrap = each_process<KillRewritesTheStatus<Verb::kCollect>>()},
  };
}

}  // namespace sandproof::conformance
