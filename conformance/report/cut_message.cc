// SPDX-License-Identifier: Apache-2.0
// Cutting messages in their middle; see cut_message.h. It knows how GoogleTest prints lists and
// values; of a message in other words the head and the tail stay.
#include "conformance/report/cut_message.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>
#include <set>

#include "conformance/report/terminal.h"

namespace sandproof::conformance {
namespace {

constexpr std::string_view kCutSign = " ... ";
/// How GoogleTest begins a line with a value that it compared.
constexpr std::string_view kValuePrefixes[] = {"    Which is: ", "Expected: is equal to ",
                                               "  Actual: "};
constexpr std::string_view kElementWords = "whose element #";

/// What a matcher of a list says of its first element that differs: "whose element #57 …".
struct NamedElement {
  std::size_t line = 0;
  std::size_t number = 0;
};

std::optional<NamedElement> named_element(const std::vector<std::string>& lines) {
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const std::size_t at = lines[i].find(kElementWords);
    if (at == std::string::npos) continue;
    NamedElement element{i, 0};
    const char* const digits = lines[i].data() + at + kElementWords.size();
    const auto [end, error] =
        std::from_chars(digits, lines[i].data() + lines[i].size(), element.number);
    if (error == std::errc() && end != digits) return element;
  }
  return std::nullopt;
}

/// Where the value of the element stands in "  Actual: { 1, 2 }, whose element #1 …"; nothing where
/// the list is printed only up to an earlier one.
std::optional<std::size_t> place_of_element(std::string_view line, std::size_t number) {
  std::size_t at = line.find('{');
  if (at == std::string_view::npos) return std::nullopt;
  std::size_t depth = 0;
  bool in_text = false;
  for (; at < line.size(); ++at) {
    const char c = line[at];
    if (in_text) {
      if (c == '\\') {
        ++at;
      } else if (c == '"') {
        in_text = false;
      }
      continue;
    }
    if (depth == 1 && number == 0 && c != ' ') return at;
    if (c == '"') {
      in_text = true;
    } else if (c == '{' || c == '(') {
      ++depth;
    } else if (c == '}' || c == ')') {
      if (--depth == 0) break;
    } else if (c == ',' && depth == 1) {
      --number;
    }
  }
  return std::nullopt;
}

/// A line and the byte in it that has to stay.
struct Focus {
  std::size_t line = 0;
  std::size_t byte = 0;
};

/// Where two values that were compared part: in the lines of both.
std::vector<Focus> where_values_part(const std::vector<std::string>& lines) {
  std::vector<Focus> values;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    for (const std::string_view prefix : kValuePrefixes) {
      if (lines[i].starts_with(prefix)) values.push_back({i, prefix.size()});
    }
  }
  if (values.size() != 2) return {};
  const std::string_view one = std::string_view(lines[values[0].line]).substr(values[0].byte);
  const std::string_view other = std::string_view(lines[values[1].line]).substr(values[1].byte);
  const auto parted = std::mismatch(one.begin(), one.end(), other.begin(), other.end());
  const auto same = static_cast<std::size_t>(parted.first - one.begin());
  for (Focus& value : values) value.byte += same;
  return values;
}

std::vector<Focus> focuses_of(const std::vector<std::string>& lines,
                              const std::optional<NamedElement>& element) {
  if (!element) return where_values_part(lines);
  const auto place = place_of_element(lines[element->line], element->number);
  return place ? std::vector<Focus>{{element->line, *place}} : std::vector<Focus>{};
}

/// Where each code point begins, and the end.
std::vector<std::size_t> code_points(std::string_view text) {
  std::vector<std::size_t> begins;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (columns_of(text.substr(i, 1)) == 1) begins.push_back(i);
  }
  begins.push_back(text.size());
  return begins;
}

/// Its head, its tail, and what stands around the byte `focus`.
std::string cut_line(std::string_view line, std::optional<std::size_t> focus, std::size_t columns) {
  const std::vector<std::size_t> begins = code_points(line);
  const std::size_t all = begins.size() - 1;
  if (all <= columns) return std::string(line);
  const auto part = [&](std::size_t from, std::size_t to) {
    return line.substr(begins[from], begins[to] - begins[from]);
  };
  const std::size_t left = columns - 2 * kCutSign.size();
  // The tail is short: GoogleTest ends a line with a few words.
  const std::size_t tail = left / 3;
  std::size_t head = left - tail;
  std::size_t from = head;
  std::size_t to = head;
  if (focus) {
    const auto column = static_cast<std::size_t>(
        std::lower_bound(begins.begin(), begins.end(), *focus) - begins.begin());
    const std::size_t middle = left / 3;
    // A little before it: the reader wants to know where he is.
    const std::size_t before = middle / 4;
    if (column + middle > head && column < all - tail) {
      head = left - tail - middle;
      from = std::max(head, column > before ? column - before : 0);
      to = std::min(from + middle, all - tail);
    }
  }
  std::string result(part(0, head));
  if (from > head) result += kCutSign;
  result += part(from, to);
  if (to < all - tail) result += kCutSign;
  result += part(all - tail, all);
  return result;
}

/// Which of the lines stay.
std::set<std::size_t> lines_kept(const std::vector<std::string>& lines,
                                 const std::optional<NamedElement>& element, std::size_t most) {
  std::set<std::size_t> kept;
  const std::size_t count = lines.size();
  if (count > most && element) {
    kept.insert(element->line);
    const std::string wanted = fmt::format("element #{} ", element->number);
    const auto found = std::find_if(lines.begin(), lines.end(), [&wanted](const auto& line) {
      return line.starts_with(wanted);
    });
    const auto at = static_cast<std::size_t>(found - lines.begin());
    for (std::size_t i = at == 0 ? 0 : at - 1; found != lines.end() && i <= at + 1; ++i) {
      kept.insert(std::min(i, count - 1));
    }
  }
  const std::size_t left = count > most ? most - kept.size() : count;
  const std::size_t tail = count > most ? left / 3 : 0;
  for (std::size_t i = 0; i < left - tail; ++i) kept.insert(i);
  for (std::size_t i = count - tail; i < count; ++i) kept.insert(i);
  return kept;
}

}  // namespace

std::vector<std::string> cut_message(std::string_view message, std::size_t most,
                                     std::size_t columns) {
  const std::vector<std::string> lines = lines_of(message);
  const std::optional<NamedElement> element = named_element(lines);
  const std::vector<Focus> focuses = focuses_of(lines, element);
  std::vector<std::string> result;
  std::size_t next = 0;
  for (const std::size_t i : lines_kept(lines, element, most)) {
    if (i > next) result.push_back(fmt::format("({} more)", i - next));
    next = i + 1;
    const auto focus = std::find_if(focuses.begin(), focuses.end(),
                                    [i](const Focus& one) { return one.line == i; });
    result.push_back(cut_line(
        lines[i], focus == focuses.end() ? std::nullopt : std::optional(focus->byte), columns));
  }
  return result;
}

}  // namespace sandproof::conformance
