// SPDX-License-Identifier: Apache-2.0
// The expressions of `test`, as dash reads them. One thread.
#pragma once

#include <optional>
#include <span>
#include <string>

#include "fakes/machine/program.h"

namespace sandproof::machine::shell {

struct TestOutcome {
  bool holds = false;
  /// What is wrong with the expression: `x: unexpected operator`. Then the status is 2.
  std::optional<std::string> error = {};
};

/// `words` are the operands, without the `]`. `-t` is never true: there are no terminals.
TestOutcome evaluate_test(Process& process, std::span<const std::string> words);

}  // namespace sandproof::machine::shell
