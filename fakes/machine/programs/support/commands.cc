// SPDX-License-Identifier: Apache-2.0
// Running commands.
#include "fakes/machine/programs/support/commands.h"

#include "fakes/machine/programs/support/paths.h"

namespace sandproof::machine::programs {
namespace {

// What execvp(3) takes where there is no PATH.
constexpr std::string_view kDefaultPath = "/bin:/usr/bin";

std::string path_in(const Strings& env) {
  for (const std::string& entry : env) {
    if (entry.starts_with("PATH=")) return entry.substr(5);
  }
  return std::string(kDefaultPath);
}

Task<Errno> exec_at(Process& self, const std::string& path, const Strings& argv,
                    const Strings& env) {
  const Result<void> failed = co_await self.exec(path, argv, env);
  if (failed.error() != Errno::kNoexec) co_return failed.error();
  Strings words = {"sh", path};
  words.insert(words.end(), argv.begin() + 1, argv.end());
  const std::string shell = "/bin/sh";
  const Result<void> no_shell = co_await self.exec(shell, words, env);
  co_return no_shell.error() == Errno::kNoent ? Errno::kNoexec : no_shell.error();
}

}  // namespace

Task<Errno> exec_found(Process& self, Strings argv, Strings env) {
  const std::string name = argv.front();
  if (name.empty()) co_return Errno::kNoent;
  if (name.find('/') != name.npos) co_return co_await exec_at(self, name, argv, env);
  const std::string path = path_in(env);
  Errno why = Errno::kNoent;
  for (std::size_t at = 0; at <= path.size();) {
    const std::size_t end = std::min(path.find(':', at), path.size());
    const std::string folder = path.substr(at, end - at);
    at = end + 1;
    const std::string candidate = folder.empty() ? "./" + name : join_path(folder, name);
    const Errno error = co_await exec_at(self, candidate, argv, env);
    if (error == Errno::kAcces) {
      why = error;
    } else if (error == Errno::kNosys) {
      // A box without a file system finds programs by their names.
      co_return error;
    } else if (error != Errno::kNoent && error != Errno::kNotdir) {
      co_return error;
    }
  }
  co_return why;
}

Task<int> become(Tool& tool, Strings argv, Strings env) {
  const std::string name = argv.front();
  if (!co_await tool.out.flush()) co_return 1;
  const Errno error = co_await exec_found(tool.self, std::move(argv), std::move(env));
  const std::string what = "can't execute '" + name + "'";
  co_await tool.fail(what, error);
  co_return error == Errno::kNoent ? 127 : 126;
}

Task<int> become(Tool& tool, Strings argv) {
  Strings env = tool.self.env();
  co_return co_await become(tool, std::move(argv), std::move(env));
}

Result<Child> start_command(Process& self, Strings argv) {
  Child child;
  const Result<Pid> pid =
      self.fork([argv = std::move(argv), failure = child.failure](Process& born) -> Task<int> {
        Strings words = argv;
        Strings env = born.env();
        *failure = co_await exec_found(born, std::move(words), std::move(env));
        co_return *failure == Errno::kNoent ? 127 : 126;
      });
  if (!pid) return pid.error();
  child.pid = *pid;
  return child;
}

Task<Result<ChildChange>> wait_for(Process& self, Pid pid) {
  for (;;) {
    const WaitFor what = {.which = pid};
    const Result<ChildChange> change = co_await self.wait_child(what);
    if (change.error() != Errno::kIntr) co_return change;
  }
}

Task<CommandEnd> run_command(Process& self, Strings argv) {
  CommandEnd end;
  const Result<Child> child = start_command(self, std::move(argv));
  if (!child) {
    end.failure = child.error();
    co_return end;
  }
  const Result<ChildChange> change = co_await wait_for(self, child->pid);
  end.failure = change ? *child->failure : change.error();
  if (change) end.status = change->status;
  co_return end;
}

}  // namespace sandproof::machine::programs
