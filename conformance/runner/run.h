// SPDX-License-Identifier: Apache-2.0
// A run of the suite that always ends: three kinds of processes and one append-only log.
//
//   guard         the process that the user started; waits, forwards signals, renders the reports
//   supervisor    its child; hands out cases, keeps the limits, writes the log
//   workers       the same program again (`worker`), each under a small keeper process; run cases
//
// Whichever of them is killed, the others end its descendants, and `finish` is called with the log
// as far as it got. docs/event-log.md describes the log.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "conformance/known_failure.h"
#include "conformance/runner/suite.h"

namespace sandproof::conformance {

/// The run could not begin (the event log cannot be written, no temporary directory). One sentence.
class RunnerError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Which part of a run in several parts this one is.
struct Shard {
  /// From 1.
  int index = 1;
  int total = 1;
  /// For people and the log: "GTEST_SHARD_INDEX=0, GTEST_TOTAL_SHARDS=3"; empty: the options.
  std::string from;
  /// A filter left cases out before the rest was divided.
  bool filtered = false;
};

/// A case that another part of the run has.
struct OtherCase {
  const Case* test_case = nullptr;
  int shard = 0;
};

/// One flavor of a run, healthy or with one fault: a mutant is a flavor of its own in the log.
struct SelectedFlavor {
  const Binding* binding = nullptr;
  /// Its name in the log; empty: the binding's. Unique in a run.
  std::string label;
  /// The user's config as a JSON object; empty: none. Must have passed the flavor's
  /// SettingsDescription::from_json().
  std::string config_json;
  /// For the log alone: the words of the command line that make this configuration.
  std::vector<std::string> replay;
  /// The mutant to decorate it with; empty: none.
  std::string mutant;
  /// "file:line" of an assertion that is not evaluated; matches a path that ends so.
  std::optional<std::string> left_out_assertion;
  /// An upper bound of every case's limit, before the time scale: a mutant that hangs need not
  /// hang for long.
  std::optional<std::chrono::milliseconds> limit_cap;
  /// The cases to plan, in this order; those that dispose() does not run are logged as planned
  /// with their reason.
  std::vector<const Case*> cases;
  /// For the log alone: those of the other shards.
  std::vector<OtherCase> others;
  /// Check CAP-002 for each capability that the binding does not claim (`refusal` events).
  bool check_refusals = true;
};

struct RunOptions {
  std::vector<SelectedFlavor> flavors;
  /// Workers at once, 1..64.
  int jobs = 1;
  /// Order the cases by `seed`.
  bool shuffle = false;
  std::uint64_t seed = 0;
  /// Scales the limits and CaseContext::bound() and scaled().
  double time_scale = 1;
  /// After the first case that counts against the flavor (it did not pass, is about a MUST, its
  /// rule is no known deviation, and no known failure lists it, whatever its message; with a list
  /// one about a SHOULD counts, too) no more are handed out; the log says interrupted and
  /// failed_fast.
  bool fail_fast = false;
  /// What the reports compare the failures with.
  std::optional<KnownFailureList> known_failures;
  /// For the log alone: a filter or shard left cases out.
  bool filtered = false;
  /// For the log alone (shard.h divides the cases).
  std::optional<Shard> shard;
  /// Created or emptied; empty: a temporary file, removed when `finish` has returned.
  std::filesystem::path event_log;
  /// For the log alone.
  std::vector<std::string> argv;
  /// What a person calls the program: how a replay line begins.
  std::string program;
  std::string version;
  /// Adds `places` ("file:line" of every assertion evaluated) to case_finished.
  bool record_places = false;
  /// Called in the supervisor when the plan is in the log and nothing has run: a log like that of a
  /// run that was killed. May be null. Must not throw.
  std::function<void(const std::filesystem::path& event_log)> planned;
  /// Called in the supervisor, on its only thread, with each event after it was written. May be
  /// null. Must not throw.
  std::function<void(const nlohmann::json&)> progress;
};

/// Runs, then calls `finish` with the log's path and returns what it returns. To be called before
/// the process has any other thread, and by a process without other children: it ends and reaps
/// every descendant that the run leaves. `finish` is called once, in the process that survives: in
/// the caller; or, when the caller was killed, in the supervisor, which then exits with its result.
/// Throws RunnerError before anything runs.
int run_guarded(const Suite& suite, const RunOptions& options,
                const std::function<int(const std::filesystem::path& event_log)>& finish);

/// The hidden subcommands. main() calls it first, before it parses anything: if argv[1] is `worker`
/// or `elsewhere`, this process is a part of somebody's run, and the result is its exit code.
std::optional<int> run_hidden(const Suite& suite, int argc, char** argv);

}  // namespace sandproof::conformance
