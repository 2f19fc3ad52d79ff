// SPDX-License-Identifier: Apache-2.0
// Flavors that break EXEC: where a command runs, what it finds there, and the state that it starts
// in. Each mutation is used from any thread.
#include <atomic>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/mutants/areas.h"
#include "conformance/mutants/support.h"
#include "sandproof/errors.h"

namespace sandproof::conformance {
namespace {

struct EmptyCwdIsElsewhere {
  void operator()(ExecRequest& request) const {
    // A place where no command can make anything.
    if (request.cwd.empty()) request.cwd = "/proc";
  }
};
struct RelativeCwdIsFromTheRoot {
  void operator()(ExecRequest& request) const {
    if (!request.cwd.empty() && request.cwd != ".") request.cwd.insert(0, "/");
  }
};
struct CwdIsCutAtASpace {
  void operator()(ExecRequest& request) const {
    request.cwd = request.cwd.substr(0, request.cwd.find(' '));
  }
};
struct ADashIsAnOption {
  void operator()(ExecRequest& request) const {
    if (request.cwd.starts_with('-')) request.cwd.clear();
  }
};
struct AbsoluteCwdIsBelowTheSessions {
  void operator()(ExecRequest& request) const {
    if (request.cwd.starts_with('/')) request.cwd.insert(0, ".");
  }
};

class EachExecHasItsOwnDirectory : public Faulty<SessionHookWrapper> {
 public:
  using Faulty::Faulty;
  std::unique_ptr<ProcessHooks> do_exec(const ExecRequest& request) override {
    if (!request.cwd.empty() || !fires()) return inner().do_exec(request);
    ExecRequest changed = request;
    changed.cwd = "run-" + std::to_string(++count_);
    run_below(inner(), {"mkdir", changed.cwd});
    return inner().do_exec(changed);
  }

 private:
  std::atomic<int> count_ = 0;
};

/// Each command sees the directory as it was at first: without what the rule's case makes.
class FilesAreNotKept : public Faulty<SessionHookWrapper> {
 public:
  using Faulty::Faulty;
  std::unique_ptr<ProcessHooks> do_exec(const ExecRequest& request) override {
    if (fires()) run_below(inner(), {"rm", "-f", "d/f"});
    return inner().do_exec(request);
  }
};

/// The state of one shell, which runs every command.
class TheShellIsKept : public Faulty<SessionHookWrapper> {
 public:
  TheShellIsKept(std::unique_ptr<SessionHooks> inner, std::shared_ptr<Trigger> trigger,
                 bool keeps_directory)
      : Faulty(std::move(inner), std::move(trigger)), keeps_directory_(keeps_directory) {}
  std::unique_ptr<ProcessHooks> do_exec(const ExecRequest& request) override {
    ExecRequest changed = request;
    if (changed_before_ && fires()) {
      if (keeps_directory_) {
        if (changed.cwd.empty()) changed.cwd = "/";
      } else {
        changed.env["COLOR"] = changed.exec_env["COLOR"] = "red";
      }
    }
    if (request.argv.back().find("export COLOR") != std::string::npos) changed_before_ = true;
    return inner().do_exec(changed);
  }

 private:
  const bool keeps_directory_;
  std::atomic<bool> changed_before_ = false;
};

template <bool kKeepsDirectory>
class Kept : public TheShellIsKept {
 public:
  Kept(std::unique_ptr<SessionHooks> inner, std::shared_ptr<Trigger> trigger)
      : TheShellIsKept(std::move(inner), std::move(trigger), kKeepsDirectory) {}
};

std::vector<std::string> directories_of(const std::string& path) {
  std::vector<std::string> directories;
  std::istringstream entries(path);
  for (std::string entry; std::getline(entries, entry, ':');) directories.push_back(entry);
  return directories;
}

/// Where `name` is found along `path`; `name` itself where it is not.
std::string found_along(const std::string& path, const std::string& name) {
  std::error_code ignored;
  for (const std::string& directory : directories_of(path)) {
    std::string candidate = directory + "/" + name;
    if (std::filesystem::is_regular_file(candidate, ignored)) return candidate;
  }
  return name;
}

bool has_slash(const std::string& name) { return name.find('/') != std::string::npos; }

struct LooksInTheHarnesssPath {
  void operator()(ExecRequest& request) const {
    std::string& program = request.argv.front();
    const char* const path = std::getenv("PATH");
    if (!has_slash(program) && path != nullptr) program = found_along(path, program);
  }
};
struct FallsBackToADefaultPath {
  void operator()(ExecRequest& request) const {
    const auto own = request.exec_env.find("PATH");
    std::string& program = request.argv.front();
    if (own == request.exec_env.end() || has_slash(program)) return;
    if (found_along(own->second, program) == program) program = "/usr/bin/" + program;
  }
};
/// Only a PATH of the exec is searched; else the harness's.
struct TheSessionsPathIsIgnored {
  void operator()(ExecRequest& request) const {
    std::string& program = request.argv.front();
    const char* const path = std::getenv("PATH");
    // Only where the session's leads nowhere, so that argv[0] stays as it is elsewhere.
    const auto own = request.env.find("PATH");
    const bool nowhere = own != request.env.end() && own->second == "/nonexistent";
    if (!nowhere || request.exec_env.contains("PATH") || has_slash(program) || path == nullptr) {
      return;
    }
    program = found_along(path, program);
  }
};
struct SlashIsFromTheSessionsDirectory {
  void operator()(ExecRequest& request) const {
    if (request.argv.front().starts_with("./") && !request.cwd.empty()) {
      request.argv.front().insert(0, "../");
    }
  }
};
struct ArgvZeroIsTheFile {
  void operator()(ExecRequest& request) const {
    if (request.argv.front() == "sh") request.argv.front() = "/bin/sh";
  }
};
struct ADirectoryInThePathIsTaken {
  void operator()(ExecRequest& request) const {
    const auto own = request.exec_env.find("PATH");
    const std::string& program = request.argv.front();
    if (own == request.exec_env.end() || has_slash(program)) return;
    std::error_code ignored;
    for (const std::string& directory : directories_of(own->second)) {
      if (std::filesystem::is_directory(directory + "/" + program, ignored)) {
        throw ExecError(LaunchFailure::kNotExecutable, program + " is a directory");
      }
    }
  }
};

/// The command starts with a signal ignored.
void start_with(ExecRequest& request, const std::string& trap) {
  std::vector<std::string> argv = {"sh", "-c", trap + "; exec \"$@\"", "sh"};
  argv.insert(argv.end(), request.argv.begin(), request.argv.end());
  request.argv = argv;
}
struct SigpipeStaysIgnored {
  void operator()(ExecRequest& request) const { start_with(request, "trap '' PIPE"); }
};
struct SigtermStaysIgnored {
  void operator()(ExecRequest& request) const { start_with(request, "trap '' TERM"); }
};

}  // namespace

std::vector<Mutant> exec_place_mutants() {
  return {
      {.name = "EmptyCwdIsElsewhere",
       .rule = "EXEC-010",
       .what = "Commands without a cwd run in a directory of the system.",
       .wrap_hooks = each_session_hooks<ChangedRequest<EmptyCwdIsElsewhere>>()},
      {.name = "RelativeCwdIsFromTheRoot",
       .rule = "EXEC-010",
       .what = "A relative cwd is resolved against /.",
       .wrap_hooks = each_session_hooks<ChangedRequest<RelativeCwdIsFromTheRoot>>()},
      {.name = "CwdIsCutAtASpace",
       .rule = "EXEC-010",
       .what = "A cwd ends at its first space.",
       .wrap_hooks = each_session_hooks<ChangedRequest<CwdIsCutAtASpace>>()},
      {.name = "ADashInCwdIsAnOption",
       .rule = "EXEC-010",
       .what = "A cwd that begins with a dash is taken for an option of cd.",
       .wrap_hooks = each_session_hooks<ChangedRequest<ADashIsAnOption>>()},
      {.name = "AbsoluteCwdIsBelowTheSessions",
       .rule = "EXEC-010",
       .what = "An absolute cwd is appended to the session's directory.",
       .wrap_hooks = each_session_hooks<ChangedRequest<AbsoluteCwdIsBelowTheSessions>>()},
      {.name = "EachExecHasItsOwnDirectory",
       .rule = "EXEC-011",
       .what = "Each command starts in a directory of its own.",
       .wrap_hooks = each_session_hooks<EachExecHasItsOwnDirectory>()},
      {.name = "FilesAreNotKept",
       .rule = "EXEC-011",
       .what = "A file that one command makes is gone for the next one.",
       .wrap_hooks = each_session_hooks<FilesAreNotKept>()},
      {.name = "ExportsStay",
       .rule = "EXEC-011",
       .what = "One shell runs all commands: what one exports the next one sees.",
       .wrap_hooks = each_session_hooks<Kept<false>>()},
      {.name = "TheDirectoryStays",
       .rule = "EXEC-011",
       .what = "One shell runs all commands: the cd of one moves the next one.",
       .wrap_hooks = each_session_hooks<Kept<true>>()},
      {.name = "LooksInTheHarnesssPath",
       .rule = "EXEC-018",
       .what = "Names are looked up in the harness's PATH.",
       .wrap_hooks = each_session_hooks<ChangedRequest<LooksInTheHarnesssPath>>()},
      {.name = "TheSessionsPathIsIgnored",
       .rule = "EXEC-018",
       .what = "A PATH of the session's settings is not searched.",
       .wrap_hooks = each_session_hooks<ChangedRequest<TheSessionsPathIsIgnored>>()},
      {.name = "FallsBackToADefaultPath",
       .rule = "EXEC-018",
       .what = "A name that is not in the command's PATH is looked up in /usr/bin.",
       .wrap_hooks = each_session_hooks<ChangedRequest<FallsBackToADefaultPath>>()},
      {.name = "SlashIsFromTheSessionsDirectory",
       .rule = "EXEC-018",
       .what = "A name with a slash is relative to the session's directory, not to the cwd.",
       .wrap_hooks = each_session_hooks<ChangedRequest<SlashIsFromTheSessionsDirectory>>()},
      {.name = "ArgvZeroIsTheFile",
       .rule = "EXEC-018",
       .what = "argv[0] arrives as the path of the program.",
       .wrap_hooks = each_session_hooks<ChangedRequest<ArgvZeroIsTheFile>>()},
      {.name = "ADirectoryInThePathIsTaken",
       .rule = "EXEC-018",
       .what = "The search along PATH ends at a directory of that name.",
       .wrap_hooks = each_session_hooks<ChangedRequest<ADirectoryInThePathIsTaken>>()},
      {.name = "SigpipeStaysIgnored",
       .rule = "EXEC-020",
       .what = "Commands start with SIGPIPE ignored.",
       .wrap_hooks = each_session_hooks<ChangedRequest<SigpipeStaysIgnored>>()},
      {.name = "SigtermStaysIgnored",
       .rule = "EXEC-020",
       .what = "Commands start with SIGTERM ignored.",
       .wrap_hooks = each_session_hooks<ChangedRequest<SigtermStaysIgnored>>()},
  };
}

}  // namespace sandproof::conformance
