// SPDX-License-Identifier: Apache-2.0
// One pass over the texts of a word.
#include "fakes/machine/shell/parse/tilde.h"

#include <algorithm>
#include <cstddef>
#include <string_view>
#include <utility>

namespace sandproof::machine::shell {
namespace {

// Splits `text` at its tildes into `out`. `at_begin`: whether a tilde may be its first character;
// `last`: whether nothing of the word follows it.
void split_tildes(std::string_view text, TildeRule rule, bool at_begin, bool last, Word& out) {
  const bool colons = rule == TildeRule::kAssignment;
  std::string plain;
  const auto flush = [&] {
    if (!plain.empty()) out.parts.push_back(Part{Text{std::exchange(plain, {})}});
  };
  for (std::size_t i = 0; i < text.size();) {
    if (text[i] == '~' && (i == 0 ? at_begin : colons && text[i - 1] == ':')) {
      const std::size_t found = text.find_first_of(colons ? "/:" : "/", i);
      const std::size_t end = std::min(found, text.size());
      if (end < text.size() || last) {
        flush();
        out.parts.push_back(Part{Tilde{std::string(text.substr(i + 1, end - i - 1))}});
        i = end;
        continue;
      }
    }
    plain += text[i++];
  }
  flush();
}

}  // namespace

void mark_tildes(Word& word, TildeRule rule) {
  Word out;
  for (std::size_t i = 0; i < word.parts.size(); ++i) {
    const auto* text = std::get_if<Text>(&word.parts[i].value);
    if (text == nullptr || text->quote != Quote::kNone ||
        text->text.find('~') == std::string::npos) {
      out.parts.push_back(std::move(word.parts[i]));
      continue;
    }
    split_tildes(text->text, rule, i == 0, i + 1 == word.parts.size(), out);
  }
  word = std::move(out);
}

}  // namespace sandproof::machine::shell
