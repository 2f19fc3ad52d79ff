// SPDX-License-Identifier: Apache-2.0
// Reasons against the declaration; see verify_reason.h. It computes anew what the runner's
// dispose() and rule_states.cc wrote.
#include "conformance/report/verify_reason.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>

#include "conformance/report/run_model.h"

namespace sandproof::conformance {
namespace {

using ReasonJson = nlohmann::json;

constexpr std::string_view kRuleWithRefusals = "CAP-002";

bool lists(const ReasonJson& list, const std::string& item) {
  return std::find(list.begin(), list.end(), item) != list.end();
}

class ReasonCheck {
 public:
  ReasonCheck(const ReasonJson& report, const ReasonJson& flavor)
      : report_(report), flavor_(flavor), name_(flavor.at("flavor").get<std::string>()) {}

  std::vector<std::string> run() {
    for (const ReasonJson& row : flavor_.at("cases")) {
      if (row.at("outcome") != to_string(Outcome::kNotObservable)) continue;
      const std::string reason = row.value("reason", "");
      // That there is none is told by verify_case.cc.
      if (reason.empty() || is_declared(reason)) continue;
      find(
          fmt::format("{} is said to be not_observable because it `{}`, which the flavor does not "
                      "declare",
                      row.at("case").get<std::string>(), reason));
    }
    for (const ReasonJson& rule : flavor_.at("rules")) check_rule(rule);
    return std::move(findings_);
  }

 private:
  void find(std::string sentence) { findings_.push_back(std::move(sentence)); }

  std::string because(const char* reasons, const std::string& what) const {
    const ReasonJson& declared = flavor_.at(reasons);
    const auto found = declared.find(what);
    return found == declared.end() ? std::string() : ": " + found->get<std::string>();
  }
  std::string needs(const std::string& need) const {
    return "needs " + need + because("not_provided", need);
  }
  std::string applies_without(const std::string& capability) const {
    return fmt::format("applies where `{}` is not claimed", capability);
  }

  /// Why a case, which may ask for more than its rules, cannot be seen.
  bool is_declared(const std::string& reason) const {
    for (const ReasonJson& capability : flavor_.at("capabilities")) {
      if (reason == applies_without(capability)) return true;
    }
    constexpr std::string_view kNeeds = "needs ";
    if (!reason.starts_with(kNeeds)) return false;
    const std::string rest = reason.substr(kNeeds.size());
    const std::string need = rest.substr(0, rest.find(':'));
    return !lists(flavor_.at("provides"), need) && reason == needs(need);
  }

  /// Nothing where the report does not hold what it was computed from.
  std::optional<std::string> wanted_reason(const ReasonJson& rule, const ReasonJson& info) const {
    const std::string state = rule.at("state");
    for (const ReasonJson& row : flavor_.at("cases")) {
      if (row.at("outcome") != state || !lists(row.at("rules"), info.at("id"))) continue;
      const std::string deviation = row.at("deviation");
      return deviation.empty() ? row.at("reason").get<std::string>() : deviation;
    }
    if (!rule.at("cases").empty()) return std::nullopt;
    if (report_.at("run").at("filtered").get<bool>()) return "no case of it was selected";
    for (const ReasonJson& item : info.at("capabilities")) {
      const std::string capability = item;
      if (lists(flavor_.at("capabilities"), capability)) continue;
      return fmt::format("{} does not claim `{}`{}", name_, capability,
                         because("unclaimed", capability));
    }
    const ReasonJson& unless = info.at("unless");
    if (unless.is_string() && lists(flavor_.at("capabilities"), unless)) {
      return applies_without(unless);
    }
    for (const ReasonJson& need : info.at("needs")) {
      if (!lists(flavor_.at("provides"), need)) return needs(need);
    }
    return "the suite has no case for it";
  }

  void check_rule(const ReasonJson& rule) {
    const std::string id = rule.at("id");
    // What was not refused is not in the report.
    if (id == kRuleWithRefusals) return;
    for (const ReasonJson& info : report_.at("rules")) {
      if (info.at("id") != id) continue;
      const std::optional<std::string> wanted = wanted_reason(rule, info);
      const std::string reason = rule.at("reason");
      if (!wanted || reason == *wanted) return;
      return find(fmt::format("{} has the reason `{}`, and by {} it is `{}`", id, reason,
                              rule.at("cases").empty() ? "what the flavor declares" : "its cases",
                              *wanted));
    }
  }

  const ReasonJson& report_;
  const ReasonJson& flavor_;
  std::string name_;
  std::vector<std::string> findings_;
};

}  // namespace

std::vector<std::string> reason_findings(const ReasonJson& report, const ReasonJson& flavor) {
  return ReasonCheck(report, flavor).run();
}

}  // namespace sandproof::conformance
