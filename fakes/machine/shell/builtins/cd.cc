// SPDX-License-Identifier: Apache-2.0
// `cd` and `pwd`: directories as they were named, unless -P.
#include "fakes/machine/shell/builtins/builtin.h"

namespace sandproof::machine::shell {
namespace {

// The path without `.`, `..` and double slashes, as it reads.
std::string without_dots(std::string_view path) {
  std::string clean;
  for (std::size_t at = 0; at < path.size();) {
    const std::size_t slash = std::min(path.find('/', at), path.size());
    const std::string_view name = path.substr(at, slash - at);
    at = slash + 1;
    if (name.empty() || name == ".") continue;
    if (name == "..") {
      clean.erase(std::min(clean.rfind('/'), clean.size()));
    } else {
      clean.append("/").append(name);
    }
  }
  return clean.empty() ? "/" : clean;
}

bool go(Shell& shell, const std::string& to, bool physical) {
  std::string target = to;
  if (!physical) {
    const bool absolute = to.starts_with('/');
    target = without_dots(absolute ? to : shell.state.directory + "/" + to);
  }
  const Result<void> changed = shell.process.chdir(target);
  if (!changed) return false;
  if (physical) target = shell.process.getcwd().value_or(target);
  Variables& variables = shell.state.variables;
  (void)variables.set("OLDPWD", shell.state.directory, true);
  shell.state.directory = target;
  (void)variables.set("PWD", target, true);
  return true;
}

bool is_directory(Shell& shell, const std::string& path) {
  const Result<Attributes> found = shell.process.stat(path);
  return found && found->type == FileType::kDirectory;
}

// Whether a name is looked up in CDPATH: not where it says where it begins.
bool is_searched(std::string_view name) {
  if (name.starts_with('/')) return false;
  const std::string_view first = name.substr(0, name.find('/'));
  return first != "." && first != "..";
}

std::string variable_or(Shell& shell, std::string_view name, std::string otherwise) {
  const std::string* const value = shell.state.variables.get(name);
  return value == nullptr ? otherwise : *value;
}

}  // namespace

Task<int> cd_builtin(Shell& shell, Strings words) {
  OptionReader options(words, "LP");
  bool physical = false;
  while (const char letter = co_await options.next(shell)) physical = letter == 'P';
  const std::size_t at = options.operand();
  std::string to = at < words.size() ? words[at] : variable_or(shell, "HOME", "");
  bool prints = false;
  if (at < words.size() && to == "-") {
    to = variable_or(shell, "OLDPWD", "");
    prints = true;
  }
  if (to.empty()) to = ".";
  std::string target = to;
  const std::string search = is_searched(to) ? variable_or(shell, "CDPATH", "") : "";
  for (std::size_t begin = 0; !search.empty() && begin <= search.size();) {
    const std::size_t colon = std::min(search.find(':', begin), search.size());
    const std::string base = search.substr(begin, colon - begin);
    begin = colon + 1;
    const std::string candidate = base.empty() ? to : base + "/" + to;
    if (!is_directory(shell, candidate)) continue;
    target = candidate;
    prints = prints || !base.empty();
    break;
  }
  if (!go(shell, target, physical)) co_await shell.fail("can't cd to " + to);
  if (prints) co_await shell.put(shell.state.directory + "\n");
  co_return 0;
}

Task<int> pwd_builtin(Shell& shell, Strings words) {
  OptionReader options(words, "LP");
  bool physical = false;
  while (const char letter = co_await options.next(shell)) physical = letter == 'P';
  std::string directory = shell.state.directory;
  if (physical || directory.empty()) {
    const Result<std::string> here = shell.process.getcwd();
    if (!here) co_await shell.fail("getcwd() failed: " + std::string(text_of(here.error())));
    directory = *here;
  }
  co_await shell.put(directory + "\n");
  co_return 0;
}

}  // namespace sandproof::machine::shell
