// SPDX-License-Identifier: Apache-2.0
// Flavors that break DESTROY: what becomes of other handles, of what runs and of blocked calls.
// Each mutation is used from any thread.
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "conformance/mutants/areas.h"
#include "conformance/mutants/support.h"
#include "sandproof/errors.h"

namespace sandproof::conformance {
namespace {

using std::chrono::milliseconds;

/// Ends things a moment after it has returned.
class EndsLater : public Faulty<SessionHookWrapper> {
 public:
  using Faulty::Faulty;
  void do_destroy() override {
    later([this] { inner().do_destroy(); }, destroying_);
  }
  void do_close() override {
    later([this] { inner().do_close(); }, closing_);
  }

 private:
  void later(const std::function<void()>& call, std::jthread& thread) {
    if (!fires()) return call();
    thread = std::jthread([call] {
      stall(milliseconds(300));
      call();
    });
  }
  // They join before the rest of this goes. Either is called once here.
  std::jthread destroying_;
  std::jthread closing_;
};

class AttachFindsTheDead : public Faulty<SandboxWrapper> {
 public:
  using Faulty::Faulty;
  std::unique_ptr<Session> attach(std::string_view id, Where where) override {
    try {
      return inner().attach(id, where);
    } catch (const NotFoundError&) {
      if (!fires()) throw;
      return with_id(inner().create_session({}, OnExit::kDestroy, where), std::string(id));
    }
  }
};

/// Every attached handle has a fresh environment to fall back to.
class ExecInTheDestroyedWorks : public Faulty<SandboxWrapper> {
 public:
  using Faulty::Faulty;
  std::unique_ptr<Session> attach(std::string_view id, Where where) override {
    auto session = inner().attach(id, where);
    return std::make_unique<FallsBack>(std::move(session), trigger(),
                                       inner().create_session({}, OnExit::kDestroy, where));
  }

 private:
  class FallsBack : public Faulty<SessionWrapper> {
   public:
    FallsBack(std::unique_ptr<Session> inner, std::shared_ptr<Trigger> trigger,
              std::unique_ptr<Session> fresh)
        : Faulty(std::move(inner), std::move(trigger)), fresh_(std::move(fresh)) {}
    std::unique_ptr<Process> exec(Command command, ExecOptions options, Where where) override {
      try {
        return inner().exec(command, options, where);
      } catch (const SandboxLostError&) {
        if (!fires()) throw;
        return fresh_->exec(std::move(command), std::move(options), where);
      }
    }

   private:
    const std::unique_ptr<Session> fresh_;
  };
};

class ExecInTheDestroyedHangs : public Faulty<SessionWrapper> {
 public:
  using Faulty::Faulty;
  std::unique_ptr<Process> exec(Command command, ExecOptions options, Where where) override {
    try {
      return inner().exec(std::move(command), std::move(options), where);
    } catch (const SandboxLostError&) {
      if (fires()) hold_.stay(kHang);
      throw;
    }
  }
  void close(Where where) override {
    hold_.release();
    inner().close(where);
  }

 private:
  Hold hold_;
};

class ExecInTheDestroyedIsABackendError : public Faulty<SessionWrapper> {
 public:
  using Faulty::Faulty;
  std::unique_ptr<Process> exec(Command command, ExecOptions options, Where where) override {
    try {
      return inner().exec(std::move(command), std::move(options), where);
    } catch (const SandboxLostError& error) {
      if (!fires()) throw;
      throw BackendError(error.what(), 404);
    }
  }
};

class ADestroyedWaitSaysSuccess : public BondedProcess {
 public:
  using BondedProcess::BondedProcess;
  ExitStatus wait(Where where) override {
    const ExitStatus status = inner().wait(where);
    return destroyed() && !status.success() && fires() ? ExitStatus::exited(0) : status;
  }
};

class ADestroyedWaitSaysOne : public BondedProcess {
 public:
  using BondedProcess::BondedProcess;
  ExitStatus wait(Where where) override {
    const ExitStatus status = inner().wait(where);
    return destroyed() && !status.success() && fires() ? ExitStatus::exited(1) : status;
  }
};

class ADestroyedCollectSaysSuccess : public BondedProcess {
 public:
  using BondedProcess::BondedProcess;
  Output collect(const CollectOptions& options, Where where) override {
    Output output = inner().collect(options, where);
    if (destroyed() && !output.status.success() && fires()) output.status = ExitStatus::exited(0);
    return output;
  }
};

/// A blocked reader is not woken by destroy(); kill() lets it go.
class AReaderSurvivesDestroy : public BondedProcess {
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
                      const bool more = healthy.next(line, where);
                      if (destroyed() && fires()) hold_.stay(kHang);
                      return more;
                    }};
};

}  // namespace

std::vector<Mutant> destroy_others_mutants() {
  using enum Capability;
  return {
      {.name = "AttachFindsWhatWasClosedFirst",
       .rule = "DESTROY-002",
       .what = "attach() to a session that was closed and then destroyed gives an environment.",
       .wrap = the_sandbox<AttachFindsTheDead>(),
       .with = {kAttach, kOutlives}},
      {.name = "DestroyReturnsEarly",
       .rule = "DESTROY-005",
       .what = "destroy() returns while the environment is still being removed.",
       .wrap_hooks = each_session_hooks<EndsLater>(),
       .with = {kAttach, kOutlives}},
      {.name = "AttachFindsTheDead",
       .rule = "DESTROY-005",
       .what = "attach() to a destroyed session gives a new environment of that id.",
       .wrap = the_sandbox<AttachFindsTheDead>(),
       .with = {kAttach, kOutlives}},
      {.name = "ExecInTheDestroyedWorks",
       .rule = "DESTROY-006",
       .what = "exec in an environment that another handle destroyed runs in a new one.",
       .wrap = the_sandbox<ExecInTheDestroyedWorks>(),
       .with = {kAttach, kOutlives}},
      {.name = "ExecInTheDestroyedHangs",
       .rule = "DESTROY-006",
       .what = "exec in an environment that another handle destroyed hangs.",
       .wrap = each_session<ExecInTheDestroyedHangs>(),
       .with = {kAttach, kOutlives}},
      {.name = "ExecInTheDestroyedIsABackendError",
       .rule = "DESTROY-006",
       .what = "exec in an environment that another handle destroyed throws BackendError.",
       .wrap = each_session<ExecInTheDestroyedIsABackendError>(),
       .with = {kAttach, kOutlives}},
      {.name = "ADestroyedWaitSaysSuccess",
       .rule = "DESTROY-007",
       .what = "wait() for a command that destroy() ended returns exited(0).",
       .wrap = each_session<Bonded<ADestroyedWaitSaysSuccess>>()},
      {.name = "ADestroyedWaitSaysOne",
       .rule = "DESTROY-007",
       .what = "wait() for a command that destroy() ended returns exited(1).",
       .wrap = each_session<Bonded<ADestroyedWaitSaysOne>>()},
      {.name = "ADestroyedCollectSaysSuccess",
       .rule = "DESTROY-007",
       .what = "collect() of a command that destroy() ended says exited(0).",
       .wrap = each_session<Bonded<ADestroyedCollectSaysSuccess>>()},
      {.name = "AReaderSurvivesDestroy",
       .rule = "DESTROY-007",
       .what = "A reader that is blocked at destroy() is not woken.",
       .wrap = each_session<Bonded<AReaderSurvivesDestroy>>()},
      {.name = "DestroyReturnsBeforeTheyAreGone",
       .rule = "DESTROY-008",
       .what = "destroy() returns while processes of the tree are alive.",
       .wrap_hooks = each_session_hooks<EndsLater>()},
  };
}

}  // namespace sandproof::conformance
