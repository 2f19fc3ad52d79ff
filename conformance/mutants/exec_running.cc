// SPDX-License-Identifier: Apache-2.0
// Flavors that break EXEC: when commands start, and many at once. What runs in the background and
// with a deadline is in exec_async.cc. Each mutation is used from any thread.
#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstring>
#include <memory>
#include <mutex>
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

class ExecBlocksUntilTheEnd : public Faulty<SessionWrapper> {
 public:
  using Faulty::Faulty;
  std::unique_ptr<Process> exec(Command command, ExecOptions options, Where where) override {
    auto process = inner().exec(std::move(command), std::move(options), where);
    if (fires()) wait_for_end(*process);
    return process;
  }
};

class ExecStartsNothing : public Faulty<SessionWrapper> {
 public:
  using Faulty::Faulty;
  std::unique_ptr<Process> exec(Command command, ExecOptions options, Where) override {
    fires();
    return std::make_unique<Lazy>(inner(), std::move(command), std::move(options));
  }

 private:
  /// Started by the first verb.
  class Lazy : public Process {
   public:
    Lazy(Session& session, Command command, ExecOptions options)
        : session_(session), command_(std::move(command)), options_(std::move(options)) {}
    LineStream& out() override { return started().out(); }
    LineStream& err() override { return started().err(); }
    std::size_t read_some(Stream stream, std::span<std::byte> buffer, Where where) override {
      return started().read_some(stream, buffer, where);
    }
    StdinWriter& in() override { return started().in(); }
    ExitStatus wait(Where where) override { return started().wait(where); }
    ExitStatus wait(milliseconds timeout, Where where) override {
      return started().wait(timeout, where);
    }
    std::optional<ExitStatus> exit_status() const override { return std::nullopt; }
    void kill(Where where) override { started().kill(where); }
    Output collect(const CollectOptions& options, Where where) override {
      return started().collect(options, where);
    }

   private:
    Process& started() {
      const std::lock_guard lock(mutex_);
      if (process_ == nullptr) process_ = session_.exec(command_, options_);
      return *process_;
    }

    Session& session_;  // Outlives the handles of the rule's cases.
    const Command command_;
    const ExecOptions options_;
    std::mutex mutex_;
    std::unique_ptr<Process> process_;
  };
};

/// The first bytes of one command come out of another one.
class OutputsMix : public Faulty<SessionHookWrapper> {
 public:
  using Faulty::Faulty;
  std::unique_ptr<ProcessHooks> do_exec(const ExecRequest& request) override {
    return std::make_unique<Mixed>(inner().do_exec(request), trigger(), stray_);
  }

 private:
  struct Stray {
    std::mutex mutex;
    std::vector<std::byte> bytes;
    const void* owner = nullptr;
    std::atomic<int> started = 0;
  };
  class Mixed : public Faulty<ProcessHookWrapper> {
   public:
    Mixed(std::unique_ptr<ProcessHooks> inner, std::shared_ptr<Trigger> trigger,
          std::shared_ptr<Stray> stray)
        : Faulty(std::move(inner), std::move(trigger)),
          stray_(std::move(stray)),
          number_(stray_->started++) {}
    IoResult do_read(Stream stream, std::span<std::byte> buffer) noexcept override {
      const IoResult result = inner().do_read(stream, buffer);
      if (result.state != IoState::kReady || number_ < kFirst) return result;
      const std::lock_guard lock(stray_->mutex);
      const std::span<std::byte> read = buffer.first(result.count);
      if (stray_->owner == nullptr) {
        stray_->owner = this;
        stray_->bytes.assign(read.begin(), read.end());
        return IoResult::again();
      }
      if (stray_->owner == this || stray_->bytes.empty() || !fires()) return result;
      const std::size_t count = std::min(buffer.size() - read.size(), stray_->bytes.size());
      std::memcpy(buffer.data() + read.size(), stray_->bytes.data(), count);
      stray_->bytes.clear();
      return IoResult::ready(read.size() + count);
    }

   private:
    // Those before it are not mixed with anything: where there are few, all is well.
    static constexpr int kFirst = 4;
    const std::shared_ptr<Stray> stray_;
    const int number_;
  };

  const std::shared_ptr<Stray> stray_ = std::make_shared<Stray>();
};

/// A command has the status of the one that ended before it.
class StatusesAreShared : public Faulty<SessionHookWrapper> {
 public:
  using Faulty::Faulty;
  std::unique_ptr<ProcessHooks> do_exec(const ExecRequest& request) override {
    return std::make_unique<Shares>(inner().do_exec(request), trigger(), last_);
  }

 private:
  struct Last {
    std::mutex mutex;
    std::optional<ExitStatus> status;
  };
  class Shares : public Faulty<ProcessHookWrapper> {
   public:
    Shares(std::unique_ptr<ProcessHooks> inner, std::shared_ptr<Trigger> trigger,
           std::shared_ptr<Last> last)
        : Faulty(std::move(inner), std::move(trigger)), last_(std::move(last)) {}
    std::optional<ExitStatus> do_poll_exit() noexcept override {
      if (own_) return own_;
      std::optional<ExitStatus> status = inner().do_poll_exit();
      if (!status) return status;
      const std::lock_guard lock(last_->mutex);
      own_ = last_->status && fires() ? last_->status : status;
      last_->status = status;
      return own_;
    }

   private:
    const std::shared_ptr<Last> last_;
    std::optional<ExitStatus> own_;
  };

  const std::shared_ptr<Last> last_ = std::make_shared<Last>();
};

/// While one command runs, wait() does not return for a later one.
class ALongCommandHoldsUpOthers : public Faulty<SessionWrapper> {
 public:
  using Faulty::Faulty;
  std::unique_ptr<Process> exec(Command command, ExecOptions options, Where where) override {
    return std::make_unique<Later>(inner().exec(std::move(command), std::move(options), where),
                                   trigger(), *this);
  }

 private:
  class Later : public Faulty<ProcessWrapper> {
   public:
    Later(std::unique_ptr<Process> inner, std::shared_ptr<Trigger> trigger,
          ALongCommandHoldsUpOthers& session)
        : Faulty(std::move(inner), std::move(trigger)), session_(session) {
      const std::lock_guard lock(session_.mutex_);
      session_.handles_.push_back(&this->inner());
    }
    ~Later() override {
      const std::lock_guard lock(session_.mutex_);
      std::erase(session_.handles_, &inner());
    }
    ExitStatus wait(milliseconds timeout, Where where) override {
      const std::lock_guard lock(session_.mutex_);
      const Process* const oldest = session_.handles_.front();
      if (oldest == &inner() || oldest->exit_status() || !fires()) {
        return inner().wait(timeout, where);
      }
      stall(timeout);
      throw TimeoutError("the command did not end in time");
    }

   private:
    ALongCommandHoldsUpOthers& session_;  // Outlives the handles of the rule's cases.
  };

  std::mutex mutex_;
  std::vector<const Process*> handles_;
};

class OnlySixteenAtOnce : public Faulty<SessionWrapper> {
 public:
  using Faulty::Faulty;
  std::unique_ptr<Process> exec(Command command, ExecOptions options, Where where) override {
    constexpr int kMost = 16;
    if (*handles_ >= kMost && fires()) throw BackendError("too many commands");
    return std::make_unique<Counted>(inner().exec(std::move(command), std::move(options), where),
                                     handles_);
  }

 private:
  class Counted : public ProcessWrapper {
   public:
    Counted(std::unique_ptr<Process> inner, std::shared_ptr<std::atomic<int>> handles)
        : ProcessWrapper(std::move(inner)), handles_(std::move(handles)) {
      ++*handles_;
    }
    ~Counted() override { --*handles_; }

   private:
    const std::shared_ptr<std::atomic<int>> handles_;
  };
  const std::shared_ptr<std::atomic<int>> handles_ = std::make_shared<std::atomic<int>>(0);
};

/// Commands with a word of their own, as those of the rule's cases, take turns for sixteen places.
class OnlySixteenRunAtATime : public Faulty<SessionHookWrapper> {
 public:
  using Faulty::Faulty;
  std::unique_ptr<ProcessHooks> do_exec(const ExecRequest& request) override {
    constexpr std::size_t kWords = 4;
    constexpr int kPlaces = 16;
    if (request.argv.size() != kWords || !fires()) return inner().do_exec(request);
    ExecRequest changed = request;
    changed.argv = {"sh", "-c",
                    "until mkdir \"$0\" 2>/dev/null; do sleep 0.2; done; "
                    "\"$@\"; s=$?; rmdir \"$0\"; exit $s",
                    ".place-" + std::to_string(count_++ % kPlaces)};
    changed.argv.insert(changed.argv.end(), request.argv.begin(), request.argv.end());
    return inner().do_exec(changed);
  }

 private:
  std::atomic<int> count_ = 0;
};

/// As with select().
class DescriptorsEndAt1023 : public Faulty<SessionHookWrapper> {
 public:
  using Faulty::Faulty;
  std::unique_ptr<ProcessHooks> do_exec(const ExecRequest& request) override {
    constexpr int kSetSize = 1024;
    auto process = inner().do_exec(request);
    if (process->do_descriptor(Channel::kOut) >= kSetSize && fires()) {
      throw ExecError(LaunchFailure::kNoResources, "filedescriptor out of range in select()");
    }
    return process;
  }
};

/// Linux takes no longer ones.
struct CutsWhatIsTooLong {
  void operator()(ExecRequest& request) const {
    constexpr std::size_t kLongest = (128 << 10) - 1;
    for (std::string& word : request.argv) word.resize(std::min(word.size(), kLongest));
  }
};
struct DropsArgumentsPast512KiB {
  void operator()(ExecRequest& request) const {
    constexpr std::size_t kMost = 512 << 10;
    std::size_t sum = 0;
    std::erase_if(request.argv, [&](const std::string& word) {
      sum += word.size();
      return sum > kMost;
    });
  }
};

class StartsTwice : public Faulty<SessionHookWrapper> {
 public:
  using Faulty::Faulty;
  std::unique_ptr<ProcessHooks> do_exec(const ExecRequest& request) override {
    if (fires()) run_below(inner(), request.argv);
    return inner().do_exec(request);
  }
};

class RetriesAFailure : public Faulty<SessionWrapper> {
 public:
  using Faulty::Faulty;
  std::unique_ptr<Process> exec(Command command, ExecOptions options, Where where) override {
    auto process = inner().exec(command, options, where);
    return std::make_unique<Retried>(std::move(process), trigger(), inner(), std::move(command));
  }

 private:
  class Retried : public Faulty<ProcessWrapper> {
   public:
    Retried(std::unique_ptr<Process> inner, std::shared_ptr<Trigger> trigger, Session& session,
            Command command)
        : Faulty(std::move(inner), std::move(trigger)),
          session_(session),
          command_(std::move(command)) {}
    Output collect(const CollectOptions& options, Where where) override {
      Output output = inner().collect(options, where);
      if (output.status.success() || !fires()) return output;
      return session_.exec(command_)->collect(options, where);
    }

   private:
    Session& session_;  // Outlives the handles of the rule's cases.
    const Command command_;
  };
};

}  // namespace

std::vector<Mutant> exec_running_mutants() {
  return {
      {.name = "ExecBlocksUntilTheEnd",
       .rule = "EXEC-009",
       .what = "exec returns when the command has finished.",
       .wrap = each_session<ExecBlocksUntilTheEnd>(),
       .bug = "https://github.com/zenml-io/zenml/pull/4870"},
      {.name = "ExecStartsNothing",
       .rule = "EXEC-009",
       .what = "A command starts when something is asked of its handle.",
       .wrap = each_session<ExecStartsNothing>()},
      {.name = "OutputsMix",
       .rule = "EXEC-014",
       .what = "Bytes of one command come out of another one.",
       .wrap_hooks = each_session_hooks<OutputsMix>()},
      {.name = "StatusesAreShared",
       .rule = "EXEC-014",
       .what = "A command has the status of the one that ended before it.",
       .wrap_hooks = each_session_hooks<StatusesAreShared>(),
       .bug = "https://github.com/klemens-morgenstern/boost-process/issues/143"},
      {.name = "ALongCommandHoldsUpOthers",
       .rule = "EXEC-014",
       .what = "The end of a command is not noticed while an older one runs.",
       .wrap = each_session<ALongCommandHoldsUpOthers>(),
       .bug = "https://github.com/klemens-morgenstern/boost-process/issues/104"},
      {.name = "OnlySixteenAtOnce",
       .rule = "EXEC-014",
       .what = "A seventeenth command at once is refused.",
       .wrap = each_session<OnlySixteenAtOnce>()},
      {.name = "OnlySixteenRunAtATime",
       .rule = "EXEC-014",
       .what = "A seventeenth command waits until another one has ended.",
       .wrap_hooks = each_session_hooks<OnlySixteenRunAtATime>()},
      {.name = "DescriptorsEndAt1023",
       .rule = "EXEC-014",
       .what = "A command whose descriptor is above 1023 is refused.",
       .wrap_hooks = each_session_hooks<DescriptorsEndAt1023>(),
       .bug = "https://github.com/docker/docker-py/issues/2278"},
      {.name = "CutsArgumentsThatAreTooLong",
       .rule = "EXEC-015",
       .what = "An argument that is longer than the system takes is cut.",
       .wrap_hooks = each_session_hooks<ChangedRequest<CutsWhatIsTooLong>>()},
      {.name = "DropsArgumentsPast512KiB",
       .rule = "EXEC-015",
       .what = "Arguments past 512 KiB in all are left out.",
       .wrap_hooks = each_session_hooks<ChangedRequest<DropsArgumentsPast512KiB>>()},
      {.name = "StartsTwice",
       .rule = "EXEC-016",
       .what = "A command is started again because a reply got lost.",
       .wrap_hooks = each_session_hooks<StartsTwice>(),
       .first = 5,
       .times = 1},
      {.name = "RetriesAFailure",
       .rule = "EXEC-016",
       .what = "A command that fails is run again.",
       .wrap = each_session<RetriesAFailure>()},
  };
}

}  // namespace sandproof::conformance
