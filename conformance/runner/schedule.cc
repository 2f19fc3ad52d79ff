// SPDX-License-Identifier: Apache-2.0
// Order of work (schedule.h).
#include "conformance/runner/schedule.h"

#include <algorithm>
#include <random>

namespace sandproof::conformance::runner {
namespace {

// A refusal creates a session and does one operation.
constexpr std::chrono::milliseconds kRefusalLimit{20'000};

std::chrono::milliseconds effective_limit(std::chrono::milliseconds limit,
                                          const SelectedFlavor& selected, double time_scale) {
  if (selected.limit_cap) limit = std::min(limit, *selected.limit_cap);
  return std::chrono::duration_cast<std::chrono::milliseconds>(limit * time_scale);
}

// Fisher-Yates with the arithmetic spelled out: std::shuffle may order differently elsewhere, and a
// seed is to mean the same everywhere.
void shuffle(std::deque<Unit>& units, std::mt19937_64& random) {
  for (std::size_t i = units.size(); i > 1; --i) std::swap(units[i - 1], units[random() % i]);
}

Planned make_planned(const Suite& suite, const RunOptions& options, const SelectedFlavor& selected,
                     const Case& test_case) {
  return {&test_case, dispose(suite, test_case, *selected.binding),
          effective_limit(test_case.limit, selected, options.time_scale)};
}

Lot make_lot(const Suite& suite, const RunOptions& options, const SelectedFlavor& selected) {
  Lot lot;
  lot.selected = &selected;
  lot.label = selected.label.empty() ? selected.binding->name() : selected.label;
  for (const Case* test_case : selected.cases) {
    Planned planned = make_planned(suite, options, selected, *test_case);
    if (planned.disposition.kind == DispositionKind::kRun) {
      Unit unit;
      unit.test_case = test_case;
      unit.seed = case_seed(options.seed, test_case->name);
      unit.limit = planned.limit;
      lot.waiting.push_back(unit);
    }
    lot.planned.push_back(std::move(planned));
  }
  for (const OtherCase& other : selected.others) {
    lot.others.push_back(make_planned(suite, options, selected, *other.test_case));
  }
  for (const Capability capability : all_capabilities()) {
    if (!selected.check_refusals || selected.binding->flavor.capabilities.has(capability)) continue;
    Unit unit;
    unit.capability = capability;
    unit.limit = effective_limit(kRefusalLimit, selected, options.time_scale);
    lot.waiting.push_back(unit);
  }
  return lot;
}

}  // namespace

Schedule::Schedule(const Suite& suite, const RunOptions& options) {
  std::mt19937_64 random(options.seed);
  for (const SelectedFlavor& selected : options.flavors) {
    lots_.push_back(make_lot(suite, options, selected));
    if (options.shuffle) shuffle(lots_.back().waiting, random);
  }
}

std::optional<Unit> Schedule::next(std::size_t lot) {
  std::deque<Unit>& waiting = lots_[lot].waiting;
  if (waiting.empty()) return std::nullopt;
  const Unit unit = waiting.front();
  waiting.pop_front();
  return unit;
}

std::optional<std::size_t> Schedule::lot_for_new_worker() const {
  std::optional<std::size_t> best;
  for (std::size_t i = 0; i < lots_.size(); ++i) {
    if (lots_[i].waiting.empty()) continue;
    if (!best || lots_[i].workers < lots_[*best].workers) best = i;
  }
  return best;
}

void Schedule::stop() {
  for (Lot& lot : lots_) lot.waiting.clear();
}

}  // namespace sandproof::conformance::runner
