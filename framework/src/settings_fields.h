// SPDX-License-Identifier: Apache-2.0
// One field of a settings description: what is right for it, in words, and how a value becomes the
// canonical one. Pure functions; any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "sandproof/settings.h"

namespace sandproof {

/// The value in the canonical type of the field. Throws InvalidArgumentError that names the field
/// and says what would be right: "setting `drain_grace` is -1: it must be between 0 and 3600
/// seconds". Values of environments and of free strings are not shown.
[[nodiscard]] SettingValue canonical_value(const SettingField& field, const SettingValue& value);

/// For a value of the wrong type: throws "setting `name` is <is>: it must be <what is right>".
[[noreturn]] void refuse_setting(const SettingField& field, const std::string& is);

/// "512 MiB", "1g", "64k", "100": a whole number, blanks, a unit. k, m, g and t, alone or with b or
/// ib, in any case, are powers of 1024. Empty for anything else and for what 63 bits do not hold.
[[nodiscard]] std::optional<std::int64_t> parse_bytes(std::string_view text);

/// The shortest decimal text that reads back to the number; whole numbers without an exponent.
[[nodiscard]] std::string number_text(double number);

}  // namespace sandproof
