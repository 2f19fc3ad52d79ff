// SPDX-License-Identifier: Apache-2.0
// Runs the body of one case to its end, whatever it throws, and takes its surroundings down.
// Owned by the worker's main thread.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/runner/assertion_capture.h"
#include "conformance/runner/assertion_tally.h"
#include "conformance/runner/harness_context.h"
#include "conformance/runner/refusal_check.h"

namespace sandproof::conformance::runner {

struct BodyResult {
  /// "passed", "failed" or "error", as in the event log.
  std::string_view outcome = "passed";
  /// For "error", and for "failed" where something was thrown besides.
  std::string message;
  std::chrono::milliseconds duration{0};
  std::uint64_t assertions = 0;
  std::vector<std::string> places;
  /// How often the assertion that is left out came up.
  std::uint64_t left_out = 0;
};

class BodyRunner {
 public:
  /// `temporary` is the worker's TMPDIR: what a case leaves there it has left behind.
  BodyRunner(const ContextParts& parts, AssertionCapture& capture, AssertionTally& tally,
             std::filesystem::path temporary);

  BodyResult run(const Case& test_case, const std::filesystem::path& directory, std::uint64_t seed);
  /// With the same surroundings. Never throws: what a flavor throws is a refusal that did not hold.
  RefusalResult check(Capability capability, const std::filesystem::path& directory);

 private:
  void begin();
  /// Calls `body` with fresh surroundings and takes them down; the text of what was thrown.
  std::string in_context(const std::filesystem::path& directory, std::uint64_t seed,
                         std::vector<std::string>& left,
                         const std::function<void(HarnessContext&)>& body);
  std::vector<std::string> temporary_leftovers();

  ContextParts parts_;
  AssertionCapture& capture_;
  AssertionTally& tally_;
  std::filesystem::path temporary_;
};

}  // namespace sandproof::conformance::runner
