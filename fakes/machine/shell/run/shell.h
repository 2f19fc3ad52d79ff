// SPDX-License-Identifier: Apache-2.0
// A running shell: one process that reads a script and does what it says. Its words and messages
// are dash's; what dash has not (pipefail) is busybox's. One thread.
//
// Errors that end a shell, or the special builtin that met them, are exceptions: ShellError, thrown
// when its message has been written. `break`, `continue`, `return` and `exit` are no errors: they
// are a Flow, at which each construct looks after each command.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "fakes/machine/program.h"
#include "fakes/machine/shell/ast.h"
#include "fakes/machine/shell/parse/parser.h"
#include "fakes/machine/shell/run/jobs.h"
#include "fakes/machine/shell/run/options.h"
#include "fakes/machine/shell/run/variables.h"

namespace sandproof::machine::shell {

/// Commands inside each other that one process may run: compound commands, functions, `eval` and
/// `.` count. A level takes about a kilobyte of a stack that is the host's.
inline constexpr int kMaxRunDepth = 6000;

/// Functions inside each other; dash's.
inline constexpr int kMaxFunctionDepth = 1000;

/// Bytes that one expansion may give, and that all variables of a shell may have: a script must not
/// fill the memory of the program around the machine.
inline constexpr std::size_t kMaxExpansionBytes = std::size_t{16} << 20U;
inline constexpr std::size_t kMaxVariableBytes = std::size_t{64} << 20U;

/// Of `command -p`.
inline constexpr std::string_view kDefaultPath = "/usr/sbin:/usr/bin:/sbin:/bin";

inline constexpr int kStatusNotFound = 127;
inline constexpr int kStatusNotExecutable = 126;
inline constexpr int kStatusUsage = 2;
inline constexpr int kStatusSignal = 128;

/// Its message has been written.
struct ShellError {
  int status = kStatusUsage;
  /// Ends the shell also where a regular builtin met it: `exec` of nothing.
  bool ends = false;
};

enum class Flow : unsigned char { kNone, kBreak, kContinue, kReturn, kExit };

/// How a command is run.
struct RunMode {
  bool tested = false;  // Its status decides something: `set -e` does not look at it.
  bool last = false;    // The process ends with it: it needs no child.
};

struct BuiltinRow;
struct SimpleRun;

class Aliases final : public AliasTable {
 public:
  std::optional<std::string_view> find_alias(std::string_view name) const override;
  std::map<std::string, std::string, std::less<>> all;
};

/// A function's body; shared, since it may be redefined while it runs.
using Function = std::shared_ptr<const Command>;

/// How far `getopts` is in the parameters: a new list of them begins anew.
struct GetoptsPlace {
  std::size_t next = 1;  // The word to look at next, from 1: what OPTIND shows.
  std::size_t at = 0;    // In the word before that; 0: at none.
};

/// All that a subshell begins with a copy of.
struct ShellState {
  std::string name = "sh";  // `$0`, and what messages begin with.
  OptionSet options = {};
  Variables variables = {};
  Strings positional = {};
  std::map<std::string, Function, std::less<>> functions = {};
  Aliases aliases = {};
  /// By signal, 0 for EXIT: nothing is the default, an empty one ignores.
  std::map<int, std::string> traps = {};
  Jobs jobs = {};
  std::string directory = {};  // As `cd` got here: links are not resolved.
  Pid main_pid = 0;            // `$$`
  Pid last_background = 0;     // `$!`; 0 for none.
  int status = 0;              // `$?`
  int line = 1;                // Of the command, for messages.
  int loops = 0;               // Around the command, in its function.
  bool subshell = false;
  std::string command = {};     // The builtin that runs, for messages.
  SignalSet hard_ignored = {};  // Ignored when the shell began: no trap changes that.
  GetoptsPlace getopts = {};
  /// Remembered paths of programs, as `hash` shows them.
  std::map<std::string, std::string, std::less<>> hashed = {};
  std::size_t hashed_path_changes = 0;
};

/// Redirections that will be undone: where the files were that they replaced, -1 for nowhere.
struct SavedFds {
  std::vector<std::pair<int, int>> fds;
};

class Shell {
 public:
  Shell(Process& of, ShellState begin) : process(of), state(std::move(begin)) {}
  Shell(const Shell&) = delete;
  Shell& operator=(const Shell&) = delete;

  Process& process;
  ShellState state;

  // Flow.
  Flow flow = Flow::kNone;
  int flow_levels = 0;  // Loops that `break` or `continue` has still to leave.

  bool has(ShellOption option) const { return state.options.has(option); }

  // Messages (messages.cc).

  /// `sh: 3: cd: text` to stderr.
  Task<void> warn(std::string text);
  /// The same, then throws ShellError.
  Task<void> fail(std::string text, int status = kStatusUsage);
  /// To stdout; where it cannot be written, the builtin that runs fails for that.
  Task<void> put(std::string text);
  /// To stderr, as it is.
  Task<void> put_error(std::string text);

  // Scripts (script.cc).

  /// All commands of a text. `last`: the process ends with it. Throws ShellError for a syntax
  /// error.
  Task<int> run_text(std::string text, RunMode mode = {});
  /// All of a file that is open, which is closed then.
  Task<int> run_file(int fd, RunMode mode = {});
  /// Standard input, no byte further than the commands that were run.
  Task<int> run_stdin();

  // Commands (lists.cc, compound.cc, simple.cc, pipeline.cc). Each gives the status.

  Task<int> run_list(const List& list, RunMode mode);
  Task<int> run_and_or(const AndOr& and_or, RunMode mode);
  Task<int> run_command(std::shared_ptr<const Command> command, RunMode mode);
  Task<int> call_function(Function function, Strings arguments, RunMode mode);
  /// `special`: its errors end the shell.
  Task<int> run_builtin(const BuiltinRow& builtin, Strings words, bool special);
  /// Whether the status of the builtin that runs is tested.
  bool builtin_tested = false;
  /// Finds the program in `search` and waits for its end.
  Task<int> run_program(Strings words, std::string search, RunMode mode);

  // Processes (children.cc).

  /// A child that runs `body` as a subshell. EAGAIN where there are too many.
  using SubshellBody = std::function<Task<int>(Shell&)>;
  Result<Pid> fork_subshell(SubshellBody body, bool background);
  /// A job of one such child, waited for: its status.
  Task<int> run_in_child(SubshellBody body);
  /// Until the job is done or stopped: its status. Tells of a signal that ended it.
  Task<int> wait_job(Job& job);
  /// The same until a trap's signal comes: 128 and its number then. The job stays.
  Task<std::optional<int>> wait_or_trap(Job& job);
  /// One change of any child; nothing where a trap came first, or there are none.
  Task<Result<ChildChange>> wait_change(bool no_hang);
  /// Replaces the process by the program; comes back to say by which status it failed, told.
  Task<int> exec_program(std::string path, Strings argv, Strings environment);

  // Redirections (redirect.cc).

  /// 0, or the status of the one that failed, told. `saved`: for undo(), otherwise they stay.
  Task<int> redirect(const std::vector<Redirection>& redirections, SavedFds* saved);
  void undo(SavedFds& saved);
  /// They stay.
  void keep(SavedFds& saved);

  // Words (words.cc).

  /// With field splitting and pathname expansion.
  Task<void> expand_into(const Word& word, Strings& out);
  /// Without both: what is assigned, a redirection's target, the subject of `case`.
  Task<std::string> expand_text(const Word& word);
  /// The same as a pattern.
  Task<std::string> expand_pattern(const Word& word);
  /// PS1, PS2, PS4: as what stands in a here-document.
  Task<std::string> expand_prompt(std::string text);

  // Parameters (parameters.cc).

  /// Variables, positional and special parameters, but `@` and `*`.
  std::optional<std::string> parameter(std::string_view name) const;
  /// Where getopts is, after what was assigned to OPTIND.
  GetoptsPlace& getopts_place();
  /// Fails where it is read-only.
  Task<void> assign(std::string name, std::string value, bool exported = false);

  // Traps (traps.cc).

  /// Runs the traps of signals that have come.
  Task<void> run_traps();
  bool trap_pending();
  /// The signal of a trap that is to run.
  std::optional<Signal> pending_trap();
  Task<void> run_exit_trap();
  /// Sets what the process does with the signal as the trap says. `number` 0 is EXIT.
  void set_trap(int number, std::optional<std::string> action);
  bool has_traps() const;
  /// Of a new subshell: what was caught, or an interactive shell ignores, is the default again.
  void reset_traps();
  /// An interactive shell does not end by what ends others.
  void ignore_for_user();

  // Finding commands (lookup.cc).

  struct Found {
    std::optional<std::string> path;
    std::string error = {};  // Why there is none: "not found".
  };
  /// The program's path, by the directories of `search`. A name with a slash is one already.
  Found find_program(const std::string& name, std::string_view search);
  std::string path() const;

  /// Status of the last command substitution of the command that is expanded.
  std::optional<int> substitution_status;
  /// While a trap runs, `$?` from before it: what `exit` alone gives.
  std::optional<int> trap_status;
  int depth = 0;
  int functions_running = 0;
  /// `local -`: what the options were before the function.
  std::optional<OptionSet> local_options;

 private:
  Task<int> run_simple(std::shared_ptr<const Command> command, RunMode mode);
  Task<void> expand_command(SimpleRun& run);
  void decide(SimpleRun& run);
  Task<void> assign_all(SimpleRun& run, const SavedFds& saved);
  Task<void> put_trace(std::string text, const SavedFds& saved);
  Task<int> dispatch(SimpleRun& run, RunMode mode);
  Task<int> run_pipeline(const Pipeline& pipeline, RunMode mode);
  Task<int> run_pipes(const Pipeline& pipeline, RunMode mode);
  Task<int> run_background(const AndOr& and_or);
  struct PipesMode {
    bool tested = false;
    bool background = false;
  };
  Task<void> start_pipes(const Pipeline& pipeline, Job& job, PipesMode mode);
  static std::string background_text(const AndOr& and_or);
  /// `set -e`.
  void end_on_error(int status, RunMode mode);
  Task<int> run_subshell(std::shared_ptr<const Command> command, RunMode mode);
  Task<int> run_compound(const Command& command, RunMode mode);
  Task<int> run_subshell_body(std::shared_ptr<const Command> command, bool tested);
  Task<int> define_function(const FunctionDefinition& definition);
  Task<int> run_if(const If& node, RunMode mode);
  Task<int> run_for(const For& node, RunMode mode);
  Task<int> run_while(const While& node, RunMode mode);
  Task<int> run_case(const Case& node, RunMode mode);
  Task<bool> write_all(int fd, std::string text);
  Task<int> open_here(std::string text);
  Task<Result<int>> open_target(const Redirection& redirection, const std::string& target);
  Task<int> redirect_one(const Redirection& redirection, std::string target, SavedFds* saved);
  /// After a body of a loop: whether the loop ends.
  bool leaves_loop();

  /// A command of an interactive shell, whose errors do not end it.
  Task<int> run_interactive(Parser& parser, ParseOutcome outcome, int status);
  Task<void> put_prompt(std::string variable);
  Task<int> run_next(Parser& parser, ParseOutcome outcome, int status, RunMode mode);
  Task<bool> feed_line(Parser& parser);
  Task<bool> feed_block(Parser& parser, int fd, std::string& rest);

  bool write_failed_ = false;
  SignalSet caught_;  // Came, and their traps have not run.
};

/// `cannot open f: No such file`, as dash words it.
std::string open_error(const std::string& path, Errno error, bool creates);

/// Runs `body` to the end of the process: its errors, and the trap of EXIT.
Task<int> run_shell_process(Shell& shell, Shell::SubshellBody body);

/// Counts a level while it lives. Only where it `fits()` may the level be entered.
class DepthGuard {
 public:
  explicit DepthGuard(Shell& shell) : shell_(shell) { ++shell_.depth; }
  ~DepthGuard() { --shell_.depth; }
  DepthGuard(const DepthGuard&) = delete;
  DepthGuard& operator=(const DepthGuard&) = delete;
  bool fits() const { return shell_.depth <= kMaxRunDepth; }

 private:
  Shell& shell_;
};

}  // namespace sandproof::machine::shell
