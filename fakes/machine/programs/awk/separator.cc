// SPDX-License-Identifier: Apache-2.0
// Splitting.
#include "fakes/machine/programs/awk/separator.h"

#include <algorithm>
#include <cctype>

#include "fakes/machine/programs/awk/failure.h"
#include "fakes/machine/programs/awk/limits.h"

namespace sandproof::machine::programs::awk {
namespace {

bool is_blank(char letter) { return std::isspace(static_cast<unsigned char>(letter)) != 0; }

void add_part(std::vector<std::string>& parts, std::string_view part) {
  if (parts.size() == kMaxFields) {
    throw RunFailure("A text of more than " + std::to_string(kMaxFields) +
                     " fields is not supported");
  }
  parts.emplace_back(part);
}

std::vector<std::string> split_by_blanks(const std::string& text) {
  std::vector<std::string> fields;
  for (std::size_t at = 0;;) {
    while (at < text.size() && is_blank(text[at])) ++at;
    if (at == text.size()) return fields;
    std::size_t end = at;
    while (end < text.size() && !is_blank(text[end])) ++end;
    add_part(fields, std::string_view(text).substr(at, end - at));
    at = end;
  }
}

std::vector<std::string> split_by_bytes(const std::string& text, const std::string& bytes) {
  std::vector<std::string> fields;
  if (text.empty()) return fields;
  for (std::size_t at = 0;;) {
    const std::size_t end = std::min(text.find_first_of(bytes, at), text.size());
    add_part(fields, std::string_view(text).substr(at, end - at));
    if (end == text.size()) return fields;
    at = end + 1;
  }
}

/// As busybox: a beginning of line is where the field before ended, and a newline that separates
/// paragraphs' fields beside a pattern makes a field that is not counted.
std::vector<std::string> split_by_pattern(std::string_view rest, const Regex& regex, bool lines) {
  std::vector<std::string> fields;
  if (rest.empty()) return fields;
  std::size_t count = 1;
  Regex::Range found;
  do {
    const std::size_t line = lines ? std::min(rest.find('\n'), rest.size()) : rest.size();
    std::size_t end = line;
    std::size_t next = std::min(line + 1, rest.size());
    if (search_separator(regex, rest, found) && found.begin <= line) {
      end = found.begin;
      next = found.end;
      ++count;
    }
    add_part(fields, rest.substr(0, end));
    rest.remove_prefix(next);
  } while (!rest.empty());
  fields.resize(count);
  return fields;
}

}  // namespace

Separator Separator::of_fields(const std::string& text) {
  if (text.size() > 1) return of_pattern(compile_pattern(text, PatternFallback::kBasic));
  if (text.empty()) return {.kind = Kind::kEvery};
  return {.kind = text == " " ? Kind::kBlanks : Kind::kByte, .byte = text.front()};
}

Separator Separator::of_records(const std::string& text) {
  Separator separator = of_fields(text);
  if (separator.kind == Kind::kBlanks) separator.kind = Kind::kByte;
  return separator;
}

Separator Separator::of_pattern(const Pattern& pattern) {
  return {.kind = Kind::kPattern, .pattern = std::make_shared<const Pattern>(pattern)};
}

bool search_separator(const Regex& regex, std::string_view text, Regex::Range& found) {
  Regex::Match match;
  for (std::size_t from = 0; from < text.size(); ++from) {
    if (!regex.search(text.substr(from), 0, match)) return false;
    if (match[0].end == 0) continue;
    found = {.begin = from + match[0].begin, .end = from + match[0].end};
    return true;
  }
  return false;
}

std::vector<std::string> split_text(const std::string& text, const Separator& separator,
                                    SplitOptions options) {
  switch (separator.kind) {
    case Separator::Kind::kBlanks:
      return split_by_blanks(text);
    case Separator::Kind::kEvery: {
      std::vector<std::string> fields;
      for (const char& letter : text) add_part(fields, {&letter, 1});
      return fields;
    }
    case Separator::Kind::kPattern:
      return split_by_pattern(text, regex_of(*separator.pattern, options.ignore_case),
                              options.lines);
    case Separator::Kind::kByte:
      break;
  }
  std::string bytes(1, separator.byte);
  if (options.ignore_case) {
    const auto byte = static_cast<unsigned char>(separator.byte);
    bytes = {static_cast<char>(std::toupper(byte)), static_cast<char>(std::tolower(byte))};
  }
  if (options.lines) bytes += '\n';
  return split_by_bytes(text, bytes);
}

}  // namespace sandproof::machine::programs::awk
