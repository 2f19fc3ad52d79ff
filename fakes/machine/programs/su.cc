// SPDX-License-Identifier: Apache-2.0
// su: a shell as another user. Only root may: the machine asks nobody for a password.
#include <algorithm>

#include "fakes/machine/programs/mains.h"
#include "fakes/machine/programs/support/commands.h"
#include "fakes/machine/programs/support/options.h"
#include "fakes/machine/programs/support/users.h"

namespace sandproof::machine::programs {
namespace {

constexpr Usage kSuUsage = {.text = "[-lmp] [-s SH] [-] [USER [FILE ARGS]]", .letters = "+mplc:s:"};

void set_in(Strings& env, const std::string& name, const std::string& value) {
  std::erase_if(env, [&name](const std::string& entry) { return entry.starts_with(name + "="); });
  env.push_back(name + "=" + value);
}

struct SuPlan {
  User user;
  std::string shell;
  bool login = false;
  bool keep = false;
};

Strings su_environment(const Process& self, const SuPlan& plan) {
  Strings env = self.env();
  if (plan.login) {
    std::erase_if(env, [](const std::string& entry) { return !entry.starts_with("TERM="); });
    set_in(env, "PATH", plan.user.uid == 0 ? "/sbin:/usr/sbin:/bin:/usr/bin" : "/bin:/usr/bin");
  }
  if (!plan.keep) {
    set_in(env, "HOME", plan.user.home);
    set_in(env, "SHELL", plan.shell);
    if (plan.user.uid != 0 || plan.login) {
      set_in(env, "USER", plan.user.name);
      set_in(env, "LOGNAME", plan.user.name);
    }
  }
  return env;
}

Task<int> run_su(Process& self) {
  Tool tool(self, kSuUsage);
  std::optional<Options> options = co_await read_options(tool);
  if (!options) co_return tool.status;
  Strings& words = options->operands;
  SuPlan plan;
  plan.login = options->has('l');
  plan.keep = options->has_any("mp");
  if (!words.empty() && words.front() == "-") {
    plan.login = true;
    words.erase(words.begin());
  }
  std::string name = "root";
  if (!words.empty()) {
    name = words.front();
    words.erase(words.begin());
  }
  const Users users = co_await Users::load(self);
  const User* const user = users.user(name);
  if (user == nullptr) {
    const std::string why = "unknown user " + name;
    co_await tool.fail(why);
    co_return tool.status;
  }
  plan.user = *user;
  plan.shell = options->value('s').value_or(user->shell.empty() ? "/bin/sh" : user->shell);
  Credentials who;
  who.uid = user->uid;
  who.gid = user->gid;
  who.groups = users.groups_of(*user);
  if (!self.set_credentials(std::move(who))) {
    co_await tool.fail("incorrect password");
    co_return tool.status;
  }
  if (plan.login && !self.chdir(plan.user.home)) (void)self.chdir("/");
  Strings argv;
  argv.push_back(plan.login ? "-su" : plan.shell.substr(plan.shell.rfind('/') + 1));
  if (const auto command = options->value('c')) {
    argv.emplace_back("-c");
    argv.push_back(*command);
  }
  argv.insert(argv.end(), words.begin(), words.end());
  const Strings env = su_environment(self, plan);
  const Result<void> failed = co_await self.exec(plan.shell, argv, env);
  const std::string what = "can't execute '" + plan.shell + "'";
  co_await tool.fail(what, failed.error());
  co_return failed.error() == Errno::kNoent ? 127 : 126;
}

}  // namespace

Task<int> su_main(Process& self) { return run_su(self); }

}  // namespace sandproof::machine::programs
