// SPDX-License-Identifier: Apache-2.0
// The matrix; see matrix.h.
#include "conformance/report/matrix.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <set>

#include "conformance/report/symbols.h"

namespace sandproof::conformance {
namespace {

/// Rules stand in groups of five, so that a place can be counted.
constexpr std::size_t kGroup = 5;
constexpr std::string_view kGap = "  ";
constexpr std::string_view kLegendGap = "   ";

/// "004" of "KILL-004"; the place of the rule in its row.
std::size_t number_of(std::string_view id) {
  return std::strtoul(std::string(id.substr(id.find('-') + 1)).c_str(), nullptr, 10);
}

struct AreaRow {
  std::string area;
  /// Indices into RunModel::rules, by number - 1; empty places have none.
  std::vector<std::optional<std::size_t>> rules;
  bool selected = false;
};

std::vector<AreaRow> area_rows(const RunModel& model) {
  std::vector<AreaRow> rows;
  for (std::size_t i = 0; i < model.rules.size(); ++i) {
    const std::string area = model.rules[i].area();
    auto row = std::find_if(rows.begin(), rows.end(),
                            [&area](const AreaRow& r) { return r.area == area; });
    if (row == rows.end()) row = rows.insert(rows.end(), AreaRow{area, {}, false});
    const std::size_t number = std::max<std::size_t>(1, number_of(model.rules[i].id));
    constexpr std::size_t kMostPerArea = 999;  // Ids have three digits.
    if (number > kMostPerArea) continue;
    if (row->rules.size() < number) row->rules.resize(number);
    row->rules[number - 1] = i;
    for (const FlavorResult& flavor : model.flavors) {
      if (flavor.rules[i].selected) row->selected = true;
    }
  }
  std::erase_if(rows, [](const AreaRow& row) { return !row.selected; });
  return rows;
}

/// Columns of `count` symbols in their groups.
std::size_t grouped_columns(std::size_t count) {
  return count == 0 ? 0 : count + (count - 1) / kGroup;
}

std::string cell(const AreaRow& row, const FlavorResult& flavor, std::size_t columns,
                 const Terminal& terminal) {
  std::string text;
  for (std::size_t i = 0; i < row.rules.size(); ++i) {
    if (i > 0 && i % kGroup == 0) text += ' ';
    const RuleResult* rule = row.rules[i] ? &flavor.rules[*row.rules[i]] : nullptr;
    if (rule == nullptr || !rule->selected) {
      text += ' ';
    } else {
      text += paint(terminal, style_of(rule->state, rule->must), symbol_of(rule->state, terminal));
    }
  }
  // Padded by what is seen: colours take no columns.
  return text + std::string(columns - grouped_columns(row.rules.size()), ' ');
}

std::string trimmed(std::string line) {
  line.erase(line.find_last_not_of(' ') + 1);
  return line + '\n';
}

/// The number of the first rule of each group, above it.
std::string ruler(std::size_t longest) {
  std::string text;
  for (std::size_t number = 1; number <= longest; number += kGroup) {
    text += pad_to(std::to_string(number), kGroup + 1);
  }
  text.erase(text.find_last_not_of(' ') + 1);
  return text;
}

std::string legend(const RunModel& model, const Terminal& terminal) {
  Counts all{};
  for (const FlavorResult& flavor : model.flavors) {
    for (std::size_t i = 0; i < kOutcomeCount; ++i) all.at(i) += flavor.rule_counts.at(i);
  }
  // The good ones first: that is what there is most of.
  constexpr std::array<Outcome, kOutcomeCount> kOrder = {
      Outcome::kPassed,          Outcome::kUnsupported, Outcome::kNotObservable,
      Outcome::kExpectedFailure, Outcome::kFailed,      Outcome::kError,
      Outcome::kTimeout,         Outcome::kCrashed,     Outcome::kUnexpectedPass,
      Outcome::kNotRun,          Outcome::kNoCase};
  std::string text;
  std::size_t column = 0;
  for (const Outcome outcome : kOrder) {
    if (all.at(static_cast<std::size_t>(outcome)) == 0) continue;
    const std::size_t columns = columns_of(words_of(outcome)) + kLegendGap.size() + 2;
    if (column > 0 && column + columns > terminal.width) {
      text = trimmed(text);
      column = 0;
    }
    text += fmt::format("{} {}{}",
                        paint(terminal, style_of(outcome, true), symbol_of(outcome, terminal)),
                        words_of(outcome), kLegendGap);
    column += columns;
  }
  return trimmed(text);
}

}  // namespace

std::string matrix_text(const RunModel& model, const Terminal& terminal) {
  const std::vector<AreaRow> rows = area_rows(model);
  if (rows.empty() || model.flavors.empty()) return {};
  std::size_t longest = 0;
  std::size_t area_columns = 0;
  for (const AreaRow& row : rows) {
    longest = std::max(longest, row.rules.size());
    area_columns = std::max(area_columns, columns_of(row.area));
  }
  std::string text;
  std::size_t next = 0;
  while (next < model.flavors.size()) {
    const std::size_t first = next;
    std::vector<std::size_t> widths;
    std::size_t taken = area_columns;
    for (; next < model.flavors.size(); ++next) {
      const std::size_t columns = std::max({grouped_columns(longest), columns_of(ruler(longest)),
                                            columns_of(model.flavors[next].name)});
      if (next > first && taken + kGap.size() + columns > terminal.width) break;
      taken += kGap.size() + columns;
      widths.push_back(columns);
    }
    std::string names(area_columns, ' ');
    std::string numbers(area_columns, ' ');
    for (std::size_t i = first; i < next; ++i) {
      names += std::string(kGap) + pad_to(model.flavors[i].name, widths[i - first]);
      numbers += std::string(kGap) + pad_to(ruler(longest), widths[i - first]);
    }
    text += paint(terminal, Style::kStrong, trimmed(names));
    text += paint(terminal, Style::kDim, trimmed(numbers));
    for (const AreaRow& row : rows) {
      std::string line = pad_to(row.area, area_columns);
      for (std::size_t i = first; i < next; ++i) {
        line += std::string(kGap) + cell(row, model.flavors[i], widths[i - first], terminal);
      }
      text += trimmed(line);
    }
    text += '\n';
  }
  return text + legend(model, terminal);
}

}  // namespace sandproof::conformance
