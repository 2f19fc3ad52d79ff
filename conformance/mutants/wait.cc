// SPDX-License-Identifier: Apache-2.0
// Flavors that break WAIT. Each mutation is used from any thread.
#include <atomic>
#include <chrono>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "conformance/mutants/areas.h"
#include "conformance/mutants/support.h"
#include "sandproof/errors.h"

namespace sandproof::conformance {
namespace {

using std::chrono::milliseconds;

class TheSecondWaitIsZero : public Faulty<ProcessWrapper> {
 public:
  using Faulty::Faulty;
  ExitStatus wait(milliseconds timeout, Where where) override {
    const ExitStatus status = inner().wait(timeout, where);
    const bool again = waited_.exchange(true) && status.is_exited();
    return again && fires() ? ExitStatus::exited(0) : status;
  }

 private:
  std::atomic<bool> waited_ = false;
};

class ASecondWaiterIsLost : public Faulty<ProcessWrapper> {
 public:
  using Faulty::Faulty;
  ExitStatus wait(milliseconds timeout, Where where) override {
    const Inside inside(inside_);
    if (inside.others() && fires()) throw SandboxLostError("no child process");
    return inner().wait(timeout, where);
  }

 private:
  class Inside {
   public:
    explicit Inside(std::atomic<int>& count) : count_(count), before_(count++) {}
    ~Inside() { --count_; }
    Inside(const Inside&) = delete;
    Inside& operator=(const Inside&) = delete;
    bool others() const { return before_ > 0; }

   private:
    std::atomic<int>& count_;
    const int before_;
  };
  std::atomic<int> inside_ = 0;
};

/// kill() reaps, and leaves waiters with nothing.
class KillTakesTheStatus : public KnowsOfKill {
 public:
  using KnowsOfKill::KnowsOfKill;
  ExitStatus wait(milliseconds timeout, Where where) override {
    const bool before = !killed();
    const ExitStatus status = inner().wait(timeout, where);
    return before && killed() && fires() ? ExitStatus::exited(0) : status;
  }
};

class AnExpiredWaitIsLost : public Faulty<ProcessWrapper> {
 public:
  using Faulty::Faulty;
  ExitStatus wait(milliseconds timeout, Where where) override {
    try {
      return inner().wait(timeout, where);
    } catch (const TimeoutError& error) {
      if (!fires()) throw;
      throw SandboxLostError(error.what());
    }
  }
};
class AnExpiredWaitKills : public Faulty<ProcessWrapper> {
 public:
  using Faulty::Faulty;
  ExitStatus wait(milliseconds timeout, Where where) override {
    try {
      return inner().wait(timeout, where);
    } catch (const TimeoutError&) {
      if (fires()) inner().kill(where);
      throw;
    }
  }
};
class WaitZeroBlocks : public Faulty<ProcessWrapper> {
 public:
  using Faulty::Faulty;
  ExitStatus wait(milliseconds timeout, Where where) override {
    return timeout.count() == 0 && fires() ? inner().wait(where) : inner().wait(timeout, where);
  }
};
class WaitZeroAlwaysThrows : public Faulty<ProcessWrapper> {
 public:
  using Faulty::Faulty;
  ExitStatus wait(milliseconds timeout, Where where) override {
    if (timeout.count() == 0 && fires()) throw TimeoutError("the command did not end within 0 ms");
    return inner().wait(timeout, where);
  }
};

class TheStatusNeedsAWait : public Faulty<ProcessWrapper> {
 public:
  using Faulty::Faulty;
  ExitStatus wait(milliseconds timeout, Where where) override {
    ExitStatus status = inner().wait(timeout, where);
    waited_ = true;
    return status;
  }
  std::optional<ExitStatus> exit_status() const override {
    return !waited_ && fires() ? std::nullopt : inner().exit_status();
  }

 private:
  std::atomic<bool> waited_ = false;
};
class TheStatusIsThereTooSoon : public Faulty<ProcessWrapper> {
 public:
  using Faulty::Faulty;
  std::optional<ExitStatus> exit_status() const override {
    const std::optional<ExitStatus> status = inner().exit_status();
    return !status && fires() ? ExitStatus::exited(0) : status;
  }
};
class TheStatusLagsBehindWait : public Faulty<ProcessWrapper> {
 public:
  using Faulty::Faulty;
  std::optional<ExitStatus> exit_status() const override {
    return !asked_.exchange(true) && fires() ? std::nullopt : inner().exit_status();
  }

 private:
  mutable std::atomic<bool> asked_ = false;
};

/// The exit is noticed when the streams have ended.
class WaitWaitsForTheStreams : public Faulty<ProcessHookWrapper> {
 public:
  using Faulty::Faulty;
  IoResult do_read(Stream stream, std::span<std::byte> buffer) noexcept override {
    const IoResult result = inner().do_read(stream, buffer);
    if (result.state == IoState::kEnd) ++ended_;
    return result;
  }
  int do_descriptor(Channel channel) const noexcept override {
    // None for an exit that is ready all the time and not said.
    return channel == Channel::kExit ? -1 : inner().do_descriptor(channel);
  }
  std::optional<ExitStatus> do_poll_exit() noexcept override {
    return ended_ < 2 && fires() ? std::nullopt : inner().do_poll_exit();
  }

 private:
  std::atomic<int> ended_ = 0;
};
/// Taken for a transport that hangs.
class AHeldStreamLosesTheStatus : public Faulty<ProcessWrapper> {
 public:
  using Faulty::Faulty;
  ExitStatus wait(milliseconds timeout, Where where) override {
    ExitStatus status = inner().wait(timeout, where);
    if (!inner().out().end_state() && fires()) throw SandboxLostError("the stream did not end");
    return status;
  }
};

/// A stream that is held ends with the session.
class AHeldStreamHasNoGrace : public BondedProcess {
 public:
  using BondedProcess::BondedProcess;
  LineStream& out() override { return out_; }

 private:
  HookedStream out_{inner().out(), [this](LineStream& healthy, std::string& line, Where where) {
                      const bool more = healthy.next(line, where);
                      const bool held =
                          !more && healthy.end_state() == StreamEnd::kHeldByDescendant;
                      if (held && fires()) stall_until([this] { return destroyed() || closed(); });
                      return more;
                    }};
};
class AHeldStreamIsSaidToBeComplete : public Faulty<ProcessWrapper> {
 public:
  using Faulty::Faulty;
  LineStream& out() override { return out_; }

 private:
  class Complete : public LineStream {
   public:
    Complete(LineStream& healthy, const AHeldStreamIsSaidToBeComplete& process)
        : healthy_(healthy), process_(process) {}
    bool next(std::string& line, Where where) override { return healthy_.next(line, where); }
    std::optional<StreamEnd> end_state() const override {
      const std::optional<StreamEnd> end = healthy_.end_state();
      return end && process_.fires() ? StreamEnd::kComplete : end;
    }

   private:
    LineStream& healthy_;
    const AHeldStreamIsSaidToBeComplete& process_;
  };

  Complete out_{inner().out(), *this};
};

struct AnAbortIsSuccess {
  ExitStatus operator()(const ExitStatus& status) const {
    constexpr int kAborted = 134;
    return status.integer() == kAborted ? ExitStatus::exited(0) : status;
  }
};
struct ASignalIsItsNumber {
  ExitStatus operator()(const ExitStatus& status) const {
    return status.is_signaled() ? ExitStatus::exited(status.signal()) : status;
  }
};
struct ASignalIsLost {
  ExitStatus operator()(const ExitStatus& status) const {
    return status.is_signaled() ? ExitStatus::lost("the exit code is -1") : status;
  }
};
struct ASignalIsACode {
  ExitStatus operator()(const ExitStatus& status) const {
    return status.is_signaled() ? ExitStatus::exited(128 + status.signal()) : status;
  }
};

/// What is not known becomes a number.
template <int kCode>
class ALostStatusIs : public Faulty<ProcessWrapper> {
 public:
  using Faulty<ProcessWrapper>::Faulty;
  ExitStatus wait(milliseconds timeout, Where where) override {
    try {
      return inner().wait(timeout, where);
    } catch (const SandboxLostError&) {
      if (!fires()) throw;
      return ExitStatus::exited(kCode);
    }
  }
};
class ALostCollectIsOne : public Faulty<ProcessWrapper> {
 public:
  using Faulty::Faulty;
  Output collect(const CollectOptions& options, Where where) override {
    try {
      return inner().collect(options, where);
    } catch (const SandboxLostError& error) {
      if (error.partial() == nullptr || !fires()) throw;
      Output output = *error.partial();
      output.status = ExitStatus::exited(1);
      return output;
    }
  }
};
class ALostCollectForgetsItsOutput : public Faulty<ProcessWrapper> {
 public:
  using Faulty::Faulty;
  Output collect(const CollectOptions& options, Where where) override {
    try {
      return inner().collect(options, where);
    } catch (const SandboxLostError& error) {
      if (!fires()) throw;
      throw SandboxLostError(error.what());
    }
  }
};
class ALostStatusIsRunning : public Faulty<ProcessWrapper> {
 public:
  using Faulty::Faulty;
  std::optional<ExitStatus> exit_status() const override {
    const std::optional<ExitStatus> status = inner().exit_status();
    return status && status->is_lost() && fires() ? std::nullopt : status;
  }
};

}  // namespace

// NOLINTNEXTLINE(readability-function-size): a table is as long as its contents.
std::vector<Mutant> wait_mutants() {
  return {
      {.name = "TheSecondWaitIsZero",
       .rule = "WAIT-001",
       .what = "A second wait() for a command that ended by itself returns 0.",
       .wrap = each_process<TheSecondWaitIsZero>()},
      {.name = "ASecondWaiterIsLost",
       .rule = "WAIT-001",
       .what = "wait() on a second thread throws SandboxLostError.",
       .wrap = each_process<ASecondWaiterIsLost>(),
       .bug = "https://github.com/haskell/process/pull/58"},
      {.name = "KillTakesTheStatus",
       .rule = "WAIT-001",
       .what = "Whoever waits while another thread kills gets 0.",
       .wrap = each_process<KillTakesTheStatus>(),
       .bug = "https://github.com/boostorg/process/issues/503"},
      {.name = "AnExpiredWaitIsLost",
       .rule = "WAIT-002",
       .what = "A wait() that expires throws SandboxLostError.",
       .wrap = each_process<AnExpiredWaitIsLost>()},
      {.name = "AnExpiredWaitKills",
       .rule = "WAIT-002",
       .what = "A wait() that expires kills the command.",
       .wrap = each_process<AnExpiredWaitKills>()},
      {.name = "WaitZeroBlocks",
       .rule = "WAIT-002",
       .what = "wait(0) waits for the end.",
       .wrap = each_process<WaitZeroBlocks>()},
      {.name = "WaitZeroAlwaysThrows",
       .rule = "WAIT-002",
       .what = "wait(0) throws TimeoutError after the end, too.",
       .wrap = each_process<WaitZeroAlwaysThrows>()},
      {.name = "TheStatusNeedsAWait",
       .rule = "WAIT-003",
       .what = "exit_status() is empty before somebody has waited.",
       .wrap = each_process<TheStatusNeedsAWait>()},
      {.name = "TheStatusIsThereTooSoon",
       .rule = "WAIT-003",
       .what = "exit_status() is 0 while the command runs.",
       .wrap = each_process<TheStatusIsThereTooSoon>()},
      {.name = "TheStatusLagsBehindWait",
       .rule = "WAIT-003",
       .what = "exit_status() is empty after wait() has returned.",
       .wrap = each_process<TheStatusLagsBehindWait>(),
       .bug = "https://github.com/python/cpython/issues/127050"},
      {.name = "WaitWaitsForTheStreams",
       .rule = "WAIT-004",
       .what = "wait() returns when the streams have ended.",
       .wrap_hooks = each_process_hooks<WaitWaitsForTheStreams>(),
       .bug = "https://github.com/python/cpython/issues/119710"},
      {.name = "AHeldStreamLosesTheStatus",
       .rule = "WAIT-004",
       .what = "A command whose streams are held by a descendant has no status.",
       .wrap = each_process<AHeldStreamLosesTheStatus>()},
      {.name = "AHeldStreamHasNoGrace",
       .rule = "WAIT-004",
       .what = "A stream that a descendant holds open does not end.",
       .wrap = each_session<Bonded<AHeldStreamHasNoGrace>>()},
      {.name = "AHeldStreamIsSaidToBeComplete",
       .rule = "WAIT-004",
       .what = "end_state() of a stream that was given up says that it is complete.",
       .wrap = each_process<AHeldStreamIsSaidToBeComplete>()},
      {.name = "AnAbortIsSuccess",
       .rule = "WAIT-005",
       .what = "A command that aborts has exit code 0.",
       .wrap_hooks = each_process_hooks<ChangedStatus<AnAbortIsSuccess>>(),
       .bug = "https://github.com/boostorg/process/issues/31"},
      {.name = "ASignalIsItsNumber",
       .rule = "WAIT-005",
       .what = "A death by a signal is an exit with the signal's number.",
       .wrap_hooks = each_process_hooks<ChangedStatus<ASignalIsItsNumber>>()},
      {.name = "ASignalIsLost",
       .rule = "WAIT-005",
       .what = "A death by a signal is no status.",
       .wrap_hooks = each_process_hooks<ChangedStatus<ASignalIsLost>>()},
      {.name = "ASignalIsACode",
       .rule = "WAIT-005",
       .what =
           "A death by a signal is reported as an exit, though the backend tells the two apart.",
       .wrap_hooks = each_process_hooks<ChangedStatus<ASignalIsACode>>()},
      {.name = "ALostStatusIsZero",
       .rule = "WAIT-006",
       .what = "wait() gives 0 for a status that is not known.",
       .wrap = each_process<ALostStatusIs<0>>()},
      {.name = "ALostStatusIsOne",
       .rule = "WAIT-006",
       .what = "wait() gives 1 for a status that is not known.",
       .wrap = each_process<ALostStatusIs<1>>()},
      {.name = "ALostCollectIsOne",
       .rule = "WAIT-006",
       .what = "collect() gives 1 for a status that is not known.",
       .wrap = each_process<ALostCollectIsOne>()},
      {.name = "ALostCollectForgetsItsOutput",
       .rule = "WAIT-006",
       .what = "The error of collect() does not carry the output so far.",
       .wrap = each_process<ALostCollectForgetsItsOutput>()},
      {.name = "ALostStatusIsRunning",
       .rule = "WAIT-006",
       .what = "exit_status() stays empty for a status that is not known.",
       .wrap = each_process<ALostStatusIsRunning>()},
  };
}

}  // namespace sandproof::conformance
