// SPDX-License-Identifier: Apache-2.0
// `jobs`, `fg` and `bg`.
#include "fakes/machine/shell/builtins/builtin.h"

namespace sandproof::machine::shell {
// Not unnamed: frames of coroutines have members of these types, and frames have linkage.
namespace jobs_detail {

enum class JobLines { kText, kPids, kWithPids };

}  // namespace jobs_detail

namespace {

using jobs_detail::JobLines;

std::string line_of(Shell& shell, const Job& job, bool with_pid) {
  constexpr std::size_t kTextColumn = 33;
  std::string line = "[" + std::to_string(job.number) + "] ";
  if (job.number == shell.state.jobs.current()) {
    line += "+ ";
  } else {
    line += job.number == shell.state.jobs.previous() ? "- " : "  ";
  }
  if (with_pid) line += std::to_string(job.leader()) + " ";
  line +=
      job.state() == JobState::kRunning ? "Running" : end_text(*job.processes.back().status, false);
  line.resize(std::max(kTextColumn, line.size() + 1), ' ');
  return line + job.text + "\n";
}

Task<void> notice_changes(Shell& shell) {
  for (;;) {
    const Result<ChildChange> change = co_await shell.wait_change(true);
    if (!change || change->pid == 0) co_return;
    (void)shell.state.jobs.note(*change);
  }
}

Task<void> show_job(Shell& shell, Job& job, JobLines lines) {
  std::string text = std::to_string(job.leader()) + "\n";
  if (lines != JobLines::kPids) text = line_of(shell, job, lines == JobLines::kWithPids);
  co_await shell.put(std::move(text));
  job.changed = false;
  if (job.state() == JobState::kDone) shell.state.jobs.remove(job);
}

// The job that `fg` and `bg` are for.
Task<Job*> controlled_job(Shell& shell, const Strings& words) {
  const std::string spec = words.size() > 1 ? words[1] : "%%";
  Job* const job = co_await job_of(shell, spec);
  if (!job->own_group) co_await shell.fail("job " + spec + " not created under job control");
  co_return job;
}

Task<void> go_on(Shell& shell, Job& job) {
  for (JobProcess& process : job.processes) {
    if (process.status && process.status->kind() == WaitStatus::Kind::kStopped) {
      process.status.reset();
    }
  }
  const Pid target = job.own_group ? -job.leader() : job.leader();
  (void)co_await shell.process.kill(target, Signal::kCont);
}

}  // namespace

Task<Job*> job_of(Shell& shell, std::string spec) {
  bool ambiguous = false;
  Job* const job = shell.state.jobs.find_spec(spec, ambiguous);
  if (job != nullptr) co_return job;
  if (ambiguous) co_await shell.fail(spec + ": ambiguous");
  if (spec == "%" || spec == "%%" || spec == "%+") co_await shell.fail("No current job");
  if (spec == "%-") co_await shell.fail("No previous job");
  co_await shell.fail("No such job: " + spec);
  co_return job;
}

Task<int> jobs_builtin(Shell& shell, Strings words) {
  OptionReader options(words, "lp");
  JobLines lines = JobLines::kText;
  while (const char letter = co_await options.next(shell)) {
    lines = letter == 'l' ? JobLines::kWithPids : JobLines::kPids;
  }
  co_await notice_changes(shell);
  std::size_t at = options.operand();
  if (at < words.size()) {
    for (; at < words.size(); ++at) {
      Job& job = *co_await job_of(shell, words[at]);
      co_await show_job(shell, job, lines);
    }
    co_return 0;
  }
  std::vector<int> numbers;
  for (const Job& job : shell.state.jobs.all()) {
    if (!job.waited) numbers.push_back(job.number);
  }
  for (const int number : numbers) {
    Job* const job = shell.state.jobs.find_number(number);
    if (job != nullptr) co_await show_job(shell, *job, lines);
  }
  co_return 0;
}

Task<int> fg_builtin(Shell& shell, Strings words) {
  Job& job = *co_await controlled_job(shell, words);
  co_await shell.put(job.text + "\n");
  co_await go_on(shell, job);
  co_return co_await shell.wait_job(job);
}

Task<int> bg_builtin(Shell& shell, Strings words) {
  Job& job = *co_await controlled_job(shell, words);
  co_await shell.put("[" + std::to_string(job.number) + "] " + job.text + "\n");
  co_await go_on(shell, job);
  co_return 0;
}

}  // namespace sandproof::machine::shell
