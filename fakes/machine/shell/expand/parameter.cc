// SPDX-License-Identifier: Apache-2.0
// The table of XCU 2.6.2, column by column: set and not null, set but null, unset.
#include "fakes/machine/shell/expand/parameter.h"

#include <algorithm>

#include "fakes/machine/shell/expand/pattern.h"

namespace sandproof::machine::shell {
namespace {

std::optional<Cut> cut_of(ParameterOperator operation) {
  switch (operation) {
    case ParameterOperator::kTrimSmallestPrefix:
      return Cut::kSmallestPrefix;
    case ParameterOperator::kTrimLargestPrefix:
      return Cut::kLargestPrefix;
    case ParameterOperator::kTrimSmallestSuffix:
      return Cut::kSmallestSuffix;
    case ParameterOperator::kTrimLargestSuffix:
      return Cut::kLargestSuffix;
    default:
      return std::nullopt;
  }
}

bool is_letter_of_name(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

}  // namespace

ParameterStep parameter_step(ParameterUse use, const std::optional<std::string>& value,
                             bool nounset) {
  const bool there = value && !(use.colon && value->empty());
  const bool fails = !value && nounset;
  switch (use.operation) {
    case ParameterOperator::kDefault:
      return there ? ParameterStep::kValue : ParameterStep::kWord;
    case ParameterOperator::kAssign:
      return there ? ParameterStep::kValue : ParameterStep::kAssignWord;
    case ParameterOperator::kError:
      return there ? ParameterStep::kValue : ParameterStep::kFailWord;
    case ParameterOperator::kAlternative:
      return there ? ParameterStep::kWord : ParameterStep::kNothing;
    case ParameterOperator::kLength:
      return fails ? ParameterStep::kFailUnset : ParameterStep::kLength;
    case ParameterOperator::kNone:
      return fails ? ParameterStep::kFailUnset : ParameterStep::kValue;
    default:
      // Of nothing, nothing can be cut: the word is not looked at.
      if (!value) return fails ? ParameterStep::kFailUnset : ParameterStep::kValue;
      return ParameterStep::kCut;
  }
}

std::string cut_parameter(ParameterUse use, std::string_view value, std::string_view pattern) {
  const auto cut = cut_of(use.operation);
  if (!cut) return std::string(value);
  return std::string(Pattern(pattern).cut(value, *cut));
}

std::string parameter_error(std::string_view name, ParameterUse use,
                            const std::optional<std::string>& message) {
  std::string text(name);
  text += ": ";
  if (message) return text + *message;
  return text + (use.colon ? "parameter not set or null" : "parameter not set");
}

std::optional<std::string> assignment_error(std::string_view name) {
  const bool good = !name.empty() && is_letter_of_name(name.front()) &&
                    std::all_of(name.begin(), name.end(), [](char c) {
                      return is_letter_of_name(c) || (c >= '0' && c <= '9');
                    });
  if (good) return std::nullopt;
  return std::string(name) + ": bad variable name";
}

}  // namespace sandproof::machine::shell
