// SPDX-License-Identifier: Apache-2.0
// The word splitter and the quoter of sandproof/words.h. Pure functions; any thread.
#include "sandproof/words.h"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "sandproof/errors.h"

namespace sandproof {
namespace {

[[noreturn]] void refuse(const std::string& what, std::size_t offset, const std::string& why) {
  throw InvalidArgumentError("cannot split the command string: the " + what + " at byte " +
                             std::to_string(offset) + " " + why +
                             ", or pass the command as a list of words");
}

// Both take the offset of an opening quote, append what it quotes to `word`, and return the offset
// after the closing quote.
std::size_t read_single_quoted(std::string_view text, std::size_t open, std::string& word) {
  const std::size_t close = text.find('\'', open + 1);
  if (close == std::string_view::npos) {
    refuse("single quote opened", open, "is never closed; close it");
  }
  word.append(text.substr(open + 1, close - open - 1));
  return close + 1;
}

std::size_t read_double_quoted(std::string_view text, std::size_t open, std::string& word) {
  constexpr std::string_view kEscapable = "$`\"\\";
  std::size_t at = open + 1;
  for (;;) {
    const std::size_t special = text.find_first_of("\"\\", at);
    if (special == std::string_view::npos) break;
    word.append(text.substr(at, special - at));
    if (text[special] == '"') return special + 1;
    if (special + 1 == text.size()) break;
    const char escaped = text[special + 1];
    if (kEscapable.find(escaped) != std::string_view::npos) {
      word += escaped;
    } else if (escaped != '\n') {
      word += '\\';
      word += escaped;
    }
    at = special + 2;
  }
  refuse("double quote opened", open, "is never closed; close it");
}

// By hand and not by isalnum, which follows the locale.
bool is_plain(char c) {
  constexpr std::string_view kPlainMarks = "_@%+=:,./-";
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
         kPlainMarks.find(c) != std::string_view::npos;
}

}  // namespace

std::vector<std::string> split_words(std::string_view text) {
  if (const std::size_t nul = text.find('\0'); nul != std::string_view::npos) {
    refuse("NUL", nul, "cannot be part of an argument; remove it");
  }
  std::vector<std::string> words;
  std::string word;
  bool in_word = false;  // Not the same as !word.empty(): '' is a word.
  for (std::size_t at = 0; at < text.size();) {
    switch (const char c = text[at]) {
      case ' ':
      case '\t':
      case '\n':
        if (in_word) words.push_back(std::exchange(word, {}));
        in_word = false;
        ++at;
        break;
      case '\'':
        in_word = true;
        at = read_single_quoted(text, at, word);
        break;
      case '"':
        in_word = true;
        at = read_double_quoted(text, at, word);
        break;
      case '\\':
        if (at + 1 == text.size())
          refuse("backslash", at, "has nothing after it to quote; quote it");
        if (text[at + 1] != '\n') {  // A removed newline neither makes nor ends a word.
          in_word = true;
          word += text[at + 1];
        }
        at += 2;
        break;
      default:
        in_word = true;
        word += c;
        ++at;
    }
  }
  if (in_word) words.push_back(std::move(word));
  return words;
}

std::string quote_word(std::string_view word) {
  if (!word.empty() && std::all_of(word.begin(), word.end(), is_plain)) return std::string(word);
  std::string quoted = "'";
  for (const char c : word) {
    if (c == '\'') {
      quoted += R"('"'"')";
    } else {
      quoted += c;
    }
  }
  quoted += '\'';
  return quoted;
}

std::string quote_words(std::span<const std::string> words) {
  std::string joined;
  for (const std::string& word : words) {
    if (&word != words.data()) joined += ' ';
    joined += quote_word(word);
  }
  return joined;
}

}  // namespace sandproof
