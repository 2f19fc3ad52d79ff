// SPDX-License-Identifier: Apache-2.0
// Scripts for the shell's parser: what real shells accept and refuse, clause by clause of POSIX's
// grammar. What is expected of them the tests ask the real shells.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "fakes/machine/shell/parse/parser.h"

namespace sandproof::machine::shell {

/// Read to their ends by the parser, never run.
std::span<const std::string_view> shell_scripts();

/// What reading `script` to its end comes to: the trees of its commands, and the first error as
/// a shell called `sh` would print it (empty where there is none).
struct ReadScript {
  std::string tree;
  std::string text;  // That should read the same.
  std::string error;
};
ReadScript read_script(std::string_view script, const AliasTable* aliases = nullptr);

}  // namespace sandproof::machine::shell
