// SPDX-License-Identifier: Apache-2.0
// The supervisor's side of one worker: its keeper, its pipes, its shared block, and the unit that
// it works on. Owned by the supervisor's thread. Ending the processes is the supervisor's;
// destroying a handle only closes what it holds.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>

#include "conformance/runner/keeper.h"
#include "conformance/runner/line_reader.h"
#include "conformance/runner/output_tail.h"
#include "conformance/runner/schedule.h"
#include "conformance/runner/shared_block.h"
#include "conformance/runner/system.h"

namespace sandproof::conformance::runner {

/// A unit that a worker has been given.
struct ActiveUnit {
  Unit unit;
  /// The worker has said that it has begun. One that dies before that has not failed at the unit.
  bool begun = false;
  std::chrono::steady_clock::time_point started;
  /// The counters of the shared block when they last changed, and when that was seen.
  std::uint64_t progress = 0;
  std::chrono::steady_clock::time_point progressed;
};

class WorkerHandle {
 public:
  /// Starts keeper and worker, which waits for its setup. Throws RunnerError.
  WorkerHandle(int number, std::size_t lot, const std::string& flavor,
               std::filesystem::path directory);

  int number() const { return number_; }
  std::size_t lot() const { return lot_; }
  const std::filesystem::path& directory() const { return directory_; }
  /// 0 if the keeper was killed before it could tell.
  pid_t pid() const { return pid_; }
  SharedBlock& block() const { return block_.block(); }
  OutputTail& tail() { return tail_; }

  int events_fd() const { return events_.get(); }
  int output_fd() const { return output_.get(); }
  int status_fd() const { return status_.get(); }

  /// A worker that has died meanwhile is no error here: its end is seen by its status.
  void send(const nlohmann::json& command);
  /// Tells the worker to end.
  void close_commands() { commands_.reset(); }
  bool asked_to_end() const { return !commands_; }

  /// Each reads what is there, at most `budget` bytes, and closes the descriptor at its end.
  void read_events(std::size_t budget, const LineReader::OnLine& on_line);
  void read_output(std::size_t budget);
  void read_status();
  /// Waits for the keeper's next word, at most `bound`.
  void await_status(std::chrono::milliseconds bound);

  /// How the worker ended, as ExitStatus prints it; nothing while it lives.
  const std::optional<std::string>& end_status() const { return end_status_; }
  bool ended_well() const { return end_status_ == "exited(0)"; }

  pid_t keeper() const { return keeper_; }
  /// Once it is reaped its pid means nothing, and nothing is left below it.
  bool keeper_reaped() const { return keeper_reaped_; }
  void set_keeper_reaped() { keeper_reaped_ = true; }

  std::optional<ActiveUnit> active;
  /// For a worker that was asked to end: when that is over.
  std::chrono::steady_clock::time_point end_deadline;

 private:
  int number_;
  std::size_t lot_;
  std::filesystem::path directory_;
  SharedBlockMapping block_;
  UniqueFd commands_;
  UniqueFd events_;
  UniqueFd output_;
  UniqueFd status_;
  pid_t keeper_ = -1;
  pid_t pid_ = 0;
  bool keeper_reaped_ = false;
  LineReader lines_;
  OutputTail tail_;
  std::optional<std::string> end_status_;
  /// `end_status_` says why there never was a worker.
  bool not_started_ = false;
};

}  // namespace sandproof::conformance::runner
