// SPDX-License-Identifier: Apache-2.0
// Lists, and-or lists and pipelines.
#include "fakes/machine/shell/parse/to_text.h"
#include "fakes/machine/shell/run/shell.h"

namespace sandproof::machine::shell {

Task<int> Shell::run_list(const List& list, RunMode mode) {
  int status = 0;
  for (std::size_t at = 0; at < list.items.size(); ++at) {
    const List::Item& item = list.items[at];
    if (item.background) {
      status = co_await run_background(item.and_or);
    } else {
      const bool last = mode.last && at + 1 == list.items.size();
      status = co_await run_and_or(item.and_or, {.tested = mode.tested, .last = last});
    }
    if (flow != Flow::kNone) break;
  }
  state.status = status;
  co_return status;
}

Task<int> Shell::run_and_or(const AndOr& and_or, RunMode mode) {
  std::size_t left = and_or.rest.size();
  int status = co_await run_pipeline(
      and_or.first, {.tested = mode.tested || left > 0, .last = mode.last && left == 0});
  for (const AndOr::Next& next : and_or.rest) {
    --left;
    if (flow != Flow::kNone) break;
    if (next.on_success != (status == 0)) continue;
    status = co_await run_pipeline(
        next.pipeline, {.tested = mode.tested || left > 0, .last = mode.last && left == 0});
  }
  co_return status;
}

Task<int> Shell::run_pipeline(const Pipeline& pipeline, RunMode mode) {
  if (pipeline.negated) mode = {.tested = true, .last = false};
  int status = 0;
  if (pipeline.commands.size() == 1) {
    status = co_await run_command(pipeline.commands.front(), mode);
  } else {
    status = co_await run_pipes(pipeline, mode);
  }
  if (!pipeline.negated || flow != Flow::kNone) co_return status;
  state.status = status == 0 ? 1 : 0;
  co_return state.status;
}

// Not unnamed: frames of coroutines have members of these types, and frames have linkage.
namespace lists_detail {

// The descriptors of a pipeline's command: in its child they become 0 and 1.
struct PipelineFds {
  int in = -1;       // Of the pipe before.
  PipeFds out = {};  // Of the pipe after; -1 for the last command.
};

}  // namespace lists_detail

namespace {

using lists_detail::PipelineFds;

void take_fds(Process& process, const PipelineFds& fds) {
  if (fds.out.read >= 0) (void)process.close(fds.out.read);
  if (fds.in > 0) {
    (void)process.dup2(fds.in, 0);
    (void)process.close(fds.in);
  }
  if (fds.out.write >= 0 && fds.out.write != 1) {
    (void)process.dup2(fds.out.write, 1);
    (void)process.close(fds.out.write);
  }
}

void join_group(Shell& shell, Job& job, Pid child) {
  if (!shell.has(ShellOption::kMonitor)) return;
  job.own_group = true;
  (void)shell.process.set_group(child, job.processes.front().pid);
}

}  // namespace

Task<void> Shell::start_pipes(const Pipeline& pipeline, Job& job, PipesMode mode) {
  int before = -1;
  for (const auto& command : pipeline.commands) {
    PipelineFds fds{.in = before};
    if (command != pipeline.commands.back()) {
      const Result<PipeFds> pipe = process.pipe();
      if (!pipe) {
        if (before >= 0) (void)process.close(before);
        state.jobs.remove(job);
        co_await fail("Pipe call failed");
      }
      fds.out = *pipe;
    }
    SubshellBody body = [command, fds, tested = mode.tested](Shell& shell) {
      take_fds(shell.process, fds);
      return shell.run_command(command, {.tested = tested, .last = true});
    };
    const Result<Pid> child = fork_subshell(std::move(body), mode.background && before < 0);
    if (before >= 0) (void)process.close(before);
    if (fds.out.write >= 0) (void)process.close(fds.out.write);
    before = fds.out.read;
    if (!child) {
      if (before >= 0) (void)process.close(before);
      state.jobs.remove(job);
      co_await fail("Cannot fork");
    }
    job.processes.push_back({.pid = *child});
    join_group(*this, job, *child);
  }
}

Task<int> Shell::run_pipes(const Pipeline& pipeline, RunMode mode) {
  Job& job = state.jobs.add("");
  co_await start_pipes(pipeline, job, {.tested = mode.tested});
  const int status = co_await wait_job(job);
  state.status = status;
  end_on_error(status, mode);
  co_return status;
}

Task<int> Shell::run_background(const AndOr& and_or) {
  Job& job = state.jobs.add(has(ShellOption::kMonitor) ? background_text(and_or) : "");
  if (and_or.rest.empty() && and_or.first.commands.size() > 1 && !and_or.first.negated) {
    co_await start_pipes(and_or.first, job, {.background = true});
  } else {
    const auto shared = std::make_shared<const AndOr>(and_or);
    SubshellBody body = [shared](Shell& shell) {
      return shell.run_and_or(*shared, {.tested = false, .last = true});
    };
    const Result<Pid> child = fork_subshell(std::move(body), true);
    if (!child) {
      state.jobs.remove(job);
      co_await fail("Cannot fork");
    }
    job.processes.push_back({.pid = *child});
    join_group(*this, job, *child);
  }
  state.last_background = job.processes.back().pid;
  state.status = 0;
  co_return 0;
}

std::string Shell::background_text(const AndOr& and_or) {
  List list;
  list.items.push_back({.and_or = and_or});
  return to_text(list);
}

void Shell::end_on_error(int status, RunMode mode) {
  if (status != 0 && !mode.tested && flow == Flow::kNone && has(ShellOption::kErrexit)) {
    flow = Flow::kExit;
  }
}

}  // namespace sandproof::machine::shell
