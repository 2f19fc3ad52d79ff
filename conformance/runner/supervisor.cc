// SPDX-License-Identifier: Apache-2.0
// The supervisor's loop (supervisor.h): fill the slots, wait for whatever comes first, deal with
// it.
#include "conformance/runner/supervisor.h"

#include <poll.h>
#include <signal.h>
#include <sys/signalfd.h>

#include <algorithm>
#include <cerrno>
#include <nlohmann/json.hpp>

#include "conformance/runner/announcement.h"

namespace sandproof::conformance::runner {
namespace {

// For a worker without work to run its destructors in.
constexpr std::chrono::seconds kWorkerEndGrace{10};

const char* name_of(int signal) {
  switch (signal) {
    case SIGINT:
      return "SIGINT";
    case SIGHUP:
      return "SIGHUP";
    default:
      return "SIGTERM";
  }
}

}  // namespace

Supervisor::Supervisor(const Suite& suite, const RunOptions& options, SupervisorParts parts)
    : suite_(suite),
      options_(options),
      parts_(std::move(parts)),
      log_(std::move(parts_.log), parts_.log_path, options.progress),
      schedule_(suite, options) {}

Supervisor::~Supervisor() = default;

SupervisorEnd Supervisor::run() {
  announce(suite_, options_, schedule_, log_);
  if (options_.planned) options_.planned(parts_.log_path);
  while (!guard_gone_ && !signalled_) {
    if (!stopped_) fill_slots();
    if (done()) break;
    turn();
  }
  abandon_workers();
  end_everything();
  if (guard_gone_) return SupervisorEnd::kGuardGone;
  log_.append("run_finished",
              {{"interrupted", interrupted_}, {"failed_fast", failed_fast_}, {"reason", reason_}});
  return SupervisorEnd::kFinished;
}

void Supervisor::fill_slots() {
  while (workers_.size() < static_cast<std::size_t>(std::max(options_.jobs, 1))) {
    const std::optional<std::size_t> lot = schedule_.lot_for_new_worker();
    if (!lot) return;
    start_worker(*lot);
  }
}

void Supervisor::start_worker(std::size_t index) {
  Lot& lot = schedule_.lot(index);
  const int number = next_number_++;
  const std::filesystem::path directory = parts_.run_directory / ("w" + std::to_string(number));
  WorkerHandle& worker = workers_.emplace_back(number, index, lot.label, directory);
  ++lot.workers;
  worker.send({{"op", "setup"},
               {"flavor", lot.selected->binding->name()},
               {"config", lot.selected->config_json},
               {"mutant", lot.selected->mutant},
               {"left_out", lot.selected->left_out_assertion.value_or("")},
               {"time_scale", options_.time_scale},
               {"directory", directory.string()},
               {"record_places", options_.record_places}});
  log_.append("worker_started", {{"worker", number}, {"pid", worker.pid()}, {"flavor", lot.label}});
  give_next(worker);
}

void Supervisor::give_next(WorkerHandle& worker) {
  std::optional<Unit> unit;
  if (!stopped_) unit = schedule_.next(worker.lot());
  if (!unit) {
    worker.close_commands();
    worker.end_deadline = Clock::now() + std::chrono::duration_cast<Clock::duration>(
                                             kWorkerEndGrace * options_.time_scale);
    return;
  }
  worker.tail().clear();
  const auto now = Clock::now();
  worker.active = ActiveUnit{*unit, false, now, 0, now};
  if (unit->test_case == nullptr) {
    worker.send({{"op", "refusal"}, {"capability", to_string(unit->capability)}});
  } else {
    worker.send({{"op", "case"}, {"case", unit->test_case->name}, {"seed", unit->seed}});
  }
}

void Supervisor::turn() {
  std::vector<pollfd> polled{{parts_.signals.get(), POLLIN, 0}, {parts_.guard.get(), POLLIN, 0}};
  for (const WorkerHandle& worker : workers_) {
    // A descriptor of -1 is ignored by poll().
    polled.push_back({worker.events_fd(), POLLIN, 0});
    polled.push_back({worker.output_fd(), POLLIN, 0});
    polled.push_back({worker.status_fd(), POLLIN, 0});
  }
  if (::poll(polled.data(), polled.size(), time_to_next_limit()) < 0 && errno != EINTR) {
    throw_system_error("cannot wait for the workers");
  }
  // First of all: a SIGTERM from the kernel when the guard dies is no interruption by somebody.
  guard_gone_ = polled[1].revents != 0;
  read_signals();
  if (guard_gone_ || signalled_) return;
  for (auto worker = workers_.begin(); worker != workers_.end();) {
    const auto current = worker++;
    current->read_status();
    current->read_output(kReadAtOnce);
    // What it has said before its end, or before its limit was looked at, counts.
    current->read_events(kReadAtOnce, [&](std::string_view line) { on_line(*current, line); });
    if (current->end_status()) end_worker(current);
  }
  check_limits();
}

void Supervisor::read_signals() {
  signalfd_siginfo info;
  while (read_some_bytes(parts_.signals.get(), reinterpret_cast<char*>(&info), sizeof(info)) ==
         sizeof(info)) {
    const int signal = static_cast<int>(info.ssi_signo);
    if (signal == SIGCHLD) {
      reap();
    } else if (!guard_gone_) {
      interrupt(std::string("interrupted by ") + name_of(signal));
      signalled_ = true;
    }
  }
}

void Supervisor::interrupt(const std::string& reason) {
  stopped_ = true;
  schedule_.stop();
  if (interrupted_) return;
  interrupted_ = true;
  reason_ = reason;
}

}  // namespace sandproof::conformance::runner
