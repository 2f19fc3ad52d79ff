// SPDX-License-Identifier: Apache-2.0
// States of rules and verdicts; see rule_states.h and docs/event-log.md.
#include "conformance/report/rule_states.h"

#include <fmt/format.h>

#include <algorithm>

namespace sandproof::conformance {
namespace {

/// "An operation whose capability is not claimed throws UnsupportedError": what refusals show.
constexpr std::string_view kRefusalRule = "CAP-002";

const Refusal* find_refusal(const std::vector<Refusal>& refusals, std::string_view flavor,
                            std::string_view capability) {
  const auto found = std::find_if(refusals.begin(), refusals.end(), [&](const Refusal& refusal) {
    return refusal.flavor == flavor && refusal.capability == capability;
  });
  return found == refusals.end() ? nullptr : &*found;
}

void check_rules_known(const RunModel& model) {
  for (const FlavorResult& flavor : model.flavors) {
    for (const CaseResult& result : flavor.cases) {
      if (result.rules.empty()) {
        throw EventLogError(fmt::format("the case '{}' names no rule", result.name));
      }
      for (const std::string& id : result.rules) {
        if (model.find_rule(id) != nullptr) continue;
        throw EventLogError(fmt::format(
            "the case '{}' names the rule '{}', which is not in the log", result.name, id));
      }
    }
  }
}

/// What is not claimed counts as unsupported only where its operation was really refused.
void apply_refusals(FlavorResult& flavor, const std::vector<Refusal>& refusals) {
  for (CaseResult& result : flavor.cases) {
    if (result.outcome != Outcome::kUnsupported) continue;
    const Refusal* refusal = find_refusal(refusals, flavor.name, result.capability);
    if (refusal == nullptr) {
      result.outcome = Outcome::kNotRun;
      result.reason =
          fmt::format("`{}` is not claimed, but its refusal was not checked", result.capability);
    } else if (!refusal->held) {
      result.outcome = Outcome::kFailed;
      result.reason = fmt::format("`{}` is not claimed, and was not refused as CAP-002 asks: {}",
                                  result.capability, refusal->message);
    }
  }
}

/// A deviation is of a rule: one failing case of it is what was declared; that all pass is not.
void apply_deviation(FlavorResult& flavor, const DeviationInfo& deviation) {
  std::vector<CaseResult*> charged;
  for (CaseResult& result : flavor.cases) {
    if (result.rules.front() == deviation.rule && result.outcome <= Outcome::kPassed) {
      charged.push_back(&result);
    }
  }
  const std::string text = deviation.link.empty()
                               ? deviation.reason
                               : fmt::format("{} ({})", deviation.reason, deviation.link);
  const auto has = [&charged](auto predicate) {
    return std::any_of(charged.begin(), charged.end(), predicate);
  };
  const bool fails = has([](const CaseResult* c) { return is_failure(c->outcome); });
  const bool unknown = has([](const CaseResult* c) { return c->outcome == Outcome::kNotRun; });
  for (CaseResult* result : charged) {
    if (is_failure(result->outcome)) {
      result->outcome = Outcome::kExpectedFailure;
      result->deviation = text;
    } else if (result->outcome == Outcome::kPassed && !fails && !unknown) {
      result->outcome = Outcome::kUnexpectedPass;
      result->deviation = text;
    }
  }
}

/// The state of a rule for which nothing was planned: what the declaration alone says, in the words
/// of the runner's dispose(), so that reasons can be grouped.
void state_from_declaration(RuleResult& rule, const RuleInfo& info, const FlavorResult& flavor,
                            const std::vector<Refusal>& refusals) {
  for (const std::string& capability : info.capabilities) {
    if (contains(flavor.capabilities, capability)) continue;
    const Refusal* refusal = find_refusal(refusals, flavor.name, capability);
    rule.state = refusal == nullptr       ? Outcome::kNotRun
                 : refusal->held          ? Outcome::kUnsupported
                 : refusal->known_failure ? Outcome::kExpectedFailure
                                          : Outcome::kFailed;
    rule.known_failure = rule.state == Outcome::kExpectedFailure;
    const auto reason = flavor.unclaimed.find(capability);
    rule.reason = fmt::format("{} does not claim `{}`", flavor.name, capability);
    if (reason != flavor.unclaimed.end()) rule.reason += ": " + reason->second;
    return;
  }
  if (info.unless && contains(flavor.capabilities, *info.unless)) {
    rule.state = Outcome::kNotObservable;
    rule.reason = fmt::format("applies where `{}` is not claimed", *info.unless);
    return;
  }
  for (const std::string& need : info.needs) {
    if (contains(flavor.provides, need)) continue;
    const auto reason = flavor.not_provided.find(need);
    rule.state = Outcome::kNotObservable;
    rule.reason = fmt::format("needs {}", need);
    if (reason != flavor.not_provided.end()) rule.reason += ": " + reason->second;
    return;
  }
  rule.state = Outcome::kNoCase;
  rule.reason = "the suite has no case for it";
}

/// The worst of its cases that ran; where none did, why.
void state_from_cases(RuleResult& rule, const FlavorResult& flavor) {
  rule.state = Outcome::kNoCase;
  for (const std::size_t index : rule.cases) {
    const CaseResult& result = flavor.cases[index];
    if (result.outcome >= rule.state) continue;
    rule.state = result.outcome;
    rule.reason = result.deviation.empty() ? result.reason : result.deviation;
    rule.known_failure = result.known_failure.has_value();
  }
}

/// Refusals are assertions about CAP-002, whether or not the suite has a case of it as well.
void add_refusals(RuleResult& rule, const FlavorResult& flavor, bool filtered,
                  const std::vector<Refusal>& refusals) {
  bool any = false;
  for (const Refusal& refusal : refusals) {
    if (refusal.flavor != flavor.name) continue;
    any = true;
    const Outcome state = refusal.known_failure ? Outcome::kExpectedFailure : Outcome::kFailed;
    // That no case of it was selected is no state of its own.
    if (refusal.held || (rule.selected && rule.state <= state)) continue;
    rule.state = state;
    rule.reason = refusal.known_failure
                      ? refusal.excuse
                      : fmt::format("`{}`: {}", refusal.capability, refusal.message);
    rule.known_failure = refusal.known_failure.has_value();
    rule.selected = true;
  }
  const bool broken = rule.state == Outcome::kFailed || rule.state == Outcome::kExpectedFailure;
  if (!rule.cases.empty() || filtered || broken) return;
  rule.state = any ? Outcome::kPassed : Outcome::kNotObservable;
  rule.reason = any ? "" : "every capability is claimed";
}

void state_rules(FlavorResult& flavor, const RunModel& model,
                 const std::vector<Refusal>& refusals) {
  for (const RuleInfo& info : model.rules) {
    RuleResult rule;
    rule.id = info.id;
    rule.must = info.must;
    for (std::size_t i = 0; i < flavor.cases.size(); ++i) {
      if (contains(flavor.cases[i].rules, info.id)) rule.cases.push_back(i);
    }
    if (!rule.cases.empty()) {
      state_from_cases(rule, flavor);
    } else if (model.filtered) {
      rule.selected = false;
      rule.state = Outcome::kNotRun;
      rule.reason = "no case of it was selected";
    } else {
      state_from_declaration(rule, info, flavor, refusals);
    }
    if (rule.id == kRefusalRule) add_refusals(rule, flavor, model.filtered, refusals);
    flavor.rules.push_back(std::move(rule));
  }
}

bool holds_as_declared(Outcome state) {
  return state == Outcome::kPassed || state == Outcome::kExpectedFailure ||
         state == Outcome::kUnsupported || state == Outcome::kNotObservable;
}

/// Of a run that was stopped nothing is known but what failed.
bool is_broken(Outcome state, bool complete) {
  if (complete) return !holds_as_declared(state);
  return is_failure(state) || state == Outcome::kUnexpectedPass;
}

void count_and_judge(FlavorResult& flavor, const RunModel& model) {
  for (const CaseResult& result : flavor.cases) {
    ++flavor.case_counts.at(static_cast<std::size_t>(result.outcome));
  }
  bool conformant = true;
  for (const RuleResult& rule : flavor.rules) {
    if (!rule.selected) continue;
    ++flavor.rule_counts.at(static_cast<std::size_t>(rule.state));
    if (!is_broken(rule.state, model.complete)) continue;
    if (rule.must) {
      conformant = false;
    } else {
      flavor.warnings.push_back(rule.id);
    }
  }
  const bool judged = model.complete || (model.failed_fast && !conformant);
  flavor.verdict = !judged      ? Verdict::kIncomplete
                   : conformant ? Verdict::kConformant
                                : Verdict::kNotConformant;
}

bool everything_ended(const RunModel& model) {
  return std::all_of(model.flavors.begin(), model.flavors.end(), [](const FlavorResult& flavor) {
    return std::none_of(flavor.cases.begin(), flavor.cases.end(), [](const CaseResult& result) {
      return result.outcome == Outcome::kNotRun;
    });
  });
}

/// What --fail-fast left out says so, each.
void give_reasons(RunModel& model) {
  if (!model.failed_fast) return;
  for (FlavorResult& flavor : model.flavors) {
    for (CaseResult& result : flavor.cases) {
      if (result.outcome == Outcome::kNotRun && !result.started) {
        result.reason = model.interrupt_reason;
      }
    }
  }
}

}  // namespace

void judge(RunModel& model, std::vector<Refusal> refusals) {
  check_rules_known(model);
  model.complete = model.finished && everything_ended(model);
  for (FlavorResult& flavor : model.flavors) {
    apply_refusals(flavor, refusals);
    for (const DeviationInfo& deviation : flavor.deviations) apply_deviation(flavor, deviation);
  }
  give_reasons(model);
  compare_known_failures(model, refusals);
  for (FlavorResult& flavor : model.flavors) {
    state_rules(flavor, model, refusals);
    count_and_judge(flavor, model);
  }
}

}  // namespace sandproof::conformance
