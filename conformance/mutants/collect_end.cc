// SPDX-License-Identifier: Apache-2.0
// Flavors that break COLLECT where it ends: failed drains, deadlines, memory, held streams. Each
// mutation is used from any thread.
#include <atomic>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "conformance/mutants/areas.h"
#include "conformance/mutants/support.h"
#include "sandproof/errors.h"

namespace sandproof::conformance {
namespace {

/// Does not kill what it could not read.
class AFailedDrainLeavesTheCommand : public Faulty<ProcessWrapper> {
 public:
  using Faulty::Faulty;
  Output collect(const CollectOptions& options, Where where) override {
    try {
      return inner().collect(options, where);
    } catch (const SandboxLostError&) {
      if (fires()) failed_ = true;
      throw;
    }
  }
  std::optional<ExitStatus> exit_status() const override {
    // The real command is gone; this is what a caller would see if it had been left alone.
    return failed_ ? std::nullopt : inner().exit_status();
  }

 private:
  std::atomic<bool> failed_{false};
};

/// Which streams are not looked at when the drain fails.
enum class Unlooked { kBoth, kStderr };

template <Unlooked kUnlooked>
class AFailedDrainReturnsWhatItHas : public Faulty<ProcessWrapper> {
 public:
  using Faulty<ProcessWrapper>::Faulty;
  Output collect(const CollectOptions& options, Where where) override {
    try {
      return inner().collect(options, where);
    } catch (const SandboxLostError& error) {
      const bool unlooked =
          kUnlooked == Unlooked::kBoth || std::string_view(error.what()).starts_with("stderr of");
      if (!unlooked || error.partial() == nullptr || !fires()) throw;
      return *error.partial();
    }
  }
};

class AFailedDrainIsForgotten : public Faulty<ProcessWrapper> {
 public:
  using Faulty::Faulty;
  Output collect(const CollectOptions& options, Where where) override {
    if (failed_ && fires()) throw AlreadyCollectedError("the output was collected already");
    try {
      return inner().collect(options, where);
    } catch (const SandboxLostError&) {
      failed_ = true;
      throw;
    }
  }

 private:
  std::atomic<bool> failed_{false};
};

class StderrsErrorWins : public Faulty<ProcessWrapper> {
 public:
  using Faulty::Faulty;
  Output collect(const CollectOptions& options, Where where) override {
    try {
      return inner().collect(options, where);
    } catch (const SandboxLostError&) {
      if (!fires()) throw;
      throw SandboxLostError("stderr broke");
    }
  }
};

/// What becomes of a collect() whose deadline passed.
enum class Late { kDiscards, kThrows, kSays124 };

template <Late kLate>
class LateCollect : public Faulty<ProcessWrapper> {
 public:
  using Faulty::Faulty;
  Output collect(const CollectOptions& options, Where where) override {
    Output output = inner().collect(options, where);
    if (!output.timed_out || !fires()) return output;
    if (kLate == Late::kThrows) throw TimeoutError("collect() timed out");
    if (kLate == Late::kDiscards) output.out.clear();
    if (kLate == Late::kSays124) output.status = ExitStatus::exited(124);
    return output;
  }
};

/// Lets the deadline of collect() pass; the command is ended by hand long after it.
class TheDeadlineIsIgnored : public Faulty<ProcessWrapper> {
 public:
  using Faulty::Faulty;
  Output collect(const CollectOptions& options, Where where) override {
    if (!options.timeout || !fires()) return inner().collect(options, where);
    CollectOptions later = options;
    later.timeout = *options.timeout + std::chrono::seconds(4);
    return inner().collect(later, where);
  }
};

/// Kills the command alone: what it started goes on.
class TheDeadlineEndsTheLeaderOnly : public Faulty<SessionWrapper> {
 public:
  using Faulty::Faulty;
  std::unique_ptr<Process> exec(Command command, ExecOptions options, Where where) override {
    auto process = inner().exec(std::move(command), std::move(options), where);
    if (!fires()) return process;
    // What a descendant that was not found would be: it is there, and no kill reaches it.
    stray_ = inner().exec({"sleep", "323"}, {}, where);
    return process;
  }

 private:
  std::unique_ptr<Process> stray_;
};

/// Keeps a copy of what it passes on, up to a bound that a machine survives.
class KeepsEverything : public Faulty<ProcessHookWrapper> {
 public:
  using Faulty::Faulty;
  IoResult do_read(Stream stream, std::span<std::byte> buffer) noexcept override {
    constexpr std::size_t kMost = 128 << 20;
    const IoResult result = inner().do_read(stream, buffer);
    if (result.count > 0 && copy_.size() < kMost && fires()) {
      copy_.append(reinterpret_cast<const char*>(buffer.data()), result.count);
    }
    return result;
  }

 private:
  std::string copy_;  // The leader's.
};

class AHeldStreamIsComplete : public Faulty<ProcessWrapper> {
 public:
  using Faulty::Faulty;
  Output collect(const CollectOptions& options, Where where) override {
    Output output = inner().collect(options, where);
    if (output.out_end == StreamEnd::kHeldByDescendant && fires()) {
      output.out_end = output.err_end = StreamEnd::kComplete;
    }
    return output;
  }
};

/// Takes the end of the streams for the end of the command.
class TheStatusComesWithTheEnd : public Faulty<ProcessHookWrapper> {
 public:
  using Faulty::Faulty;
  IoResult do_read(Stream stream, std::span<std::byte> buffer) noexcept override {
    const IoResult result = inner().do_read(stream, buffer);
    if (result.state == IoState::kEnd) ++ended_;
    return result;
  }
  std::optional<ExitStatus> do_poll_exit() noexcept override {
    if (ended_ < 2 && fires()) return std::nullopt;
    return inner().do_poll_exit();
  }

 private:
  std::atomic<int> ended_{0};
};

class TheStatusIsTheHolders : public Faulty<ProcessWrapper> {
 public:
  using Faulty::Faulty;
  Output collect(const CollectOptions& options, Where where) override {
    Output output = inner().collect(options, where);
    if (output.out_end == StreamEnd::kHeldByDescendant && fires()) {
      output.status = ExitStatus::exited(0);
    }
    return output;
  }
};

}  // namespace

std::vector<Mutant> collect_end_mutants() {
  return {
      process_mutant<AFailedDrainLeavesTheCommand>("AFailedDrainLeavesTheCommand", "COLLECT-011",
                                                   "a command whose stream broke is left running"),
      process_mutant<AFailedDrainReturnsWhatItHas<Unlooked::kBoth>>(
          "AFailedDrainReturnsWhatItHas", "COLLECT-011", "a broken stream is taken for its end"),
      process_mutant<AFailedDrainReturnsWhatItHas<Unlooked::kStderr>>(
          "ABrokenStderrIsItsEnd", "COLLECT-011", "a stderr that breaks is taken for its end"),
      process_mutant<AFailedDrainIsForgotten>("AFailedDrainIsForgotten", "COLLECT-011",
                                              "after a failed collect() the error is forgotten"),
      process_mutant<StderrsErrorWins>("StderrsErrorWins", "COLLECT-011",
                                       "stderr's error is reported"),
      process_mutant<LateCollect<Late::kDiscards>>("TimeoutDiscardsTheOutput", "COLLECT-012",
                                                   "a deadline loses the output",
                                                   "https://github.com/UKGovernmentBEIS/inspect_ai/"
                                                   "issues/1979"),
      process_mutant<LateCollect<Late::kThrows>>("TimeoutIsThrown", "COLLECT-012",
                                                 "a deadline is an exception"),
      process_mutant<LateCollect<Late::kSays124>>("TimeoutReportsAnotherStatus", "COLLECT-012",
                                                  "a deadline is exit code 124"),
      process_mutant<TheDeadlineIsIgnored>("TheCollectDeadlineIsIgnored", "COLLECT-012",
                                           "collect() returns seconds after its deadline"),
      {.name = "TheCollectDeadlineEndsTheLeaderOnly",
       .rule = "COLLECT-012",
       .what = "what the command started goes on after the deadline",
       .wrap = each_session<TheDeadlineEndsTheLeaderOnly>()},
      {.name = "CollectKeepsEverything",
       .rule = "COLLECT-013",
       .what = "a copy of every byte is kept",
       .wrap_hooks = each_process_hooks<KeepsEverything>()},
      process_mutant<AHeldStreamIsComplete>("AHeldStreamIsComplete", "COLLECT-014",
                                            "a stream that is held open is called complete"),
      {.name = "TheStatusComesWithTheEnd",
       .rule = "COLLECT-014",
       .what = "the command counts as running until its streams have ended",
       .wrap_hooks = each_process_hooks<TheStatusComesWithTheEnd>()},
      process_mutant<TheStatusIsTheHolders>("TheStatusIsTheHolders", "COLLECT-014",
                                            "the status of a command whose streams are held is 0"),
  };
}

}  // namespace sandproof::conformance
