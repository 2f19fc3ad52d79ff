// SPDX-License-Identifier: Apache-2.0
// The arguments and the environment of a shell.
#include "fakes/machine/shell/sh.h"

#include <array>

#include "fakes/machine/shell/lex/token.h"
#include "fakes/machine/shell/run/shell.h"

namespace sandproof::machine {
namespace shell {

// Not unnamed: frames of coroutines have members of these types, and frames have linkage.
namespace sh_detail {

// What `sh` is to run.
struct Invocation {
  std::optional<std::string> text;  // -c
  std::optional<std::string> file;
};

}  // namespace sh_detail

namespace {

using sh_detail::Invocation;

void import_environment(Shell& shell) {
  Variables& variables = shell.state.variables;
  (void)variables.set("IFS", " \t\n");
  (void)variables.set("OPTIND", "1");
  (void)variables.set("PATH", "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin");
  (void)variables.set("PPID", std::to_string(shell.process.parent()));
  (void)variables.set("PS1", shell.process.credentials().root() ? "# " : "$ ");
  (void)variables.set("PS2", "> ");
  (void)variables.set("PS4", "+ ");
  for (const std::string& entry : shell.process.env()) {
    const std::size_t equals = entry.find('=');
    if (equals == std::string::npos || !is_name(entry.substr(0, equals))) continue;
    const std::string name = entry.substr(0, equals);
    if (name == "IFS" || name == "PPID" || name == "OPTIND") continue;
    (void)variables.set(name, entry.substr(equals + 1), true);
  }
  (void)variables.take_optind_change();
}

// Where the working directory is said to be, if that is true; else where it is.
void find_directory(Shell& shell) {
  const std::string* const said = shell.state.variables.get("PWD");
  std::string directory;
  if (said != nullptr && said->starts_with('/')) {
    const Result<Attributes> there = shell.process.stat(*said);
    const Result<Attributes> here = shell.process.stat(".");
    if (there && here && there->volume == here->volume && there->ino == here->ino) {
      directory = *said;
    }
  }
  if (directory.empty()) directory = shell.process.getcwd().value_or("");
  shell.state.directory = directory;
  if (!directory.empty()) (void)shell.state.variables.set("PWD", directory, true);
}

Task<void> set_letters(Shell& shell, std::string_view letters, bool on, bool& text, int& names) {
  for (const char letter : letters) {
    if (letter == 'c' && on) {
      text = true;
    } else if (letter == 'o') {
      ++names;
    } else if (const auto option = option_of_letter(letter)) {
      shell.state.options.set(*option, on);
    } else if (letter != 'l' && letter != 'h') {
      std::string message = on ? "Illegal option -" : "Illegal option +";
      co_await shell.fail(message + letter);
    }
  }
}

// Reads the options; `at` is left at the first operand.
Task<bool> read_options(Shell& shell, const Strings& argv, std::size_t& at) {
  bool text = false;
  while (at < argv.size()) {
    const std::string& word = argv[at];
    if (word.size() < 2 || (word[0] != '-' && word[0] != '+')) {
      if (word == "-") ++at;
      break;
    }
    ++at;
    if (word == "--") break;
    const bool on = word[0] == '-';
    int names = 0;
    co_await set_letters(shell, std::string_view(word).substr(1), on, text, names);
    for (; names > 0 && at < argv.size(); --names, ++at) {
      const auto option = option_of_name(argv[at]);
      if (!option) {
        std::string message = on ? "Illegal option -o " : "Illegal option +o ";
        co_await shell.fail(message + argv[at]);
      }
      shell.state.options.set(*option, on);
    }
  }
  co_return text;
}

Task<Invocation> read_arguments(Shell& shell) {
  const Strings argv = shell.process.argv();
  std::size_t at = 1;
  Invocation invocation;
  shell.state.line = 0;
  const bool text = co_await read_options(shell, argv, at);
  if (text) {
    if (at == argv.size()) co_await shell.fail("-c requires an argument");
    invocation.text = argv[at++];
    if (at < argv.size()) shell.state.name = argv[at++];
  } else if (at < argv.size() && !shell.has(ShellOption::kStdin)) {
    invocation.file = argv[at++];
  } else {
    shell.state.options.set(ShellOption::kStdin, true);
  }
  at = std::min(at, argv.size());
  shell.state.positional.assign(argv.begin() + static_cast<std::ptrdiff_t>(at), argv.end());
  co_return invocation;
}

Task<int> run_invocation(Shell& shell) {
  const Invocation invocation = co_await read_arguments(shell);
  import_environment(shell);
  find_directory(shell);
  if (invocation.text) {
    shell.state.line = 1;
    const bool last = !shell.has(ShellOption::kStdin);
    int status = co_await shell.run_text(*invocation.text, {.tested = false, .last = last});
    if (last || shell.flow != Flow::kNone) co_return status;
  }
  if (!invocation.file) {
    if (shell.has(ShellOption::kInteractive)) {
      shell.ignore_for_user();
      co_await shell.put_error(shell.state.name +
                               ": 0: can't access tty; job control turned off\n");
    }
    shell.state.line = 1;
    co_return co_await shell.run_stdin();
  }
  OpenOptions options;
  options.flags.read = true;
  const Result<int> opened = co_await shell.process.open(*invocation.file, options);
  if (!opened) co_await shell.fail(open_error(*invocation.file, opened.error(), false));
  int fd = *opened;
  // Out of the way of the script's own.
  constexpr int kScriptFd = 10;
  const Result<int> moved = shell.process.dup(fd, kScriptFd, true);
  if (moved) {
    (void)shell.process.close(fd);
    fd = *moved;
  }
  shell.state.name = *invocation.file;
  shell.state.line = 1;
  co_return co_await shell.run_file(fd);
}

}  // namespace

Task<int> sh_main(Process& self) {
  ShellState begin;
  if (!self.argv().empty()) begin.name = self.argv().front();
  begin.main_pid = self.pid();
  for (int number = 1; number <= kLastSignal; ++number) {
    const auto signal = static_cast<Signal>(number);
    if (self.disposition(signal) == Disposition::kIgnore) begin.hard_ignored.add(signal);
  }
  Shell shell(self, std::move(begin));
  co_return co_await run_shell_process(shell, run_invocation);
}

}  // namespace shell

std::span<const ProgramRow> shell_programs() {
  static constexpr std::array kRows = {
      ProgramRow{"sh", shell::sh_main},
      ProgramRow{"dash", shell::sh_main},
      ProgramRow{"ash", shell::sh_main},
  };
  return kRows;
}

}  // namespace sandproof::machine
