// SPDX-License-Identifier: Apache-2.0
// What is to be done, in which order, and which flavor a new worker should serve. A pure structure,
// owned by the supervisor's thread.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/runner/run.h"
#include "conformance/runner/selection.h"

namespace sandproof::conformance::runner {

/// One piece of work: a case, or the check of one capability that is not claimed.
struct Unit {
  /// Null for a refusal.
  const Case* test_case = nullptr;
  Capability capability = Capability::kAttach;
  std::uint64_t seed = 0;
  /// Capped and scaled.
  std::chrono::milliseconds limit{0};
  /// How often it was given to a worker that died before it began.
  int lost_starts = 0;
};

/// A case as it is planned on a flavor.
struct Planned {
  const Case* test_case = nullptr;
  Disposition disposition;
  std::chrono::milliseconds limit{0};
};

/// A flavor of the run with what is left to do on it.
struct Lot {
  const SelectedFlavor* selected = nullptr;
  std::string label;
  std::vector<Planned> planned;
  /// Parallel to SelectedFlavor::others.
  std::vector<Planned> others;
  std::deque<Unit> waiting;
  /// Workers that serve it now.
  int workers = 0;
};

class Schedule {
 public:
  Schedule(const Suite& suite, const RunOptions& options);

  std::vector<Lot>& lots() { return lots_; }
  Lot& lot(std::size_t index) { return lots_[index]; }
  const Lot& lot(std::size_t index) const { return lots_[index]; }
  /// Nothing when the lot has no more to do.
  std::optional<Unit> next(std::size_t lot);
  /// It is the lot's next one again.
  void put_back(std::size_t lot, const Unit& unit) { lots_[lot].waiting.push_front(unit); }
  /// The lot that a new worker should serve: the one with the fewest workers of those that have
  /// more waiting; the first of equals. Nothing when nothing waits.
  std::optional<std::size_t> lot_for_new_worker() const;
  /// Nothing more is handed out.
  void stop();

 private:
  std::vector<Lot> lots_;
};

}  // namespace sandproof::conformance::runner
