// SPDX-License-Identifier: Apache-2.0
// Flavors that break EXEC: what is run, and exit codes. The rest of the area is in exec_launch.cc,
// exec_place.cc, exec_input.cc and exec_running.cc. Each mutation is used from any thread.
#include <algorithm>
#include <memory>
#include <optional>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "conformance/mutants/areas.h"
#include "conformance/mutants/support.h"
#include "sandproof/errors.h"

namespace sandproof::conformance {
namespace {

using Argv = std::vector<std::string>;

std::string joined(const Argv& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : " ") + word;
  return text;
}

struct DropsEmptyArguments {
  void operator()(ExecRequest& request) const {
    std::erase_if(request.argv, [](const std::string& word) { return word.empty(); });
  }
};
struct SplitsAgain {
  void operator()(ExecRequest& request) const {
    // A script is left alone, so that shells start.
    const std::size_t first = request.argv.size() > 3 && request.argv[0] == "sh" ? 3 : 1;
    Argv words(request.argv.begin(), request.argv.begin() + static_cast<std::ptrdiff_t>(std::min(
                                                                first, request.argv.size())));
    for (std::size_t i = words.size(); i < request.argv.size(); ++i) {
      std::istringstream text(request.argv[i]);
      for (std::string word; text >> word;) words.push_back(word);
    }
    request.argv = words;
  }
};
struct ExpandsDollars {
  void operator()(ExecRequest& request) const {
    std::ranges::replace(request.argv, std::string("$HOME"), std::string("/root"));
  }
};
struct CutsAtAnAmpersand {
  void operator()(ExecRequest& request) const {
    for (std::string& word : request.argv) word = word.substr(0, word.find("&&"));
  }
};
struct TrimsNewlines {
  void operator()(ExecRequest& request) const {
    for (std::string& word : request.argv) {
      while (word.ends_with('\n')) word.pop_back();
    }
  }
};
struct TakesADashForItself {
  void operator()(ExecRequest& request) const { std::erase(request.argv, "--"); }
};
struct ReplacesInvalidUtf8 {
  void operator()(ExecRequest& request) const {
    for (std::string& word : request.argv) std::ranges::replace(word, '\xff', '?');
  }
};
struct ProgramsGoThroughAShell {
  void operator()(ExecRequest& request) const {
    if (request.argv.front() == "printf") request.argv = {"sh", "-c", joined(request.argv)};
  }
};
struct GlobsWords {
  void operator()(ExecRequest& request) const {
    Argv words;
    for (const std::string& word : request.argv) {
      if (word == "*.x") {
        words.insert(words.end(), {"a.x", "b.x"});
      } else {
        words.push_back(word);
      }
    }
    request.argv = words;
  }
};

/// collect() takes what the command itself said for a launch that failed.
template <typename Suspicion>
class CodesAreLaunchFailures : public Faulty<ProcessWrapper> {
 public:
  using Faulty::Faulty;
  Output collect(const CollectOptions& options, Where where) override {
    Output output = inner().collect(options, where);
    if (Suspicion()(output) && fires()) {
      throw ExecError(LaunchFailure::kNotFound, "the command was not found");
    }
    return output;
  }
};
struct Code126 {
  bool operator()(const Output& output) const { return output.status.integer() == 126; }
};
struct NotFoundOnStderr {
  bool operator()(const Output& output) const {
    return output.status.integer() == 127 && output.err.find("not found") != std::string::npos;
  }
};

struct Modulo128 {
  ExitStatus operator()(const ExitStatus& status) const {
    return status.is_exited() ? ExitStatus::exited(status.code() % 128) : status;
  }
};
struct MinusOneIsLost {
  ExitStatus operator()(const ExitStatus& status) const {
    return status.integer() == 255 ? ExitStatus::lost("the exit code is -1") : status;
  }
};
struct HighCodesAreSignals {
  ExitStatus operator()(const ExitStatus& status) const {
    const bool high = status.is_exited() && status.code() > 128 && status.code() < 255;
    return high ? ExitStatus::signaled(status.code() - 128) : status;
  }
};
struct NothingIsZero {
  ExitStatus operator()(const ExitStatus& status) const {
    return status.integer() == 42 ? ExitStatus::exited(0) : status;
  }
};

/// The shell of the command was to write its code into a file.
class ExecTakesTheCodeAlong : public Faulty<SessionHookWrapper> {
 public:
  using Faulty::Faulty;
  std::unique_ptr<ProcessHooks> do_exec(const ExecRequest& request) override {
    auto process = inner().do_exec(request);
    const bool replaced = request.argv.size() == 3 && request.argv[2].starts_with("exec ");
    if (!replaced || !fires()) return process;
    return std::make_unique<NoCode>(std::move(process));
  }

 private:
  class NoCode : public ProcessHookWrapper {
   public:
    using ProcessHookWrapper::ProcessHookWrapper;
    std::optional<ExitStatus> do_poll_exit() noexcept override {
      if (!inner().do_poll_exit()) return std::nullopt;
      return ExitStatus::lost("there is no file with the exit code");
    }
  };
};

template <typename Thrown>
class NonZeroThrows : public Faulty<ProcessWrapper> {
 public:
  using Faulty::Faulty;
  ExitStatus wait(Where where) override { return checked<BackendError>(inner().wait(where)); }
  ExitStatus wait(std::chrono::milliseconds timeout, Where where) override {
    return checked<TimeoutError>(inner().wait(timeout, where));
  }
  Output collect(const CollectOptions& options, Where where) override {
    Output output = inner().collect(options, where);
    checked<Error>(output.status);
    return output;
  }

 private:
  template <typename Here>
  ExitStatus checked(ExitStatus status) {
    if constexpr (std::is_same_v<Here, Thrown>) {
      if (!status.success() && fires()) throw Thrown("the command failed");
    }
    return status;
  }
};

}  // namespace

// NOLINTNEXTLINE(readability-function-size): a table is as long as its contents.
std::vector<Mutant> exec_mutants() {
  std::vector<Mutant> mutants = {
      {.name = "DropsEmptyArguments",
       .rule = "EXEC-001",
       .what = "Empty arguments are left out.",
       .wrap_hooks = each_session_hooks<ChangedRequest<DropsEmptyArguments>>()},
      {.name = "SplitsArgumentsAgain",
       .rule = "EXEC-001",
       .what = "Arguments are joined with blanks and split at blanks.",
       .wrap_hooks = each_session_hooks<ChangedRequest<SplitsAgain>>()},
      {.name = "ExpandsDollars",
       .rule = "EXEC-001",
       .what = "Variables in arguments are expanded.",
       .wrap_hooks = each_session_hooks<ChangedRequest<ExpandsDollars>>()},
      {.name = "CutsArgumentsAtAnAmpersand",
       .rule = "EXEC-001",
       .what = "An argument ends at && as in a query that is not encoded.",
       .wrap_hooks = each_session_hooks<ChangedRequest<CutsAtAnAmpersand>>(),
       .bug = "https://github.com/fabric8io/kubernetes-client/issues/1297"},
      {.name = "TrimsNewlinesOfArguments",
       .rule = "EXEC-001",
       .what = "Newlines at the end of arguments are trimmed.",
       .wrap_hooks = each_session_hooks<ChangedRequest<TrimsNewlines>>()},
      {.name = "TakesADashForItself",
       .rule = "EXEC-001",
       .what = "The argument -- is taken for the transport's own.",
       .wrap_hooks = each_session_hooks<ChangedRequest<TakesADashForItself>>()},
      {.name = "ReplacesInvalidUtf8InArguments",
       .rule = "EXEC-001",
       .what = "Bytes that are no UTF-8 are replaced in arguments.",
       .wrap_hooks = each_session_hooks<ChangedRequest<ReplacesInvalidUtf8>>()},
      {.name = "ProgramsGoThroughAShell",
       .rule = "EXEC-001",
       .what = "A program that is no shell is started by one, with its arguments joined.",
       .wrap_hooks = each_session_hooks<ChangedRequest<ProgramsGoThroughAShell>>()},
      {.name = "StringsGoToAShell",
       .rule = "EXEC-002",
       .what = "A command is joined and given to a shell.",
       .wrap_hooks = each_session_hooks<ChangedRequest<ProgramsGoThroughAShell>>()},
      {.name = "LosesQuotedEmptyWords",
       .rule = "EXEC-002",
       .what = "Quotes with nothing between them make no word.",
       .wrap_hooks = each_session_hooks<ChangedRequest<DropsEmptyArguments>>()},
      {.name = "GlobsWords",
       .rule = "EXEC-002",
       .what = "Words with * become the names of files.",
       .wrap_hooks = each_session_hooks<ChangedRequest<GlobsWords>>()},
      {.name = "Exit126IsAnExecError",
       .rule = "EXEC-006",
       .what = "Exit code 126 is taken for a launch failure.",
       .wrap = each_process<CodesAreLaunchFailures<Code126>>()},
      {.name = "NotFoundOnStderrIsAnExecError",
       .rule = "EXEC-006",
       .what = "A shell that says \"not found\" and exits with 127 is taken for a launch failure.",
       .wrap = each_process<CodesAreLaunchFailures<NotFoundOnStderr>>()},
      {.name = "ExitCodesAreTakenModulo128",
       .rule = "EXEC-007",
       .what = "Exit codes are cut to seven bits.",
       .wrap_hooks = each_process_hooks<ChangedStatus<Modulo128>>()},
      {.name = "Exit255IsLost",
       .rule = "EXEC-007",
       .what = "Exit code 255 is taken for -1, no status.",
       .wrap_hooks = each_process_hooks<ChangedStatus<MinusOneIsLost>>()},
      {.name = "Exit137IsASignal",
       .rule = "EXEC-007",
       .what = "An exit code over 128 is taken for a signal.",
       .wrap_hooks = each_process_hooks<ChangedStatus<HighCodesAreSignals>>()},
      {.name = "Exit42IsZero",
       .rule = "EXEC-007",
       .what = "A code that is not there yet is taken for 0.",
       .wrap_hooks = each_process_hooks<ChangedStatus<NothingIsZero>>(),
       .bug = "https://github.com/socktainer/socktainer/pull/305"},
      {.name = "ExecTakesTheCodeAlong",
       .rule = "EXEC-007",
       .what = "A script that replaces its shell leaves no exit code.",
       .wrap_hooks = each_session_hooks<ExecTakesTheCodeAlong>(),
       .bug = "https://github.com/fabro-sh/fabro/pull/636"},
      {.name = "CollectThrowsForNonZero",
       .rule = "EXEC-008",
       .what = "collect() throws for an exit code that is not 0.",
       .wrap = each_process<NonZeroThrows<Error>>()},
      {.name = "WaitThrowsForNonZero",
       .rule = "EXEC-008",
       .what = "wait() throws for an exit code that is not 0.",
       .wrap = each_process<NonZeroThrows<BackendError>>()},
      {.name = "TimedWaitThrowsForNonZero",
       .rule = "EXEC-008",
       .what = "wait() with a timeout throws for an exit code that is not 0.",
       .wrap = each_process<NonZeroThrows<TimeoutError>>()},
  };
  for (const auto part : {exec_launch_mutants, exec_place_mutants, exec_input_mutants,
                          exec_running_mutants, exec_async_mutants}) {
    for (Mutant& row : part()) mutants.push_back(std::move(row));
  }
  return mutants;
}

}  // namespace sandproof::conformance
