// SPDX-License-Identifier: Apache-2.0
// A rule told to people; see explanation.h.
#include <fmt/format.h>

#include <algorithm>

#include "conformance/explain/explanation.h"
#include "conformance/explain/table_json.h"
#include "conformance/report/symbols.h"

namespace sandproof::conformance {
namespace {

constexpr std::string_view kMargin = "  ";
constexpr std::string_view kDeeper = "      ";
/// Two columns of names leave room for something beside them up to this width.
constexpr std::size_t kWidestName = 44;

std::string heading(const Terminal& terminal, std::string_view text) {
  return fmt::format("\n{}\n", paint(terminal, Style::kStrong, text));
}

std::string level_word(const Rule& rule) { return rule.level == Level::kMust ? "MUST" : "SHOULD"; }

/// What a case asks for on top of its rules.
std::string own_conditions(const Case& test_case) {
  std::string text;
  const auto add = [&text](std::string_view words, std::string_view name) {
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", words, name);
  };
  for (const Capability capability : test_case.with) add("with", to_string(capability));
  for (const Capability capability : test_case.without) add("without", to_string(capability));
  for (const Need need : test_case.needs) add("needs", to_string(need));
  return text;
}

std::string case_line(const Case& test_case, std::string_view rule, std::size_t columns,
                      const Terminal& terminal) {
  std::string beside = file_of(test_case);
  const std::string conditions = own_conditions(test_case);
  if (!conditions.empty()) beside += "; " + conditions;
  if (test_case.rules.front() != rule) {
    beside += fmt::format("; a failure is charged to {}", test_case.rules.front());
  }
  const std::string first = fmt::format("{}{}  ", kMargin, pad_to(test_case.name, columns));
  if (columns_of(first) + columns_of(beside) <= terminal.width) return first + beside + "\n";
  return fmt::format("{}{}\n", kMargin, test_case.name) +
         wrap(beside, terminal.width, kDeeper, kDeeper);
}

std::string why_text(const Rule& rule, const Terminal& terminal) {
  std::string text = heading(terminal, "Why it matters");
  text += wrap(rule.intent, terminal.width, kMargin, kMargin);
  if (rule.bugs.empty()) return text;
  text += wrap(rule.bugs.size() == 1 ? "People met it here:" : "People met it here, among others:",
               terminal.width, kMargin, kMargin);
  // An address is never broken: it is there to be clicked.
  for (const std::string_view bug : rule.bugs) text += fmt::format("    {}\n", bug);
  return text;
}

std::string cases_text_of(const Explanation& explanation, const Terminal& terminal) {
  std::string text =
      heading(terminal, explanation.cases.empty() ? std::string("No case holds a flavor to it yet")
                                                  : count_text(explanation.cases.size(), "case"));
  std::size_t columns = 0;
  for (const Case* test_case : explanation.cases) {
    columns = std::max(columns, columns_of(test_case->name));
  }
  for (const Case* test_case : explanation.cases) {
    text += case_line(*test_case, explanation.rule->id, std::min(columns, kWidestName), terminal);
  }
  return text;
}

std::string mutants_text_of(const Explanation& explanation, const Terminal& terminal) {
  if (explanation.mutants.empty()) return heading(terminal, "No mutant breaks it yet");
  std::string text =
      heading(terminal, fmt::format("{} that the cases have to notice",
                                    count_text(explanation.mutants.size(), "mutant")));
  for (const Mutant* mutant : explanation.mutants) {
    text += fmt::format("{}{}\n", kMargin, mutant->name);
    text += wrap(mutant->what, terminal.width, kDeeper, kDeeper);
  }
  return text;
}

std::string standing_line(const Standing& standing, const Rule& rule, std::size_t columns,
                          bool reported, const Terminal& terminal) {
  std::string symbol = " ";
  std::string what;
  if (standing.state) {
    const Style style = style_of(*standing.state, rule.level == Level::kMust);
    symbol = paint(terminal, style, symbol_of(*standing.state, terminal));
    what = std::string(words_of(*standing.state));
    if (*standing.state == Outcome::kPassed) {
      what += fmt::format(", {}", count_text(standing.runs, "case"));
    }
  } else if (!reported && standing.runs > 0) {
    what = fmt::format("{} would run", count_text(standing.runs, "case"));
  }
  if (!standing.reason.empty())
    what += (what.empty() ? "" : ": ") + printable(standing.reason, false);
  // The colours of the symbol take no columns, so that it stands outside what is wrapped.
  const std::string name = fmt::format(" {}  ", pad_to(standing.flavor, columns));
  const std::string rest(columns_of(name) + kMargin.size() + 1, ' ');
  std::string line = wrap(what, terminal.width, rest, rest).substr(rest.size());
  std::string text = fmt::format("{}{}{}{}", kMargin, symbol, name, line);
  if (!standing.state || *standing.state == Outcome::kPassed) return text;
  for (const ReportedCase& reported_case : standing.cases) {
    const Outcome outcome = reported_case.outcome;
    if (outcome > Outcome::kExpectedFailure) continue;
    text += fmt::format("{}{} {}: {}\n", rest, symbol_of(outcome, terminal), reported_case.name,
                        words_of(outcome));
  }
  return text;
}

std::string standings_text(const Explanation& explanation, const LastReport* report,
                           const Terminal& terminal) {
  std::string title = "On each flavor, by what it declares";
  if (report != nullptr) {
    title = fmt::format("In {}, of {}{}", printable(report->name, false), report->started_at,
                        report->complete ? "" : " (incomplete)");
  }
  std::string text = heading(terminal, title);
  std::size_t columns = 0;
  for (const Standing& standing : explanation.standings) {
    columns = std::max(columns, columns_of(standing.flavor));
  }
  for (const Standing& standing : explanation.standings) {
    text += standing_line(standing, *explanation.rule, columns, report != nullptr, terminal);
  }
  return text;
}

}  // namespace

std::string explanation_text(const Explanation& explanation, const LastReport* report,
                             const Terminal& terminal, const std::string& program) {
  const Rule& rule = *explanation.rule;
  std::string text =
      fmt::format("{}  {}\n", paint(terminal, Style::kStrong, rule.id), level_word(rule));
  text += wrap(rule.sentence, terminal.width, kMargin, kMargin);
  text += wrap(conditions_text(rule), terminal.width, kMargin, kMargin);
  text += why_text(rule, terminal);
  text += cases_text_of(explanation, terminal);
  text += mutants_text_of(explanation, terminal);
  text += standings_text(explanation, report, terminal);
  text += heading(terminal, "To try it");
  if (report == nullptr) {
    text += fmt::format("{}{} run --report json:conformance.json\n", kMargin, program);
  }
  text += fmt::format("{}{} run --rule {}\n", kMargin, program, rule.id);
  if (!explanation.mutants.empty()) {
    text += fmt::format("{}{} mutants --rule {}\n", kMargin, program, rule.id);
  }
  return text;
}

std::string explanation_list(const std::vector<Explanation>& explanations, const LastReport* report,
                             const Terminal& terminal) {
  std::string text;
  std::size_t columns = 0;
  for (const Explanation& explanation : explanations) {
    columns = std::max(columns, columns_of(explanation.rule->id));
  }
  if (report != nullptr) {
    std::string flavors;
    for (const ReportedFlavor& flavor : report->flavors) {
      flavors += (flavors.empty() ? "" : ", ") + flavor.name;
    }
    text += wrap(fmt::format("States in {}, of {}: {}", printable(report->name, false),
                             report->started_at, flavors),
                 terminal.width, "", "  ") +
            "\n";
  }
  for (const Explanation& explanation : explanations) {
    const Rule& rule = *explanation.rule;
    std::string symbols;
    std::size_t symbol_columns = 0;
    if (report != nullptr) {
      for (const Standing& standing : explanation.standings) {
        symbols += standing.state
                       ? paint(terminal, style_of(*standing.state, rule.level == Level::kMust),
                               symbol_of(*standing.state, terminal))
                       : std::string(" ");
        ++symbol_columns;
      }
      symbols += "  ";
      symbol_columns += 2;
    }
    const std::string rest(columns + symbol_columns + 4, ' ');
    const std::string sentence =
        wrap(rule.sentence, terminal.width, rest, rest).substr(rest.size());
    text += fmt::format("{}  {}{} {}", paint(terminal, Style::kStrong, pad_to(rule.id, columns)),
                        symbols, rule.level == Level::kMust ? "M" : "S", sentence);
  }
  return text;
}

}  // namespace sandproof::conformance
