// SPDX-License-Identifier: Apache-2.0
// Nothing but the order of the steps.
#include "fakes/machine/shell/expand/word.h"

#include <iterator>
#include <utility>

#include "fakes/machine/shell/expand/field_split.h"

namespace sandproof::machine::shell {

std::vector<std::string> finish_word(std::span<const Piece> word, const WordOptions& options,
                                     const DirectoryReader& reader) {
  std::vector<std::string> words;
  for (const Field& field : split_fields(word, options.ifs)) {
    std::vector<std::string> paths;
    if (!options.noglob) paths = expand_pathname(pattern_of(field), reader, options.caret);
    if (paths.empty()) paths.push_back(text_of(field));
    words.insert(words.end(), std::move_iterator(paths.begin()), std::move_iterator(paths.end()));
  }
  return words;
}

}  // namespace sandproof::machine::shell
