// SPDX-License-Identifier: Apache-2.0
// Splitting input into words.
#include "fakes/machine/programs/support/xargs_words.h"

#include <cctype>

namespace sandproof::machine::programs {
namespace {

bool is_blank_byte(char letter) { return std::isspace(static_cast<unsigned char>(letter)) != 0; }

}  // namespace

bool XargsWords::word_of_line(std::string& word) {
  while (at_ < line_.size() && is_blank_byte(line_[at_])) ++at_;
  if (at_ == line_.size()) return false;
  if (syntax_.by_line) {
    word = line_.substr(at_);
    at_ = line_.size();
    return true;
  }
  word.clear();
  char quote = '\0';
  for (; at_ < line_.size(); ++at_) {
    const char letter = line_[at_];
    if (quote != '\0') {
      if (letter == quote) {
        quote = '\0';
      } else {
        word += letter;
      }
    } else if (letter == '\'' || letter == '"') {
      quote = letter;
    } else if (letter == '\\' && at_ + 1 < line_.size()) {
      word += line_[++at_];
    } else if (is_blank_byte(letter)) {
      break;
    } else {
      word += letter;
    }
  }
  if (quote != '\0') {
    wrong_ = quote == '\'' ? "unmatched single quote" : "unmatched double quote";
  }
  return true;
}

Task<XargsWords::Read> XargsWords::next(std::string& word) {
  while (!ended_) {
    if (has_line_ && word_of_line(word)) {
      if (!wrong_.empty()) co_return Read::kWrong;
      if (!syntax_.end_word || word != *syntax_.end_word) co_return Read::kWord;
      ended_ = true;
      break;
    }
    has_line_ = false;
    const bool got = co_await reader_.next(line_);
    if (!got) break;
    if (syntax_.by_nul) {
      word = line_;
      co_return Read::kWord;
    }
    has_line_ = true;
    at_ = 0;
  }
  ended_ = true;
  co_return Read::kEnd;
}

}  // namespace sandproof::machine::programs
