// SPDX-License-Identifier: Apache-2.0
// The operators of parameter expansion (XCU 2.6.2), as a decision: what a `${…}` becomes is known
// before its word is expanded, so that a word that is not needed is never expanded, and the caller
// may wait for one that is. Pure; any thread.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "fakes/machine/shell/ast.h"

namespace sandproof::machine::shell {

struct ParameterUse {
  ParameterOperator operation = ParameterOperator::kNone;
  /// `:-` and its like: an empty value counts as none.
  bool colon = false;
};

/// What to do now.
enum class ParameterStep {
  kValue,       ///< The value, empty where it is not set.
  kLength,      ///< Its length.
  kCut,         ///< Expand the word as a pattern, then cut_parameter().
  kNothing,     ///< Nothing at all: not even an empty field, where it is not quoted.
  kWord,        ///< The word, expanded in place.
  kAssignWord,  ///< The word, expanded, assigned to the name, then the value.
  kFailWord,    ///< The shell fails with parameter_error(), the word expanded where there is one.
  kFailUnset,   ///< The shell fails with parameter_error(), under `set -u`.
};

/// `nounset` is `set -u`; it is not for `$@` and `$*`, which are always set.
ParameterStep parameter_step(ParameterUse use, const std::optional<std::string>& value,
                             bool nounset);

/// What is left of the value where `use` is one of the four that cut; all of it where it is
/// another.
std::string cut_parameter(ParameterUse use, std::string_view value, std::string_view pattern);

/// What the shell says after its name and line, without a newline: `x: parameter not set`, `x:
/// parameter not set or null`, or the name and the message where the word is there, even an empty
/// one.
std::string parameter_error(std::string_view name, ParameterUse use,
                            const std::optional<std::string>& message);

/// What stands in the way of an assignment to the name: `1: bad variable name`; nothing where it is
/// one.
std::optional<std::string> assignment_error(std::string_view name);

}  // namespace sandproof::machine::shell
