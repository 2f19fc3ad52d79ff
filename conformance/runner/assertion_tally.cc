// SPDX-License-Identifier: Apache-2.0
// Counting assertions (assertion_tally.h), and the function that their macros call (assertions.h).
// The installed tally is the one piece of state.
#include "conformance/runner/assertion_tally.h"

#include <charconv>

#include "sandproof/conformance/assertions.h"

namespace sandproof::conformance::runner {
namespace {

std::atomic<AssertionTally*> installed{nullptr};

// `path` is `end`, or ends in "/" and `end`.
bool ends_in(std::string_view path, std::string_view end) {
  if (!path.ends_with(end)) return false;
  return path.size() == end.size() || path[path.size() - end.size() - 1] == '/';
}

}  // namespace

AssertionTally::AssertionTally(std::atomic<std::uint64_t>& evaluated, std::string_view left_out,
                               bool record_places)
    : evaluated_(evaluated), record_places_(record_places) {
  const std::size_t colon = left_out.rfind(':');
  if (colon == std::string_view::npos) return;
  left_out_file_ = left_out.substr(0, colon);
  const std::string_view line = left_out.substr(colon + 1);
  std::from_chars(line.data(), line.data() + line.size(), left_out_line_);
}

bool AssertionTally::count(const char* file, int line) {
  evaluated_.fetch_add(1, std::memory_order_relaxed);
  if (record_places_) {
    const std::lock_guard lock(mutex_);
    if (places_.size() < kMostPlaces) places_.emplace(file, line);
  }
  if (line != left_out_line_ || !ends_in(file, left_out_file_)) return false;
  ++left_out_;
  return true;
}

std::vector<std::string> AssertionTally::take_places() {
  const std::lock_guard lock(mutex_);
  std::vector<std::string> places;
  places.reserve(places_.size());
  for (const auto& [file, line] : places_) {
    places.push_back(std::string(file) + ":" + std::to_string(line));
  }
  places_.clear();
  return places;
}

void install_assertion_tally(AssertionTally* tally) {
  installed.store(tally, std::memory_order_release);
}

}  // namespace sandproof::conformance::runner

namespace sandproof::conformance {

bool leave_out_assertion(const char* file, int line) {
  runner::AssertionTally* const tally = runner::installed.load(std::memory_order_acquire);
  return tally != nullptr && tally->count(file, line);
}

}  // namespace sandproof::conformance
