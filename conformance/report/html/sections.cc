// SPDX-License-Identifier: Apache-2.0
// The written parts of the page; see sections.h. Every text of a flavor goes through
// escape_markup().
#include "conformance/report/html/sections.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "conformance/report/failure_groups.h"
#include "conformance/report/failure_text.h"
#include "conformance/report/findings.h"
#include "conformance/report/markup.h"
#include "conformance/report/summary.h"
#include "conformance/report/symbols.h"
#include "conformance/report/terminal.h"
#include "conformance/report/verdict_words.h"

namespace sandproof::conformance {
namespace {

/// More are in the matrix below: a browser draws this many without a pause.
constexpr std::size_t kFailuresOnPage = 200;
/// Flavors told of beside the verdict; all have a card below it.
constexpr std::size_t kHeadlines = 6;
/// As many are unfolded: who has one or two failures wants to see them.
constexpr std::size_t kFailuresUnfolded = 2;

Terminal page_terminal() {
  Terminal page;
  page.utf8 = true;
  page.width = 100;
  return page;
}

/// What breaks a SHOULD is a warning.
std::string outcome_class(Outcome outcome, bool must = true) {
  return fmt::format("o-{}{}", to_string(outcome), must ? "" : " o-warning");
}

std::string symbol_html(Outcome outcome, bool must = true) {
  return fmt::format("<span class=\"sym {}\" aria-hidden=\"true\">{}</span>",
                     outcome_class(outcome, must), symbol_of(outcome, page_terminal()));
}

std::string capitalized(std::string_view words) {
  std::string text(words);
  if (!text.empty()) text[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(text[0])));
  return text;
}

/// What the verdict means: a line for each flavor that needs one, and one for the others.
std::string headline_html(const RunModel& model) {
  const auto line = [](std::string_view text) {
    return fmt::format("<p>{}</p>", escape_markup(text));
  };
  if (!model.complete && run_verdict(model).tone != Tone::kBad) {
    return line(why_incomplete(model) + ".");
  }
  if (model.flavors.empty()) return line("No flavor ran.");
  std::string text;
  if (model.known_failures && !model.known_failures->hold()) {
    text += line("The list of known failures does not hold.");
  }
  std::string good;
  std::size_t lines = 0;
  for (const FlavorResult& flavor : model.flavors) {
    if (flavor.verdict == Verdict::kConformant) {
      good += (good.empty() ? "" : ", ") + flavor.name;
    } else if (++lines <= kHeadlines) {
      text += line(verdict_sentence(model, flavor));
    }
  }
  if (lines > kHeadlines) text += line(fmt::format("And {} more.", lines - kHeadlines));
  if (good.empty()) return text;
  return text + line(text.empty() ? good : good + ": conformant as declared.");
}

std::string fact(std::string_view name, std::string_view value) {
  return fmt::format("<div><dt>{}</dt><dd>{}</dd></div>", name, escape_markup(value));
}

std::string facts_html(const RunModel& model) {
  const std::size_t ran = cases_that_ran(model);
  std::string started = model.started_at;
  std::replace(started.begin(), started.end(), 'T', ' ');
  if (started.ends_with('Z')) started.replace(started.size() - 1, 1, " UTC");
  std::string text = "<dl class=\"facts\">";
  text += fact("Cases that ran", std::to_string(ran));
  text += fact("Took", duration_text(model.elapsed_ms));
  text += fact("Seed", std::to_string(model.seed));
  text += fact("Jobs", std::to_string(model.jobs));
  if (model.time_scale != 1) text += fact("Time scale", fmt::format("{:g}", model.time_scale));
  if (model.shuffled) text += fact("Order", "shuffled");
  if (model.filtered) text += fact("Selected", "a part of the suite");
  if (!model.mutant.empty()) text += fact("Mutant", model.mutant);
  if (!started.empty()) text += fact("Started", started);
  return text + "</dl>";
}

/// Proportions without a style attribute, which the page's policy does not allow.
std::string bar_html(const FlavorResult& flavor) {
  std::size_t total = 0;
  for (const std::size_t count : flavor.rule_counts) total += count;
  if (total == 0) return {};
  std::string text = fmt::format(
      "<svg class=\"bar\" viewBox=\"0 0 {} 1\" preserveAspectRatio=\"none\" role=\"img\" "
      "aria-label=\"{}\">",
      total, counts_sentence(flavor.rule_counts));
  std::size_t at = 0;
  for (const Outcome outcome : kOutcomesForPeople) {
    const std::size_t count = flavor.rule_counts.at(static_cast<std::size_t>(outcome));
    if (count == 0) continue;
    text += fmt::format("<rect class=\"o-{}\" x=\"{}\" y=\"0\" width=\"{}\" height=\"1\"/>",
                        to_string(outcome), at, count);
    at += count;
  }
  return text + "</svg>";
}

std::string counts_html(const FlavorResult& flavor) {
  std::string text = "<ul class=\"counts\">";
  for (const Outcome outcome : kOutcomesForPeople) {
    const std::size_t count = flavor.rule_counts.at(static_cast<std::size_t>(outcome));
    if (count == 0) continue;
    text += fmt::format("<li data-show=\"{}\" data-flavor=\"{}\">{} {} {}</li>", to_string(outcome),
                        escape_markup(flavor.name), symbol_html(outcome), count, words_of(outcome));
  }
  return text + "</ul>";
}

std::string reasons_html(const FlavorResult& flavor) {
  std::string items;
  for (const Outcome state : {Outcome::kExpectedFailure, Outcome::kNotRun, Outcome::kNoCase,
                              Outcome::kUnsupported, Outcome::kNotObservable}) {
    for (const auto& [reason, ids] : group_by_reason(flavor, state)) {
      items += fmt::format("<li>{}{}{}: {}</li>", words_of(state), reason.empty() ? "" : ", ",
                           sentence_html(reason), escape_markup(join_ids(ids)));
    }
  }
  if (items.empty()) return {};
  return "<details><summary>What was not proven, and why</summary><ul>" + items + "</ul></details>";
}

/// "38 of 337 cases": those that ran, of those that the suite has.
std::string ran_text(const FlavorResult& flavor) {
  const auto& cases = flavor.cases;
  const auto ran = static_cast<std::size_t>(std::count_if(
      cases.begin(), cases.end(), [](const CaseResult& result) { return result.started; }));
  const std::string all = count_text(cases.size(), "case");
  return ran == cases.size() ? all : fmt::format("{} of {}", ran, all);
}

std::string card_html(const FlavorResult& flavor) {
  const Tone tone = tone_of(flavor.verdict);
  const RuleTally rules = tally_rules(flavor);
  std::string text = fmt::format(
      "<article class=\"card {}\"><h3>{}</h3><p class=\"says\">{} {}</p>"
      "<p class=\"tally\"><strong>{} / {}</strong> rules hold; <span class=\"muted\">"
      "{} ran</span></p>",
      signs_of(tone).css_class, escape_markup(flavor.name), signs_of(tone).mark,
      verdict_words(flavor.verdict), rules.hold, rules.apply, ran_text(flavor));
  text += bar_html(flavor) + counts_html(flavor);
  if (!flavor.warnings.empty()) {
    text += fmt::format("<p class=\"warning\">{} (SHOULD): {}</p>",
                        count_text(flavor.warnings.size(), "warning"),
                        escape_markup(join_ids(flavor.warnings)));
  }
  return text + reasons_html(flavor) + "</article>\n";
}

std::string rule_link(const std::string& id) {
  const std::string safe = escape_markup(id);
  return fmt::format("<a href=\"#{0}\"><b>{0}</b></a>", safe);
}

std::string replay_html(const RunModel& model, const FailedCase& failed) {
  return fmt::format(
      "<div class=\"replay\"><code>{}</code>"
      "<button class=\"button\" type=\"button\" data-copy hidden>Copy</button></div>",
      escape_markup(replay_line(model, *failed.flavor, *failed.result)));
}

std::string failure_html(const RunModel& model, const FailedCase& failed, bool open) {
  const CaseResult& result = *failed.result;
  const bool must = is_about_must(model, result);
  const RuleInfo* rule = model.find_rule(result.rules.front());
  const std::string details = result.outcome == Outcome::kUnexpectedPass
                                  ? unexpected_text(model, result) + "\n"
                                  : failure_details(model, *failed.flavor, result, page_terminal());
  std::string text = fmt::format(
      "<details class=\"failure {}\"{}><summary>{}{} <b>{}</b> on {}: "
      "<span class=\"ending\">{}</span><span class=\"sentence\">{}</span></summary>"
      "<div class=\"body\">",
      outcome_class(result.outcome, must), open ? " open" : "", symbol_html(result.outcome, must),
      rule_link(result.rules.front()), escape_markup(result.name),
      escape_markup(failed.flavor->name), escape_markup(ending_text(result)),
      sentence_html(rule == nullptr ? "" : rule->sentence));
  if (!details.empty()) text += fmt::format("<pre>{}</pre>", escape_markup(details));
  if (result.started) text += replay_html(model, failed);
  return text + "</div></details>\n";
}

/// Cases that say the same, once; the matrix below has each.
std::string group_html(const RunModel& model, const FailureGroup& group, bool open) {
  const CaseResult& first = *group.front().result;
  const bool must = std::any_of(group.begin(), group.end(), [&model](const FailedCase& failed) {
    return is_about_must(model, *failed.result);
  });
  const std::string details =
      first.outcome == Outcome::kUnexpectedPass
          ? unexpected_text(model, first) + "\n"
          : failure_details(model, *group.front().flavor, first, page_terminal());
  std::string text = fmt::format(
      "<details class=\"failure {}\"{}><summary>{}<b>{}</b><span class=\"sentence\">{}</span>"
      "</summary><div class=\"body\"><p>The first is {} ({}):</p>",
      outcome_class(first.outcome, must), open ? " open" : "", symbol_html(first.outcome, must),
      escape_markup(group_title(group)), escape_markup(group_rules(group)),
      escape_markup(first.name), rule_link(first.rules.front()));
  if (!details.empty()) text += fmt::format("<pre>{}</pre>", escape_markup(details));
  if (first.started) text += replay_html(model, group.front());
  return text + fmt::format("<p>{}</p></div></details>\n",
                            escape_markup(group_names(group, group.size())));
}

/// Refusals that did not hold, and rules without a case: one short block each.
std::string other_findings_html(const RunModel& model) {
  std::string text;
  const auto add = [&text](const std::string& id, const FlavorResult& flavor,
                           const std::string& what, const std::string& why) {
    text += fmt::format(
        "<details class=\"failure o-failed\" open><summary>{}{} on {}<span class=\"sentence\">{}"
        "</span></summary><div class=\"body\"><p>{}</p></div></details>\n",
        symbol_html(Outcome::kFailed), rule_link(id), escape_markup(flavor.name),
        sentence_html(what), sentence_html(why));
  };
  for (const BrokenRefusal& broken : broken_refusals(model)) {
    add(broken.rules.front(), *broken.flavor, broken.reason,
        "So these do not hold: " + join_ids(broken.rules) + ".");
  }
  for (const BrokenRule& broken : rules_broken_without_case(model)) {
    add(broken.info->id, *broken.flavor, broken.info->sentence, broken.rule->reason);
  }
  return text;
}

}  // namespace

std::string sentence_html(std::string_view sentence) {
  std::string text;
  bool code = false;
  for (const char c : escape_markup(sentence)) {
    if (c != '`') {
      text += c;
      continue;
    }
    text += code ? "</code>" : "<code>";
    code = !code;
  }
  return code ? text + "</code>" : text;
}

std::string verdict_html(const RunModel& model) {
  const RunVerdict verdict = run_verdict(model);
  return fmt::format(
      "<header class=\"verdict {}\"><div class=\"wrap\"><div class=\"mark\" aria-hidden=\"true\">{}"
      "</div><div class=\"headline\"><p class=\"brand\">sandproof</p><h1>{}</h1>{}</div>{}"
      "</div></header>\n",
      signs_of(verdict.tone).css_class, signs_of(verdict.tone).mark, capitalized(verdict.words),
      headline_html(model), facts_html(model));
}

std::string cards_html(const RunModel& model) {
  if (model.flavors.empty()) return {};
  std::string text = "<section aria-label=\"Flavors\"><div class=\"cards\">\n";
  for (const FlavorResult& flavor : model.flavors) text += card_html(flavor);
  return text + "</div></section>\n";
}

std::string failures_html(const RunModel& model) {
  const std::vector<FailedCase> failures = failed_cases(model);
  const std::string others = other_findings_html(model);
  if (failures.empty() && others.empty()) return {};
  std::string text = "<section id=\"failures\" aria-labelledby=\"failures-title\">\n";
  const std::string title = failures.empty() ? "Rules do not hold"
                                             : fmt::format("{} did not end as {} should",
                                                           count_text(failures.size(), "case"),
                                                           failures.size() == 1 ? "it" : "they");
  text += fmt::format("<h2 id=\"failures-title\">{}</h2>\n<div class=\"failures\">\n", title);
  const std::vector<FailureGroup> groups = group_failures(failures);
  const bool open = groups.size() <= kFailuresUnfolded;
  std::size_t told = 0;
  for (std::size_t i = 0; i < std::min(groups.size(), kFailuresOnPage); ++i) {
    const FailureGroup& group = groups[i];
    text += group.size() > 1 ? group_html(model, group, open)
                             : failure_html(model, group.front(), open);
    told += group.size();
  }
  text += others + "</div>\n";
  if (failures.size() > told) {
    text += fmt::format("<p class=\"muted\">{} more are in the matrix below.</p>\n",
                        failures.size() - told);
  }
  return text + "</section>\n";
}

}  // namespace sandproof::conformance
