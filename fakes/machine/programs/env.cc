// SPDX-License-Identifier: Apache-2.0
// env: the environment, or a command in a changed one.
#include <algorithm>
#include <array>

#include "fakes/machine/programs/mains.h"
#include "fakes/machine/programs/support/commands.h"
#include "fakes/machine/programs/support/options.h"

namespace sandproof::machine::programs {
namespace {

constexpr std::array kEnvLongs = {
    LongOption{"ignore-environment", 'i'},
    LongOption{"null", '0'},
    LongOption{"unset", 'u', Takes::kArgument},
};
constexpr Usage kEnvUsage = {.text = "[-i0] [-u NAME]... [-] [NAME=VALUE]... [PROG ARGS]",
                             .letters = "+iu:0",
                             .longs = kEnvLongs};

bool names(const std::string& entry, std::string_view name) {
  return entry.size() > name.size() && entry[name.size()] == '=' && entry.starts_with(name);
}

void set_variable(Strings& env, const std::string& entry) {
  const std::string_view name = std::string_view(entry).substr(0, entry.find('='));
  const auto found = std::find_if(env.begin(), env.end(),
                                  [name](const std::string& old) { return names(old, name); });
  if (found == env.end()) {
    env.push_back(entry);
  } else {
    *found = entry;
  }
}

Task<int> run_env(Process& self) {
  Tool tool(self, kEnvUsage);
  const std::optional<Options> options = co_await read_options(tool);
  if (!options) co_return tool.status;
  Strings env = self.env();
  Strings words = options->operands;
  bool empty = options->has('i');
  if (!words.empty() && words.front() == "-") {
    empty = true;
    words.erase(words.begin());
  }
  if (empty) env.clear();
  for (const std::string& name : options->values('u')) {
    std::erase_if(env, [&name](const std::string& entry) { return names(entry, name); });
  }
  while (!words.empty() && words.front().find('=') != std::string::npos) {
    set_variable(env, words.front());
    words.erase(words.begin());
  }
  if (!words.empty()) co_return co_await become(tool, std::move(words), std::move(env));
  const std::string end(1, options->has('0') ? '\0' : '\n');
  for (const std::string& entry : env) {
    if (!co_await tool.out.put(entry + end)) break;
  }
  co_return co_await tool.finish();
}

}  // namespace

Task<int> env_main(Process& self) { return run_env(self); }

}  // namespace sandproof::machine::programs
