// SPDX-License-Identifier: Apache-2.0
// A comparison for people and for programs; see diff.h.
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "conformance/report/diff.h"

namespace sandproof::conformance {
namespace {

using DiffOutput = nlohmann::ordered_json;

/// Of one kind more are not read; the JSON has them.
constexpr std::size_t kRowsShown = 40;
constexpr std::string_view kRuleName = "(the rule)";

Style style_of_kind(DiffKind kind) {
  switch (kind) {
    case DiffKind::kLost:
      return Style::kBad;
    case DiffKind::kGained:
      return Style::kGood;
    case DiffKind::kChanged:
    case DiffKind::kGone:
    case DiffKind::kSlower:
      return Style::kWarning;
    default:
      return Style::kPlain;
  }
}

std::string in_words(std::string text) {
  std::replace(text.begin(), text.end(), '_', ' ');
  return text;
}

std::string arrow(const Terminal& terminal) { return terminal.utf8 ? " → " : " -> "; }

/// "passed → failed", "0.31 s → 1.20 s, × 3.9", "failed": what a row has to tell.
std::string change_text(const DiffRow& row, const Terminal& terminal) {
  if (row.kind == DiffKind::kSlower || row.kind == DiffKind::kFaster) {
    const double less = std::min(row.before_ms, row.after_ms);
    const double factor = std::max(row.before_ms, row.after_ms) / std::max(less, 1.0);
    return fmt::format("{}{}{}, {:.1f} times", duration_text(row.before_ms), arrow(terminal),
                       duration_text(row.after_ms), factor);
  }
  if (row.before.empty()) return in_words(row.after);
  if (row.after.empty()) return "was " + in_words(row.before);
  return in_words(row.before) + arrow(terminal) + in_words(row.after);
}

std::string shown_name(const DiffRow& row) {
  return row.name.empty() ? std::string(kRuleName) : printable(row.name, false);
}

std::string rows_text(const FlavorDiff& flavor, const Terminal& terminal) {
  std::size_t rule_columns = 0;
  std::size_t name_columns = 0;
  for (const DiffRow& row : flavor.rows) {
    rule_columns = std::max(rule_columns, columns_of(row.rule));
    name_columns = std::max(name_columns, columns_of(shown_name(row)));
  }
  constexpr std::size_t kKindColumns = 7;  // "changed"
  std::string text;
  std::size_t shown = 0;
  for (std::size_t i = 0; i < flavor.rows.size(); ++i) {
    const DiffRow& row = flavor.rows[i];
    const bool first = i == 0 || flavor.rows[i - 1].kind != row.kind;
    if (first) shown = 0;
    if (++shown > kRowsShown) continue;
    const std::string kind = pad_to(first ? to_string(row.kind) : "", kKindColumns);
    text += fmt::format("  {}  {}  {}  {}\n", paint(terminal, style_of_kind(row.kind), kind),
                        pad_to(row.rule, rule_columns), pad_to(shown_name(row), name_columns),
                        change_text(row, terminal));
    const std::size_t all = flavor.count(row.kind);
    if (shown == kRowsShown && all > shown) {
      text += fmt::format("  {}  ({} more; --report json:FILE has them)\n",
                          pad_to("", kKindColumns), all - shown);
    }
  }
  return text;
}

std::string heading_of(const FlavorDiff& flavor) {
  if (flavor.after.empty()) return flavor.before + ": gone";
  if (flavor.before.empty()) {
    return flavor.after + ": new, " + in_words(flavor.verdict_after);
  }
  if (flavor.before != flavor.after) {
    return fmt::format("{} ({}) and {} ({})", flavor.before, in_words(flavor.verdict_before),
                       flavor.after, in_words(flavor.verdict_after));
  }
  if (flavor.verdict_before == flavor.verdict_after) {
    return fmt::format("{}: {} both times", flavor.before, in_words(flavor.verdict_after));
  }
  return fmt::format("{}: {} before, {} now", flavor.before, in_words(flavor.verdict_before),
                     in_words(flavor.verdict_after));
}

std::string counts_text(const FlavorDiff& flavor) {
  std::string text;
  for (std::size_t i = 0; i < kDiffKinds; ++i) {
    const auto kind = static_cast<DiffKind>(i);
    const std::size_t count = flavor.count(kind);
    if (count > 0) text += fmt::format("{}{} {}", text.empty() ? "" : ", ", count, to_string(kind));
  }
  return text.empty() ? "nothing changed" : text;
}

std::string flavor_text(const FlavorDiff& flavor, const Terminal& terminal) {
  const Style style = flavor.lost() ? Style::kBad : Style::kGood;
  std::string text = paint(terminal, style, heading_of(flavor));
  if (!flavor.before.empty() && !flavor.after.empty()) text += ": " + counts_text(flavor);
  text += ".\n";
  return text + rows_text(flavor, terminal) + "\n";
}

std::string_view list_words(const std::optional<ListDiff>& list) {
  if (!list) return "none";
  return list->holds ? "as listed" : "not as listed";
}

/// Said where a list is there and something about it is not well, or was not.
std::string list_text(const Diff& diff, const Terminal& terminal) {
  const std::string_view before = list_words(diff.list_before);
  const std::string_view after = list_words(diff.list_after);
  if (before == after && (!diff.list_after || diff.list_after->holds)) return {};
  std::string text = "known failures: ";
  text += before == after ? fmt::format("{} both times", after)
                          : fmt::format("{} before, {} now", before, after);
  if (diff.list_after && !diff.list_after->holds) {
    text += fmt::format(" ({})", fmt::join(diff.list_after->problems, "; "));
  }
  const bool bad = diff.list_after && !diff.list_after->holds;
  return paint(terminal, bad ? Style::kBad : Style::kPlain,
               wrap(printable(text, false) + ".", terminal.width, "", "  ")) +
         "\n";
}

}  // namespace

std::string diff_text(const Diff& diff, const Terminal& terminal) {
  std::string text;
  for (const FlavorDiff& flavor : diff.flavors) text += flavor_text(flavor, terminal);
  text += list_text(diff, terminal);
  if (diff.part_before || diff.part_after) {
    const std::string_view which = diff.part_before && diff.part_after ? "Both reports are"
                                   : diff.part_before                  ? "The first report is"
                                                                       : "The second report is";
    text += wrap(fmt::format("{} of a part of the suite: what it left out is not compared.", which),
                 terminal.width, "", "");
  }
  text += paint(terminal, diff.lost() ? Style::kBad : Style::kGood,
                diff.lost() ? "Something was lost." : "Nothing was lost.");
  return text + "\n";
}

namespace {

DiffOutput list_json(const std::optional<ListDiff>& list) {
  if (!list) return nullptr;
  return {{"hold", list->holds}, {"problems", list->problems}};
}

}  // namespace

std::string diff_json(const Diff& diff) {
  DiffOutput flavors = DiffOutput::array();
  for (const FlavorDiff& flavor : diff.flavors) {
    DiffOutput counts = DiffOutput::object();
    for (std::size_t i = 0; i < kDiffKinds; ++i) {
      const auto kind = static_cast<DiffKind>(i);
      counts[std::string(to_string(kind))] = flavor.count(kind);
    }
    DiffOutput rows = DiffOutput::array();
    const auto text_or_null = [](const std::string& text) {
      return text.empty() ? DiffOutput(nullptr) : DiffOutput(text);
    };
    for (const DiffRow& row : flavor.rows) {
      rows.push_back({{"kind", to_string(row.kind)},
                      {"rule", row.rule},
                      {"case", text_or_null(row.name)},
                      {"before", text_or_null(row.before)},
                      {"after", text_or_null(row.after)},
                      {"before_ms", row.before_ms},
                      {"after_ms", row.after_ms}});
    }
    flavors.push_back({{"before", text_or_null(flavor.before)},
                       {"after", text_or_null(flavor.after)},
                       {"verdict_before", text_or_null(flavor.verdict_before)},
                       {"verdict_after", text_or_null(flavor.verdict_after)},
                       {"lost", flavor.lost()},
                       {"counts", std::move(counts)},
                       {"rows", std::move(rows)}});
  }
  const DiffOutput document = {{"format", 1},
                               {"lost", diff.lost()},
                               {"part_before", diff.part_before},
                               {"part_after", diff.part_after},
                               {"known_failures_before", list_json(diff.list_before)},
                               {"known_failures_after", list_json(diff.list_after)},
                               {"flavors", std::move(flavors)}};
  constexpr int kIndent = 2;
  return document.dump(kIndent, ' ', false, DiffOutput::error_handler_t::replace) + "\n";
}

}  // namespace sandproof::conformance
