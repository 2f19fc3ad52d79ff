// SPDX-License-Identifier: Apache-2.0
// Words as a line that a person copies out of a report into a shell. Pure; any thread.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace sandproof::conformance {

/// Quoted for a POSIX shell (XCU 2.2), which makes the bytes of `word` of it; they hold no NUL, as
/// no argument does. In it are only characters that can be seen, and newlines, so that every report
/// shows it as it is.
std::string shell_word(std::string_view word);

/// Joined by one space.
std::string shell_line(std::span<const std::string> words);

}  // namespace sandproof::conformance
