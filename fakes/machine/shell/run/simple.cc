// SPDX-License-Identifier: Apache-2.0
// Simple commands: words, assignments and redirections in the order in which dash does them; then a
// builtin, a function or a program.
#include "fakes/machine/shell/builtins/builtin.h"
#include "fakes/machine/shell/run/assignment_word.h"
#include "fakes/machine/shell/run/shell.h"
#include "fakes/machine/shell/run/simple_command.h"

namespace sandproof::machine::shell {

Task<int> Shell::run_simple(std::shared_ptr<const Command> command, RunMode mode) {
  state.line = command->line;
  substitution_status.reset();
  SimpleRun run{.node = std::get<SimpleCommand>(command->node)};
  co_await expand_command(run);
  const std::size_t scopes = state.variables.depth();
  // A special builtin's assignments, and those without a command, stay.
  if (!run.words.empty() && !run.special) state.variables.push_scope();
  SavedFds saved;
  std::exception_ptr error;
  int status = 0;
  try {
    status = co_await redirect(command->redirections, &saved);
    if (status != 0) {
      state.status = status;
      if (run.special) throw ShellError{.status = status};
    } else {
      co_await assign_all(run, saved);
      status = co_await dispatch(run, mode);
    }
  } catch (const ShellError&) {
    error = std::current_exception();
  }
  if (run.is_exec && !error && status == 0) {
    keep(saved);
  } else {
    undo(saved);
  }
  while (state.variables.depth() > scopes) state.variables.pop_scope();
  if (error) std::rethrow_exception(error);
  co_return status;
}

// The first word decides how the others are expanded: `export x=~` is an assignment.
Task<void> Shell::expand_command(SimpleRun& run) {
  for (const Word& word : run.node.words) {
    const std::size_t before = run.words.size();
    if (run.takes_assignments && is_assignment_word(word)) {
      Word copy = word;
      mark_assignment_tildes(copy);
      run.words.push_back(co_await expand_text(copy));
    } else {
      co_await expand_into(word, run.words);
    }
    if (!run.decided && run.words.size() > before) decide(run);
  }
  run.decided = true;
}

// Looks at the words so far; `command` leaves it to the next ones.
void Shell::decide(SimpleRun& run) {
  while (!run.decided && run.begin < run.words.size()) {
    const std::string& name = run.words[run.begin];
    const BuiltinRow* const builtin = find_builtin(name);
    const bool function = !run.skips_functions && state.functions.contains(name);
    if (builtin != nullptr && (builtin->special || !function)) {
      if (!run.skips_functions) run.special = builtin->special;
      run.takes_assignments = builtin->takes_assignments;
      run.is_exec = builtin->main == exec_builtin;
      if (builtin->main == command_builtin) {
        run.skips_functions = true;
        // Options make it another builtin: it finds what follows by itself.
        ++run.begin;
        if (run.begin < run.words.size() && run.words[run.begin].starts_with('-')) {
          if (run.words[run.begin] != "--") run.begin = run.words.size();
        }
        continue;
      }
    }
    run.decided = true;
  }
}

Task<void> Shell::assign_all(SimpleRun& run, const SavedFds& saved) {
  std::string trace;
  const bool traced = has(ShellOption::kXtrace);
  const bool exported = !run.words.empty() && (!run.special || run.is_exec);
  for (const Assignment& assignment : run.node.assignments) {
    std::string value = co_await expand_text(assignment.value);
    if (traced) trace += " " + assignment.name + "=" + value;
    if (exported && !run.special) state.variables.make_local(assignment.name);
    co_await assign(assignment.name, std::move(value), exported);
  }
  if (!traced) co_return;
  for (const std::string& word : run.words) trace += " " + word;
  if (!trace.empty()) trace.erase(0, 1);
  co_await put_trace(std::move(trace), saved);
}

Task<void> Shell::put_trace(std::string text, const SavedFds& saved) {
  const std::string* const prompt = state.variables.get("PS4");
  std::string line;
  if (prompt != nullptr) line = co_await expand_prompt(*prompt);
  line += text + "\n";
  int fd = 2;
  for (const auto& [number, was] : saved.fds) {
    if (number == 2) {
      fd = was;
      break;
    }
  }
  if (fd >= 0) (void)co_await process.write(fd, line);
}

// Not unnamed: frames of coroutines have members of these types, and frames have linkage.
namespace simple_detail {

// What `command` and its options leave, or that it is to be run itself, as with -v.
struct AfterCommand {
  std::size_t words = 0;
  bool default_path = false;
  bool itself = false;
};

}  // namespace simple_detail

namespace {

using simple_detail::AfterCommand;

AfterCommand read_command_options(const Strings& words) {
  AfterCommand after{.words = 1};
  while (after.words < words.size()) {
    const std::string& word = words[after.words];
    if (word.size() < 2 || word.front() != '-') break;
    ++after.words;
    if (word == "--") break;
    if (word.find_first_not_of('p', 1) != std::string::npos) return {.itself = true};
    after.default_path = true;
  }
  after.itself = after.words == words.size();
  return after;
}

}  // namespace

Task<int> Shell::dispatch(SimpleRun& run, RunMode mode) {
  if (run.words.empty()) co_return substitution_status.value_or(0);
  bool functions = true;
  bool default_path = false;
  for (;;) {
    const std::string name = run.words.front();
    const BuiltinRow* const builtin = find_builtin(name);
    const auto function = state.functions.find(name);
    const bool special = builtin != nullptr && builtin->special;
    if (functions && !special && function != state.functions.end()) {
      const Function called = function->second;
      run.words.erase(run.words.begin());
      co_return co_await call_function(called, std::move(run.words), mode);
    }
    if (builtin == nullptr) {
      std::string search(kDefaultPath);
      if (!default_path) search = path();
      co_return co_await run_program(std::move(run.words), std::move(search), mode);
    }
    if (builtin->main == command_builtin) {
      const AfterCommand after = read_command_options(run.words);
      if (!after.itself) {
        default_path = default_path || after.default_path;
        run.words.erase(run.words.begin(),
                        run.words.begin() + static_cast<std::ptrdiff_t>(after.words));
        functions = false;
        continue;
      }
    }
    builtin_tested = mode.tested;
    co_return co_await run_builtin(*builtin, std::move(run.words), run.special);
  }
}

Task<int> Shell::run_builtin(const BuiltinRow& builtin, Strings words, bool special) {
  std::string outer = std::exchange(state.command, words.front());
  write_failed_ = false;
  int status = 0;
  std::exception_ptr error;
  try {
    status = co_await builtin.main(*this, std::move(words));
    if (write_failed_) {
      co_await warn(state.command + ": I/O error");
      status |= 1;
    }
  } catch (const ShellError& caught) {
    status = caught.status;
    if (special || caught.ends) error = std::current_exception();
  }
  state.command = std::move(outer);
  if (error) std::rethrow_exception(error);
  co_return status;
}

Task<int> Shell::call_function(Function function, Strings arguments, RunMode mode) {
  if (functions_running >= kMaxFunctionDepth) {
    co_await fail("Maximum function recursion depth (" + std::to_string(kMaxFunctionDepth) +
                  ") reached");
  }
  Strings positional = std::exchange(state.positional, std::move(arguments));
  const int outer_loops = std::exchange(state.loops, 0);
  const GetoptsPlace getopts = std::exchange(getopts_place(), {});
  const std::optional<OptionSet> outer_options = std::exchange(local_options, std::nullopt);
  state.variables.push_scope();
  ++functions_running;
  int status = 0;
  std::exception_ptr error;
  try {
    const RunMode inner{.tested = mode.tested, .last = false};
    status = co_await run_command(function, inner);
  } catch (const ShellError&) {
    error = std::current_exception();
  }
  --functions_running;
  state.variables.pop_scope();
  if (local_options) state.options = *local_options;
  local_options = outer_options;
  state.positional = std::move(positional);
  state.loops = outer_loops;
  (void)getopts_place();
  state.getopts = getopts;
  if (error) std::rethrow_exception(error);
  if (flow == Flow::kReturn) {
    flow = Flow::kNone;
    status = state.status;
  }
  if (flow == Flow::kBreak || flow == Flow::kContinue) flow = Flow::kNone;
  co_return status;
}

Task<int> Shell::run_program(Strings words, std::string search, RunMode mode) {
  const Found found = find_program(words.front(), search);
  if (!found.path) {
    co_await warn(words.front() + ": " + found.error);
    co_return kStatusNotFound;
  }
  Strings environment = state.variables.environment();
  if (mode.last && !has_traps()) {
    co_return co_await exec_program(*found.path, std::move(words), std::move(environment));
  }
  SubshellBody body = [path = *found.path, words = std::move(words),
                       environment = std::move(environment)](Shell& shell) {
    return shell.exec_program(path, words, environment);
  };
  co_return co_await run_in_child(std::move(body));
}

}  // namespace sandproof::machine::shell
