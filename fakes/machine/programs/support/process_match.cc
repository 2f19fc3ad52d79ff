// SPDX-License-Identifier: Apache-2.0
// Choosing processes.
#include "fakes/machine/programs/support/process_match.h"

#include <algorithm>

#include "fakes/machine/programs/support/numbers.h"
#include "fakes/machine/programs/support/regex.h"
#include "fakes/machine/programs/support/users.h"

namespace sandproof::machine::programs {
namespace {

/// Whether the number is among those of a list such as "1,2"; 0 is `own`.
bool in_list(const std::string& list, std::int64_t number, std::int64_t own) {
  for (std::size_t at = 0; at <= list.size();) {
    const std::size_t end = std::min(list.find(',', at), list.size());
    std::int64_t wanted = read_integer(list.substr(at, end - at)).value_or(-1);
    if (wanted == 0) wanted = own;
    if (wanted == number) return true;
    at = end + 1;
  }
  return false;
}

class ProcessMatch {
 public:
  ProcessMatch(Process& self, const Options& options, const Users& users)
      : self_(self), options_(options), users_(users) {}

  bool compile() {
    if (options_.operands.empty()) return true;
    std::string pattern = options_.operands.front();
    if (options_.has('x')) pattern = "^(" + pattern + ")$";
    regex_ = Regex::compile(pattern, {.extended = true, .ignore_case = options_.has('i')});
    return regex_.has_value();
  }

  bool chooses(const ListedProcess& process) const {
    if (process.pid == self_.pid()) return false;
    return fits(process) != options_.has('v');
  }

 private:
  bool fits(const ListedProcess& process) const {
    if (regex_ && !regex_->matches(options_.has('f') ? process.arguments : process.name))
      return false;
    const auto lists = [&](char letter, std::int64_t number, std::int64_t own) {
      const auto list = options_.value(letter);
      return !list || in_list(*list, number, own);
    };
    if (!lists('P', process.parent, 0)) return false;
    if (!lists('g', process.group, self_.group())) return false;
    if (!lists('s', process.session, self_.session())) return false;
    for (const char letter : std::string_view("uU")) {
      const auto name = options_.value(letter);
      if (name && users_.uid_of(*name) != process.uid) return false;
    }
    return true;
  }

  Process& self_;
  const Options& options_;
  const Users& users_;
  std::optional<Regex> regex_;
};

Task<std::optional<std::vector<ListedProcess>>> choose(Tool& tool, const Options& options) {
  if (options.operands.empty() && !options.has_any("PgsuU")) {
    const std::string text = tool.name + ": no matching criteria specified\nTry `" + tool.name +
                             " --help' for more information.\n";
    co_await tool.write_error(text);
    tool.status = 2;
    co_return std::nullopt;
  }
  const Users users = co_await Users::load(tool.self);
  ProcessMatch match(tool.self, options, users);
  if (!match.compile()) {
    const std::string why = "bad regex '" + options.operands.front() + "'";
    co_await tool.fail(why);
    co_return std::nullopt;
  }
  Result<std::vector<ListedProcess>> all = co_await list_processes(tool.self);
  if (!all) {
    co_await tool.fail("can't open '/proc'", all.error());
    co_return std::nullopt;
  }
  std::vector<ListedProcess> chosen;
  for (ListedProcess& process : *all) {
    if (match.chooses(process)) chosen.push_back(std::move(process));
  }
  if (!chosen.empty() && options.has_any("no")) {
    const auto later = [](const ListedProcess& a, const ListedProcess& b) {
      return std::pair(a.started_ticks, a.pid) < std::pair(b.started_ticks, b.pid);
    };
    const auto [first, last] = std::minmax_element(chosen.begin(), chosen.end(), later);
    ListedProcess one = options.last_of("no") == 'n' ? *last : *first;
    chosen.clear();
    chosen.push_back(std::move(one));
  }
  co_return chosen;
}

}  // namespace

Task<std::optional<std::vector<ListedProcess>>> match_processes(Tool& tool,
                                                                const Options& options) {
  return choose(tool, options);
}

}  // namespace sandproof::machine::programs
