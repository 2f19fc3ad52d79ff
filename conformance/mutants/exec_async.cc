// SPDX-License-Identifier: Apache-2.0
// Flavors that break EXEC: commands that are started in the background, and with a deadline. Each
// mutation is used from any thread.
#include <algorithm>
#include <chrono>
#include <future>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "conformance/mutants/areas.h"
#include "conformance/mutants/shell_kill.h"
#include "conformance/mutants/support.h"
#include "sandproof/errors.h"

namespace sandproof::conformance {
namespace {

using std::chrono::milliseconds;

using Future = std::future<std::unique_ptr<Process>>;

class DroppingBlocks : public Faulty<SessionWrapper> {
 public:
  using Faulty::Faulty;
  Future exec_async(Command command, ExecOptions options, Where where) override {
    return std::async(std::launch::async, [this, command, options, where] {
      auto process = inner().exec(command, options, where);
      if (fires()) wait_for_end(*process);
      return process;
    });
  }
};

/// A future that is there already, with what `Handle` makes of the process.
template <typename Handle>
class AsyncGives : public Faulty<SessionWrapper> {
 public:
  using Faulty<SessionWrapper>::Faulty;
  Future exec_async(Command command, ExecOptions options, Where where) override {
    std::promise<std::unique_ptr<Process>> promise;
    promise.set_value(std::make_unique<Handle>(
        inner().exec(std::move(command), std::move(options), where), trigger()));
    return promise.get_future();
  }
};
/// Ends its command as it goes, so that a future that is dropped cancels.
class KillsAsItGoes : public Faulty<ProcessWrapper> {
 public:
  using Faulty::Faulty;
  ~KillsAsItGoes() override {
    if (fires()) inner().kill();
  }
};
class CollectsNothing : public Faulty<ProcessWrapper> {
 public:
  using Faulty::Faulty;
  Output collect(const CollectOptions& options, Where where) override {
    Output output = inner().collect(options, where);
    if (fires()) output.out.clear();
    return output;
  }
};

class AsyncErrorsAreBackendErrors : public Faulty<SessionWrapper> {
 public:
  using Faulty::Faulty;
  Future exec_async(Command command, ExecOptions options, Where where) override {
    try {
      std::promise<std::unique_ptr<Process>> promise;
      promise.set_value(inner().exec_async(std::move(command), std::move(options), where).get());
      return promise.get_future();
    } catch (const Error& error) {
      if (!fires()) throw;
      throw BackendError(error.what());
    }
  }
};

/// Half of what is queued when the session is closed.
class QueuedIsForgotten : public Faulty<SessionWrapper> {
 public:
  using Faulty::Faulty;
  Future exec_async(Command command, ExecOptions options, Where where) override {
    const std::lock_guard lock(mutex_);
    constexpr int kTaken = 32;
    if (++calls_ <= kTaken || !fires()) {
      return inner().exec_async(std::move(command), std::move(options), where);
    }
    return forgotten_.emplace_back().get_future();
  }

 private:
  std::mutex mutex_;
  int calls_ = 0;
  std::vector<std::promise<std::unique_ptr<Process>>> forgotten_;
};

class TheTimeoutIsForgotten : public Faulty<SessionWrapper> {
 public:
  using Faulty::Faulty;
  std::unique_ptr<Process> exec(Command command, ExecOptions options, Where where) override {
    if (options.timeout && fires()) options.timeout.reset();
    return inner().exec(std::move(command), std::move(options), where);
  }
};

/// The deadline is looked at by who waits.
class TheTimeoutNeedsAWaiter : public Faulty<SessionWrapper> {
 public:
  using Faulty::Faulty;
  std::unique_ptr<Process> exec(Command command, ExecOptions options, Where where) override {
    if (!options.timeout || !fires()) {
      return inner().exec(std::move(command), std::move(options), where);
    }
    const auto deadline = std::chrono::steady_clock::now() + *options.timeout;
    options.timeout.reset();
    return std::make_unique<Watched>(inner().exec(std::move(command), std::move(options), where),
                                     deadline);
  }

 private:
  class Watched : public ProcessWrapper {
   public:
    Watched(std::unique_ptr<Process> inner, std::chrono::steady_clock::time_point deadline)
        : ProcessWrapper(std::move(inner)), deadline_(deadline) {}
    ExitStatus wait(milliseconds timeout, Where where) override {
      const milliseconds left =
          std::max(std::chrono::ceil<milliseconds>(deadline_ - std::chrono::steady_clock::now()),
                   milliseconds(0));
      if (left >= timeout) return inner().wait(timeout, where);
      try {
        return inner().wait(left, where);
      } catch (const TimeoutError&) {
        inner().kill(where);
        return inner().wait(timeout, where).with_timed_out();
      }
    }

   private:
    const std::chrono::steady_clock::time_point deadline_;
  };
};

class TheTimeoutIsInMicroseconds : public Faulty<SessionWrapper> {
 public:
  using Faulty::Faulty;
  std::unique_ptr<Process> exec(Command command, ExecOptions options, Where where) override {
    if (options.timeout && fires()) options.timeout = *options.timeout / 1000;
    return inner().exec(std::move(command), std::move(options), where);
  }
};

class ThereIsADefaultTimeout : public Faulty<SessionWrapper> {
 public:
  using Faulty::Faulty;
  std::unique_ptr<Process> exec(Command command, ExecOptions options, Where where) override {
    if (!options.timeout && fires()) options.timeout = milliseconds(20);
    return inner().exec(std::move(command), std::move(options), where);
  }
};

/// wait() with a timeout, as the rule's cases call it.
template <typename Change>
class TimedOutIs : public Faulty<ProcessWrapper> {
 public:
  using Faulty<ProcessWrapper>::Faulty;
  ExitStatus wait(milliseconds timeout, Where where) override {
    const ExitStatus status = inner().wait(timeout, where);
    return status.timed_out() && fires() ? Change()(status) : status;
  }
};
struct Unsaid {
  ExitStatus operator()(const ExitStatus& status) const {
    return ExitStatus::exited(status.integer().value_or(0));
  }
};
struct Code124 {
  ExitStatus operator()(const ExitStatus&) const {
    return ExitStatus::exited(124).with_timed_out();
  }
};

}  // namespace

std::vector<Mutant> exec_async_mutants() {
  return {
      {.name = "DroppingTheFutureBlocks",
       .rule = "EXEC-017",
       .what = "A future that is dropped waits for the command.",
       .wrap = each_session<DroppingBlocks>()},
      {.name = "DroppingTheFutureCancels",
       .rule = "EXEC-017",
       .what = "A command whose future is dropped is ended.",
       .wrap = each_session<AsyncGives<KillsAsItGoes>>()},
      {.name = "AsyncErrorsAreBackendErrors",
       .rule = "EXEC-017",
       .what = "Every error of exec_async is BackendError.",
       .wrap = each_session<AsyncErrorsAreBackendErrors>()},
      {.name = "AsyncLosesTheOutput",
       .rule = "EXEC-017",
       .what = "A command of exec_async has no output.",
       .wrap = each_session<AsyncGives<CollectsNothing>>()},
      {.name = "QueuedIsForgotten",
       .rule = "EXEC-017",
       .what = "close() leaves futures that never become ready.",
       .wrap = each_session<QueuedIsForgotten>()},
      {.name = "TheTimeoutIsForgotten",
       .rule = "EXEC-021",
       .what = "A command outlives its timeout.",
       .wrap = each_session<TheTimeoutIsForgotten>()},
      {.name = "TheTimeoutNeedsAWaiter",
       .rule = "EXEC-021",
       .what = "A timeout has no effect while nobody waits.",
       .wrap = each_session<TheTimeoutNeedsAWaiter>()},
      {.name = "TheTimeoutIsInMicroseconds",
       .rule = "EXEC-021",
       .what = "A timeout passes a thousand times too soon.",
       .wrap = each_session<TheTimeoutIsInMicroseconds>()},
      {.name = "TheTimeoutIsNotSaid",
       .rule = "EXEC-021",
       .what = "The status of a command that timed out does not say so.",
       .wrap = each_process<TimedOutIs<Unsaid>>()},
      {.name = "TheTimeoutIsExit124",
       .rule = "EXEC-021",
       .what = "A command that timed out exits with 124.",
       .wrap = each_process<TimedOutIs<Code124>>()},
      {.name = "TheTimeoutEndsTheLeaderOnly",
       .rule = "EXEC-021",
       .what = "A timeout ends the command and leaves what it started.",
       .wrap_hooks = each_session_hooks<ShellKill<KillsTheLeaderOnly>>(),
       .bug = "https://github.com/Gaurav-Gosain/tuios/issues/141"},
      {.name = "ThereIsADefaultTimeout",
       .rule = "EXEC-021",
       .what = "A command without a timeout is ended after a while.",
       .wrap = each_session<ThereIsADefaultTimeout>(),
       .bug = "https://github.com/rivet-dev/sandbox-agent/issues/152"},
  };
}

}  // namespace sandproof::conformance
