// SPDX-License-Identifier: Apache-2.0
// Live progress; see live_progress.h.
#include "conformance/report/live_progress.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "conformance/report/run_model.h"
#include "conformance/report/symbols.h"

namespace sandproof::conformance {
namespace {

using Json = nlohmann::json;

/// More failures than this are of one fault, as a rule; the report at the end has them.
constexpr std::size_t kFailuresTold = 20;
/// A log file gets one line this often.
constexpr double kPlainMs = 5000;

std::string text_of(const Json& event, const char* key) {
  const auto found = event.find(key);
  return found != event.end() && found->is_string() ? found->get<std::string>() : std::string();
}

double number_of(const Json& event, const char* key, double otherwise) {
  const auto found = event.find(key);
  return found != event.end() && found->is_number() ? found->get<double>() : otherwise;
}

}  // namespace

LiveProgress::LiveProgress(int fd, const Terminal& terminal)
    : terminal_(terminal), block_(fd, terminal) {}

void LiveProgress::take(const Json& event) {
  try {
    dispatch(event);
  } catch (const std::exception&) {
    // A line of progress less; the reports read the log and say what is wrong with it.
  }
}

void LiveProgress::dispatch(const Json& event) {
  const std::string kind = text_of(event, "event");
  now_ms_ = number_of(event, "t_ms", now_ms_);
  if (kind == "flavor") {
    const std::string flavor = text_of(event, "flavor");
    flavor_columns_ = std::max(flavor_columns_, columns_of(flavor));
    for (const Json& deviation : event.value("deviations", Json::array())) {
      deviations_.insert({flavor, text_of(deviation, "rule")});
    }
  } else if (kind == "known_failure") {
    known_.push_back(known_failure_of(event));
  } else if (kind == "case_planned") {
    if (event.value("disposition", "run") != "run") return;
    ++planned_;
    const Json& rules = event.at("rules");
    rules_[{text_of(event, "flavor"), text_of(event, "case")}] =
        rules.empty() ? std::string() : rules.at(0).get<std::string>();
  } else if (kind == "case_started") {
    start(event);
  } else if (kind == "case_finished" || kind == "case_timeout" || kind == "case_crashed") {
    end(event);
  } else if (kind == "run_finished") {
    block_.clear();
    return;
  }
  show(false);
}

void LiveProgress::start(const Json& event) {
  auto row = std::find_if(rows_.begin(), rows_.end(),
                          [](const Running& running) { return running.name.empty(); });
  if (row == rows_.end()) row = rows_.insert(rows_.end(), Running{});
  *row = {text_of(event, "flavor"), text_of(event, "case"), now_ms_};
}

void LiveProgress::end(const Json& event) {
  const std::string flavor = text_of(event, "flavor");
  const std::string name = text_of(event, "case");
  for (Running& running : rows_) {
    if (running.flavor == flavor && running.name == name) running = {};
  }
  ++ended_;
  const std::string kind = text_of(event, "event");
  if (kind == "case_finished") {
    const std::string outcome = text_of(event, "outcome");
    if (outcome == "passed") return;
    report_failure(event, outcome);
  } else {
    report_failure(event, kind == "case_timeout" ? "hung" : "crashed");
  }
}

void LiveProgress::report_failure(const Json& event, const std::string& how) {
  const std::string flavor = text_of(event, "flavor");
  const std::string name = text_of(event, "case");
  const std::string rule = rules_[{flavor, name}];
  if (deviations_.contains({flavor, rule})) return;
  for (const KnownFailure& entry : known_) {
    if (lists_flavor(entry, flavor) && lists_case(entry, name, rule)) return;
  }
  if (++failed_ > kFailuresTold) {
    if (failed_ == kFailuresTold + 1) {
      block_.print("more failures are only counted here; the report has them\n");
    }
    return show(false);
  }
  const double ms = number_of(event, "duration_ms", number_of(event, "after_ms", 0));
  block_.print(fmt::format("{} {} on {} {} after {}\n", paint(terminal_, Style::kBad, rule), name,
                           flavor, how, duration_text(ms)));
  show(true);
}

void LiveProgress::show(bool now) {
  if (planned_ == 0) return;
  if (terminal_.live) {
    if (!now && now_ms_ - shown_ms_ < kRedrawMs) return;
    block_.draw(lines());
  } else {
    if (now_ms_ - shown_ms_ < kPlainMs) return;
    block_.print(overall() + "\n");
  }
  shown_ms_ = now_ms_;
}

std::string LiveProgress::overall() const {
  std::string text = fmt::format("{} of {}", ended_, count_text(planned_, "case"));
  if (failed_ > 0) text += fmt::format(", {} failed", failed_);
  return fmt::format("{}, {:.0f} s", text, now_ms_ / 1000);
}

std::vector<std::string> LiveProgress::lines() const {
  std::vector<std::string> lines;
  for (const Running& running : rows_) {
    if (running.name.empty()) {
      lines.emplace_back("  -");
      continue;
    }
    const double ms = now_ms_ - running.since_ms;
    // Only what takes long is worth a number that changes.
    lines.push_back(fmt::format("  {} {}{}", pad_to(running.flavor, flavor_columns_), running.name,
                                ms < 1000 ? "" : fmt::format("  {:.0f} s", ms / 1000)));
  }
  lines.push_back(overall());
  return lines;
}

}  // namespace sandproof::conformance
