// SPDX-License-Identifier: Apache-2.0
// Writes the badge; see badge_report.h.
#include "conformance/report/badge_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "conformance/report/terminal.h"
#include "conformance/report/verdict_words.h"
#include "sandproof/conformance/program.h"

namespace sandproof::conformance {
namespace {

/// More than this does not fit where badges stand; then all flavors are counted as one.
constexpr std::size_t kMostColumns = 60;

std::string badge_message(const RunModel& model) {
  std::string each;
  RuleTally all;
  for (const FlavorResult& flavor : model.flavors) {
    const RuleTally tally = tally_rules(flavor);
    all.hold += tally.hold;
    all.apply += tally.apply;
    if (!each.empty()) each += ", ";
    each += fmt::format("{} {}/{}", printable(flavor.name, false), tally.hold, tally.apply);
  }
  if (columns_of(each) > kMostColumns) {
    each = fmt::format("{} {}/{}", count_text(model.flavors.size(), "flavor"), all.hold, all.apply);
  }
  return each + " rules";
}

}  // namespace

std::string to_badge_report(const RunModel& model) {
  const auto code = static_cast<ExitCode>(exit_code_of(model));
  const bool excused = model.known_failures && !model.known_failures->entries.empty();
  const bool deviates =
      excused ||
      std::any_of(model.flavors.begin(), model.flavors.end(), [](const FlavorResult& flavor) {
        return !flavor.deviations.empty() || !flavor.warnings.empty();
      });
  std::string message = badge_message(model);
  std::string color = "red";
  if (code == ExitCode::kIncomplete) {
    message = "incomplete";
    color = "orange";
  } else if (code == ExitCode::kNothingSelected) {
    message = "nothing selected";
    color = "lightgrey";
  } else if (code == ExitCode::kConformant) {
    color = deviates ? "green" : "brightgreen";
  } else if (model.known_failures && !model.known_failures->hold()) {
    // The rules alone may look as if all were well.
    message += ", known failures differ";
  }
  const nlohmann::ordered_json badge = {{"schemaVersion", 1},
                                        {"label", "sandproof"},
                                        {"message", message},
                                        {"color", color},
                                        {"isError", code != ExitCode::kConformant}};
  return badge.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

}  // namespace sandproof::conformance
