// SPDX-License-Identifier: Apache-2.0
// What leave_out_assertion() (assertions.h) counts into. Installed by the worker for its life; with
// none installed nothing is counted and nothing left out. Any thread.
#pragma once

#include <atomic>
#include <cstdint>
#include <mutex>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace sandproof::conformance::runner {

class AssertionTally {
 public:
  /// `evaluated` is counted up. `left_out` is "file:line" or empty. `record_places`: remember them.
  AssertionTally(std::atomic<std::uint64_t>& evaluated, std::string_view left_out,
                 bool record_places);

  /// True: leave it out. It counts all the same: a case whose only assertion is left out still
  /// passes, which is what the experiment is about.
  bool count(const char* file, int line);
  /// The places counted since the last call, as "file:line", in order.
  std::vector<std::string> take_places();
  /// How often the assertion that is left out came up since the last call.
  std::uint64_t take_left_out() { return left_out_.exchange(0); }

 private:
  /// A case has a few dozen; a generated one must not fill the log.
  static constexpr std::size_t kMostPlaces = 1000;

  std::atomic<std::uint64_t>& evaluated_;
  std::string left_out_file_;
  int left_out_line_ = 0;
  std::atomic<std::uint64_t> left_out_{0};
  bool record_places_;
  std::mutex mutex_;
  std::set<std::pair<std::string_view, int>> places_;
};

/// Null removes it. What was installed must outlive every assertion.
void install_assertion_tally(AssertionTally* tally);

}  // namespace sandproof::conformance::runner
