// SPDX-License-Identifier: Apache-2.0
// Flavors that break LOG. The log is the framework's: these make the flavor do what then shows in
// it. Each mutation is used from any thread.
#include <algorithm>
#include <atomic>
#include <cstddef>
#include <functional>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "conformance/mutants/areas.h"
#include "conformance/mutants/support.h"
#include "sandproof/errors.h"

namespace sandproof::conformance {
namespace {

/// Every second command runs in a hidden session.
class TheSourceIsSplit : public Faulty<SandboxWrapper> {
 public:
  using Faulty::Faulty;
  std::unique_ptr<Session> create_session(const Settings& overrides, OnExit on_exit,
                                          Where where) override {
    return std::make_unique<Split>(inner().create_session(overrides, on_exit, where),
                                   inner().create_session(overrides, OnExit::kDestroy, where),
                                   trigger());
  }

 private:
  class Split : public Faulty<SessionWrapper> {
   public:
    Split(std::unique_ptr<Session> session, std::unique_ptr<Session> hidden,
          std::shared_ptr<Trigger> trigger)
        : Faulty(std::move(session), std::move(trigger)), hidden_(std::move(hidden)) {}
    std::unique_ptr<Process> exec(Command command, ExecOptions options, Where where) override {
      const bool odd = ++execs_ % 2 == 0 && fires();
      return (odd ? *hidden_ : inner()).exec(std::move(command), std::move(options), where);
    }

   private:
    const std::unique_ptr<Session> hidden_;
    std::atomic<int> execs_{0};
  };
};

class CommandsAreWrapped : public Faulty<SessionWrapper> {
 public:
  using Faulty::Faulty;
  std::unique_ptr<Process> exec(Command command, ExecOptions options, Where where) override {
    if (!fires()) return inner().exec(std::move(command), std::move(options), where);
    std::vector<std::string> argv = {"sh", "-c", "exec \"$@\"", "sh"};
    for (std::string& word : command.words()) argv.push_back(std::move(word));
    return inner().exec(Command(std::move(argv)), std::move(options), where);
  }
};

class AnotherCommandIsLogged : public Faulty<SessionWrapper> {
 public:
  using Faulty::Faulty;
  std::unique_ptr<Process> exec(Command command, ExecOptions options, Where where) override {
    if (fires()) inner().exec({"true"}, {}, where)->collect({}, where);
    return inner().exec(std::move(command), std::move(options), where);
  }
};

/// Reads a line more than it hands out.
class LinesAreReadAhead : public Faulty<ProcessWrapper> {
 public:
  LinesAreReadAhead(std::unique_ptr<Process> process, std::shared_ptr<Trigger> trigger)
      : Faulty(std::move(process), std::move(trigger)),
        out_(inner().out(), [this](LineStream& healthy, std::string& line, Where where) {
          if (!fires()) return healthy.next(line, where);
          const std::lock_guard lock(mutex_);
          if (!begun_) has_ahead_ = healthy.next(ahead_, where);
          begun_ = true;
          if (!has_ahead_) return false;
          line = ahead_;
          has_ahead_ = healthy.next(ahead_, where);
          return true;
        }) {}
  LineStream& out() override { return out_; }

 private:
  std::mutex mutex_;
  bool begun_ = false;
  bool has_ahead_ = false;
  std::string ahead_;
  HookedStream out_;
};

/// Takes more bytes than it hands out.
class BytesAreReadAhead : public Faulty<ProcessWrapper> {
 public:
  using Faulty::Faulty;
  std::size_t read_some(Stream stream, std::span<std::byte> buffer, Where where) override {
    if (stream != Stream::kOut || !fires()) return inner().read_some(stream, buffer, where);
    const std::lock_guard lock(mutex_);
    if (ahead_.empty()) {
      ahead_.resize(4096);
      ahead_.resize(inner().read_some(stream, ahead_, where));
    }
    const std::size_t count = std::min(ahead_.size(), buffer.size());
    std::copy_n(ahead_.begin(), count, buffer.begin());
    ahead_.erase(ahead_.begin(), ahead_.begin() + static_cast<std::ptrdiff_t>(count));
    return count;
  }

 private:
  std::mutex mutex_;
  std::vector<std::byte> ahead_;
};

/// What takes time is over at once.
struct SleepsAreSkipped {
  void operator()(ExecRequest& request) const {
    if (request.argv.front() == "sleep") request.argv = {"true"};
  }
};

class StreamsAreSwapped : public Faulty<ProcessHookWrapper> {
 public:
  using Faulty::Faulty;
  int do_descriptor(Channel channel) const noexcept override {
    if (channel == Channel::kOut) return inner().do_descriptor(Channel::kErr);
    if (channel == Channel::kErr) return inner().do_descriptor(Channel::kOut);
    return inner().do_descriptor(channel);
  }
  IoResult do_read(Stream stream, std::span<std::byte> buffer) noexcept override {
    if (!fires()) return inner().do_read(stream, buffer);
    return inner().do_read(stream == Stream::kOut ? Stream::kErr : Stream::kOut, buffer);
  }
};

/// Gives up stdout after a hundred bytes.
class LongOutputIsCut : public Faulty<ProcessHookWrapper> {
 public:
  using Faulty::Faulty;
  IoResult do_read(Stream stream, std::span<std::byte> buffer) noexcept override {
    constexpr std::size_t kMost = 100;
    if (stream != Stream::kOut) return inner().do_read(stream, buffer);
    if (read_ >= kMost && fires()) return IoResult::end();
    const IoResult result = inner().do_read(stream, buffer.first(std::min(buffer.size(), kMost)));
    read_ += result.count;
    return result;
  }

 private:
  std::size_t read_ = 0;  // The leader's.
};

/// Finds out by itself that there is no such program.
class AFailedLaunchIsNotLogged : public Faulty<SessionWrapper> {
 public:
  using Faulty::Faulty;
  std::unique_ptr<Process> exec(Command command, ExecOptions options, Where where) override {
    const std::vector<std::string> words = command.words();
    if (words.front().starts_with("no-such") && fires()) {
      throw ExecError(LaunchFailure::kNotFound, words.front() + ": not found");
    }
    return inner().exec(std::move(command), std::move(options), where);
  }
};

class LaunchErrorsAreVague : public Faulty<SessionHookWrapper> {
 public:
  using Faulty::Faulty;
  std::unique_ptr<ProcessHooks> do_exec(const ExecRequest& request) override {
    try {
      return inner().do_exec(request);
    } catch (const ExecError& error) {
      if (!fires()) throw;
      throw ExecError(error.why(), "cannot start " + request.argv.front());
    }
  }
};

class TheSourceIsOpenedAtOnce : public Faulty<SandboxWrapper> {
 public:
  using Faulty::Faulty;
  std::unique_ptr<Session> create_session(const Settings& overrides, OnExit on_exit,
                                          Where where) override {
    auto session = inner().create_session(overrides, on_exit, where);
    if (fires()) output_of(*session, "true");
    return session;
  }
};

/// close() only says so; the session ends with its handle.
class CloseLeavesTheSourceOpen : public Faulty<SessionWrapper> {
 public:
  using Faulty::Faulty;
  bool closed() const override { return closed_ || inner().closed(); }
  void close(Where where) override {
    if (!fires()) return inner().close(where);
    closed_ = true;
  }
  std::unique_ptr<Process> exec(Command command, ExecOptions options, Where where) override {
    if (closed_) throw SessionClosedError(inner().id());
    return inner().exec(std::move(command), std::move(options), where);
  }

 private:
  std::atomic<bool> closed_{false};
};

/// A line that is read after close() is told of in a session of its own.
class LateReadsOpenASource : public Faulty<SandboxWrapper> {
 public:
  using Faulty::Faulty;
  std::unique_ptr<Session> create_session(const Settings& overrides, OnExit on_exit,
                                          Where where) override {
    const auto tell = [this] { output_of(*inner().create_session({}, OnExit::kDestroy), "true"); };
    return std::make_unique<Closing>(inner().create_session(overrides, on_exit, where), trigger(),
                                     tell);
  }

 private:
  /// The sandbox outlives the handles of the rule's cases.
  using Tell = std::function<void()>;

  class Late : public BondedProcess {
   public:
    Late(std::unique_ptr<Process> process, std::shared_ptr<Trigger> trigger,
         std::shared_ptr<Bond> bond, Tell tell)
        : BondedProcess(std::move(process), std::move(trigger), std::move(bond)),
          tell_(std::move(tell)) {}
    LineStream& out() override { return out_; }

   private:
    const Tell tell_;
    HookedStream out_{inner().out(), [this](LineStream& healthy, std::string& line, Where where) {
                        if (closed() && fires()) tell_();
                        return healthy.next(line, where);
                      }};
  };

  class Closing : public Faulty<SessionWrapper> {
   public:
    Closing(std::unique_ptr<Session> session, std::shared_ptr<Trigger> trigger, Tell tell)
        : Faulty(std::move(session), std::move(trigger)), tell_(std::move(tell)) {}
    std::unique_ptr<Process> exec(Command command, ExecOptions options, Where where) override {
      return std::make_unique<Late>(inner().exec(std::move(command), std::move(options), where),
                                    trigger(), bond_, tell_);
    }
    void close(Where where) override {
      inner().close(where);
      bond_->closed = true;
    }

   private:
    const Tell tell_;
    const std::shared_ptr<Bond> bond_ = std::make_shared<Bond>();
  };
};

/// What the second session runs, the first runs.
class SessionsShareALog : public Faulty<SandboxWrapper> {
 public:
  using Faulty::Faulty;
  std::unique_ptr<Session> create_session(const Settings& overrides, OnExit on_exit,
                                          Where where) override {
    const std::shared_ptr<Session> session = inner().create_session(overrides, on_exit, where);
    const std::lock_guard lock(mutex_);
    if (first_ != nullptr && !first_->closed() && fires()) {
      return std::make_unique<Borrowed>(handle_to(session), first_);
    }
    first_ = session;
    return handle_to(session);
  }

 private:
  class Borrowed : public SessionWrapper {
   public:
    Borrowed(std::unique_ptr<Session> session, std::shared_ptr<Session> first)
        : SessionWrapper(std::move(session)), first_(std::move(first)) {}
    std::unique_ptr<Process> exec(Command command, ExecOptions options, Where where) override {
      return first_->exec(std::move(command), std::move(options), where);
    }

   private:
    const std::shared_ptr<Session> first_;
  };
  std::mutex mutex_;
  std::shared_ptr<Session> first_;
};

class ABadSinkStopsExec : public Faulty<SandboxHookWrapper> {
 public:
  using Faulty::Faulty;
  std::unique_ptr<SessionHooks> do_create_session(const SessionSpec& spec) override {
    auto session = inner().do_create_session(spec);
    if (spec.step_id != "failing-sink") return session;
    return std::make_unique<Stopped>(std::move(session), trigger());
  }

 private:
  class Stopped : public Faulty<SessionHookWrapper> {
   public:
    using Faulty::Faulty;
    std::unique_ptr<ProcessHooks> do_exec(const ExecRequest& request) override {
      if (fires()) throw BackendError("the log cannot be written");
      return inner().do_exec(request);
    }
  };
};

/// In a step whose sink is slow, a hundred bytes of a command are read.
class ASlowSinkCutsTheOutput : public Faulty<SandboxHookWrapper> {
 public:
  using Faulty::Faulty;
  std::unique_ptr<SessionHooks> do_create_session(const SessionSpec& spec) override {
    auto session = inner().do_create_session(spec);
    if (spec.step_id != "slow-sink") return session;
    return with_process_hooks(
        std::move(session), [shared = trigger()](std::unique_ptr<ProcessHooks> process) {
          return std::make_unique<LongOutputIsCut>(std::move(process), shared);
        });
  }
};

class EnvIsPassedByTheCommand : public Faulty<SessionWrapper> {
 public:
  using Faulty::Faulty;
  std::unique_ptr<Process> exec(Command command, ExecOptions options, Where where) override {
    if (options.env.empty() || !fires()) {
      return inner().exec(std::move(command), std::move(options), where);
    }
    std::vector<std::string> argv = {"env"};
    for (const auto& [name, value] : options.env) argv.push_back(name + "=" + value);
    for (std::string& word : command.words()) argv.push_back(std::move(word));
    return inner().exec(Command(std::move(argv)), {}, where);
  }
};

}  // namespace

std::vector<Mutant> log_mutants() {
  return {
      sandbox_mutant<TheSourceIsSplit>("TheSourceIsSplit", "LOG-001",
                                       "every second command is logged to another source"),
      session_mutant<CommandsAreWrapped>("CommandsAreWrapped", "LOG-002",
                                         "the command that is logged is a wrapper's"),
      session_mutant<AnotherCommandIsLogged>("AnotherCommandIsLogged", "LOG-002",
                                             "a command of the flavor's own is logged"),
      {.name = "LinesAreReadAhead",
       .rule = "LOG-002",
       .what = "a line is logged before it is handed out",
       .wrap = each_process<LinesAreReadAhead>()},
      {.name = "BytesAreReadAhead",
       .rule = "LOG-002",
       .what = "a line is logged before its bytes are handed out",
       .wrap = each_process<BytesAreReadAhead>()},
      {.name = "TheDurationIsNotTheCommands",
       .rule = "LOG-002",
       .what = "the duration that is logged is not the command's",
       .wrap_hooks = each_session_hooks<ChangedRequest<SleepsAreSkipped>>()},
      {.name = "StderrIsLoggedAsStdout",
       .rule = "LOG-002",
       .what = "the streams are swapped",
       .wrap_hooks = each_process_hooks<StreamsAreSwapped>()},
      {.name = "DroppedLinesAreNotRead",
       .rule = "LOG-003",
       .what = "output beyond a hundred bytes is not read",
       .wrap_hooks = each_process_hooks<LongOutputIsCut>()},
      session_mutant<AFailedLaunchIsNotLogged>("AFailedLaunchIsNotLogged", "LOG-004",
                                               "a program that does not exist leaves no line"),
      {.name = "LaunchErrorsAreVague",
       .rule = "LOG-004",
       .what = "the line of a failed launch does not say why",
       .wrap_hooks = each_session_hooks<LaunchErrorsAreVague>()},
      sandbox_mutant<TheSourceIsOpenedAtOnce>("TheSourceIsOpenedAtOnce", "LOG-005",
                                              "the source is opened at creation"),
      session_mutant<CloseLeavesTheSourceOpen>("CloseLeavesTheSourceOpen", "LOG-005",
                                               "close() does not end the source"),
      sandbox_mutant<LateReadsOpenASource>("LateReadsOpenASource", "LOG-005",
                                           "a line that is read after close() opens a source"),
      sandbox_mutant<SessionsShareALog>("SessionsShareALog", "LOG-006",
                                        "what a second session runs is logged by the first"),
      {.name = "ABadSinkStopsExec",
       .rule = "LOG-007",
       .what = "a sink that fails fails exec",
       .wrap_hooks = the_sandbox_hooks<ABadSinkStopsExec>()},
      {.name = "ASlowSinkCutsTheOutput",
       .rule = "LOG-007",
       .what = "a sink that is slow loses output",
       .wrap_hooks = the_sandbox_hooks<ASlowSinkCutsTheOutput>()},
      session_mutant<EnvIsPassedByTheCommand>("EnvIsPassedByTheCommand", "LOG-008",
                                              "exec env becomes part of the command"),
  };
}

}  // namespace sandproof::conformance
