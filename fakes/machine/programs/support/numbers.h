// SPDX-License-Identifier: Apache-2.0
// Numbers as busybox reads them from words, and sizes as it prints them. Pure; any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "fakes/machine/clock.h"

namespace sandproof::machine::programs {

/// Digits with an optional sign, nothing else; nothing where it does not fit.
std::optional<std::int64_t> read_integer(std::string_view text, int base = 10);
/// Digits without a sign.
std::optional<std::uint64_t> read_unsigned(std::string_view text, int base = 10);
/// Digits and at most one of b (512), k, K, m, M, g, G and the like (c, w, kB, kD where `of_dd`).
std::optional<std::uint64_t> read_size(std::string_view text, bool of_dd = false);
/// A decimal fraction: all of the text.
std::optional<double> read_decimal(std::string_view text);
/// "0.5", "3s", "2m", "1h", "1d". Lengths beyond a hundred years are that.
std::optional<Nanoseconds> read_duration(std::string_view text);

/// With one place behind the point of the largest unit: "2.0K", "117.7M", "12".
std::string human_size(std::uint64_t bytes);

}  // namespace sandproof::machine::programs
