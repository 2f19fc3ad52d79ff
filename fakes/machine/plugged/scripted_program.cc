// SPDX-License-Identifier: Apache-2.0
// A program whose answers are written down; see plugged_programs.h.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <memory>
#include <optional>

#include "fakes/machine/plugged/plugged_programs.h"
#include "fakes/machine/shell/expand/pattern.h"

namespace sandproof::machine {
namespace {

constexpr std::string_view kRest = "...";

bool words_match(const Strings& patterns, const Strings& argv) {
  std::size_t word = 1;
  for (const std::string& pattern : patterns) {
    if (pattern == kRest && &pattern == &patterns.back()) return true;
    if (word >= argv.size() || !shell::Pattern(pattern).matches(argv[word])) return false;
    ++word;
  }
  return word >= argv.size();
}

struct RulesOfScript {
  std::vector<ScriptedRule> rules;
};

Task<int> answer_by_script(Process& self, const ScriptedReply& reply) {
  if (reply.latency > Nanoseconds::zero()) {
    (void)co_await self.sleep(reply.latency);  // sleep: the latency that was asked for
  }
  std::string_view rest = reply.out;
  for (const ScriptedReply::Part& part : reply.plan) {
    if (part.after > Nanoseconds::zero()) {
      (void)co_await self.sleep(part.after);  // sleep: the plan that was asked for
    }
    (void)co_await self.write(1, rest.substr(0, part.bytes));
    rest.remove_prefix(std::min(part.bytes, rest.size()));
  }
  if (!rest.empty()) (void)co_await self.write(1, rest);
  if (!reply.err.empty()) (void)co_await self.write(2, reply.err);
  if (reply.signal != 0) (void)co_await self.kill(self.pid(), reply.signal);
  co_return reply.status;
}

Task<int> run_script(Process& self, std::shared_ptr<const RulesOfScript> script) {
  for (const ScriptedRule& rule : script->rules) {
    if (words_match(rule.argv, self.argv())) co_return co_await answer_by_script(self, rule.reply);
  }
  const std::string message = fmt::format("{}: no rule of this scripted program matches: {}\n",
                                          self.argv().front(), fmt::join(self.argv(), " "));
  (void)co_await self.write(2, message);
  co_return 127;
}

}  // namespace

ProcessBody scripted_program(std::vector<ScriptedRule> rules) {
  auto script = std::make_shared<const RulesOfScript>(RulesOfScript{std::move(rules)});
  return [script](Process& self) { return run_script(self, script); };
}

}  // namespace sandproof::machine
