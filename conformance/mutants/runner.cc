// SPDX-License-Identifier: Apache-2.0
// Flavors that try the runner: they hang, crash, exit and chatter. What a hang waits for is ended
// by the supervisor, with the worker. Each mutation is used from any thread.
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "conformance/mutants/areas.h"
#include "conformance/mutants/support.h"

namespace sandproof::conformance {
namespace {

/// Longer than any limit of a case.
void hang() { stall(std::chrono::hours(1)); }

class HangsInCreate : public Faulty<SandboxWrapper> {
 public:
  using Faulty::Faulty;
  std::unique_ptr<Session> create_session(const Settings& overrides, OnExit on_exit,
                                          Where where) override {
    if (fires()) hang();
    return inner().create_session(overrides, on_exit, where);
  }
};

class HangsInExec : public Faulty<SessionHookWrapper> {
 public:
  using Faulty::Faulty;
  std::unique_ptr<ProcessHooks> do_exec(const ExecRequest& request) override {
    if (fires()) hang();
    return inner().do_exec(request);
  }
};

class HangsInRead : public Faulty<ProcessHookWrapper> {
 public:
  using Faulty::Faulty;
  IoResult do_read(Stream stream, std::span<std::byte> buffer) noexcept override {
    if (fires()) hang();
    return inner().do_read(stream, buffer);
  }
};

class HangsInWait : public Faulty<ProcessWrapper> {
 public:
  using Faulty::Faulty;
  ExitStatus wait(Where where) override {
    if (fires()) hang();
    return inner().wait(where);
  }
  ExitStatus wait(std::chrono::milliseconds timeout, Where where) override {
    if (fires()) hang();
    return inner().wait(timeout, where);
  }
};

class HangsInClose : public Faulty<SessionWrapper> {
 public:
  using Faulty::Faulty;
  void close(Where where) override {
    if (fires()) hang();
    inner().close(where);
  }
};

/// What happens to the program when a command is executed.
enum class End { kSegmentationFault, kAbort, kExit, kChatter };

template <End kEnd>
class EndsInExec : public Faulty<SessionWrapper> {
 public:
  using Faulty::Faulty;
  std::unique_ptr<Process> exec(Command command, ExecOptions options, Where where) override {
    if (fires()) {
      if (kEnd == End::kSegmentationFault) std::raise(SIGSEGV);
      if (kEnd == End::kAbort) std::abort();
      if (kEnd == End::kExit) ::_exit(0);
      while (kEnd == End::kChatter) std::puts("and another thing");
    }
    return inner().exec(std::move(command), std::move(options), where);
  }
};

template <typename Mutation>
Mutant run_ender(const char* name, const char* rule, const char* what, KilledBy killed_by) {
  return {.name = name,
          .rule = rule,
          .what = what,
          .wrap = each_session<Mutation>(),
          .killed_by = killed_by};
}

}  // namespace

std::vector<Mutant> runner_mutants() {
  return {
      {.name = "HangsInCreate",
       .rule = "SESSION-001",
       .what = "create_session() does not return",
       .wrap = the_sandbox<HangsInCreate>(),
       .killed_by = KilledBy::kTimeout},
      {.name = "HangsInExec",
       .rule = "EXEC-007",
       .what = "exec() does not return",
       .wrap_hooks = each_session_hooks<HangsInExec>(),
       .killed_by = KilledBy::kTimeout},
      {.name = "HangsInRead",
       .rule = "STREAM-003",
       .what = "a read does not return",
       .wrap_hooks = each_process_hooks<HangsInRead>(),
       .killed_by = KilledBy::kTimeout},
      {.name = "HangsInWait",
       .rule = "WAIT-005",
       .what = "wait() does not return",
       .wrap = each_process<HangsInWait>(),
       .killed_by = KilledBy::kTimeout},
      run_ender<HangsInClose>("HangsInClose", "CLOSE-003", "close() does not return",
                              KilledBy::kTimeout),
      run_ender<EndsInExec<End::kChatter>>("ChattersInExec", "EXEC-007", "exec() prints for ever",
                                           KilledBy::kTimeout),
      run_ender<EndsInExec<End::kSegmentationFault>>(
          "CrashesInExec", "EXEC-007", "exec() crashes the program", KilledBy::kCrash),
      run_ender<EndsInExec<End::kAbort>>("AbortsInExec", "EXEC-007", "exec() aborts the program",
                                         KilledBy::kCrash),
      run_ender<EndsInExec<End::kExit>>("ExitsInExec", "EXEC-007",
                                        "exec() ends the program with status 0", KilledBy::kCrash),
  };
}

}  // namespace sandproof::conformance
