// SPDX-License-Identifier: Apache-2.0
// The guard (run.h): forks the supervisor, waits, and has the last word on processes and files.
#include "conformance/runner/run.h"

#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <iostream>
#include <nlohmann/json.hpp>
#include <set>

#include "conformance/runner/process_tree.h"
#include "conformance/runner/run_files.h"
#include "conformance/runner/signals.h"
#include "conformance/runner/supervisor.h"
#include "conformance/runner/system.h"
#include "sandproof/conformance/program.h"

namespace sandproof::conformance {
namespace runner {
namespace {

using Finish = std::function<int(const std::filesystem::path&)>;
using Clock = std::chrono::steady_clock;

constexpr int kRunnerFailed = static_cast<int>(ExitCode::kRunner);

// More than this many workers help no machine, and each costs descriptors.
constexpr int kMostJobs = 64;
// It is handed to the worker through a pipe, which holds 64 KiB.
constexpr std::size_t kLargestConfig = std::size_t{32} * 1024;
// After a first SIGINT, SIGTERM or SIGHUP: the supervisor ends its workers within this time, or
// is killed itself.
constexpr std::chrono::seconds kInterruptGrace{20};
// What is below a dead supervisor is killed, which is instant.
constexpr std::chrono::milliseconds kAfterwardsBound{10'000};

void check(const Suite& suite, const RunOptions& options) {
  if (suite.cases == nullptr || suite.mutants == nullptr || suite.rules == nullptr) {
    throw RunnerError("the suite lacks a table");
  }
  if (options.jobs < 1 || options.jobs > kMostJobs) {
    throw RunnerError("the number of jobs is " + std::to_string(options.jobs) +
                      "; it has to be 1 to " + std::to_string(kMostJobs));
  }
  if (!(options.time_scale > 0 && options.time_scale <= 1000)) {
    throw RunnerError("the time scale has to be over 0 and at most 1000");
  }
  std::set<std::string> labels;
  for (const SelectedFlavor& selected : options.flavors) {
    if (selected.binding == nullptr) throw RunnerError("a selected flavor has no binding");
    const std::string& label = selected.label.empty() ? selected.binding->name() : selected.label;
    if (!labels.insert(label).second) throw RunnerError("the flavor " + label + " is there twice");
    if (selected.config_json.size() > kLargestConfig) {
      throw RunnerError("the config of " + label + " has " +
                        std::to_string(selected.config_json.size()) + " bytes; the most is " +
                        std::to_string(kLargestConfig));
    }
  }
}

// A soft limit is meant for programs that use select(); each worker costs a few descriptors.
void raise_descriptor_limit() {
  constexpr rlim_t kEnough = 1024;
  rlimit limit{};
  if (::getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur >= kEnough) return;
  limit.rlim_cur = std::min(limit.rlim_max, kEnough);
  ::setrlimit(RLIMIT_NOFILE, &limit);
}

// What stdio holds would be printed by both processes.
void flush_output() {
  std::cout.flush();
  std::cerr.flush();
  std::fflush(nullptr);
}

void reap_all() {
  while (::waitpid(-1, nullptr, WNOHANG) > 0) {
  }
}

// A process is a subreaper for a scope.
class Subreaper {
 public:
  Subreaper() {
    ::prctl(PR_GET_CHILD_SUBREAPER, &previous_);
    ::prctl(PR_SET_CHILD_SUBREAPER, 1);
  }
  ~Subreaper() { ::prctl(PR_SET_CHILD_SUBREAPER, previous_); }
  Subreaper(const Subreaper&) = delete;
  Subreaper& operator=(const Subreaper&) = delete;

 private:
  int previous_ = 0;
};

int supervise(const Suite& suite, const RunOptions& options, SupervisorParts parts, RunFiles& files,
              const Finish& finish) {
  Supervisor supervisor(suite, options, std::move(parts));
  SupervisorEnd end = SupervisorEnd::kFinished;
  try {
    end = supervisor.run();
  } catch (const std::exception& error) {
    supervisor.end_everything();
    std::fprintf(stderr, "sandproof: the run cannot go on: %s\n", error.what());
    return kRunnerFailed;
  }
  if (end == SupervisorEnd::kFinished) return 0;
  // Nobody else is left to do it.
  files.remove_directory();
  const int code = finish(files.log_path());
  files.remove_log();
  return code;
}

[[noreturn]] void supervisor_process(const Suite& suite, const RunOptions& options,
                                     SupervisorParts parts, RunFiles& files, const Finish& finish) {
  // The pipe tells that the guard has died; the signal wakes whatever the supervisor is in.
  ::prctl(PR_SET_PDEATHSIG, SIGTERM);
  ::prctl(PR_SET_CHILD_SUBREAPER, 1);
  // Readers of our output or of a worker's commands that go away are errors of a write.
  ::signal(SIGPIPE, SIG_IGN);
  // So is a log that outgrows a limit.
  ::signal(SIGXFSZ, SIG_IGN);
  int code = kRunnerFailed;
  try {
    code = supervise(suite, options, std::move(parts), files, finish);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "sandproof: the run cannot go on: %s\n", error.what());
  }
  flush_output();
  ::_exit(code);
}

// Waits for the supervisor's end, forwards signals to it; returns its wait status.
int guard(pid_t supervisor, const BlockedSignals& signals) {
  constexpr Clock::time_point kNone = Clock::time_point::max();
  Clock::time_point deadline = kNone;
  while (true) {
    std::optional<std::chrono::milliseconds> bound;
    if (deadline != kNone) {
      bound = std::chrono::milliseconds(poll_timeout(deadline - Clock::now()));
    }
    const std::optional<int> signal = signals.wait(bound);
    if (!signal) {
      ::kill(supervisor, SIGKILL);
      deadline = kNone;
    } else if (*signal != SIGCHLD) {
      ::kill(supervisor, *signal);
      if (deadline == kNone) deadline = Clock::now() + kInterruptGrace;
    }
    while (true) {
      int status = 0;
      const pid_t pid = ::waitpid(-1, &status, WNOHANG);
      if (pid == supervisor) return status;
      if (pid <= 0) break;
    }
  }
}

bool supervised_run(const Suite& suite, const RunOptions& options, RunFiles& files,
                    const Finish& finish) {
  const Subreaper subreaper;
  const BlockedSignals signals;
  Pipe alive = make_pipe();
  SupervisorParts parts;
  parts.log = files.take_log();
  parts.log_path = files.log_path();
  parts.run_directory = files.directory();
  parts.signals = signals.descriptor();
  parts.guard = std::move(alive.read);
  flush_output();
  const pid_t supervisor = ::fork();
  if (supervisor < 0) throw_system_error("cannot start the supervisor");
  if (supervisor == 0) {
    alive.write.reset();
    supervisor_process(suite, options, std::move(parts), files, finish);
  }
  parts = {};
  const int status = guard(supervisor, signals);
  const auto below = [] { return descendants_of(::getpid(), process_table()); };
  end_processes(below, reap_all, kAfterwardsBound);
  reap_all();
  return !(WIFEXITED(status) && WEXITSTATUS(status) == kRunnerFailed);
}

}  // namespace
}  // namespace runner

int run_guarded(const Suite& suite, const RunOptions& options,
                const std::function<int(const std::filesystem::path&)>& finish) {
  runner::check(suite, options);
  runner::raise_descriptor_limit();
  runner::RunFiles files(options.event_log);
  const bool went_on = runner::supervised_run(suite, options, files, finish);
  files.remove_directory();
  const int code = finish(files.log_path());
  return went_on ? code : runner::kRunnerFailed;
}

}  // namespace sandproof::conformance
