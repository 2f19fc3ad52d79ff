// SPDX-License-Identifier: Apache-2.0
// `sandproof list`: the tables that the program is made of, for people and as JSON.
#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>

#include "conformance/explain/table_json.h"
#include "conformance/program/commands.h"
#include "conformance/report/terminal.h"

namespace sandproof::conformance {
namespace {

using OrderedJson = nlohmann::ordered_json;

constexpr const char* kListExamples = R"(Examples:
  sandproof list                  the rules of the contract
  sandproof list cases            the cases with their rules
  sandproof list bindings         the flavors, what they claim, and why not the rest
  sandproof list mutants --json   the faults that the suite has to notice)";

struct ListArguments {
  std::string what = "rules";
  bool json = false;
};

template <typename Range>
std::vector<std::string> listed_names(const Range& range) {
  std::vector<std::string> names;
  for (const auto& item : range) names.emplace_back(to_string(item));
  return names;
}

std::string rules_text(const Suite& suite, const Terminal& terminal) {
  std::string text;
  for (const Rule& rule : *suite.rules) {
    const std::string first =
        fmt::format("{:<12} {} ", rule.id, rule.level == Level::kMust ? "M" : "S");
    std::string sentence;
    for (const Capability capability : rule.capabilities) {
      sentence += fmt::format("[{}] ", to_string(capability));
    }
    text +=
        wrap(sentence.append(rule.sentence), terminal.width, first, std::string(first.size(), ' '));
  }
  return text;
}

std::string cases_text(const Suite& suite) {
  std::size_t columns = 0;
  for (const Case& test_case : *suite.cases) columns = std::max(columns, test_case.name.size());
  std::string text;
  for (const Case& test_case : *suite.cases) {
    text +=
        fmt::format("{}  {}\n", pad_to(test_case.name, columns), fmt::join(test_case.rules, ", "));
  }
  return text;
}

std::string bindings_text(const Suite& suite, const Terminal& terminal) {
  std::string text;
  for (const Binding& binding : suite.bindings) {
    text += paint(terminal, Style::kStrong, binding.name()) +
            (binding.test_only ? " (test-only: runs where --flavor names it)\n" : "\n");
    text += wrap(
        fmt::format("claims {}", fmt::join(listed_names(binding.flavor.capabilities.list()), ", ")),
        terminal.width, "  ", "    ");
    for (const auto& [capability, reason] : binding.unclaimed) {
      text += wrap(fmt::format("not {}: {}", to_string(capability), reason), terminal.width, "  ",
                   "    ");
    }
    text += wrap(fmt::format("shows {}", fmt::join(listed_names(binding.provides), ", ")),
                 terminal.width, "  ", "    ");
    for (const auto& [need, reason] : binding.not_provided) {
      text += wrap(fmt::format("does not show {}: {}", to_string(need), reason), terminal.width,
                   "  ", "    ");
    }
    text += wrap(fmt::format("settings: {}",
                             [&binding] {
                               std::string names;
                               for (const SettingField& field : binding.flavor.settings.fields()) {
                                 names += (names.empty() ? "" : ", ") + field.name;
                               }
                               return names;
                             }()),
                 terminal.width, "  ", "    ");
    for (const Deviation& deviation : binding.deviations) {
      text +=
          wrap(fmt::format("breaks {}: {} {}", deviation.rule, deviation.reason, deviation.link),
               terminal.width, "  ", "    ");
    }
  }
  return text;
}

std::string mutants_text(const Suite& suite, const Terminal& terminal) {
  std::string text;
  for (const Mutant& mutant : *suite.mutants) {
    text += fmt::format("{:<12} {}\n", mutant.rule, mutant.name);
    text += wrap(mutant.what, terminal.width, std::string(13, ' '), std::string(13, ' '));
  }
  return text;
}

template <typename Row, typename Function>
OrderedJson table(const std::vector<Row>& rows, Function to_json_row) {
  OrderedJson list = OrderedJson::array();
  for (const Row& row : rows) list.push_back(to_json_row(row));
  return list;
}

int list(const Suite& suite, const ListArguments& arguments) {
  const Terminal terminal = describe_terminal(STDOUT_FILENO, ColorMode::kAuto);
  const std::string& what = arguments.what;
  std::string text;
  if (arguments.json) {
    const OrderedJson rows = what == "rules"      ? table(*suite.rules, rule_row_json)
                             : what == "cases"    ? table(*suite.cases, case_row_json)
                             : what == "bindings" ? table(suite.bindings, binding_row_json)
                                                  : table(*suite.mutants, mutant_row_json);
    constexpr int kIndent = 2;
    text =
        OrderedJson{{what, rows}}.dump(kIndent, ' ', false, OrderedJson::error_handler_t::replace) +
        "\n";
  } else {
    text = what == "rules"      ? rules_text(suite, terminal)
           : what == "cases"    ? cases_text(suite)
           : what == "bindings" ? bindings_text(suite, terminal)
                                : mutants_text(suite, terminal);
  }
  write_text(STDOUT_FILENO, text);
  return static_cast<int>(ExitCode::kConformant);
}

}  // namespace

Subcommand list_command(const ProgramContext& context) {
  return {"list", "List rules, cases, bindings or mutants",
          [context](CLI::App& app) -> std::function<int()> {
            const auto arguments = std::make_shared<ListArguments>();
            app.add_option("what", arguments->what, "rules (default), cases, bindings or mutants")
                ->check(CLI::IsMember({"rules", "cases", "bindings", "mutants"}))
                ->type_name("TABLE");
            app.add_flag("--json", arguments->json, "As one JSON object, for programs");
            app.footer(kListExamples);
            return [context, arguments] { return list(*context.suite, *arguments); };
          }};
}

}  // namespace sandproof::conformance
