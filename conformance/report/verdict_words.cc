// SPDX-License-Identifier: Apache-2.0
// Verdicts in words; see verdict_words.h.
#include "conformance/report/verdict_words.h"

#include "sandproof/conformance/program.h"

namespace sandproof::conformance {
namespace {

/// In the order of Tone.
constexpr std::array<ToneSigns, 3> kToneSigns = {{
    {Style::kGood, "good", "✓", "✅"},
    {Style::kBad, "bad", "✗", "❌"},
    {Style::kWarning, "unknown", "?", "⚠️"},
}};

struct VerdictLook {
  std::string_view words;
  Tone tone;
};

/// In the order of Verdict.
constexpr std::array<VerdictLook, 3> kVerdictLooks = {{
    {"conformant as declared", Tone::kGood},
    {"not conformant", Tone::kBad},
    {"incomplete", Tone::kUnknown},
}};

const VerdictLook& look_of(Verdict verdict) {
  return kVerdictLooks.at(static_cast<std::size_t>(verdict));
}

}  // namespace

const ToneSigns& signs_of(Tone tone) { return kToneSigns.at(static_cast<std::size_t>(tone)); }

Tone tone_of(Verdict verdict) { return look_of(verdict).tone; }

std::string_view verdict_words(Verdict verdict) { return look_of(verdict).words; }

RunVerdict run_verdict(const RunModel& model) { return run_verdict(exit_code_of(model)); }

RunVerdict run_verdict(int exit_code) {
  const auto code = static_cast<ExitCode>(exit_code);
  // Of a run alone: a flavor has cases or is not in it.
  if (code == ExitCode::kNothingSelected) {
    return {"nothing_selected", "nothing was selected", Tone::kUnknown};
  }
  const Verdict verdict = code == ExitCode::kConformant   ? Verdict::kConformant
                          : code == ExitCode::kIncomplete ? Verdict::kIncomplete
                                                          : Verdict::kNotConformant;
  return {to_string(verdict), verdict_words(verdict), tone_of(verdict)};
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
