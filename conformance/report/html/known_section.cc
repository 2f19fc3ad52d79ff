// SPDX-License-Identifier: Apache-2.0
// The list of known failures in the HTML report; see sections.h.
#include <fmt/format.h>

#include "conformance/report/html/sections.h"
#include "conformance/report/known_failures_text.h"
#include "conformance/report/markup.h"

namespace sandproof::conformance {
namespace {

/// More are in the JSON report.
constexpr std::size_t kEntriesOnPage = 200;

/// Other schemes could do something.
bool is_web_address(std::string_view link) {
  return link.starts_with("https://") || link.starts_with("http://");
}

std::string entry_html(const KnownFailureResult& result) {
  const KnownFailure& entry = result.entry;
  std::string why = escape_markup(entry.reason);
  if (is_web_address(entry.link)) {
    why += fmt::format(" <a href=\"{0}\" rel=\"noopener noreferrer\">{0}</a>",
                       escape_markup(entry.link));
  } else if (!entry.link.empty()) {
    why += fmt::format(" ({})", escape_markup(entry.link));
  }
  return fmt::format(
      "<li class=\"{}\"><p><b>{}</b> <span class=\"muted\">line {}, until {}</span></p>"
      "<p>{}{}</p><p class=\"muted\">{}</p></li>",
      is_problem(result.state) ? "bad" : "", words_of(result.state), entry.line,
      escape_markup(entry.expires), sentence_html(title_of(entry)),
      entry.message.empty() ? "" : fmt::format(": <code>{}</code>", escape_markup(entry.message)),
      why);
}

std::string entries_html(const KnownFailuresResult& known) {
  if (known.entries.empty()) return {};
  std::string items;
  std::size_t shown = 0;
  for (const KnownFailureResult* result : problems_first(known)) {
    if (shown == kEntriesOnPage) break;
    items += entry_html(*result);
    ++shown;
  }
  std::string text = fmt::format("<details><summary>{}</summary><ul class=\"entries\">{}</ul>",
                                 count_text(known.entries.size(), "entry", "entries"), items);
  if (shown < known.entries.size()) {
    text +=
        fmt::format("<p class=\"muted\">{} more are left out.</p>", known.entries.size() - shown);
  }
  return text + "</details>";
}

}  // namespace

std::string known_failures_html(const RunModel& model) {
  if (!model.known_failures) return {};
  const KnownFailuresResult& known = *model.known_failures;
  const KnownFailuresWords words = known_failures_words(known);
  std::string items;
  std::size_t shown = 0;
  for (const std::string& problem : words.problems) {
    if (++shown <= kEntriesOnPage) items += fmt::format("<li>{}</li>", sentence_html(problem));
  }
  if (shown > kEntriesOnPage) {
    items += fmt::format("<li>{} more are left out.</li>", shown - kEntriesOnPage);
  }
  for (const std::string& reminder : words.reminders) {
    items += fmt::format("<li class=\"warning\">{}</li>", escape_markup(reminder));
  }
  return fmt::format(
      "<section id=\"known-failures\" aria-labelledby=\"known-title\">\n"
      "<h2 id=\"known-title\">Known failures</h2>\n<article class=\"card known {}\"><p "
      "class=\"says\">{} {}</p>{}{}</article>\n</section>\n",
      known.hold() ? "good" : "bad", known.hold() ? "✓" : "✗", escape_markup(words.head),
      items.empty() ? "" : "<ul class=\"problems\">" + items + "</ul>", entries_html(known));
}

}  // namespace sandproof::conformance
