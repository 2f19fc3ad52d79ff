// SPDX-License-Identifier: Apache-2.0
// Looks at the first part alone: a name that an expansion gives is none.
#include "fakes/machine/shell/run/assignment_word.h"

#include <utility>

#include "fakes/machine/shell/lex/token.h"
#include "fakes/machine/shell/parse/tilde.h"

namespace sandproof::machine::shell {

bool is_assignment_word(const Word& word) {
  if (word.parts.empty()) return false;
  const auto* const text = std::get_if<Text>(&word.parts.front().value);
  if (text == nullptr || text->quote != Quote::kNone) return false;
  const std::size_t equals = text->text.find('=');
  return equals != std::string::npos && is_name(text->text.substr(0, equals));
}

void mark_assignment_tildes(Word& word) {
  auto& first = std::get<Text>(word.parts.front().value);
  const std::size_t equals = first.text.find('=');
  Text name{.text = first.text.substr(0, equals + 1)};
  first.text.erase(0, equals + 1);
  if (first.text.empty()) word.parts.erase(word.parts.begin());
  mark_tildes(word, TildeRule::kAssignment);
  word.parts.insert(word.parts.begin(), Part{std::move(name)});
}

}  // namespace sandproof::machine::shell
