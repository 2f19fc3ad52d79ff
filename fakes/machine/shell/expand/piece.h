// SPDX-License-Identifier: Apache-2.0
// What a word is while it is expanded: pieces of text that know whether they were quoted and
// whether an expansion gave them. Values; any thread.
#pragma once

#include <string>
#include <vector>

namespace sandproof::machine::shell {

struct Piece {
  enum class Kind {
    kText,
    /// Ends a field: what stands between the parameters of `$@`. Its text is empty.
    kFieldEnd,
  };
  std::string text;
  /// Neither split nor matched with names. A quoted piece makes its field be there, even an empty
  /// one.
  bool quoted = false;
  /// Of a parameter, a command or arithmetic: what is unquoted of it is split. One piece per
  /// expansion: a delimiter does not reach over the end of one.
  bool from_expansion = false;
  Kind kind = Kind::kText;

  bool operator==(const Piece&) const = default;
};

using Field = std::vector<Piece>;

/// Quote removal: the text, whatever was quoted of it.
std::string text_of(const Field& field);

/// The pattern that the field is in `case`, in the cuts of a parameter and in pathname expansion:
/// what was quoted means itself. A backslash that an unquoted expansion gave quotes, as in dash;
/// also the backslash that quotes the text of the next piece.
std::string pattern_of(const Field& field);

}  // namespace sandproof::machine::shell
