// SPDX-License-Identifier: Apache-2.0
// Flavors that break CLOSE: what close() does to commands that run, and to calls that are blocked.
// Each mutation is used from any thread.
#include <atomic>
#include <filesystem>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "conformance/mutants/areas.h"
#include "conformance/mutants/registers_processes.h"
#include "conformance/mutants/support.h"
#include "sandproof/errors.h"

namespace sandproof::conformance {
namespace {

using std::chrono::milliseconds;

class CloseStopsTheEnvironment : public Faulty<SessionWrapper> {
 public:
  using Faulty::Faulty;
  void close(Where where) override { fires() ? inner().destroy(where) : inner().close(where); }
};

class CloseKillsWhatRuns : public RegistersProcesses {
 public:
  using RegistersProcesses::RegistersProcesses;
  void close(Where where) override {
    {
      const std::lock_guard lock(registry().mutex);
      for (Process* process : registry().processes) {
        if (fires()) process->kill();
      }
    }
    inner().close(where);
  }
};

class CloseWaitsForReaders : public RegistersProcesses {
 public:
  using RegistersProcesses::RegistersProcesses;
  void close(Where where) override {
    {
      std::unique_lock lock(registry().mutex);
      // A thread that is about to call shall be inside.
      registry().changed.wait_for(lock, Crossing::kHold, [this] { return registry().inside > 0; });
      if (registry().inside > 0 && fires()) {
        registry().changed.wait_for(lock, kHang, [this] { return registry().inside == 0; });
      }
    }
    inner().close(where);
  }
};

class CloseEndsNothing : public Faulty<SessionHookWrapper> {
 public:
  using Faulty::Faulty;
  ~CloseEndsNothing() override {
    if (skipped_) inner().do_close();
  }
  void do_close() override {
    skipped_ = fires();
    if (!skipped_) inner().do_close();
  }

 private:
  bool skipped_ = false;  // do_close() is called once.
};

/// Where no command runs, close() looks for nothing that the ended ones have left.
class CloseForgetsWhatEndedCommandsLeft : public Faulty<SessionHookWrapper> {
 public:
  using Faulty::Faulty;
  ~CloseForgetsWhatEndedCommandsLeft() override {
    if (skipped_) inner().do_close();
  }
  std::unique_ptr<ProcessHooks> do_exec(const ExecRequest& request) override {
    return std::make_unique<Counted>(inner().do_exec(request), running_);
  }
  void do_close() override {
    skipped_ = *running_ == 0 && fires();
    if (!skipped_) return inner().do_close();
    run_below(inner(), {"sh", "-c", "chmod -R u+w .; rm -rf \"$PWD\""});
  }

 private:
  using Count = std::shared_ptr<std::atomic<int>>;

  class Counted : public ProcessHookWrapper {
   public:
    Counted(std::unique_ptr<ProcessHooks> inner, Count running)
        : ProcessHookWrapper(std::move(inner)), running_(std::move(running)) {
      ++*running_;
    }
    std::optional<ExitStatus> do_poll_exit() noexcept override {
      auto status = inner().do_poll_exit();
      if (status && !ended_.exchange(true)) --*running_;
      return status;
    }

   private:
    const Count running_;
    std::atomic<bool> ended_ = false;
  };

  const Count running_ = std::make_shared<std::atomic<int>>(0);
  bool skipped_ = false;  // do_close() is called once.
};

class CloseReturnsEarly : public Faulty<SessionHookWrapper> {
 public:
  using Faulty::Faulty;
  void do_close() override {
    if (!fires()) return inner().do_close();
    later_ = std::jthread([this] {
      stall(milliseconds(300));
      inner().do_close();
    });
  }
  void do_destroy() override {
    if (later_.joinable()) later_.join();
    inner().do_destroy();
  }

 private:
  std::jthread later_;  // Joins before the rest of this goes.
};

class CloseIsSequential : public Faulty<SessionHookWrapper> {
 public:
  using Faulty::Faulty;
  std::unique_ptr<ProcessHooks> do_exec(const ExecRequest& request) override {
    ++commands_;
    return inner().do_exec(request);
  }
  void do_close() override {
    // A part of a grace for each, one after the other.
    for (int i = 0; i < commands_; ++i) {
      if (fires()) stall(milliseconds(400));
    }
    inner().do_close();
  }

 private:
  std::atomic<int> commands_ = 0;
};

/// From the fourth command on, they run where close() does not look.
class CloseEndsOnlyTheFirstThree : public Faulty<SandboxWrapper> {
 public:
  using Faulty::Faulty;
  std::unique_ptr<Session> create_session(const Settings& overrides, OnExit on_exit,
                                          Where where) override {
    auto session = inner().create_session(overrides, on_exit, where);
    return std::make_unique<Forgets>(std::move(session), trigger(),
                                     inner().create_session({}, OnExit::kDestroy, where));
  }

 private:
  class Forgets : public Faulty<SessionWrapper> {
   public:
    Forgets(std::unique_ptr<Session> inner, std::shared_ptr<Trigger> trigger,
            std::unique_ptr<Session> aside)
        : Faulty(std::move(inner), std::move(trigger)), aside_(std::move(aside)) {}
    std::unique_ptr<Process> exec(Command command, ExecOptions options, Where where) override {
      Session& place = ++commands_ > 3 && fires() ? *aside_ : inner();
      return place.exec(std::move(command), std::move(options), where);
    }

   private:
    const std::unique_ptr<Session> aside_;
    std::atomic<int> commands_ = 0;
  };
};

class CloseLeavesTheDirectory : public KnowsItsDirectory {
 public:
  using KnowsItsDirectory::KnowsItsDirectory;
  void close(Where where) override {
    std::error_code ignored;
    const bool deep = std::filesystem::exists(directory() / "a", ignored);
    inner().close(where);
    if (deep && fires()) std::filesystem::create_directory(directory(), ignored);
  }
};

/// Who waited when the session was closed learns nothing of the end.
class AWaitIsCutByClose : public BondedProcess {
 public:
  using BondedProcess::BondedProcess;
  ExitStatus wait(Where where) override {
    const bool open = !closed();
    ExitStatus status = inner().wait(where);
    if (open && closed() && fires()) throw SandboxLostError("the session was closed");
    return status;
  }
};

/// A blocked call that close() ends stays for a while; kill() lets it go.
class ABlockedReaderStays : public BondedProcess {
 public:
  using BondedProcess::BondedProcess;
  LineStream& out() override { return out_; }
  void kill(Where where) override {
    hold_.release();
    inner().kill(where);
  }

 private:
  Hold hold_;
  HookedStream out_{inner().out(), [this](LineStream& healthy, std::string& line, Where where) {
                      const bool open = !closed();
                      const bool more = healthy.next(line, where);
                      if (open && closed() && fires()) hold_.stay(kHang);
                      return more;
                    }};
};

class AWaitEndsWithSuccess : public BondedProcess {
 public:
  using BondedProcess::BondedProcess;
  ExitStatus wait(Where where) override {
    const ExitStatus status = inner().wait(where);
    return closed() && !status.success() && fires() ? ExitStatus::exited(0) : status;
  }
};

class ACollectEndsWithSuccess : public BondedProcess {
 public:
  using BondedProcess::BondedProcess;
  Output collect(const CollectOptions& options, Where where) override {
    Output output = inner().collect(options, where);
    if (closed() && !output.status.success() && fires()) output.status = ExitStatus::exited(0);
    return output;
  }
};

class ACollectLosesWhatComesAfterClose : public BondedProcess {
 public:
  using BondedProcess::BondedProcess;
  Output collect(const CollectOptions& options, Where where) override {
    Output output = inner().collect(options, where);
    if (closed() && fires()) output.out.clear();
    return output;
  }
};

class StreamsEndWithTheHandle : public BondedProcess {
 public:
  using BondedProcess::BondedProcess;
  LineStream& out() override { return out_; }

 private:
  HookedStream out_{inner().out(), [this](LineStream& healthy, std::string& line, Where where) {
                      return closed() && fires() ? false : healthy.next(line, where);
                    }};
};

/// A reader that was inside when the session was closed gets nothing more.
class ABlockedReaderEndsWithTheHandle : public BondedProcess {
 public:
  using BondedProcess::BondedProcess;
  LineStream& out() override { return out_; }

 private:
  HookedStream out_{inner().out(), [this](LineStream& healthy, std::string& line, Where where) {
                      const bool open = !closed();
                      const bool more = healthy.next(line, where);
                      return more && !(open && closed() && fires());
                    }};
};

class KillAfterCloseDoesNothing : public BondedProcess {
 public:
  using BondedProcess::BondedProcess;
  void kill(Where where) override {
    if (!closed() || !fires()) inner().kill(where);
  }
};

class WaitAfterCloseIsLost : public BondedProcess {
 public:
  using BondedProcess::BondedProcess;
  ExitStatus wait(milliseconds timeout, Where where) override {
    if (closed() && fires()) throw SandboxLostError("the session is closed");
    return inner().wait(timeout, where);
  }
};

}  // namespace

// NOLINTNEXTLINE(readability-function-size): a table of rows.
std::vector<Mutant> close_running_mutants() {
  using enum Capability;
  return {
      {.name = "CloseStopsTheEnvironment",
       .rule = "CLOSE-004",
       .what = "close() ends the environment.",
       .wrap = each_session<CloseStopsTheEnvironment>(),
       .with = {kAttach, kOutlives}},
      {.name = "CloseKillsWhatRuns",
       .rule = "CLOSE-004",
       .what = "close() kills the commands that were started through the handle.",
       .wrap = each_session<CloseKillsWhatRuns>(),
       .with = {kAttach, kOutlives}},
      {.name = "CloseEndsNothing",
       .rule = "CLOSE-005",
       .what = "close() lets every process run on.",
       .wrap_hooks = each_session_hooks<CloseEndsNothing>(),
       .without = {kOutlives}},
      {.name = "CloseKillsAtOnce",
       .rule = "CLOSE-005",
       .what = "close() kills without having asked.",
       .wrap = each_session<CloseKillsWhatRuns>(),
       .without = {kOutlives}},
      {.name = "CloseReturnsEarly",
       .rule = "CLOSE-005",
       .what = "close() returns while the tree is still being ended.",
       .wrap_hooks = each_session_hooks<CloseReturnsEarly>(),
       .without = {kOutlives}},
      {.name = "CloseIsSequential",
       .rule = "CLOSE-005",
       .what = "close() gives one process after the other its grace.",
       .wrap_hooks = each_session_hooks<CloseIsSequential>(),
       .without = {kOutlives}},
      {.name = "CloseEndsOnlyTheFirstThree",
       .rule = "CLOSE-005",
       .what = "close() forgets the commands from the fourth on.",
       .wrap = the_sandbox<CloseEndsOnlyTheFirstThree>(),
       .without = {kOutlives}},
      {.name = "CloseForgetsWhatEndedCommandsLeft",
       .rule = "CLOSE-005",
       .what = "close() does not end what was left by commands that have ended.",
       .wrap_hooks = each_session_hooks<CloseForgetsWhatEndedCommandsLeft>(),
       .without = {kOutlives}},
      {.name = "CloseLeavesTheDirectory",
       .rule = "CLOSE-005",
       .what = "close() leaves a working directory that has a directory in it.",
       .wrap = each_session<CloseLeavesTheDirectory>(),
       .without = {kOutlives}},
      {.name = "CloseWaitsForReaders",
       .rule = "CLOSE-007",
       .what = "close() waits until no other thread reads, waits or collects.",
       .wrap = each_session<CloseWaitsForReaders>()},
      {.name = "ABlockedReaderStays",
       .rule = "CLOSE-007",
       .what = "A reader that is blocked when the session closes is not woken.",
       .wrap = each_session<Bonded<ABlockedReaderStays>>(),
       .without = {kOutlives}},
      {.name = "AWaitEndsWithSuccess",
       .rule = "CLOSE-007",
       .what = "wait() for a command that close() ended returns exited(0).",
       .wrap = each_session<Bonded<AWaitEndsWithSuccess>>(),
       .without = {kOutlives}},
      {.name = "ACollectEndsWithSuccess",
       .rule = "CLOSE-007",
       .what = "collect() of a command that close() ended says exited(0).",
       .wrap = each_session<Bonded<ACollectEndsWithSuccess>>(),
       .without = {kOutlives}},
      {.name = "AWaitIsCutByClose",
       .rule = "CLOSE-007",
       .what = "wait() throws when its session is closed, although the command goes on.",
       .wrap = each_session<Bonded<AWaitIsCutByClose>>(),
       .with = {kAttach, kOutlives}},
      {.name = "ABlockedReaderEndsWithTheHandle",
       .rule = "CLOSE-007",
       .what = "A reader that is blocked when the session closes sees the end, not the next line.",
       .wrap = each_session<Bonded<ABlockedReaderEndsWithTheHandle>>(),
       .with = {kAttach, kOutlives}},
      {.name = "ACollectLosesWhatComesAfterClose",
       .rule = "CLOSE-007",
       .what = "collect() drops the output when the session is closed meanwhile.",
       .wrap = each_session<Bonded<ACollectLosesWhatComesAfterClose>>(),
       .with = {kAttach, kOutlives}},
      {.name = "StreamsEndWithTheHandle",
       .rule = "CLOSE-008",
       .what = "Streams end when the session is closed, although the command goes on.",
       .wrap = each_session<Bonded<StreamsEndWithTheHandle>>(),
       .with = {kAttach, kOutlives}},
      {.name = "WaitAfterCloseIsLost",
       .rule = "CLOSE-008",
       .what = "wait() after close() throws SandboxLostError.",
       .wrap = each_session<Bonded<WaitAfterCloseIsLost>>(),
       .with = {kAttach, kOutlives}},
      {.name = "KillAfterCloseDoesNothing",
       .rule = "CLOSE-008",
       .what = "kill() after close() does nothing.",
       .wrap = each_session<Bonded<KillAfterCloseDoesNothing>>(),
       .with = {kOutlives}},
  };
}

}  // namespace sandproof::conformance
