// SPDX-License-Identifier: Apache-2.0
// The verdict of a run, and of a flavor, in a few words and one tone, for reports that are looked
// at. Pure; any thread.
#pragma once

#include <array>
#include <cstddef>
#include <string_view>

#include "conformance/report/run_model.h"
#include "conformance/report/terminal.h"

namespace sandproof::conformance {

/// What a reader sees before he reads.
enum class Tone { kGood, kBad, kUnknown };

/// What it looks like in each report.
struct ToneSigns {
  Style style = Style::kPlain;
  /// Of a page: the class in its style, and one character.
  std::string_view css_class;
  std::string_view mark;
  std::string_view emoji;
};
const ToneSigns& signs_of(Tone tone);

struct RunVerdict {
  /// As in conformance.json: "not_conformant".
  std::string_view name;
  /// "not conformant".
  std::string_view words;
  Tone tone = Tone::kUnknown;
};
RunVerdict run_verdict(const RunModel& model);
/// By what the program exits with.
RunVerdict run_verdict(int exit_code);

Tone tone_of(Verdict verdict);
/// "conformant as declared".
std::string_view verdict_words(Verdict verdict);

/// How many rules hold, of those that apply: claimed and observable.
struct RuleTally {
  std::size_t hold = 0;
  std::size_t apply = 0;
};
RuleTally tally_rules(const FlavorResult& flavor);

/// The good ones first: that is what there is most of.
inline constexpr std::array<Outcome, kOutcomeCount> kOutcomesForPeople = {
    Outcome::kPassed,          Outcome::kFailed,         Outcome::kError,        Outcome::kTimeout,
    Outcome::kCrashed,         Outcome::kUnexpectedPass, Outcome::kNotRun,       Outcome::kNoCase,
    Outcome::kExpectedFailure, Outcome::kUnsupported,    Outcome::kNotObservable};

}  // namespace sandproof::conformance
