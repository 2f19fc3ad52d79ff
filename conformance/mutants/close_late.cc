// SPDX-License-Identifier: Apache-2.0
// Flavors that break CLOSE: reads and execs that come too late. Each mutation is used from any
// thread.
#include <atomic>
#include <cstddef>
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

class ReadAfterCloseBlocks : public BondedProcess {
 public:
  using BondedProcess::BondedProcess;
  LineStream& err() override { return err_; }
  void kill(Where where) override {
    hold_.release();
    inner().kill(where);
  }

 private:
  Hold hold_;
  HookedStream err_{inner().err(), [this](LineStream& healthy, std::string& line, Where where) {
                      if (closed() && fires()) hold_.stay(kHang);
                      return healthy.next(line, where);
                    }};
};

class ReadAfterCloseIsABackendError : public BondedProcess {
 public:
  using BondedProcess::BondedProcess;
  std::size_t read_some(Stream stream, std::span<std::byte> buffer, Where where) override {
    if (closed() && fires()) throw BackendError("the descriptor is closed");
    return inner().read_some(stream, buffer, where);
  }
};

/// On a closed session the command is started once in a hidden one.
class ExecDuringCloseRunsElsewhere : public Faulty<SandboxWrapper> {
 public:
  using Faulty::Faulty;
  std::unique_ptr<Session> create_session(const Settings& overrides, OnExit on_exit,
                                          Where where) override {
    auto session = inner().create_session(overrides, on_exit, where);
    std::shared_ptr<Session> hidden = inner().create_session({}, OnExit::kDestroy, where);
    const std::lock_guard lock(mutex_);
    hidden_.push_back(hidden);
    return std::make_unique<Elsewhere>(std::move(session), trigger(), std::move(hidden));
  }

 private:
  class Elsewhere : public Faulty<SessionWrapper> {
   public:
    Elsewhere(std::unique_ptr<Session> inner, std::shared_ptr<Trigger> trigger,
              std::shared_ptr<Session> hidden)
        : Faulty(std::move(inner), std::move(trigger)), hidden_(std::move(hidden)) {}
    std::unique_ptr<Process> exec(Command command, ExecOptions options, Where where) override {
      try {
        return inner().exec(command, options, where);
      } catch (const SessionClosedError&) {
        if (done_.exchange(true) || !fires()) throw;
        return hidden_->exec(std::move(command), std::move(options), where);
      }
    }

   private:
    const std::shared_ptr<Session> hidden_;
    std::atomic<bool> done_ = false;
  };

  std::mutex mutex_;
  std::vector<std::shared_ptr<Session>> hidden_;
};

class ExecRacingCloseIsABackendError : public Faulty<SessionWrapper> {
 public:
  using Faulty::Faulty;
  std::unique_ptr<Process> exec(Command command, ExecOptions options, Where where) override {
    try {
      return inner().exec(std::move(command), std::move(options), where);
    } catch (const SessionClosedError&) {
      if (!fires()) throw;
      throw BackendError("the environment is gone");
    }
  }
};

}  // namespace

std::vector<Mutant> close_late_mutants() {
  using enum Capability;
  return {
      {.name = "ReadAfterCloseBlocks",
       .rule = "CLOSE-009",
       .what = "A read after close() blocks.",
       .wrap = each_session<Bonded<ReadAfterCloseBlocks>>(),
       .without = {kOutlives}},
      {.name = "ReadAfterCloseIsABackendError",
       .rule = "CLOSE-009",
       .what = "read_some() after close() throws BackendError.",
       .wrap = each_session<Bonded<ReadAfterCloseIsABackendError>>(),
       .without = {kOutlives}},
      {.name = "ExecDuringCloseRunsElsewhere",
       .rule = "CLOSE-010",
       .what = "An exec that comes too late starts its command all the same, where nobody ends it.",
       .wrap = the_sandbox<ExecDuringCloseRunsElsewhere>()},
      {.name = "ExecRacingCloseIsABackendError",
       .rule = "CLOSE-010",
       .what = "An exec that comes too late throws BackendError.",
       .wrap = each_session<ExecRacingCloseIsABackendError>(),
       .without = {kOutlives}},
      {.name = "ALateExecLeaks",
       .rule = "CLOSE-010",
       .what = "An exec that comes too late starts its command where destroy() does not end it.",
       .wrap = the_sandbox<ExecDuringCloseRunsElsewhere>(),
       .with = {kOutlives}},
  };
}

}  // namespace sandproof::conformance
