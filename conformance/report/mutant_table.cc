// SPDX-License-Identifier: Apache-2.0
// The report on mutants for people (mutant_report.h).
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "conformance/report/mutant_report.h"
#include "conformance/report/summary.h"

namespace sandproof::conformance {
namespace {

bool is_killed(const MutantResult& mutant) { return mutant.state == MutantState::kKilled; }

Style style_of(MutantState state) {
  if (state == MutantState::kKilled) return Style::kGood;
  return state == MutantState::kNotRun ? Style::kWarning : Style::kBad;
}

std::string_view symbol_of(MutantState state, const Terminal& terminal) {
  if (state == MutantState::kKilled) return terminal.utf8 ? "✓" : "+";
  if (state == MutantState::kNotRun) return "?";
  return terminal.utf8 ? "✗" : "F";
}

/// What is not caught, each with its fault and what happened instead.
std::string problems_text(const MutantReport& report, const Terminal& terminal) {
  std::string text;
  for (const MutantResult& mutant : report.mutants) {
    if (is_killed(mutant) || mutant.state == MutantState::kNotRun) continue;
    const Style style = style_of(mutant.state);
    text +=
        fmt::format("{} {}  {} {}{}\n", paint(terminal, style, symbol_of(mutant.state, terminal)),
                    paint(terminal, style, mutant.rule), mutant.name, words_of(mutant.state),
                    mutant.binding.empty() ? "" : " on " + mutant.binding);
    text += wrap("fault: " + printable(mutant.what, false), terminal.width, "    ", "      ");
    text += wrap(printable(mutant.message, false), terminal.width, "    ", "      ");
    for (const MutantCase& result : mutant.cases) {
      text += fmt::format("      {} {}, fired {} times\n", result.name, words_of(result.outcome),
                          result.fired);
    }
    text += '\n';
  }
  for (const std::string& name : report.failing_healthy) {
    text += paint(terminal, Style::kBad, name) + " fails without any fault\n";
  }
  return report.failing_healthy.empty() ? text : text + "\n";
}

std::string table_text(const MutantReport& report, const Terminal& terminal) {
  std::size_t name_columns = 0;
  std::size_t rule_columns = 0;
  for (const MutantResult& mutant : report.mutants) {
    name_columns = std::max(name_columns, columns_of(mutant.name));
    rule_columns = std::max(rule_columns, columns_of(mutant.rule));
  }
  std::string text;
  for (const MutantResult& mutant : report.mutants) {
    const std::string by =
        is_killed(mutant) ? mutant.killing_case : std::string(words_of(mutant.state));
    const std::string line = fmt::format("{}  {}  {}", pad_to(mutant.rule, rule_columns),
                                         pad_to(mutant.name, name_columns), by);
    text += fmt::format("{} {}\n",
                        paint(terminal, style_of(mutant.state), symbol_of(mutant.state, terminal)),
                        cut_to(line, terminal.width - 2));
  }
  return text;
}

std::string uncovered_text(const MutantReport& report, const Terminal& terminal) {
  if (report.uncovered.empty()) return {};
  std::string text =
      paint(terminal, Style::kWarning,
            fmt::format("{} can be observed and no mutant covers:\n",
                        count_text(report.uncovered.size(), "MUST rule that", "MUST rules that")));
  std::vector<std::string> reasons;
  for (const UncoveredRule& rule : report.uncovered) {
    if (std::find(reasons.begin(), reasons.end(), rule.reason) == reasons.end()) {
      reasons.push_back(rule.reason);
    }
  }
  for (const std::string& reason : reasons) {
    std::vector<std::string> ids;
    for (const UncoveredRule& rule : report.uncovered) {
      if (rule.reason == reason) ids.push_back(rule.id);
    }
    text += wrap(fmt::format("{}: {}", reason, join_ids(ids)), terminal.width, "  ", "    ");
  }
  return text + "\n";
}

std::string extra_kills_text(const MutantReport& report, const Terminal& terminal) {
  std::string text;
  for (const MutantResult& mutant : report.mutants) {
    if (!is_killed(mutant) || mutant.extra_kills.empty()) continue;
    text += wrap(fmt::format("{}: {}", mutant.name, fmt::join(mutant.extra_kills, ", ")),
                 terminal.width, "  ", "    ");
  }
  return text.empty() ? text : "Killed by cases of other rules, too:\n" + text + "\n";
}

std::string summary_line(const MutantReport& report, const Terminal& terminal) {
  std::array<std::size_t, kMutantStateCount> counts{};
  for (const MutantResult& mutant : report.mutants) {
    ++counts.at(static_cast<std::size_t>(mutant.state));
  }
  const std::size_t killed = counts[0];
  const bool all = killed == report.mutants.size();
  std::string text =
      all ? fmt::format("All {} killed", count_text(killed, "mutant"))
          : fmt::format("{} of {} killed", killed, count_text(report.mutants.size(), "mutant"));
  for (std::size_t i = 1; i < kMutantStateCount; ++i) {
    if (counts.at(i) == 0) continue;
    text += fmt::format(", {} {}", counts.at(i), words_of(static_cast<MutantState>(i)));
  }
  text += fmt::format(" in {}", duration_text(report.elapsed_ms));
  if (report.filtered) text += ", a part of them";
  if (!report.interrupted.empty()) text += "; ended early: " + printable(report.interrupted, false);
  const Style style = !report.interrupted.empty() ? Style::kWarning
                      : all                       ? Style::kGood
                                                  : Style::kBad;
  return paint(terminal, style, wrap(text + ".", terminal.width, "", "  "));
}

}  // namespace

std::string mutant_report_text(const MutantReport& report, const Terminal& terminal) {
  return problems_text(report, terminal) + table_text(report, terminal) + "\n" +
         extra_kills_text(report, terminal) + uncovered_text(report, terminal) +
         summary_line(report, terminal);
}

}  // namespace sandproof::conformance
