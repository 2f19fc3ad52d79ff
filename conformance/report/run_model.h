// SPDX-License-Identifier: Apache-2.0
// What a run found out, as values: the rules, and per flavor the cases, the state of every rule and
// the verdict. Computed from the event log and from nothing else; every report is a function of it.
// Pure; any thread.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/report/event_reader.h"
#include "conformance/report/known_failures.h"

namespace sandproof::conformance {

/// How a case ended, or, for a rule, the state it is in (docs/event-log.md). From the worst to the
/// best; kNoCase is a rule's alone.
enum class Outcome {
  kCrashed,
  kTimeout,
  kError,
  kFailed,
  kUnexpectedPass,
  kNotRun,
  kExpectedFailure,
  kPassed,
  kUnsupported,
  kNotObservable,
  kNoCase,
};
inline constexpr std::size_t kOutcomeCount = 11;
/// The name in reports: "expected_failure".
std::string_view to_string(Outcome outcome);
/// For people: "failed as declared".
std::string_view words_of(Outcome outcome);
/// Crashed, timeout, error, failed.
bool is_failure(Outcome outcome);
/// For lists of ids and names.
bool contains(const std::vector<std::string>& list, std::string_view item);

struct RuleInfo {
  std::string id;
  bool must = true;
  std::string sentence;
  std::vector<std::string> capabilities;
  std::optional<std::string> unless;
  std::vector<std::string> needs;

  std::string area() const { return id.substr(0, id.find('-')); }
};

/// A verb that was in progress when a case was ended.
struct Wait {
  std::string verb;
  std::string object;
  std::string file;
  std::int64_t line = 0;
  double for_ms = 0;
  std::string last_bytes;
};

struct FailedAssertion {
  std::string file;
  std::int64_t line = 0;
  std::string message;
  bool fatal = false;
};

struct DeviationInfo {
  std::string rule;
  std::string reason;
  std::string link;
};

struct CaseResult {
  std::string name;
  /// The first is the one that a failure is charged to.
  std::vector<std::string> rules;
  double limit_ms = 0;
  Outcome outcome = Outcome::kNotRun;
  /// Why it is unsupported, not observable or in error; what a refusal did instead.
  std::string reason;
  /// The flavor's declared deviation, or the known failure, that was applied: its reason, and its
  /// link if it has one.
  std::string deviation;
  /// The entry of RunModel::known_failures that was applied.
  std::optional<std::size_t> known_failure;
  /// Of a failure that no entry excuses: what the entry that lists the case expected.
  std::string known_note;
  /// The capability that is not claimed, for unsupported.
  std::string capability;
  std::optional<std::uint64_t> seed;
  bool started = false;
  /// What it took, or after how long it was ended.
  double duration_ms = 0;
  std::int64_t assertions = 0;
  std::vector<FailedAssertion> failures;
  std::vector<std::string> notes;
  std::vector<std::string> leftovers;
  std::vector<Wait> waits;
  /// Of a timeout: no progress rather than the limit.
  bool no_progress = false;
  /// Of a crash: how the worker ended.
  std::string status;
  /// The worker's last lines, where it did not pass.
  std::string stderr_tail;
  /// In runs of a mutant: how often its fault fired.
  std::uint64_t fired = 0;
  /// How often the assertion that is left out came up.
  std::uint64_t left_out = 0;
};

struct RuleResult {
  std::string id;
  bool must = true;
  Outcome state = Outcome::kNoCase;
  std::string reason;
  /// Of an expected failure: an entry of RunModel::known_failures made it one.
  bool known_failure = false;
  /// False where the run's filters left all its cases out: it is not judged.
  bool selected = true;
  /// The cases that name it: indices into FlavorResult::cases.
  std::vector<std::size_t> cases;
};

enum class Verdict { kConformant, kNotConformant, kIncomplete };
/// "conformant", "not_conformant", "incomplete".
std::string_view to_string(Verdict verdict);

using Counts = std::array<std::size_t, kOutcomeCount>;

struct FlavorResult {
  std::string name;
  /// Whose flavor it is: what --flavor takes. The name, but for a mutant.
  std::string binding;
  /// The words that configured it, for a replay line: "--set", "drain_grace=2".
  std::vector<std::string> replay;
  /// Of the run that it comes from, where several were merged.
  std::optional<std::uint64_t> seed;
  std::vector<std::string> capabilities;
  std::map<std::string, std::string> unclaimed;
  std::vector<std::string> provides;
  std::map<std::string, std::string> not_provided;
  std::vector<DeviationInfo> deviations;
  std::vector<CaseResult> cases;
  /// One for each rule of RunModel::rules, in that order.
  std::vector<RuleResult> rules;
  Counts case_counts{};
  /// Of the selected rules.
  Counts rule_counts{};
  Verdict verdict = Verdict::kIncomplete;
  /// SHOULD rules that do not hold.
  std::vector<std::string> warnings;

  const RuleResult* find_rule(std::string_view id) const;
};

/// Which part of a run in several parts: `index` from 1.
struct ShardInfo {
  int index = 1;
  int total = 1;
  /// The variables that said so; empty where an option did.
  std::string from;
};

/// "shard 2 of 3".
std::string to_string(const ShardInfo& shard);

/// One of the runs of which a log was merged, or a shard that was not there.
struct PartInfo {
  /// As its log was called; empty for a missing one.
  std::string name;
  std::vector<std::string> flavors;
  std::optional<ShardInfo> shard;
  /// "finished", "killed" or "missing".
  std::string state;
  std::string started_at;
  double duration_ms = 0;
  std::uint64_t seed = 0;
};

struct RunModel {
  std::string version;
  /// How a replay line begins.
  std::string program = "sandproof";
  /// Where it is not empty: the whole line, whatever the case. Not from the log: set by what runs a
  /// case on behalf of another runner.
  std::string replay_line;
  std::string started_at;
  std::vector<std::string> argv;
  std::uint64_t seed = 0;
  double time_scale = 1;
  std::int64_t jobs = 1;
  bool shuffled = false;
  bool filtered = false;
  bool fail_fast = false;
  std::optional<ShardInfo> shard;
  /// Empty unless the log was merged.
  std::vector<PartInfo> parts;
  std::string mutant;
  /// Of the text of the log (checksum.h).
  std::string log_checksum;
  std::vector<RuleInfo> rules;
  std::vector<FlavorResult> flavors;
  /// Where the run was compared with a list of known failures.
  std::optional<KnownFailuresResult> known_failures;
  /// Of the last event.
  double elapsed_ms = 0;
  bool torn = false;
  bool finished = false;
  bool interrupted = false;
  std::string interrupt_reason;
  /// It was --fail-fast that interrupted it: what was found by then counts.
  bool failed_fast = false;
  bool complete = false;

  const RuleInfo* find_rule(std::string_view id) const;
};

/// Throws EventLogError for a log whose events do not fit together: a key of the wrong type, a case
/// that was never planned.
RunModel build_run_model(const EventLog& log);

/// What the program exits with: 0 conformant as declared, 1 not, 4 nothing selected, 6 incomplete
/// (which wins, since what is not known is not judged, but over the failure that --fail-fast was to
/// stop at). A shard to which nothing fell is 0.
int exit_code_of(const RunModel& model);

}  // namespace sandproof::conformance
