// SPDX-License-Identifier: Apache-2.0
// The options and operands of a program, read as getopt_long(3) reads them for busybox: letters may
// stand together, operands may stand between, "--" ends them, a long name may be cut short where it
// is unique. Values.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "fakes/machine/programs/support/tool.h"

namespace sandproof::machine::programs {

class Options {
 public:
  struct Given {
    char letter;
    std::optional<std::string> value;
  };

  bool has(char letter) const { return count(letter) > 0; }
  bool has_any(std::string_view letters) const;
  int count(char letter) const;
  /// The last one given.
  std::optional<std::string> value(char letter) const;
  Strings values(char letter) const;
  /// Which of these letters was given last; 0 if none was.
  char last_of(std::string_view letters) const;

  std::vector<Given> given;  // In their order.
  Strings operands;
};

/// Nothing where they are not as the usage says: it has been said on stderr then, and tool.status
/// is what the program is to end with (0 for --help).
Task<std::optional<Options>> read_options(Tool& tool);
/// The same of other words; the first is the name.
Task<std::optional<Options>> read_options(Tool& tool, Strings words);

}  // namespace sandproof::machine::programs
