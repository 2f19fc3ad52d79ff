// SPDX-License-Identifier: Apache-2.0
// Another process that knows only the configuration: the same program as `elsewhere`, one request
// as a line of JSON on its input, one answer as a line on its output. Used by HarnessContext; the
// other side is elsewhere_main.cc. Any thread.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

#include "conformance/runner/suite.h"
#include "sandproof/conformance/context.h"

namespace sandproof::conformance::runner {

struct ElsewhereRequest {
  /// "attach", "restore" or "die".
  std::string operation;
  std::string flavor;
  std::string component;
  /// What SettingsDescription::to_json() gives.
  std::string settings_json;
  /// Empty: the healthy flavor.
  std::string mutant;
  std::string session_id;
  std::string snapshot_json;
  std::vector<std::string> argv;
};
std::string to_json_line(const ElsewhereRequest& request);
/// Throws RunnerError.
ElsewhereRequest request_from_json(std::string_view line);

struct ElsewhereAnswer {
  ElsewhereResult result;
  /// How often the mutant's fault has fired there.
  std::uint64_t fired = 0;
};
std::string to_json_line(const ElsewhereAnswer& answer);
/// Throws RunnerError.
ElsewhereAnswer answer_from_json(std::string_view line);

/// Starts the process, asks, and waits for its end, at most `bound`; then it is killed and the
/// outcome is "TimeoutError". A process that ends without an answer gives the outcome "died".
/// Throws RunnerError when it cannot be started.
ElsewhereResult ask_elsewhere(const ElsewhereRequest& request, std::chrono::milliseconds bound,
                              std::uint64_t& fired);

/// The other side: answers the one request on standard input. Returns the exit code.
int elsewhere_main(const Suite& suite);

}  // namespace sandproof::conformance::runner
