// SPDX-License-Identifier: Apache-2.0
// Rows as JSON; see table_json.h.
#include "conformance/explain/table_json.h"

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace sandproof::conformance {
namespace {

using RowJson = nlohmann::ordered_json;

template <typename Range>
std::vector<std::string> json_names(const Range& range) {
  std::vector<std::string> names;
  for (const auto& item : range) names.emplace_back(to_string(item));
  return names;
}

template <typename Range>
RowJson json_strings(const Range& range) {
  RowJson list = RowJson::array();
  for (const std::string_view item : range) list.push_back(item);
  return list;
}

}  // namespace

std::string file_of(const Case& test_case) {
  const std::string_view path = test_case.where.file_name();
  const std::size_t last = path.rfind('/');
  const std::size_t before =
      last == 0 || last == std::string_view::npos ? last : path.rfind('/', last - 1);
  return std::string(before == std::string_view::npos ? path : path.substr(before + 1));
}

RowJson rule_row_json(const Rule& rule) {
  return {{"id", rule.id},
          {"level", rule.level == Level::kMust ? "MUST" : "SHOULD"},
          {"sentence", rule.sentence},
          {"intent", rule.intent},
          {"capabilities", json_names(rule.capabilities)},
          {"unless", rule.unless ? RowJson(to_string(*rule.unless)) : RowJson(nullptr)},
          {"needs", json_names(rule.needs)},
          {"since", rule.since},
          {"bugs", json_strings(rule.bugs)}};
}

RowJson case_row_json(const Case& test_case) {
  return {{"case", test_case.name},
          {"rules", json_strings(test_case.rules)},
          {"file", file_of(test_case)},
          {"limit_ms", test_case.limit.count()},
          {"with", json_names(test_case.with)},
          {"without", json_names(test_case.without)},
          {"needs", json_names(test_case.needs)},
          {"smoke", test_case.smoke}};
}

RowJson binding_row_json(const Binding& binding) {
  RowJson unclaimed = RowJson::object();
  for (const auto& [capability, reason] : binding.unclaimed) {
    unclaimed[std::string(to_string(capability))] = reason;
  }
  RowJson not_provided = RowJson::object();
  for (const auto& [need, reason] : binding.not_provided) {
    not_provided[std::string(to_string(need))] = reason;
  }
  RowJson settings = RowJson::array();
  for (const SettingField& field : binding.flavor.settings.fields()) {
    settings.push_back(
        {{"name", field.name}, {"type", to_string(field.type)}, {"help", field.help}});
  }
  RowJson deviations = RowJson::array();
  for (const Deviation& deviation : binding.deviations) {
    deviations.push_back(
        {{"rule", deviation.rule}, {"reason", deviation.reason}, {"link", deviation.link}});
  }
  return {{"flavor", binding.name()},
          {"test_only", binding.test_only},
          {"documentation", binding.flavor.documentation_url},
          {"capabilities", json_names(binding.flavor.capabilities.list())},
          {"unclaimed", std::move(unclaimed)},
          {"provides", json_names(binding.provides)},
          {"not_provided", std::move(not_provided)},
          {"settings", std::move(settings)},
          {"deviations", std::move(deviations)}};
}

RowJson mutant_row_json(const Mutant& mutant) {
  return {{"mutant", mutant.name},
          {"rule", mutant.rule},
          {"what", mutant.what},
          {"layer", mutant.wrap ? "interface" : "hooks"},
          {"killed_by", mutant.killed_by == KilledBy::kTimeout ? "timeout"
                        : mutant.killed_by == KilledBy::kCrash ? "crash"
                                                               : "assertion"},
          {"bug", mutant.bug}};
}

}  // namespace sandproof::conformance
