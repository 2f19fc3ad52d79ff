// SPDX-License-Identifier: Apache-2.0
// The processes that a shell makes, becomes, and waits for.
#include <array>

#include "fakes/machine/shell/run/shell.h"

namespace sandproof::machine::shell {
namespace {

// Whether a file that is no program reads like text as far as its first line goes, or 128 bytes.
Task<bool> is_script(Process& process, std::string path) {
  OpenOptions options;
  options.flags.read = true;
  options.close_on_exec = true;
  const Result<int> fd = co_await process.open(path, options);
  if (!fd) co_return false;
  std::array<std::byte, 128> head{};
  const Result<std::size_t> count = co_await process.read(*fd, head);
  (void)process.close(*fd);
  for (std::size_t at = 0; at < count.value_or(0); ++at) {
    const auto byte = static_cast<unsigned char>(head[at]);
    if (byte == '\n') break;
    const bool space = byte >= '\t' && byte <= '\r';
    const bool shifts = byte == 0x0e || byte == 0x0f || byte == 0x1b;
    if ((byte < 0x20 && !space && !shifts) || byte == 0x7f) co_return false;
  }
  co_return true;
}

// What a shell does to a child in the background where it has no job control: it must not be
// disturbed from the terminal, nor take its input.
Task<void> detach_from_terminal(Shell& shell) {
  for (const Signal signal : {Signal::kInt, Signal::kQuit}) {
    (void)shell.process.set_disposition(signal, Disposition::kIgnore);
    shell.state.hard_ignored.add(signal);
  }
  OpenOptions options;
  options.flags.read = true;
  const Result<int> null = co_await shell.process.open("/dev/null", options);
  if (!null) {
    (void)shell.process.close(0);
    co_return;
  }
  if (*null != 0) {
    (void)shell.process.dup2(*null, 0);
    (void)shell.process.close(*null);
  }
}

Task<int> subshell_main(Process& child, std::shared_ptr<ShellState> begin, Shell::SubshellBody body,
                        bool background) {
  Shell shell(child, std::move(*begin));
  begin.reset();
  shell.reset_traps();
  shell.state.jobs.clear();
  if (background) co_await detach_from_terminal(shell);
  co_return co_await run_shell_process(shell, std::move(body));
}

}  // namespace

Task<int> run_shell_process(Shell& shell, Shell::SubshellBody body) {
  try {
    shell.state.status = co_await body(shell);
  } catch (const ShellError& error) {
    shell.state.status = error.status;
  }
  try {
    co_await shell.run_exit_trap();
  } catch (const ShellError& error) {
    shell.state.status = error.status;
  }
  co_return shell.state.status;
}

Result<Pid> Shell::fork_subshell(SubshellBody body, bool background) {
  auto begin = std::make_shared<ShellState>(state);
  begin->subshell = true;
  begin->options.set(ShellOption::kMonitor, false);
  const bool own_group = has(ShellOption::kMonitor);
  const bool detached = background && !own_group;
  return process.fork([begin, body = std::move(body), detached](Process& self) {
    return subshell_main(self, begin, body, detached);
  });
}

Task<Result<ChildChange>> Shell::wait_change(bool no_hang) {
  const WaitFor what{.no_hang = no_hang, .stopped = has(ShellOption::kMonitor)};
  co_return co_await process.wait_child(what);
}

Task<std::optional<int>> Shell::wait_or_trap(Job& job) {
  while (job.state() == JobState::kRunning) {
    if (const auto signal = pending_trap()) co_return kStatusSignal + static_cast<int>(*signal);
    const Result<ChildChange> change = co_await wait_change(false);
    if (change.error() == Errno::kIntr) continue;
    // Somebody else has its status: nothing will come.
    if (!change) break;
    if (state.jobs.note(*change) != &job) continue;
    std::string text = end_text(change->status, true);
    if (!text.empty()) co_await put_error(text + "\n");
  }
  co_return std::nullopt;
}

Task<int> Shell::run_in_child(SubshellBody body) {
  Job& job = state.jobs.add("");
  const Result<Pid> child = fork_subshell(std::move(body), false);
  if (!child) {
    state.jobs.remove(job);
    co_await fail("Cannot fork");
  }
  job.processes.push_back({.pid = *child});
  if (has(ShellOption::kMonitor)) (void)process.set_group(*child, *child);
  co_return co_await wait_job(job);
}

Task<int> Shell::wait_job(Job& job) {
  while (job.state() == JobState::kRunning) {
    const Result<ChildChange> change = co_await wait_change(false);
    if (change.error() == Errno::kIntr) {
      (void)trap_pending();
      continue;
    }
    // Somebody else has its status: nothing will come.
    if (!change) break;
    if (state.jobs.note(*change) != &job) continue;
    std::string text = end_text(change->status, true);
    if (!text.empty()) co_await put_error(text + "\n");
  }
  job.waited = true;
  const int status = job.status(has(ShellOption::kPipefail));
  if (job.state() != JobState::kStopped) state.jobs.remove(job);
  co_return status;
}

Task<int> Shell::exec_program(std::string path, Strings argv, Strings environment) {
  const std::string name = argv.empty() ? path : argv.front();
  Result<void> failed = co_await process.exec(path, argv, environment);
  bool script = false;
  if (failed.error() == Errno::kNoexec) script = co_await is_script(process, path);
  if (script) {
    argv.insert(argv.begin(), "/bin/sh");
    argv[1] = path;
    failed = co_await process.exec(argv.front(), argv, environment);
  }
  const Errno error = failed.error();
  const bool missing = error == Errno::kNoent || error == Errno::kNotdir;
  const bool nowhere = missing || error == Errno::kNametoolong || error == Errno::kLoop;
  std::string text = name + ": ";
  text += missing ? "not found" : std::string(text_of(error));
  co_await warn(std::move(text));
  co_return nowhere ? kStatusNotFound : kStatusNotExecutable;
}

}  // namespace sandproof::machine::shell
