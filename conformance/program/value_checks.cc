// SPDX-License-Identifier: Apache-2.0
// Validators for the parser; see value_checks.h.
#include "conformance/program/value_checks.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <charconv>
#include <cstdint>
#include <limits>
#include <nlohmann/json.hpp>

namespace sandproof::conformance {
namespace {

std::string empty_value(const std::string& value) {
  return value.empty() ? "the value is empty; leave the option out, or give it one" : std::string();
}

std::string no_seed(const std::string& value) {
  std::uint64_t seed = 0;
  const char* const end = value.data() + value.size();
  const auto [last, error] = std::from_chars(value.data(), end, seed);
  // The parser takes a leading zero for octal.
  const bool octal = value.size() > 1 && value.front() == '0';
  if (error == std::errc() && last == end && !octal) return {};
  return fmt::format("a seed is a whole number from 0 to {} in decimal, not `{}`",
                     std::numeric_limits<std::uint64_t>::max(), value);
}

}  // namespace

void refuse_empty_values(CLI::App& app) {
  for (CLI::Option* option : app.get_options()) {
    const bool takes_values = option->get_items_expected_max() > 0;
    const bool once = option->get_items_expected_max() == 1;
    if (takes_values && (option->nonpositional() || once)) option->check(empty_value);
  }
  for (CLI::App* subcommand : app.get_subcommands({})) refuse_empty_values(*subcommand);
}

void check_seed(CLI::Option& option) { option.check(no_seed); }

bool is_utf8(const std::string& text) {
  try {
    nlohmann::json(text).dump();
    return true;
  } catch (const nlohmann::json::exception&) {
    return false;
  }
}

void check_between(CLI::Option& option, double least, double most) {
  option.check([least, most](const std::string& value) -> std::string {
    double number = 0;
    // A comparison with NaN is false.
    if (CLI::detail::lexical_cast(value, number) && number >= least && number <= most) return {};
    return fmt::format("a number from {} to {} is needed, not `{}`", least, most, value);
  });
}

}  // namespace sandproof::conformance
