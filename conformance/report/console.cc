// SPDX-License-Identifier: Apache-2.0
// The console report; see console.h.
#include "conformance/report/console.h"

#include <fmt/format.h>

#include <algorithm>

#include "conformance/report/failure_text.h"
#include "conformance/report/findings.h"
#include "conformance/report/matrix.h"
#include "conformance/report/summary.h"

namespace sandproof::conformance {
namespace {

/// More than this nobody reads; the JSON report has them all.
constexpr std::size_t kFailuresShown = 50;

/// Each refusal that did not hold once, with the rules whose cases it is charged to.
std::string refusals_text(const RunModel& model, const Terminal& terminal) {
  std::string text;
  for (const BrokenRefusal& broken : broken_refusals(model)) {
    text += paint(terminal, Style::kBad, broken.rules.front()) +
            fmt::format("  on {}\n", broken.flavor->name);
    text += wrap(printable(broken.reason, false), terminal.width, "    ", "    ");
    text +=
        wrap("so these do not hold: " + join_ids(broken.rules), terminal.width, "    ", "      ");
    text += '\n';
  }
  return text;
}

/// Those that have no case at all stand in the summary.
std::string broken_without_case(const RunModel& model, const Terminal& terminal) {
  std::string text;
  for (const BrokenRule& broken : rules_broken_without_case(model)) {
    if (!is_failure(broken.rule->state)) continue;
    text += paint(terminal, Style::kBad, broken.rule->id) +
            fmt::format("  on {}\n", broken.flavor->name);
    text += wrap(broken.info->sentence, terminal.width, "    ", "    ");
    text += wrap(printable(broken.rule->reason, false), terminal.width, "    ", "      ") + "\n";
  }
  return text;
}

/// The program as it was called, where that was by a path: a line with its name alone could not be
/// pasted into the shell from which it was called. Files have the name, wherever it was.
RunModel with_program_as_called(const RunModel& model) {
  RunModel called = model;
  const std::string_view word = model.argv.empty() ? std::string_view() : model.argv.front();
  if (word.ends_with("/" + model.program)) called.program = word;
  return called;
}

}  // namespace

std::string console_report(const RunModel& given, const Terminal& terminal) {
  const RunModel model = with_program_as_called(given);
  std::string text;
  const std::vector<FailedCase> failures = failed_cases(model);
  if (!failures.empty()) {
    const std::string_view rest =
        failures.size() == 1 ? "did not end as it should" : "did not end as they should";
    text += paint(terminal, Style::kStrong,
                  fmt::format("{} {}", count_text(failures.size(), "case"), rest)) +
            "\n\n";
  }
  const std::vector<FailureGroup> groups = group_failures(failures);
  std::size_t told = 0;
  for (std::size_t i = 0; i < std::min(groups.size(), kFailuresShown); ++i) {
    const FailureGroup& group = groups[i];
    const FailedCase& first = group.front();
    text += group.size() > 1 ? group_text(model, group, terminal)
                             : failure_text(model, *first.flavor, *first.result, terminal);
    text += "\n";
    told += group.size();
  }
  if (failures.size() > told) {
    text +=
        fmt::format("({} more; --report json:FILE has all of them)\n\n", failures.size() - told);
  }
  text += refusals_text(model, terminal) + broken_without_case(model, terminal);
  const std::string matrix = matrix_text(model, terminal);
  if (!matrix.empty()) text += matrix + "\n";
  return text + summary_text(model, terminal);
}

}  // namespace sandproof::conformance
