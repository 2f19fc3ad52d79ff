// SPDX-License-Identifier: Apache-2.0
// Turns GoogleTest's failures into events while they happen, from whatever thread they come: the
// worker runs bodies without GoogleTest's own runner, which can neither be resumed after a crash
// nor end a hang. Installed once, for the worker's life.
#pragma once

#include <gtest/gtest-spi.h>
#include <gtest/gtest.h>

#include <atomic>
#include <cstdint>

#include "conformance/runner/event_sink.h"

namespace sandproof::conformance::runner {

class AssertionCapture : public testing::ScopedFakeTestPartResultReporter {
 public:
  explicit AssertionCapture(EventSink& events);

  void begin();
  /// Since begin().
  std::uint64_t failures() const { return failures_; }
  /// A case called GTEST_SKIP(), which no case may.
  bool skipped() const { return skipped_; }

  void ReportTestPartResult(const testing::TestPartResult& result) override;

 private:
  EventSink& events_;
  std::atomic<std::uint64_t> failures_{0};
  std::atomic<bool> skipped_{false};
};

/// Initialises GoogleTest without arguments and with every flag that would end the process, or
/// throw, on a failure turned off, whatever GTEST_… variables the environment holds.
void initialize_googletest();

}  // namespace sandproof::conformance::runner
