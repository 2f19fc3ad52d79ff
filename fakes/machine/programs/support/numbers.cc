// SPDX-License-Identifier: Apache-2.0
// Reading numbers.
#include "fakes/machine/programs/support/numbers.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>
#include <cmath>
#include <utility>

#include "fakes/machine/programs/support/tool.h"

namespace sandproof::machine::programs {
namespace {

template <typename Number>
std::optional<Number> whole(std::string_view text, int base) {
  Number number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number, base);
  if (text.empty() || error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

constexpr std::uint64_t kKilo = 1024;
constexpr std::array kSizeUnits = {
    std::pair{std::string_view("b"), std::uint64_t{512}},
    std::pair{std::string_view("k"), kKilo},
    std::pair{std::string_view("K"), kKilo},
    std::pair{std::string_view("m"), kKilo* kKilo},
    std::pair{std::string_view("M"), kKilo* kKilo},
    std::pair{std::string_view("g"), kKilo* kKilo* kKilo},
    std::pair{std::string_view("G"), kKilo* kKilo* kKilo},
};
constexpr std::array kDdUnits = {
    std::pair{std::string_view("c"), std::uint64_t{1}},
    std::pair{std::string_view("w"), std::uint64_t{2}},
    std::pair{std::string_view("kB"), std::uint64_t{1000}},
    std::pair{std::string_view("kD"), std::uint64_t{1000}},
    std::pair{std::string_view("MB"), std::uint64_t{1000000}},
    std::pair{std::string_view("MD"), std::uint64_t{1000000}},
    std::pair{std::string_view("GB"), std::uint64_t{1000000000}},
    std::pair{std::string_view("GD"), std::uint64_t{1000000000}},
};

}  // namespace

std::optional<std::int64_t> read_integer(std::string_view text, int base) {
  if (text.starts_with('+') && !text.starts_with("+-")) text.remove_prefix(1);
  return whole<std::int64_t>(text, base);
}

std::optional<std::uint64_t> read_unsigned(std::string_view text, int base) {
  return whole<std::uint64_t>(text, base);
}

std::optional<std::uint64_t> read_size(std::string_view text, bool of_dd) {
  const std::size_t digits = std::min(text.find_first_not_of("0123456789"), text.size());
  const std::optional<std::uint64_t> number = whole<std::uint64_t>(text.substr(0, digits), 10);
  const std::string_view suffix = text.substr(digits);
  if (!number || suffix.empty()) return number;
  std::uint64_t unit = 0;
  for (const auto& [name, value] : kSizeUnits) {
    if (name == suffix) unit = value;
  }
  for (const auto& [name, value] : kDdUnits) {
    if (of_dd && name == suffix) unit = value;
  }
  if (unit == 0 || *number > UINT64_MAX / unit) return std::nullopt;
  return *number * unit;
}

std::optional<double> read_decimal(std::string_view text) {
  if (text.starts_with('+') && !text.starts_with("+-")) text.remove_prefix(1);
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (text.empty() || error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

std::optional<Nanoseconds> read_duration(std::string_view text) {
  double unit = 1;
  if (!text.empty()) {
    switch (text.back()) {
      case 'd':
        unit = 86400;
        break;
      case 'h':
        unit = 3600;
        break;
      case 'm':
        unit = 60;
        break;
      default:
        break;
    }
    if (std::string_view("smhd").find(text.back()) != std::string_view::npos) text.remove_suffix(1);
  }
  const std::optional<double> number = read_decimal(text);
  if (!number || std::isnan(*number) || *number < 0) return std::nullopt;
  constexpr double kCenturySeconds = 100.0 * 366 * 86400;
  const double seconds = std::min(*number * unit, kCenturySeconds);
  return std::chrono::duration_cast<Nanoseconds>(std::chrono::duration<double>(seconds));
}

std::string human_size(std::uint64_t bytes) {
  std::uint64_t whole = bytes;
  std::uint64_t tenths = 0;
  std::size_t unit = 0;
  for (; whole >= kKilo; ++unit) {
    tenths = (whole % kKilo * 10 + kKilo / 2) / kKilo;
    whole /= kKilo;
  }
  if (unit == 0) return std::to_string(whole);
  if (tenths >= 10) {
    ++whole;
    tenths = 0;
  }
  constexpr std::string_view kLetters = " KMGTPE";
  return std::to_string(whole) + "." + std::to_string(tenths) + kLetters[unit];
}

}  // namespace sandproof::machine::programs
