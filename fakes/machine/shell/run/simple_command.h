// SPDX-License-Identifier: Apache-2.0
// A simple command while it is expanded. For simple.cc. Values.
#pragma once

#include <cstddef>

#include "fakes/machine/program.h"
#include "fakes/machine/shell/ast.h"

namespace sandproof::machine::shell {

struct SimpleRun {
  const SimpleCommand& node;
  Strings words = {};
  std::size_t begin = 0;           // Of the command's name, after `command`.
  bool decided = false;            // What it is, as far as it matters to the words after it.
  bool skips_functions = false;    // After `command`.
  bool special = false;            // A special builtin by its own name.
  bool takes_assignments = false;  // `export` and its like.
  bool is_exec = false;
};

}  // namespace sandproof::machine::shell
