// SPDX-License-Identifier: Apache-2.0
// From one place where a tilde counts to the next.
#include "fakes/machine/shell/expand/tilde.h"

#include <algorithm>

namespace sandproof::machine::shell {

std::vector<Piece> expand_tildes(std::string_view literal, TildeContext context,
                                 const Homes& homes) {
  std::vector<Piece> pieces;
  std::string plain;
  std::size_t at = 0;
  bool counts = context.begins;
  while (at < literal.size()) {
    const std::size_t end =
        std::min(literal.find_first_of(context.assignment ? "/:" : "/", at), literal.size());
    const bool whole = end < literal.size() || context.ends;
    std::optional<std::string> directory;
    if (counts && whole && literal[at] == '~') {
      const std::string_view name = literal.substr(at + 1, end - at - 1);
      directory = name.empty() ? homes.home : homes.of_user(name);
    }
    if (directory) {
      if (!plain.empty()) pieces.push_back({std::move(plain)});
      plain.clear();
      pieces.push_back({std::move(*directory), true});
      at = end;
    }
    const std::size_t next =
        context.assignment ? std::min(literal.find(':', at), literal.size()) : literal.size();
    const std::size_t stop = std::min(next + 1, literal.size());
    plain += literal.substr(at, stop - at);
    at = stop;
    counts = true;
  }
  if (!plain.empty()) pieces.push_back({std::move(plain)});
  return pieces;
}

}  // namespace sandproof::machine::shell
