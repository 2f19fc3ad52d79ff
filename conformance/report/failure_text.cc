// SPDX-License-Identifier: Apache-2.0
// The text of one failure; see failure_text.h.
#include "conformance/report/failure_text.h"

#include <fmt/format.h>

#include <algorithm>

#include "conformance/report/cut_message.h"
#include "conformance/report/shell_line.h"
#include "conformance/report/symbols.h"

namespace sandproof::conformance {
namespace {

// What a person reads at once; the rest stands in the event log and the JSON report.
constexpr std::size_t kMessageLines = 24;
constexpr std::size_t kNotes = 20;
constexpr std::size_t kWaits = 12;
constexpr std::size_t kLeftovers = 10;
constexpr std::size_t kLineColumns = 400;
constexpr std::size_t kNamesOfGroup = 8;

std::string heading(const Terminal& terminal, std::string_view text) {
  return "    " + paint(terminal, Style::kDim, text) + "\n";
}

/// At most so many lines of foreign text, from the one with this index on: indented, and not
/// wrapped, since they may be aligned.
std::string quoted(const std::vector<std::string>& lines, std::size_t most, std::size_t first = 0) {
  std::string result;
  const std::size_t shown = std::min(most, lines.size() - first);
  if (first > 0) result += fmt::format("      ({} before these)\n", first);
  for (std::size_t i = first; i < first + shown; ++i) {
    result += "      " + cut_to(printable(lines[i], false), kLineColumns) + "\n";
  }
  const std::size_t after = lines.size() - first - shown;
  if (after > 0) result += fmt::format("      ({} more)\n", after);
  return result;
}

/// The index at which the last lines begin.
std::size_t last_of(const std::vector<std::string>& lines, std::size_t most) {
  return lines.size() - std::min(most, lines.size());
}

/// Where to begin with what a worker printed: at the first line of a sanitizer's report, which says
/// what is wrong, and otherwise so that the last lines are shown.
std::size_t telling_part(const std::vector<std::string>& lines, std::size_t most) {
  const auto report = std::find_if(lines.begin(), lines.end(), [](const std::string& line) {
    return line.find("Sanitizer: ") != std::string::npos ||
           line.find(": runtime error: ") != std::string::npos;
  });
  return std::min(static_cast<std::size_t>(report - lines.begin()), last_of(lines, most));
}

std::string sentences(const RunModel& model, const CaseResult& result, const Terminal& terminal) {
  std::string text;
  for (const std::string& id : result.rules) {
    const RuleInfo* rule = model.find_rule(id);
    if (rule == nullptr) continue;
    if (&id == &result.rules.front()) {
      text += wrap(rule->sentence, terminal.width, "    ", "    ");
    } else {
      text +=
          wrap(fmt::format("also {}: {}", id, rule->sentence), terminal.width, "    ", "      ");
    }
  }
  return text;
}

std::string wait_text(const Wait& wait, const Terminal& terminal) {
  const std::string where = wait.file.empty() ? "" : " at " + place_text(wait.file, wait.line);
  std::string text =
      fmt::format("waited {} in {}{}{}{}", duration_text(wait.for_ms), printable(wait.verb, false),
                  wait.object.empty() ? "" : " on ", printable(wait.object, false), where);
  // The bytes come escaped from the log.
  text += wait.last_bytes.empty()
              ? "; no bytes seen"
              : fmt::format("; last bytes: \"{}\"", printable(wait.last_bytes, false));
  return wrap(text, terminal.width, "      ", "        ");
}

std::string waits_text(const CaseResult& result, const Terminal& terminal) {
  if (result.waits.empty()) {
    // Busy in code of its own, or blocked in a call that is no verb of the contract.
    return result.outcome == Outcome::kTimeout ? "      no verb of the contract was in progress\n"
                                               : "";
  }
  // The longest first: that is who did not come back.
  std::vector<Wait> waits = result.waits;
  std::stable_sort(waits.begin(), waits.end(),
                   [](const Wait& a, const Wait& b) { return a.for_ms > b.for_ms; });
  std::string text;
  for (std::size_t i = 0; i < std::min(waits.size(), kWaits); ++i) {
    text += wait_text(waits[i], terminal);
  }
  if (waits.size() > kWaits) text += fmt::format("      ({} more)\n", waits.size() - kWaits);
  return text;
}

std::string assertions_text(const CaseResult& result, const Terminal& terminal) {
  std::string text;
  for (const FailedAssertion& failure : result.failures) {
    if (!failure.file.empty()) text += heading(terminal, place_text(failure.file, failure.line));
    // As it will be shown: what is cut is measured in what the reader sees.
    const std::vector<std::string> lines =
        cut_message(printable(failure.message), kMessageLines, kLineColumns);
    text += quoted(lines, lines.size());
  }
  return text;
}

std::string ending_details(const CaseResult& result, const Terminal& terminal) {
  std::string text;
  if (!result.reason.empty()) {
    text += heading(terminal, "why");
    text += quoted(lines_of(result.reason), kMessageLines);
  }
  if (result.outcome == Outcome::kTimeout || !result.waits.empty()) {
    text += heading(terminal, "when it was ended");
    text += waits_text(result, terminal);
  }
  if (!result.stderr_tail.empty()) {
    text += heading(terminal, "last lines of the worker");
    const std::vector<std::string> lines = lines_of(result.stderr_tail);
    text += quoted(lines, kMessageLines, telling_part(lines, kMessageLines));
  }
  if (!result.leftovers.empty()) {
    text += heading(terminal, "left behind, and removed");
    text += quoted(result.leftovers, kLeftovers);
  }
  return text;
}

/// The replay line under gdb, in the process of which the case runs: for a crash. Empty where the
/// replay is another runner's.
std::string debugger_line(const RunModel& model, const FlavorResult& flavor,
                          const CaseResult& result) {
  if (result.outcome != Outcome::kCrashed || !result.started || !model.replay_line.empty()) {
    return {};
  }
  return fmt::format("gdb --args {} --in-process", replay_line(model, flavor, result));
}

}  // namespace

std::string unexpected_text(const RunModel& model, const CaseResult& result) {
  const std::string why = result.deviation + (result.deviation.ends_with('.') ? "" : ".");
  if (!result.known_failure) return fmt::format("Declared: {} Take the deviation out.", why);
  return fmt::format(
      "{} says that it fails: {} Take the entry out, or narrow it to what still fails.",
      place_of(*model.known_failures, *result.known_failure), why);
}

std::string ending_text(const CaseResult& result) {
  const std::string after = duration_text(result.duration_ms);
  switch (result.outcome) {
    case Outcome::kCrashed:
      return fmt::format("crashed after {}: {}", after,
                         result.status.empty() ? "the worker died" : result.status);
    case Outcome::kTimeout:
      return result.no_progress ? fmt::format("hung: no progress, ended after {}", after)
                                : fmt::format("hung: ended at its limit after {}", after);
    case Outcome::kUnexpectedPass:
      return result.known_failure ? "passed, although it is a known failure"
                                  : "passed, although the flavor declares that it does not";
    case Outcome::kFailed:
    case Outcome::kError:
      // A refusal takes no time of its own.
      if (!result.started) return std::string(words_of(result.outcome));
      return fmt::format("{} after {}", words_of(result.outcome), after);
    default:
      return std::string(words_of(result.outcome));
  }
}

std::string replay_line(const RunModel& model, const FlavorResult& flavor,
                        const CaseResult& result) {
  if (result.outcome == Outcome::kNotObservable) return {};
  if (!model.replay_line.empty()) return model.replay_line;
  std::string line = fmt::format("{} replay --flavor {} --case {} --seed {}",
                                 shell_word(model.program), shell_word(flavor.binding),
                                 shell_word(result.name), flavor.seed.value_or(model.seed));
  if (!flavor.replay.empty()) line += " " + shell_line(flavor.replay);
  if (model.time_scale != 1) line += fmt::format(" --time-scale {:g}", model.time_scale);
  return line;
}

std::string failure_details(const RunModel& model, const FlavorResult& flavor,
                            const CaseResult& result, const Terminal& terminal) {
  std::string text;
  if (!result.notes.empty()) {
    text += heading(terminal, "what was done");
    text += quoted(result.notes, kNotes, last_of(result.notes, kNotes));
  }
  text += assertions_text(result, terminal);
  text += ending_details(result, terminal);
  if (!result.known_note.empty()) {
    text += heading(terminal, "known failures");
    text += wrap(printable(result.known_note, false), terminal.width, "      ", "      ");
  }
  if (const std::string line = debugger_line(model, flavor, result); !line.empty()) {
    text += heading(terminal, "in a debugger, since a worker leaves no core");
    text += "      " + line + "\n";
  }
  return text;
}

std::string failure_text(const RunModel& model, const FlavorResult& flavor,
                         const CaseResult& result, const Terminal& terminal) {
  const Style style = style_of(result.outcome, true);
  std::string text =
      fmt::format("{} {}  {}\n", paint(terminal, style, symbol_of(result.outcome, terminal)),
                  paint(terminal, style, result.rules.front()),
                  cut_to(fmt::format("{} on {}: {}", result.name, flavor.name, ending_text(result)),
                         kLineColumns));
  text += sentences(model, result, terminal);
  if (result.outcome == Outcome::kUnexpectedPass) {
    text += wrap(printable(unexpected_text(model, result), false), terminal.width, "    ", "    ");
    return text;
  }
  text += failure_details(model, flavor, result, terminal);
  if (result.started) {
    text += heading(terminal, "replay");
    // To be copied: neither cut nor changed.
    text += "      " + replay_line(model, flavor, result) + "\n";
  }
  return text;
}

std::string group_text(const RunModel& model, const FailureGroup& group, const Terminal& terminal) {
  const FailedCase& first = group.front();
  const CaseResult& result = *first.result;
  const Style style = style_of(result.outcome, true);
  std::string text =
      fmt::format("{} {}\n", paint(terminal, style, symbol_of(result.outcome, terminal)),
                  paint(terminal, style, group_title(group)));
  text += wrap("of " + group_rules(group), terminal.width, "    ", "    ");
  text += wrap("cases: " + group_names(group, kNamesOfGroup), terminal.width, "    ", "      ");
  text += fmt::format("    the first, {}: {}\n", result.name, ending_text(result));
  if (result.outcome == Outcome::kUnexpectedPass) {
    text += wrap(printable(unexpected_text(model, result), false), terminal.width, "    ", "    ");
    return text;
  }
  text += failure_details(model, *first.flavor, result, terminal);
  if (result.started) {
    text += heading(terminal, "replay");
    text += "      " + replay_line(model, *first.flavor, result) + "\n";
  }
  return text;
}

}  // namespace sandproof::conformance
