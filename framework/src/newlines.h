// SPDX-License-Identifier: Apache-2.0
// Counts newlines: every byte of a logged command goes through here. A pure function; any thread.
#pragma once

#include <cstdint>
#include <string_view>

namespace sandproof {

[[nodiscard]] std::uint64_t count_newlines(std::string_view bytes) noexcept;

}  // namespace sandproof
