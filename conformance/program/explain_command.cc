// SPDX-License-Identifier: Apache-2.0
// `sandproof explain`: a rule with everything that hangs on it, or several in a list, or the whole
// contract as a page.
#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cctype>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>

#include "conformance/explain/contract_page.h"
#include "conformance/explain/explanation.h"
#include "conformance/program/case_filter.h"
#include "conformance/program/commands.h"
#include "conformance/program/nearest.h"
#include "conformance/program/output_options.h"
#include "conformance/program/program_error.h"
#include "conformance/report/files.h"

namespace sandproof::conformance {
namespace {

constexpr const char* kExplainExamples = R"(Examples:
  sandproof explain KILL-004                 a rule: why, its cases, its mutants, its state
  sandproof explain KillReachesTheWholeTree  the rule of a case, or of a mutant
  sandproof explain KILL 'WAIT-*'            the rules of an area or pattern, in a list
  sandproof explain KILL-004 --report out.json --format json
  sandproof explain --all --format markdown  the contract as a page: docs/contract.md

States come from --report, which takes what `run --report json:FILE` or `run --event-log FILE`
wrote; without it from ./conformance.json, if there is one. No other place is looked at.)";

constexpr const char* kDefaultReport = "conformance.json";

struct ExplainArguments {
  std::vector<std::string> names;
  bool all = false;
  std::string report;
  std::string format = "text";
  OutputOptions output;
};

struct SelectedRules {
  std::vector<const Rule*> rules;
  /// Somebody asked for this one, and not for all that fit.
  bool in_full = true;
};

bool same_name(std::string_view a, std::string_view b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](unsigned char x, unsigned char y) {
    return std::tolower(x) == std::tolower(y);
  });
}

/// All that a word of the command line may be.
std::vector<std::string> explainable_names(const Suite& suite) {
  std::vector<std::string> names = rule_ids(suite);
  for (const Rule& rule : *suite.rules) {
    const std::string area(rule.area());
    if (std::find(names.begin(), names.end(), area) == names.end()) names.push_back(area);
  }
  for (const Case& test_case : *suite.cases) names.emplace_back(test_case.name);
  for (const Mutant& mutant : *suite.mutants) names.emplace_back(mutant.name);
  return names;
}

/// The rules that one word stands for. Throws ProgramError as check_patterns() does.
std::set<std::string_view> ids_of(const Suite& suite, const std::string& word, bool& in_full,
                                  const std::string& program) {
  std::set<std::string_view> ids;
  for (const Rule& rule : *suite.rules) {
    if (same_name(rule.id, word)) return {rule.id};
  }
  for (const Case& test_case : *suite.cases) {
    if (same_name(test_case.name, word)) ids.insert(test_case.rules.begin(), test_case.rules.end());
  }
  for (const Mutant& mutant : *suite.mutants) {
    if (same_name(mutant.name, word)) ids.insert(mutant.rule);
  }
  if (!ids.empty()) return ids;
  in_full = false;
  for (const Rule& rule : *suite.rules) {
    if (matches_any({word}, rule.area(), true) || matches_any({word}, rule.id, true)) {
      ids.insert(rule.id);
    }
  }
  if (!ids.empty()) return ids;
  const std::string list_command = program + " list rules";
  check_patterns({word}, {"rule", explainable_names(suite), true, list_command});
  // A pattern is one over rules: that a case or a mutant fits says nothing.
  check_patterns({word}, {"rule", rule_ids(suite), true, list_command});
  return ids;
}

SelectedRules selected_rules(const Suite& suite, const ExplainArguments& arguments,
                             const std::string& program) {
  if (arguments.all != arguments.names.empty()) {
    throw usage_error(arguments.all
                          ? "--all takes no rule besides it"
                          : "a rule is needed: an id such as `KILL-004`, an area, a pattern, the "
                            "name of a case or of a mutant, or --all");
  }
  SelectedRules selected;
  selected.in_full = !arguments.all;
  std::set<std::string_view> ids;
  for (const std::string& word : arguments.names) {
    ids.merge(ids_of(suite, word, selected.in_full, program));
  }
  for (const Rule& rule : *suite.rules) {
    if (arguments.all || ids.contains(rule.id)) selected.rules.push_back(&rule);
  }
  return selected;
}

/// The one that was named, or that lies here. Of the latter only what it is is remarked on: nobody
/// asked for it.
std::optional<LastReport> last_report(const ExplainArguments& arguments) {
  const bool named = !arguments.report.empty();
  const std::string path = named ? arguments.report : std::string(kDefaultReport);
  std::error_code unknown;
  if (!named && !std::filesystem::is_regular_file(path, unknown)) return std::nullopt;
  try {
    return parse_last_report(read_whole_file(path, "the report"), path);
  } catch (const std::runtime_error& error) {
    if (named) throw usage_error(error.what());
    print_error(fmt::format("{}; it is left aside", error.what()));
    return std::nullopt;
  }
}

std::string explained_text(const ProgramContext& context, const SelectedRules& selected,
                           const std::vector<Explanation>& explanations, const LastReport* report,
                           const Terminal& terminal) {
  if (!selected.in_full) return explanation_list(explanations, report, terminal);
  std::string text;
  for (const Explanation& explanation : explanations) {
    if (!text.empty()) text += "\n\n";
    text += explanation_text(explanation, report, terminal, context.program);
  }
  return text;
}

int explain(const ProgramContext& context, const ExplainArguments& arguments) {
  const Suite& suite = *context.suite;
  const SelectedRules selected = selected_rules(suite, arguments, context.program);
  if (arguments.format == "markdown") {
    if (!arguments.all || !arguments.report.empty()) {
      throw usage_error("--format markdown is the whole contract: it goes with --all alone");
    }
    write_text(STDOUT_FILENO, contract_page(*suite.rules));
    return static_cast<int>(ExitCode::kConformant);
  }
  const std::optional<LastReport> report = last_report(arguments);
  const LastReport* const shown = report ? &*report : nullptr;
  std::vector<Explanation> explanations;
  for (const Rule* rule : selected.rules) {
    explanations.push_back(explain_rule(suite, *rule, shown));
  }
  if (arguments.format == "json") {
    constexpr int kIndent = 2;
    write_text(STDOUT_FILENO, explanation_json(explanations, shown)
                                      .dump(kIndent, ' ', false,
                                            nlohmann::ordered_json::error_handler_t::replace) +
                                  "\n");
  } else {
    const Terminal terminal = describe_terminal(STDOUT_FILENO, arguments.output.color_mode());
    write_text(STDOUT_FILENO, explained_text(context, selected, explanations, shown, terminal));
  }
  return static_cast<int>(ExitCode::kConformant);
}

}  // namespace

Subcommand explain_command(const ProgramContext& context) {
  return {"explain", "Explain rules: why, cases, mutants, state",
          [context](CLI::App& app) -> std::function<int()> {
            const auto arguments = std::make_shared<ExplainArguments>();
            app.add_option("names", arguments->names,
                           "Ids, areas, patterns; or cases and mutants, for their rules")
                ->type_name("RULE");
            app.add_flag("--all", arguments->all, "Every rule");
            app.add_option("--report", arguments->report,
                           "Where states come from (default: ./conformance.json)")
                ->type_name("FILE");
            app.add_option("--format", arguments->format, "text (default), json or markdown")
                ->check(CLI::IsMember({"text", "json", "markdown"}))
                ->type_name("FORMAT");
            arguments->output.add_color_to(app);
            app.footer(kExplainExamples);
            return [context, arguments] { return explain(context, *arguments); };
          }};
}

}  // namespace sandproof::conformance
