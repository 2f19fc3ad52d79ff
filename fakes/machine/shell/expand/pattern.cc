// SPDX-License-Identifier: Apache-2.0
// A pattern is a list of tokens. A whole match backtracks to the last star only; a cut walks the
// set of the tokens that could be next, over the text once. Neither can blow up.
#include "fakes/machine/shell/expand/pattern.h"

#include <algorithm>
#include <array>
#include <utility>

namespace sandproof::machine::shell {
namespace {

struct ClassRow {
  std::string_view name;
  bool (*has)(unsigned char);
};

bool is_upper_byte(unsigned char c) { return c >= 'A' && c <= 'Z'; }
bool is_lower_byte(unsigned char c) { return c >= 'a' && c <= 'z'; }
bool is_alpha_byte(unsigned char c) { return is_upper_byte(c) || is_lower_byte(c); }
bool is_digit_byte(unsigned char c) { return c >= '0' && c <= '9'; }
bool is_graph_byte(unsigned char c) { return c > ' ' && c < 0x7f; }

// The C locale's, whatever the locale of the program around the machine is.
constexpr std::array<ClassRow, 12> kClasses = {{
    {"alnum", [](unsigned char c) { return is_alpha_byte(c) || is_digit_byte(c); }},
    {"alpha", is_alpha_byte},
    {"blank", [](unsigned char c) { return c == ' ' || c == '\t'; }},
    {"cntrl", [](unsigned char c) { return c < ' ' || c == 0x7f; }},
    {"digit", is_digit_byte},
    {"graph", is_graph_byte},
    {"lower", is_lower_byte},
    {"print", [](unsigned char c) { return is_graph_byte(c) || c == ' '; }},
    {"punct",
     [](unsigned char c) { return is_graph_byte(c) && !is_alpha_byte(c) && !is_digit_byte(c); }},
    {"space", [](unsigned char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }},
    {"upper", is_upper_byte},
    {"xdigit",
     [](unsigned char c) {
       return is_digit_byte(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
     }},
}};

// The class whose ":name:]" begins at `at`, and the position after it.
std::optional<std::pair<const ClassRow*, std::size_t>> class_at(std::string_view text,
                                                                std::size_t at) {
  if (at >= text.size() || text[at] != ':') return std::nullopt;
  for (const ClassRow& row : kClasses) {
    const std::string_view rest = text.substr(at + 1);
    if (rest.starts_with(row.name) && rest.substr(row.name.size()).starts_with(":]")) {
      return std::pair{&row, at + row.name.size() + 3};
    }
  }
  return std::nullopt;
}

}  // namespace

std::string quote_pattern(std::string_view text) {
  std::string quoted;
  quoted.reserve(text.size());
  for (const char c : text) {
    // '/' never: it parts the components of a path, quoted or not.
    if (std::string_view("*?[]\\!^-:=~").find(c) != std::string_view::npos) quoted += '\\';
    quoted += c;
  }
  return quoted;
}

std::string unquote_pattern(std::string_view pattern) {
  std::string text;
  text.reserve(pattern.size());
  for (std::size_t at = 0; at < pattern.size(); ++at) {
    if (pattern[at] == '\\' && at + 1 < pattern.size()) ++at;
    text += pattern[at];
  }
  return text;
}

Pattern::Pattern(std::string_view text, Caret caret) {
  std::size_t at = 0;
  while (at < text.size()) {
    const char c = text[at++];
    Token token{Kind::kByte, static_cast<unsigned char>(c), 0};
    if (c == '\\' && at < text.size()) {
      token.byte = static_cast<unsigned char>(text[at++]);
    } else if (c == '*') {
      magic_ = true;
      // Two stars match what one does.
      if (!tokens_.empty() && tokens_.back().kind == Kind::kStar) continue;
      token.kind = Kind::kStar;
    } else if (c == '?') {
      magic_ = true;
      token.kind = Kind::kAny;
    } else if (c == '[') {
      if (const auto after = read_set(text, at, caret)) {
        magic_ = true;
        token.kind = Kind::kSet;
        token.set = static_cast<std::uint32_t>(sets_.size() - 1);
        at = *after;
      }
    }
    tokens_.push_back(token);
  }
}

std::optional<std::size_t> Pattern::read_set(std::string_view text, std::size_t at, Caret caret) {
  Set set;
  const bool inverted =
      at < text.size() && (text[at] == '!' || (text[at] == '^' && caret == Caret::kNegates));
  if (inverted) ++at;
  // The first character belongs to the set even where it is ']'.
  for (bool first = true;; first = false) {
    if (at >= text.size()) return std::nullopt;
    char low = text[at++];
    if (low == ']' && !first) break;
    if (low == '[') {
      if (const auto found = class_at(text, at)) {
        for (unsigned value = 0; value < set.size(); ++value) {
          if (found->first->has(static_cast<unsigned char>(value))) set.set(value);
        }
        at = found->second;
        continue;
      }
    }
    if (low == '\\') {
      if (at >= text.size()) return std::nullopt;
      low = text[at++];
    }
    char high = low;
    if (at + 1 < text.size() && text[at] == '-' && text[at + 1] != ']') {
      high = text[++at];
      if (high == '\\' && at + 1 < text.size()) high = text[++at];
      ++at;
    }
    // An empty range, [z-a], is no error and has no members.
    for (int value = static_cast<unsigned char>(low); value <= static_cast<unsigned char>(high);
         ++value) {
      set.set(static_cast<std::size_t>(value));
    }
  }
  sets_.push_back(inverted ? ~set : set);
  return at;
}

bool Pattern::token_takes(const Token& token, unsigned char byte) const {
  switch (token.kind) {
    case Kind::kByte:
      return token.byte == byte;
    case Kind::kAny:
      return true;
    case Kind::kSet:
      return sets_[token.set].test(byte);
    case Kind::kStar:
      return false;
  }
  return false;
}

bool Pattern::matches(std::string_view text) const {
  std::size_t token = 0;
  std::size_t at = 0;
  // Where the last star stands, and how far it has been stretched.
  std::optional<std::size_t> star;
  std::size_t stretched = 0;
  while (at < text.size()) {
    if (token < tokens_.size() && tokens_[token].kind == Kind::kStar) {
      star = token++;
      stretched = at;
    } else if (token < tokens_.size() &&
               token_takes(tokens_[token], static_cast<unsigned char>(text[at]))) {
      ++token;
      ++at;
    } else if (star) {
      token = *star + 1;
      at = ++stretched;
    } else {
      return false;
    }
  }
  while (token < tokens_.size() && tokens_[token].kind == Kind::kStar) ++token;
  return token == tokens_.size();
}

std::optional<std::size_t> Pattern::extent(std::string_view text, bool largest,
                                           bool backwards) const {
  const std::size_t end = tokens_.size();
  const auto token_at = [&](std::size_t index) -> const Token& {
    return tokens_[backwards ? end - 1 - index : index];
  };
  // The tokens that could be next, ascending and each once; `end` is a match.
  std::vector<std::size_t> now;
  std::vector<std::size_t> next;
  const auto reach = [&](std::vector<std::size_t>& set, std::size_t index) {
    for (;; ++index) {
      if (set.empty() || set.back() < index) set.push_back(index);
      if (index == end || token_at(index).kind != Kind::kStar) return;
    }
  };
  reach(now, 0);
  std::optional<std::size_t> found;
  for (std::size_t taken = 0; !now.empty(); ++taken) {
    if (now.back() == end) {
      found = taken;
      if (!largest) return found;
    }
    if (taken == text.size()) break;
    const auto byte = static_cast<unsigned char>(text[backwards ? text.size() - 1 - taken : taken]);
    next.clear();
    for (const std::size_t index : now) {
      if (index == end) continue;
      if (token_at(index).kind == Kind::kStar) {
        reach(next, index);
      } else if (token_takes(token_at(index), byte)) {
        reach(next, index + 1);
      }
    }
    now.swap(next);
  }
  return found;
}

std::string_view Pattern::cut(std::string_view text, Cut which) const {
  const bool largest = which == Cut::kLargestPrefix || which == Cut::kLargestSuffix;
  const bool backwards = which == Cut::kSmallestSuffix || which == Cut::kLargestSuffix;
  const std::size_t length = extent(text, largest, backwards).value_or(0);
  if (backwards) return text.substr(0, text.size() - length);
  return text.substr(length);
}

bool Pattern::begins_with_dot() const {
  return !tokens_.empty() && tokens_.front().kind == Kind::kByte && tokens_.front().byte == '.';
}

}  // namespace sandproof::machine::shell
