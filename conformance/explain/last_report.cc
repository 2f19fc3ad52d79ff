// SPDX-License-Identifier: Apache-2.0
// Reading the two things that a run leaves; see last_report.h.
#include "conformance/explain/last_report.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <utility>

#include "conformance/report/event_reader.h"

namespace sandproof::conformance {
namespace {

using ReportJson = nlohmann::json;

/// The format of conformance.json that is read here (docs/report.md).
constexpr int kKnownReportFormat = 1;

[[noreturn]] void refuse(const std::string& name, std::string_view why) {
  throw LastReportError(fmt::format(
      "{} is neither a report of `run --report json:FILE` nor an event log: {}", name, why));
}

Outcome outcome_named(std::string_view word) {
  for (std::size_t i = 0; i < kOutcomeCount; ++i) {
    const auto outcome = static_cast<Outcome>(i);
    if (to_string(outcome) == word) return outcome;
  }
  throw LastReportError(fmt::format("its outcome `{}` is not one that this program knows", word));
}

LastReport from_model(const RunModel& model) {
  LastReport report;
  report.started_at = model.started_at;
  report.complete = model.complete;
  for (const FlavorResult& flavor : model.flavors) {
    ReportedFlavor reported{flavor.name, {}};
    for (const RuleResult& rule : flavor.rules) {
      ReportedRule& row = reported.rules[rule.id];
      row.state = rule.state;
      row.selected = rule.selected;
      row.reason = rule.reason;
      for (const std::size_t index : rule.cases) {
        row.cases.push_back({flavor.cases[index].name, flavor.cases[index].outcome});
      }
    }
    report.flavors.push_back(std::move(reported));
  }
  return report;
}

ReportedFlavor flavor_from(const ReportJson& flavor) {
  std::map<std::string, Outcome, std::less<>> outcomes;
  for (const ReportJson& result : flavor.at("cases")) {
    outcomes[result.at("case")] = outcome_named(result.at("outcome").get_ref<const std::string&>());
  }
  ReportedFlavor reported{flavor.at("flavor"), {}};
  for (const ReportJson& rule : flavor.at("rules")) {
    ReportedRule& row = reported.rules[rule.at("id")];
    row.state = outcome_named(rule.at("state").get_ref<const std::string&>());
    row.selected = rule.value("selected", true);
    row.reason = rule.value("reason", "");
    for (const std::string name : rule.at("cases")) {
      const auto outcome = outcomes.find(name);
      if (outcome != outcomes.end()) row.cases.push_back({name, outcome->second});
    }
  }
  return reported;
}

LastReport from_document(const ReportJson& document) {
  if (document.at("format") != kKnownReportFormat) {
    throw LastReportError(fmt::format("its format is {}, and this program reads format {}",
                                      document.at("format").dump(), kKnownReportFormat));
  }
  LastReport report;
  const ReportJson& run = document.at("run");
  report.started_at = run.value("started_at", "");
  report.complete = run.value("complete", false);
  for (const ReportJson& flavor : document.at("flavors")) {
    report.flavors.push_back(flavor_from(flavor));
  }
  return report;
}

/// An event log is one object per line; a report is one object over many lines, or one that has no
/// "event".
bool is_event_log(std::string_view text) {
  const std::string_view first = text.substr(0, text.find('\n'));
  const ReportJson line = ReportJson::parse(first, nullptr, /*allow_exceptions=*/false);
  return line.is_object() && line.contains("event");
}

}  // namespace

const ReportedRule* ReportedFlavor::find_rule(std::string_view id) const {
  const auto found = rules.find(id);
  return found == rules.end() ? nullptr : &found->second;
}

LastReport parse_last_report(std::string_view text, std::string name) {
  LastReport report;
  try {
    if (is_event_log(text)) {
      report = from_model(build_run_model(parse_event_log(text, name)));
    } else {
      report = from_document(ReportJson::parse(text));
    }
  } catch (const ReportJson::parse_error&) {
    refuse(name, "it is not JSON");
  } catch (const ReportJson::exception&) {
    refuse(name, "keys of docs/report.md are missing");
  } catch (const std::runtime_error& error) {
    refuse(name, error.what());
  }
  report.name = std::move(name);
  return report;
}

}  // namespace sandproof::conformance
