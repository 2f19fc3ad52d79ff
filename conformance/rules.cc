// SPDX-License-Identifier: Apache-2.0
// The rule table: the areas of the contract in its order. Made at the first use and immutable from
// then on; any thread.
#include <algorithm>
#include <string_view>
#include <utility>
#include <vector>

#include "conformance/rules/areas.h"
#include "sandproof/conformance/rule.h"

namespace sandproof::conformance {
namespace {

using MakeRules = std::vector<Rule> (*)();

constexpr MakeRules kAreas[] = {
    cap_rules,  session_rules, close_rules,   destroy_rules, attach_rules, exec_rules,
    env_rules,  stream_rules,  collect_rules, wait_rules,    kill_rules,   file_rules,
    snap_rules, set_rules,     log_rules,     meta_rules,    leak_rules,   fault_rules,
};

std::vector<Rule> compose() {
  std::vector<Rule> rules;
  for (const MakeRules make : kAreas) {
    for (Rule& rule : make()) rules.push_back(std::move(rule));
  }
  return rules;
}

}  // namespace

const std::vector<Rule>& all_rules() {
  static const std::vector<Rule> rules = compose();
  return rules;
}

const Rule* find_rule(std::string_view id) {
  const auto& rules = all_rules();
  const auto found =
      std::find_if(rules.begin(), rules.end(), [id](const Rule& rule) { return rule.id == id; });
  return found == rules.end() ? nullptr : &*found;
}

}  // namespace sandproof::conformance
