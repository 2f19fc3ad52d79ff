// SPDX-License-Identifier: Apache-2.0
// A script of sed, read: commands in a row, whose blocks and branches are positions in it. Values.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "fakes/machine/programs/support/regex.h"

namespace sandproof::machine::programs {

struct SedAddress {
  enum class Kind : unsigned char { kNone, kLine, kLast, kRegex, kPlus };
  Kind kind = Kind::kNone;
  std::size_t number = 0;
  std::optional<Regex> regex;  // Empty: the last one that was used.
};

/// s///: what stands for a match.
struct SedReplacement {
  struct Part {
    std::string text;
    int group = -1;  // The text itself; otherwise that group, 0 for the match.
  };
  std::vector<Part> parts;
  std::size_t which = 1;  // The first that is replaced.
  bool all = false;       // And those after it.
  bool print = false;
};

struct SedCommand {
  char letter = 0;
  SedAddress first;
  SedAddress last;
  bool inverted = false;
  std::optional<Regex> regex;  // Of s; empty: the last one that was used.
  SedReplacement replacement;
  std::string text;        // Of a, i, c; the label of b, t, T, :; the pairs of y.
  std::string file;        // Of r, w and s///w.
  std::size_t target = 0;  // Of branches, and of '{': the position after its block.
};

struct SedScript {
  std::vector<SedCommand> commands;
  bool quiet = false;  // "#n" as the first line.
};

/// What is wrong, as busybox says it; empty if nothing is.
std::string read_sed_script(std::string_view text, bool extended, SedScript& script);

}  // namespace sandproof::machine::programs
