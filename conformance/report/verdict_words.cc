// SPDX-License-Identifier: Apache-2.0
// Verdicts in words; see verdict_words.h.
#include "conformance/report/verdict_words.h"

#include "sandproof/conformance/program.h"

namespace sandproof::conformance {

RunVerdict run_verdict(const RunModel& model) { return run_verdict(exit_code_of(model)); }

RunVerdict run_verdict(int exit_code) {
  switch (static_cast<ExitCode>(exit_code)) {
    case ExitCode::kConformant:
      return {"conformant", "conformant as declared", Tone::kGood};
    case ExitCode::kNothingSelected:
      return {"nothing_selected", "nothing was selected", Tone::kUnknown};
    case ExitCode::kIncomplete:
      return {"incomplete", "incomplete", Tone::kUnknown};
    default:
      return {"not_conformant", "not conformant", Tone::kBad};
  }
}

Tone tone_of(Verdict verdict) {
  switch (verdict) {
    case Verdict::kConformant:
      return Tone::kGood;
    case Verdict::kNotConformant:
      return Tone::kBad;
    case Verdict::kIncomplete:
      break;
  }
  return Tone::kUnknown;
}

std::string_view verdict_words(Verdict verdict) {
  switch (verdict) {
    case Verdict::kConformant:
      return "conformant as declared";
    case Verdict::kNotConformant:
      return "not conformant";
    case Verdict::kIncomplete:
      break;
  }
  return "incomplete";
}

RuleTally tally_rules(const FlavorResult& flavor) {
  RuleTally tally;
  for (std::size_t i = 0; i < kOutcomeCount; ++i) {
    const auto state = static_cast<Outcome>(i);
    if (state == Outcome::kUnsupported || state == Outcome::kNotObservable) continue;
    tally.apply += flavor.rule_counts.at(i);
    if (state == Outcome::kPassed) tally.hold += flavor.rule_counts.at(i);
  }
  return tally;
}

}  // namespace sandproof::conformance
