// SPDX-License-Identifier: Apache-2.0
// The table of jobs.
#include "fakes/machine/shell/run/jobs.h"

#include <algorithm>
#include <array>
#include <charconv>

namespace sandproof::machine::shell {
namespace {

// As strsignal() of the C locale, by number.
constexpr std::array<std::string_view, 32> kSignalTexts = {
    "",
    "Hangup",
    "Interrupt",
    "Quit",
    "Illegal instruction",
    "Trace/breakpoint trap",
    "Aborted",
    "Bus error",
    "Floating point exception",
    "Killed",
    "User defined signal 1",
    "Segmentation fault",
    "User defined signal 2",
    "Broken pipe",
    "Alarm clock",
    "Terminated",
    "Stack fault",
    "Child exited",
    "Continued",
    "Stopped (signal)",
    "Stopped",
    "Stopped (tty input)",
    "Stopped (tty output)",
    "Urgent I/O condition",
    "CPU time limit exceeded",
    "File size limit exceeded",
    "Virtual timer expired",
    "Profiling timer expired",
    "Window changed",
    "I/O possible",
    "Power failure",
    "Bad system call",
};

std::string signal_text(int number) {
  if (number < static_cast<int>(kSignalTexts.size())) {
    return std::string(kSignalTexts[static_cast<std::size_t>(number)]);
  }
  // The first two real-time signals are the C library's own.
  constexpr int kFirstRealTime = 34;
  return "Real-time signal " + std::to_string(number - kFirstRealTime);
}

}  // namespace

std::string end_text(WaitStatus status, bool signals_only) {
  switch (status.kind()) {
    case WaitStatus::Kind::kExited:
      if (signals_only) return "";
      return status.value() == 0 ? "Done" : "Done(" + std::to_string(status.value()) + ")";
    case WaitStatus::Kind::kStopped:
      return signals_only ? "" : signal_text(status.value());
    case WaitStatus::Kind::kSignaled: {
      const auto signal = static_cast<Signal>(status.value());
      if (signals_only && (signal == Signal::kInt || signal == Signal::kPipe)) return "";
      return signal_text(status.value());
    }
    case WaitStatus::Kind::kContinued:
      break;
  }
  return "";
}

JobState Job::state() const {
  JobState state = JobState::kDone;
  for (const JobProcess& process : processes) {
    if (!process.status) return JobState::kRunning;
    if (process.status->kind() == WaitStatus::Kind::kStopped) state = JobState::kStopped;
  }
  return state;
}

int Job::status(bool pipefail) const {
  if (processes.empty() || !processes.back().status) return 0;
  int status = processes.back().status->shell_code();
  if (!pipefail) return status;
  for (auto process = processes.rbegin(); process != processes.rend() && status == 0; ++process) {
    if (process->status) status = process->status->shell_code();
  }
  return status;
}

Job& Jobs::add(std::string text) {
  if (jobs_.size() >= kMaxRemembered) forget_old();
  std::erase_if(jobs_, [](const Job& job) { return job.waited && job.state() == JobState::kDone; });
  std::erase_if(recency_, [this](int number) { return find_number(number) == nullptr; });
  int number = 1;
  auto place = jobs_.begin();
  for (; place != jobs_.end() && place->number == number; ++place) ++number;
  Job job{.number = number};
  job.text = std::move(text);
  Job& added = *jobs_.insert(place, std::move(job));
  std::erase(recency_, number);
  recency_.push_back(number);
  return added;
}

void Jobs::forget_old() {
  const auto done = std::find_if(jobs_.begin(), jobs_.end(),
                                 [](const Job& job) { return job.state() == JobState::kDone; });
  if (done != jobs_.end()) remove(*done);
}

void Jobs::remove(const Job& job) {
  const int number = job.number;
  std::erase(recency_, number);
  jobs_.remove_if([number](const Job& one) { return one.number == number; });
}

Job* Jobs::find(Pid pid) {
  for (Job& job : jobs_) {
    for (const JobProcess& process : job.processes) {
      if (process.pid == pid) return &job;
    }
  }
  return nullptr;
}

Job* Jobs::find_number(int number) {
  for (Job& job : jobs_) {
    if (job.number == number) return &job;
  }
  return nullptr;
}

int Jobs::current() const { return recency_.empty() ? 0 : recency_.back(); }

int Jobs::previous() const { return recency_.size() < 2 ? 0 : recency_[recency_.size() - 2]; }

void Jobs::make_current(const Job& job) {
  std::erase(recency_, job.number);
  recency_.push_back(job.number);
}

Job* Jobs::find_spec(std::string_view spec, bool& ambiguous) {
  ambiguous = false;
  if (!spec.starts_with('%')) return nullptr;
  const std::string_view text = spec.substr(1);
  if (text.empty() || text == "%" || text == "+") return find_number(current());
  if (text == "-") return find_number(previous());
  int number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error == std::errc() && end == text.data() + text.size()) return find_number(number);
  Job* found = nullptr;
  const bool anywhere = text.starts_with('?');
  for (Job& job : jobs_) {
    const bool fits =
        anywhere ? job.text.find(text.substr(1)) != std::string::npos : job.text.starts_with(text);
    if (!fits) continue;
    ambiguous = ambiguous || found != nullptr;
    found = &job;
  }
  return ambiguous ? nullptr : found;
}

Job* Jobs::note(const ChildChange& change) {
  Job* const job = find(change.pid);
  if (job == nullptr) return nullptr;
  const JobState before = job->state();
  for (JobProcess& process : job->processes) {
    if (process.pid != change.pid) continue;
    if (change.status.kind() == WaitStatus::Kind::kContinued) {
      process.status.reset();
    } else {
      process.status = change.status;
    }
  }
  if (job->state() != before) {
    job->changed = true;
    if (job->state() == JobState::kStopped) make_current(*job);
  }
  return job;
}

}  // namespace sandproof::machine::shell
