// SPDX-License-Identifier: Apache-2.0
// Running checks and rendering them; see checkup.h.
#include "conformance/doctor/checkup.h"

#include <fmt/format.h>
#include <sys/wait.h>

#include <algorithm>
#include <chrono>
#include <nlohmann/json.hpp>
#include <utility>

#include "conformance/doctor/trial.h"
#include "conformance/program/program_error.h"
#include "sandproof/exit_status.h"

namespace sandproof::conformance {
namespace {

/// What the child says is its detail, this, and its fix.
constexpr char kBetween = '\0';
constexpr int kLastStatus = static_cast<int>(CheckStatus::kFailed);
constexpr std::string_view kOfTheCheck =
    "this is a fault of the check itself, or of what it calls: the binding has it";

/// Both parts have to fit.
std::string said(const CheckResult& result) {
  constexpr std::size_t kHalf = kLongestTrialText / 2 - 1;
  return result.detail.substr(0, kHalf) + kBetween + result.fix.substr(0, kHalf);
}

int check_in_child(const Precondition& precondition, const Settings& settings, std::string& text) {
  CheckResult result;
  try {
    result = precondition.check(settings);
  } catch (const std::exception& error) {
    result = CheckResult::failed(error.what(), "do what the message says");
  } catch (...) {
    result = CheckResult::failed("it threw something that is no std::exception",
                                 std::string(kOfTheCheck));
  }
  text = said(result);
  return static_cast<int>(result.status);
}

CheckResult heard(const Trial& trial, std::chrono::milliseconds limit) {
  if (!trial.ended) {
    return CheckResult::failed(
        "nothing came of it within " + duration_text(static_cast<double>(limit.count())),
        "find out what it waits for: a daemon, a network, a lock");
  }
  const std::size_t between = trial.text.find(kBetween);
  if (!WIFEXITED(trial.status) || WEXITSTATUS(trial.status) > kLastStatus ||
      between == std::string::npos) {
    return CheckResult::failed(
        fmt::format("it ended as {}", ExitStatus::from_wait_status(trial.status).to_string()),
        std::string(kOfTheCheck));
  }
  return {static_cast<CheckStatus>(WEXITSTATUS(trial.status)), trial.text.substr(0, between),
          trial.text.substr(between + 1)};
}

std::string_view word_of(CheckStatus status) {
  switch (status) {
    case CheckStatus::kOk:
      return "ok";
    case CheckStatus::kWarning:
      return "warn";
    case CheckStatus::kFailed:
      break;
  }
  return "FAIL";
}

Style style_of(CheckStatus status) {
  switch (status) {
    case CheckStatus::kOk:
      return Style::kGood;
    case CheckStatus::kWarning:
      return Style::kWarning;
    case CheckStatus::kFailed:
      break;
  }
  return Style::kBad;
}

std::string row_text(const CheckedPrecondition& row, const Terminal& terminal) {
  constexpr std::size_t kWordColumns = 4;
  const std::string rest(kWordColumns + 4, ' ');
  const std::string detail = printable(row.result.detail, false);
  const std::string what = detail.empty() ? row.name : fmt::format("{}: {}", row.name, detail);
  // Colours take no columns, so that the word stands outside what is wrapped.
  std::string text = fmt::format("  {}  {}",
                                 paint(terminal, style_of(row.result.status),
                                       pad_to(word_of(row.result.status), kWordColumns)),
                                 wrap(what, terminal.width, rest, rest).substr(rest.size()));
  if (row.result.status != CheckStatus::kOk) {
    text += wrap(printable(row.result.fix, false), terminal.width, rest + "fix: ", rest + "     ");
  }
  return text;
}

}  // namespace

CheckedGroup check_group(std::string title, const std::vector<Precondition>& preconditions,
                         const Settings& settings, std::chrono::milliseconds limit) {
  CheckedGroup group{std::move(title), {}};
  for (const Precondition& precondition : preconditions) {
    CheckResult result;
    try {
      const Trial trial = try_in_child(
          [&](std::string& text) { return check_in_child(precondition, settings, text); }, limit);
      result = heard(trial, limit);
    } catch (const ProgramError& error) {
      result = CheckResult::failed(std::string("it could not be looked at: ") + error.what(),
                                   "raise the limits of processes and descriptors");
    }
    group.rows.push_back({precondition.name, std::move(result)});
  }
  return group;
}

bool any_failed(const std::vector<CheckedGroup>& groups) {
  return std::any_of(groups.begin(), groups.end(), [](const CheckedGroup& group) {
    return std::any_of(group.rows.begin(), group.rows.end(), [](const CheckedPrecondition& row) {
      return row.result.status == CheckStatus::kFailed;
    });
  });
}

std::string checkup_text(const std::vector<CheckedGroup>& groups, const Terminal& terminal) {
  std::string text;
  for (const CheckedGroup& group : groups) {
    if (!text.empty()) text += '\n';
    text += paint(terminal, Style::kStrong, group.title) + "\n";
    for (const CheckedPrecondition& row : group.rows) text += row_text(row, terminal);
  }
  return text;
}

nlohmann::ordered_json checkup_json(const std::vector<CheckedGroup>& groups) {
  using CheckupJson = nlohmann::ordered_json;
  CheckupJson list = CheckupJson::array();
  for (const CheckedGroup& group : groups) {
    CheckupJson rows = CheckupJson::array();
    for (const CheckedPrecondition& row : group.rows) {
      const CheckStatus status = row.result.status;
      rows.push_back({{"name", row.name},
                      {"status", status == CheckStatus::kOk        ? "ok"
                                 : status == CheckStatus::kWarning ? "warning"
                                                                   : "failed"},
                      {"detail", row.result.detail},
                      {"fix", row.result.fix}});
    }
    list.push_back({{"of", group.title}, {"preconditions", std::move(rows)}});
  }
  return {{"ready", !any_failed(groups)}, {"groups", std::move(list)}};
}

}  // namespace sandproof::conformance
