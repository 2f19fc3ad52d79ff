// SPDX-License-Identifier: Apache-2.0
// A case against its outcome; see verify_case.h. What each outcome brings with it is written by
// model_builder.cc.
#include "conformance/report/verify_case.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "conformance/report/run_model.h"

namespace sandproof::conformance {
namespace {

using CaseJson = nlohmann::json;

class CaseCheck {
 public:
  CaseCheck(const CaseJson& row, const CaseJson& flavor)
      : row_(row), flavor_(flavor), outcome_(row.at("outcome").get<std::string>()) {}

  std::vector<std::string> run() {
    if (is(Outcome::kPassed) || is(Outcome::kUnexpectedPass)) check_passed();
    if (is(Outcome::kFailed)) {
      expect(!row_.at("failures").empty() || !text("reason").empty(), "no failure");
    }
    if (is(Outcome::kTimeout)) expect(row_.contains("timeout"), "no limit that it ran into");
    if (is(Outcome::kCrashed)) expect(!text("status").empty(), "no status of a crash");
    if (is(Outcome::kUnsupported)) check_unsupported();
    if (is(Outcome::kNotObservable)) {
      expect(!text("reason").empty(), "no reason");
      expect(row_.at("seed").is_null(), "a seed, as if it had run");
    }
    check_deviation();
    return std::move(findings_);
  }

 private:
  bool is(Outcome outcome) const { return outcome_ == to_string(outcome); }
  std::string text(const char* key) const { return row_.value(key, ""); }

  /// `otherwise`: what the case has, or has not.
  void expect(bool condition, std::string_view otherwise) {
    if (condition) return;
    findings_.push_back(fmt::format("{} is said to be {}, and has {}",
                                    row_.at("case").get<std::string>(), outcome_, otherwise));
  }

  void check_passed() {
    expect(row_.at("failures").empty(), "failed assertions");
    expect(row_.at("assertions") > 0, "no assertion that was evaluated");
    expect(row_.at("leftovers").empty(), "something that it left behind");
    expect(row_.at("waits").empty(), "a wait that was in progress when it was ended");
    expect(!row_.contains("timeout"), "a limit that it ran into");
    expect(text("status").empty(), "the status of a crash");
    expect(text("reason").empty(), "a reason why it did not");
    expect(!row_.at("seed").is_null(), "no seed, as if it had not run");
  }

  void check_unsupported() {
    const CaseJson& claimed = flavor_.at("capabilities");
    const std::string capability = text("capability");
    expect(!capability.empty(), "no capability that is not claimed");
    expect(std::find(claimed.begin(), claimed.end(), capability) == claimed.end(),
           "a capability that the flavor claims");
    expect(row_.at("seed").is_null(), "a seed, as if it had run");
  }

  void check_deviation() {
    const bool by_deviation = is(Outcome::kExpectedFailure) || is(Outcome::kUnexpectedPass);
    if (!by_deviation) {
      expect(text("deviation").empty(), "a deviation");
      expect(row_.at("known_failure").is_null(), "a known failure that excuses it");
      return;
    }
    expect(!text("deviation").empty(), "no deviation");
    // verify_known.cc looks at that.
    if (!row_.at("known_failure").is_null()) return;
    const CaseJson& declared = flavor_.at("deviations");
    expect(std::any_of(declared.begin(), declared.end(),
                       [this](const CaseJson& deviation) {
                         return deviation.at("rule") == row_.at("rules").at(0);
                       }),
           "a rule that no declared deviation is of");
  }

  const CaseJson& row_;
  const CaseJson& flavor_;
  std::string outcome_;
  std::vector<std::string> findings_;
};

}  // namespace

std::vector<std::string> case_findings(const CaseJson& row, const CaseJson& flavor) {
  return CaseCheck(row, flavor).run();
}

}  // namespace sandproof::conformance
