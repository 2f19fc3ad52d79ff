// SPDX-License-Identifier: Apache-2.0
// Live progress of mutants; see mutant_progress.h.
#include "conformance/report/mutant_progress.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

namespace sandproof::conformance {
namespace {

using Json = nlohmann::json;

}  // namespace

MutantProgress::MutantProgress(int fd, const Terminal& terminal, Base base)
    : live_(terminal.live), block_(fd, terminal), base_(base) {}

void MutantProgress::take(const Json& event) {
  if (!live_) return;
  try {
    dispatch(event);
  } catch (const std::exception&) {
    // A line of progress less.
  }
}

void MutantProgress::dispatch(const Json& event) {
  const std::string kind = event.at("event");
  now_ms_ = event.value("t_ms", now_ms_);
  if (kind == "run_finished") {
    block_.clear();
    return;
  }
  if (kind == "case_started") {
    auto row = std::find_if(rows_.begin(), rows_.end(),
                            [](const Running& running) { return running.name.empty(); });
    if (row == rows_.end()) row = rows_.insert(rows_.end(), Running{});
    *row = {event.at("flavor"), event.at("case")};
  } else if (kind == "case_finished" || kind == "case_timeout" || kind == "case_crashed") {
    const std::string mutant = event.at("flavor");
    const std::string name = event.at("case");
    for (Running& running : rows_) {
      if (running.mutant == mutant && running.name == name) running = {};
    }
    const bool failed = kind != "case_finished" || event.at("outcome") != "passed";
    if (failed && event.value("fired", 0) > 0) caught_.insert(mutant);
  }
  if (rows_.empty() || now_ms_ - shown_ms_ < kRedrawMs) return;
  block_.draw(lines());
  shown_ms_ = now_ms_;
}

std::vector<std::string> MutantProgress::lines() const {
  std::vector<std::string> lines;
  for (const Running& running : rows_) {
    lines.push_back(running.name.empty() ? std::string("  -")
                                         : fmt::format("  {}: {}", running.mutant, running.name));
  }
  lines.push_back(fmt::format("{} of {} killed, {:.0f} s", base_.killed + caught_.size(),
                              count_text(base_.mutants, "mutant"),
                              (base_.elapsed_ms + now_ms_) / 1000));
  return lines;
}

}  // namespace sandproof::conformance
