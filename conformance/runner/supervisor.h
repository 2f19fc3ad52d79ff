// SPDX-License-Identifier: Apache-2.0
// The supervisor: hands out units of work, keeps their limits, ends what has to be ended, and
// writes the log. One thread, one poll loop; nothing in it waits for a worker without a bound.
#pragma once

#include <chrono>
#include <cstddef>
#include <filesystem>
#include <list>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/runner/event_log_writer.h"
#include "conformance/runner/process_tree.h"
#include "conformance/runner/schedule.h"
#include "conformance/runner/worker_handle.h"

namespace sandproof::conformance::runner {

/// What the guard has opened and made.
struct SupervisorParts {
  UniqueFd log;
  std::filesystem::path log_path;
  /// Workers live below it.
  std::filesystem::path run_directory;
  /// A signalfd of SIGINT, SIGTERM, SIGHUP and SIGCHLD, which are blocked.
  UniqueFd signals;
  /// The reading end of a pipe whose writing end only the guard holds.
  UniqueFd guard;
};

/// Bytes per worker and turn, so that one that prints without end starves nobody.
inline constexpr std::size_t kReadAtOnce = std::size_t{256} * 1024;

enum class SupervisorEnd {
  kFinished,   ///< run_finished is in the log, interrupted or not.
  kGuardGone,  ///< The guard was killed: the log stays incomplete.
};

class Supervisor {
 public:
  Supervisor(const Suite& suite, const RunOptions& options, SupervisorParts parts);
  ~Supervisor();
  Supervisor(const Supervisor&) = delete;
  Supervisor& operator=(const Supervisor&) = delete;

  /// Throws RunnerError when the run cannot go on (the log cannot be written, no more processes);
  /// end_everything() is then to be called.
  SupervisorEnd run();
  /// Ends and reaps every process below this one. Bounded; never throws.
  void end_everything() noexcept;

 private:
  using Clock = std::chrono::steady_clock;
  using Workers = std::list<WorkerHandle>;

  // supervisor.cc: the loop.
  void turn();
  void fill_slots();
  void start_worker(std::size_t lot);
  void give_next(WorkerHandle& worker);
  int time_to_next_limit() const;
  void read_signals();
  void interrupt(const std::string& reason);
  bool done() const { return workers_.empty() && (stopped_ || !schedule_.lot_for_new_worker()); }

  // supervisor_events.cc: what workers report.
  void on_line(WorkerHandle& worker, std::string_view line);
  void on_done(WorkerHandle& worker, const nlohmann::json& event);
  void on_refused(WorkerHandle& worker, const nlohmann::json& event);
  void on_timeout(WorkerHandle& worker, std::string_view kind);
  void on_crash(WorkerHandle& worker);
  void close_unit(WorkerHandle& worker, bool passed);
  void log_started(WorkerHandle& worker);
  nlohmann::json unit_event(const WorkerHandle& worker) const;
  nlohmann::json waits_of(const WorkerHandle& worker) const;
  void log_refusal(WorkerHandle& worker, bool held, const std::string& message);
  bool is_known(const WorkerHandle& worker) const;
  bool counts(const WorkerHandle& worker) const;

  // supervisor_processes.cc: limits and ends.
  void check_limits();
  void check_limit(WorkerHandle& worker, Clock::time_point now);
  void end_worker(Workers::iterator worker);
  void end_tree(WorkerHandle& worker);
  void abandon_workers();
  std::vector<std::string> end_leftovers(WorkerHandle& worker);
  std::vector<ProcessInfo> strays() const;
  void end_strays();
  void reap();

  const Suite& suite_;
  const RunOptions& options_;
  SupervisorParts parts_;
  EventLogWriter log_;
  Schedule schedule_;
  Workers workers_;
  int next_number_ = 1;
  bool stopped_ = false;
  bool interrupted_ = false;
  bool failed_fast_ = false;
  bool signalled_ = false;
  bool guard_gone_ = false;
  std::string reason_;
};

}  // namespace sandproof::conformance::runner
