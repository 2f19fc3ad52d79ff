// SPDX-License-Identifier: Apache-2.0
// Writes the Markdown; see markdown_report.h. What is most wanted comes first, so that what does
// not fit is the rest.
#include "conformance/report/markdown_report.h"

#include <fmt/format.h>

#include <algorithm>

#include "conformance/report/failure_groups.h"
#include "conformance/report/failure_text.h"
#include "conformance/report/findings.h"
#include "conformance/report/known_failures_text.h"
#include "conformance/report/markup.h"
#include "conformance/report/summary.h"
#include "conformance/report/terminal.h"
#include "conformance/report/verdict_words.h"

namespace sandproof::conformance {
namespace {

/// Of one failure's details: some failures must have room beside a talkative one.
constexpr std::size_t kMostDetails = 6'000;
/// For what stands under the failures: the run's line, and what was left out.
constexpr std::size_t kReserved = 2'000;
/// More are counted in one row.
constexpr std::size_t kMostRows = 50;

/// Takes pieces as long as they fit.
class Page {
 public:
  /// False, and nothing was added, where it does not fit.
  bool add(std::string_view text, std::size_t reserved = kReserved) {
    if (text_.size() + text.size() + reserved > kMostMarkdown) return false;
    text_ += text;
    return true;
  }
  const std::string& text() const { return text_; }

 private:
  std::string text_;
};

std::vector<Outcome> outcomes_that_occur(const RunModel& model) {
  std::vector<Outcome> outcomes;
  // The good ones first: what a table begins with is what most cases are.
  for (const Outcome outcome : kOutcomesForPeople) {
    const bool occurs = std::any_of(
        model.flavors.begin(), model.flavors.end(), [outcome](const FlavorResult& flavor) {
          return flavor.case_counts.at(static_cast<std::size_t>(outcome)) > 0;
        });
    if (occurs) outcomes.push_back(outcome);
  }
  return outcomes;
}

std::string counts_table(const RunModel& model) {
  if (model.flavors.empty()) return {};
  const std::vector<Outcome> outcomes = outcomes_that_occur(model);
  std::string head = "| flavor | verdict | rules that hold | cases |";
  std::string line = "| :-- | :-- | --: | --: |";
  for (const Outcome outcome : outcomes) {
    head += fmt::format(" {} |", words_of(outcome));
    line += " --: |";
  }
  std::string rows;
  for (std::size_t i = 0; i < std::min(model.flavors.size(), kMostRows); ++i) {
    const FlavorResult& flavor = model.flavors[i];
    const RuleTally rules = tally_rules(flavor);
    rows += fmt::format("| **{}** | {} {} | {} of {} | {} |", escape_markdown(flavor.name),
                        signs_of(tone_of(flavor.verdict)).emoji, verdict_words(flavor.verdict),
                        rules.hold, rules.apply, flavor.cases.size());
    for (const Outcome outcome : outcomes) {
      rows += fmt::format(" {} |", flavor.case_counts.at(static_cast<std::size_t>(outcome)));
    }
    rows += '\n';
  }
  if (model.flavors.size() > kMostRows) {
    rows += fmt::format("\n{} more are left out.\n", model.flavors.size() - kMostRows);
  }
  return fmt::format("{}\n{}\n{}\n", head, line, rows);
}

/// Whole lines, as many as fit.
std::string bounded_details(const std::string& details) {
  if (details.size() <= kMostDetails) return details;
  const std::size_t end = details.rfind('\n', kMostDetails);
  const std::string kept = details.substr(0, end == std::string::npos ? 0 : end + 1);
  const auto left =
      std::count(details.begin() + static_cast<std::ptrdiff_t>(kept.size()), details.end(), '\n');
  return kept + fmt::format("    ({} more lines)\n", left);
}

std::string failure_head(const RunModel& model, const FailedCase& failed) {
  const CaseResult& result = *failed.result;
  const RuleInfo* rule = model.find_rule(result.rules.front());
  return fmt::format("<b>{}</b> {} on {}: {}<br>{}", escape_markdown(result.rules.front()),
                     escape_markdown(result.name), escape_markdown(failed.flavor->name),
                     escape_markdown(ending_text(result)),
                     escape_markdown(rule == nullptr ? "" : rule->sentence));
}

std::string group_head(const FailureGroup& group) {
  return fmt::format("<b>{}</b><br>{}", escape_markdown(group_title(group)),
                     escape_markdown(group_rules(group)));
}

std::string head_of(const RunModel& model, const FailureGroup& group) {
  return group.size() > 1 ? group_head(group) : failure_head(model, group.front());
}

/// What the first one says, and how each is replayed.
std::string group_block(const RunModel& model, const FailureGroup& group) {
  Terminal page;
  page.utf8 = true;
  page.width = 100;
  const CaseResult& first = *group.front().result;
  const std::string details =
      first.outcome == Outcome::kUnexpectedPass
          ? unexpected_text(model, first) + "\n"
          : bounded_details(failure_details(model, *group.front().flavor, first, page));
  std::string text = fmt::format("<details>\n<summary>{}</summary>\n\n", group_head(group));
  text += fmt::format("The first is {}.\n\n", escape_markdown(first.name));
  if (!details.empty()) text += markdown_block(details) + "\n";
  std::string lines;
  for (const FailedCase& failed : group) {
    if (failed.result->started) lines += replay_line(model, *failed.flavor, *failed.result) + "\n";
  }
  if (!lines.empty()) text += markdown_block(bounded_details(lines), "sh") + "\n";
  return text + "</details>\n\n";
}

std::string failure_block(const RunModel& model, const FailureGroup& group) {
  if (group.size() > 1) return group_block(model, group);
  const FailedCase& failed = group.front();
  Terminal page;
  page.utf8 = true;
  page.width = 100;
  const std::string details =
      failed.result->outcome == Outcome::kUnexpectedPass
          ? unexpected_text(model, *failed.result) + "\n"
          : bounded_details(failure_details(model, *failed.flavor, *failed.result, page));
  std::string text =
      fmt::format("<details>\n<summary>{}</summary>\n\n", failure_head(model, failed));
  if (!details.empty()) text += markdown_block(details) + "\n";
  if (failed.result->started) {
    text += markdown_block(replay_line(model, *failed.flavor, *failed.result), "sh") + "\n";
  }
  return text + "</details>\n\n";
}

void add_failures(const RunModel& model, Page& page) {
  const std::vector<FailedCase> failures = failed_cases(model);
  if (failures.empty()) return;
  page.add(fmt::format("#### {} did not end as {} should\n\n", count_text(failures.size(), "case"),
                       failures.size() == 1 ? "it" : "they"));
  std::size_t shown = 0;
  for (const FailureGroup& group : group_failures(failures)) {
    if (!page.add(failure_block(model, group)) && !page.add(head_of(model, group) + "\n\n")) break;
    shown += group.size();
  }
  if (shown == failures.size()) return;
  page.add(fmt::format("{} more are left out; `--report html:FILE` and `json:FILE` have all.\n\n",
                       failures.size() - shown),
           0);
}

std::string entry_row(const KnownFailureResult& result) {
  const KnownFailure& entry = result.entry;
  const std::string why =
      entry.link.empty() ? entry.reason : fmt::format("{} ({})", entry.reason, entry.link);
  return fmt::format("| {}{} | {} | {} | {} | {} | {} |\n", is_problem(result.state) ? "❌ " : "",
                     words_of(result.state), entry.line, escape_markdown(title_of(entry)),
                     escape_markdown(entry.message), escape_markdown(why),
                     escape_markdown(entry.expires));
}

/// Whether the list holds, what is wrong with it, and all of its entries, folded.
void add_known_failures(const RunModel& model, Page& page) {
  if (!model.known_failures) return;
  const KnownFailuresResult& known = *model.known_failures;
  const KnownFailuresWords words = known_failures_words(known);
  std::string text = fmt::format("#### Known failures\n\n{} {}\n\n", known.hold() ? "✅" : "❌",
                                 escape_markdown(words.head));
  std::size_t shown = 0;
  for (const std::string& problem : words.problems) {
    if (++shown <= kMostRows) text += fmt::format("- {}\n", escape_markdown(problem));
  }
  if (shown > kMostRows) text += fmt::format("- {} more are left out.\n", shown - kMostRows);
  for (const std::string& reminder : words.reminders) {
    text += fmt::format("- ⚠️ {}\n", escape_markdown(reminder));
  }
  page.add(text + "\n");
  if (known.entries.empty()) return;
  std::string rows;
  std::size_t left = known.entries.size();
  for (const KnownFailureResult* result : problems_first(known)) {
    if (rows.size() > kMostDetails) break;
    rows += entry_row(*result);
    --left;
  }
  if (left > 0) rows += fmt::format("\n{} more are left out.\n", left);
  page.add(
      fmt::format("<details>\n<summary>{}</summary>\n\n| state | line | entry | message | "
                  "reason | until |\n| :-- | --: | :-- | :-- | :-- | :-- |\n{}\n"
                  "</details>\n\n",
                  count_text(known.entries.size(), "entry", "entries"), rows));
}

void add_rules_without_case(const RunModel& model, Page& page) {
  for (const BrokenRefusal& broken : broken_refusals(model)) {
    page.add(fmt::format("**{}** on {}: {}<br>So these do not hold: {}\n\n",
                         escape_markdown(broken.rules.front()),
                         escape_markdown(broken.flavor->name), escape_markdown(broken.reason),
                         escape_markdown(join_ids(broken.rules))));
  }
  for (const BrokenRule& broken : rules_broken_without_case(model)) {
    page.add(fmt::format("**{}** on {}: {}<br>{}\n\n", escape_markdown(broken.info->id),
                         escape_markdown(broken.flavor->name),
                         escape_markdown(broken.info->sentence),
                         escape_markdown(broken.rule->reason)));
  }
}

std::string reasons_list(const FlavorResult& flavor) {
  std::string text;
  for (const Outcome state : {Outcome::kExpectedFailure, Outcome::kNotRun, Outcome::kNoCase,
                              Outcome::kUnsupported, Outcome::kNotObservable}) {
    for (const auto& [reason, ids] : group_by_reason(flavor, state)) {
      text += fmt::format("- {}{}: {}\n", words_of(state),
                          reason.empty() ? "" : " (" + escape_markdown(reason) + ")",
                          escape_markdown(join_ids(ids)));
    }
  }
  return text;
}

/// What was not proven, and why; warnings are not folded away.
void add_flavor_notes(const RunModel& model, Page& page) {
  for (const FlavorResult& flavor : model.flavors) {
    if (!flavor.warnings.empty()) {
      page.add(fmt::format("⚠️ {}: {} (SHOULD): {}\n\n", escape_markdown(flavor.name),
                           count_text(flavor.warnings.size(), "warning"),
                           escape_markdown(join_ids(flavor.warnings))));
    }
  }
  for (const FlavorResult& flavor : model.flavors) {
    const std::string reasons = reasons_list(flavor);
    if (reasons.empty()) continue;
    page.add(
        fmt::format("<details>\n<summary>{}: what was not proven</summary>\n\n{}\n</details>\n\n",
                    escape_markdown(flavor.name), reasons));
  }
}

}  // namespace

std::string to_markdown_report(const RunModel& model) {
  Page page;
  const RunVerdict verdict = run_verdict(model);
  page.add(fmt::format("### {} sandproof: {}\n\n", signs_of(verdict.tone).emoji, verdict.words));
  if (!model.complete) {
    const bool judged = verdict.tone == Tone::kBad;
    page.add(fmt::format("{}: {}.\n\n", judged ? "Stopped" : "Incomplete",
                         escape_markdown(why_incomplete(model))));
  }
  page.add(counts_table(model));
  add_known_failures(model, page);
  add_failures(model, page);
  add_rules_without_case(model, page);
  add_flavor_notes(model, page);
  page.add(fmt::format("<sub>{} {}</sub>\n", escape_markdown(run_line(model)),
                       escape_markdown(fmt::format("sandproof {}.", model.version))),
           0);
  return page.text();
}

}  // namespace sandproof::conformance
