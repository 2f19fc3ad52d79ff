// SPDX-License-Identifier: Apache-2.0
// Session hooks whose commands are killed by a shell command: for faults of kill(), and of what
// kills at a deadline. Thread-safe.
#pragma once

#include <atomic>
#include <memory>
#include <string>
#include <utility>

#include "conformance/mutants/support.h"

namespace sandproof::conformance {

/// `How::kScript` runs with the pid of the command in $p; for each_session_hooks<ShellKill<…>>.
template <typename How>
class ShellKill : public Faulty<SessionHookWrapper> {
 public:
  using Faulty<SessionHookWrapper>::Faulty;
  std::unique_ptr<ProcessHooks> do_exec(const ExecRequest& request) override {
    // The file with the pid lies in the session's directory.
    if (!request.cwd.empty()) return inner().do_exec(request);
    const std::string file = ".pid-" + std::to_string(++count_);
    ExecRequest noted = request;
    noted.argv = {"sh", "-c", "echo $$ > \"$0\"; exec \"$@\"", file};
    noted.argv.insert(noted.argv.end(), request.argv.begin(), request.argv.end());
    return std::make_unique<Killed>(inner().do_exec(noted), trigger(), inner(), file);
  }

 private:
  class Killed : public Faulty<ProcessHookWrapper> {
   public:
    Killed(std::unique_ptr<ProcessHooks> inner, std::shared_ptr<Trigger> trigger,
           SessionHooks& session, std::string file)
        : Faulty<ProcessHookWrapper>(std::move(inner), std::move(trigger)),
          session_(session),
          file_(std::move(file)) {}
    void do_kill() override {
      if (!fires()) return inner().do_kill();
      run_below(session_, {"sh", "-c", "p=$(cat " + file_ + ") && " + How::kScript});
    }

   private:
    SessionHooks& session_;  // Outlives its processes' hooks.
    const std::string file_;
  };

  std::atomic<int> count_ = 0;
};

/// The most common fault of all.
struct KillsTheLeaderOnly {
  static constexpr const char* kScript = "kill -9 $p";
};

}  // namespace sandproof::conformance
