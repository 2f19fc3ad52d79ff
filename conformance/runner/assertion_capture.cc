// SPDX-License-Identifier: Apache-2.0
// Failures of GoogleTest as events (assertion_capture.h).
#include "conformance/runner/assertion_capture.h"

#include <gmock/gmock.h>

#include <array>
#include <string>

namespace sandproof::conformance::runner {

AssertionCapture::AssertionCapture(EventSink& events)
    : ScopedFakeTestPartResultReporter(INTERCEPT_ALL_THREADS, nullptr), events_(events) {}

void AssertionCapture::begin() {
  failures_ = 0;
  skipped_ = false;
}

void AssertionCapture::ReportTestPartResult(const testing::TestPartResult& result) {
  if (result.skipped()) skipped_ = true;
  if (!result.failed()) return;
  ++failures_;
  const char* const file = result.file_name() == nullptr ? "unknown file" : result.file_name();
  events_.assertion_failed(file, result.line_number(), result.message(), result.fatally_failed());
}

void initialize_googletest() {
  int argc = 1;
  std::string name = "worker";
  std::array<char*, 2> argv{name.data(), nullptr};
  testing::InitGoogleMock(&argc, argv.data());
  GTEST_FLAG_SET(break_on_failure, false);
  GTEST_FLAG_SET(throw_on_failure, false);
}

}  // namespace sandproof::conformance::runner
