// SPDX-License-Identifier: Apache-2.0
// The summary; see summary.h.
#include "conformance/report/summary.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

#include "conformance/report/known_failures_text.h"
#include "conformance/report/verdict_words.h"

namespace sandproof::conformance {
namespace {

std::size_t count_of(const Counts& counts, Outcome outcome) {
  return counts.at(static_cast<std::size_t>(outcome));
}

/// Of a run that was stopped only what failed: the rest is not known.
std::vector<std::string> broken_musts(const FlavorResult& flavor, bool complete) {
  std::vector<std::string> ids;
  for (const RuleResult& rule : flavor.rules) {
    const bool broken =
        rule.state <= Outcome::kUnexpectedPass ||
        (complete && (rule.state == Outcome::kNotRun || rule.state == Outcome::kNoCase));
    if (rule.selected && rule.must && broken) ids.push_back(rule.id);
  }
  return ids;
}

/// "2 declared deviations and 1 known failure".
std::string exceptions_text(const FlavorResult& flavor) {
  std::size_t known = 0;
  for (const RuleResult& rule : flavor.rules) {
    if (rule.selected && rule.state == Outcome::kExpectedFailure && rule.known_failure) ++known;
  }
  const std::size_t declared = count_of(flavor.rule_counts, Outcome::kExpectedFailure) - known;
  std::string text;
  if (declared > 0) text = count_text(declared, "declared deviation");
  if (known > 0) text += (text.empty() ? "" : " and ") + count_text(known, "known failure");
  return text;
}

std::string groups_text(const FlavorResult& flavor, Outcome state, const Terminal& terminal) {
  std::string text;
  const std::string repeated = flavor.name + " does not claim ";
  for (const auto& [reason, ids] : group_by_reason(flavor, state)) {
    const std::string said = reason.starts_with(repeated) ? reason.substr(repeated.size()) : reason;
    const std::string why = said.empty() ? "" : fmt::format(" ({})", printable(said, false));
    text += wrap(fmt::format("{}{}: {}", words_of(state), why, join_ids(ids)), terminal.width, "  ",
                 "    ");
  }
  return text;
}

std::vector<std::string> cases_not_run(const FlavorResult& flavor) {
  std::vector<std::string> names;
  for (const CaseResult& result : flavor.cases) {
    if (result.outcome == Outcome::kNotRun) names.push_back(result.name);
  }
  return names;
}

/// " --fail-fast: KillEndsACommand did not pass on local; 21 of 25 cases not run."
std::string left_out_text(const RunModel& model, const FlavorResult& flavor) {
  if (model.complete) return {};
  return fmt::format(" {}; {} of {} not run.", printable(why_incomplete(model), false),
                     count_of(flavor.case_counts, Outcome::kNotRun),
                     count_text(flavor.cases.size(), "case"));
}

/// Of a run that was stopped: which cases, as many as a person reads.
std::string not_run_text(const RunModel& model, const FlavorResult& flavor,
                         const Terminal& terminal) {
  constexpr std::size_t kMostNames = 12;
  if (model.complete) return {};
  std::vector<std::string> names = cases_not_run(flavor);
  if (names.empty()) return {};
  const std::size_t more = names.size() - std::min(names.size(), kMostNames);
  names.resize(names.size() - more);
  std::string text = fmt::format("not run: {}", fmt::join(names, ", "));
  if (more > 0) text += fmt::format(" and {} more (--report json:FILE has all)", more);
  return wrap(text, terminal.width, "  ", "    ");
}

std::string warnings_text(const FlavorResult& flavor, const Terminal& terminal) {
  if (flavor.warnings.empty()) return {};
  const std::string text =
      wrap(fmt::format("{} (SHOULD): {}", count_text(flavor.warnings.size(), "warning"),
                       join_ids(flavor.warnings)),
           terminal.width, "  ", "    ");
  return paint(terminal, Style::kWarning, text);
}

std::size_t logs_merged(const RunModel& model) {
  return static_cast<std::size_t>(
      std::count_if(model.parts.begin(), model.parts.end(),
                    [](const PartInfo& part) { return part.state != "missing"; }));
}

/// Merged runs have one seed for each flavor, which the replay lines know.
std::string seed_text(const RunModel& model) {
  const bool several =
      std::any_of(model.parts.begin(), model.parts.end(), [&model](const PartInfo& part) {
        // One that was killed before it wrote anything had none that is known.
        const bool known = part.state != "missing" && !part.started_at.empty();
        return known && part.seed != model.seed;
      });
  return several ? "several seeds" : fmt::format("seed {}", model.seed);
}

}  // namespace

std::string counts_sentence(const Counts& counts) {
  std::string text;
  for (const Outcome outcome : kOutcomesForPeople) {
    const std::size_t count = count_of(counts, outcome);
    if (count == 0) continue;
    if (!text.empty()) text += ", ";
    text += fmt::format("{} {}", count, words_of(outcome));
  }
  return text.empty() ? "none" : text;
}

std::string why_incomplete(const RunModel& model) {
  if (!model.interrupt_reason.empty()) return model.interrupt_reason;
  if (model.interrupted) return "the run was interrupted";
  if (!model.finished) return "the run was killed before its end";
  return "cases were left without an end";
}

ReasonGroups group_by_reason(const FlavorResult& flavor, Outcome state) {
  ReasonGroups groups;
  for (const RuleResult& rule : flavor.rules) {
    if (!rule.selected || rule.state != state) continue;
    const auto found = std::find_if(groups.begin(), groups.end(), [&rule](const auto& group) {
      return group.first == rule.reason;
    });
    if (found == groups.end()) {
      groups.push_back({rule.reason, {rule.id}});
    } else {
      found->second.push_back(rule.id);
    }
  }
  return groups;
}

std::size_t cases_that_ran(const RunModel& model) {
  std::size_t ran = 0;
  for (const FlavorResult& flavor : model.flavors) {
    ran += static_cast<std::size_t>(
        std::count_if(flavor.cases.begin(), flavor.cases.end(),
                      [](const CaseResult& result) { return result.started; }));
  }
  return ran;
}

std::string run_line(const RunModel& model) {
  std::string text =
      fmt::format("{} in {}, {}, {}", count_text(cases_that_ran(model), "case"),
                  duration_text(model.elapsed_ms),
                  count_text(static_cast<std::size_t>(model.jobs), "job"), seed_text(model));
  if (model.shuffled) text += ", shuffled";
  if (model.shard) {
    text += ", " + to_string(*model.shard);
  } else if (model.filtered) {
    text += ", a part of the suite";
  }
  if (!model.parts.empty()) text += ", merged of " + count_text(logs_merged(model), "log");
  if (model.time_scale != 1) text += fmt::format(", time scale {:g}", model.time_scale);
  return text + ".";
}

std::string join_ids(const std::vector<std::string>& ids) {
  const auto area = [](const std::string& id) { return id.substr(0, id.find('-')); };
  const auto digits = [](const std::string& id) { return id.substr(id.find('-') + 1); };
  const auto number = [&digits](const std::string& id) {
    return std::strtol(digits(id).c_str(), nullptr, 10);
  };
  std::string text;
  for (std::size_t i = 0; i < ids.size();) {
    std::size_t last = i;
    while (last + 1 < ids.size() && area(ids[last + 1]) == area(ids[i]) &&
           number(ids[last + 1]) == number(ids[last]) + 1) {
      ++last;
    }
    // Two neighbours read better as two.
    if (last == i + 1) last = i;
    if (!text.empty()) text += ", ";
    text += ids[i];
    if (last > i) text += " to " + digits(ids[last]);
    i = last + 1;
  }
  return text;
}

std::string verdict_sentence(const RunModel& model, const FlavorResult& flavor) {
  const std::vector<std::string> broken = broken_musts(flavor, model.complete);
  if (model.shard && model.complete && flavor.cases.empty()) {
    return fmt::format("{}: no case of it is in {}.", flavor.name, to_string(*model.shard));
  }
  switch (flavor.verdict) {
    case Verdict::kConformant: {
      const std::string exceptions = exceptions_text(flavor);
      return fmt::format("{}: conformant as declared{}{}.", flavor.name,
                         exceptions.empty() ? "" : ", with ", exceptions);
    }
    case Verdict::kNotConformant:
      return fmt::format("{}: not conformant: {} not hold ({}).", flavor.name,
                         broken.size() == 1 ? "1 MUST rule does"
                                            : fmt::format("{} MUST rules do", broken.size()),
                         join_ids(broken)) +
             left_out_text(model, flavor);
    case Verdict::kIncomplete:
      break;
  }
  return fmt::format("{}: incomplete:{}", flavor.name, left_out_text(model, flavor));
}

std::string summary_text(const RunModel& model, const Terminal& terminal) {
  std::string text;
  if (model.flavors.empty() && !model.complete) {
    const std::string why = printable(why_incomplete(model), false);
    text += paint(terminal, signs_of(Tone::kUnknown).style,
                  wrap(fmt::format("Incomplete: {}.", why), terminal.width, "", "  "));
    text += '\n';
  }
  for (const FlavorResult& flavor : model.flavors) {
    const std::string sentence = wrap(verdict_sentence(model, flavor), terminal.width, "", "  ");
    text += paint(terminal, signs_of(tone_of(flavor.verdict)).style, sentence);
    text += wrap("rules: " + counts_sentence(flavor.rule_counts), terminal.width, "  ", "    ");
    text += wrap("cases: " + counts_sentence(flavor.case_counts), terminal.width, "  ", "    ");
    text += not_run_text(model, flavor, terminal);
    text += groups_text(flavor, Outcome::kNoCase, terminal);
    text += groups_text(flavor, Outcome::kExpectedFailure, terminal);
    text += groups_text(flavor, Outcome::kUnsupported, terminal);
    text += groups_text(flavor, Outcome::kNotObservable, terminal);
    text += warnings_text(flavor, terminal);
    text += '\n';
  }
  text += known_failures_text(model, terminal);
  return text + paint(terminal, Style::kDim, wrap(run_line(model), terminal.width, "", "  "));
}

}  // namespace sandproof::conformance
