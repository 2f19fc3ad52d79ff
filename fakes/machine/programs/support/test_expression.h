// SPDX-License-Identifier: Apache-2.0
// The expressions of test and [. One process uses it.
#pragma once

#include "fakes/machine/program.h"

namespace sandproof::machine::programs {

struct TestAnswer {
  int status = 1;  // 0 true, 1 false, 2 an error.
  std::string error = {};
};

/// `words` without the name and without the closing bracket.
TestAnswer evaluate_test(Process& self, std::span<const std::string> words);

}  // namespace sandproof::machine::programs
