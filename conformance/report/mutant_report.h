// SPDX-License-Identifier: Apache-2.0
// What became of the mutants: which case killed which, and what is not caught. Values and pure
// functions; any thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/report/run_model.h"
#include "conformance/report/terminal.h"
#include "sandproof/conformance/mutant.h"

namespace sandproof::conformance {

enum class MutantState {
  kKilled,
  kSurvived,       ///< It fired, and every case passed.
  kMisattributed,  ///< Only cases of other rules failed, or one of its own in another way.
  kDidNotFire,     ///< No case gave its fault an opportunity.
  kUnsound,        ///< The case that killed it fails on the healthy flavor, too.
  kNotObservable,  ///< No binding shows its rule.
  kNotRun,         ///< The run ended before it was decided.
};
inline constexpr std::size_t kMutantStateCount = 7;
/// "did_not_fire", for reports; and "did not fire", for people.
std::string_view to_string(MutantState state);
std::string_view words_of(MutantState state);

/// One case that ran under a mutant.
struct MutantCase {
  std::string name;
  std::vector<std::string> rules;
  Outcome outcome = Outcome::kNotRun;
  std::uint64_t fired = 0;
  double duration_ms = 0;
  /// The first line of what it said.
  std::string message;
};

struct MutantResult {
  std::string name;
  std::string rule;
  std::string what;
  std::string bug;
  KilledBy killed_by = KilledBy::kAssertion;
  /// The binding whose flavor it was made from; empty where none shows its rule.
  std::string binding;
  std::vector<MutantCase> cases;
  /// So many cases it has to meet before it may be called anything but killed.
  std::size_t planned_cases = 0;

  // Filled in by classify().
  MutantState state = MutantState::kNotRun;
  std::string killing_case;
  std::string message;
  std::uint64_t fired = 0;
  /// Cases of other rules that failed as well.
  std::vector<std::string> extra_kills;
};

/// Decides the state from the cases, whatever it was before: of a mutant that is not killed, only
/// when all that are planned were met. `failing_healthy`: cases that do not pass on the healthy
/// flavor of the binding.
void classify(MutantResult& mutant, const std::vector<std::string>& failing_healthy);

/// True for a case of the mutant's rule that ended as the mutant is to be killed.
bool kills(const MutantResult& mutant, const MutantCase& result);

struct UncoveredRule {
  std::string id;
  std::string reason;
};

struct MutantReport {
  std::string version;
  std::vector<MutantResult> mutants;
  /// MUST rules that some binding shows and no mutant covers.
  std::vector<UncoveredRule> uncovered;
  /// How often the assertion that is left out came up, in all of the cases.
  std::uint64_t left_out = 0;
  /// "local: KillIsIdempotent": what does not even pass without a fault.
  std::vector<std::string> failing_healthy;
  double elapsed_ms = 0;
  /// A filter left mutants out.
  bool filtered = false;
  /// Why it ended early; empty where it did not.
  std::string interrupted;
};

/// 0 all killed, 1 not all, 4 no mutant selected, 6 ended early. `require_covered`: an uncovered
/// rule is 1, too.
int exit_code_of(const MutantReport& report, bool require_covered);

/// What is wrong first, then the table, then the summary.
std::string mutant_report_text(const MutantReport& report, const Terminal& terminal);
std::string mutant_report_json(const MutantReport& report, bool require_covered);

}  // namespace sandproof::conformance
