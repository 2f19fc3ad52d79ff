// SPDX-License-Identifier: Apache-2.0
// The backslashes of `echo` and `printf`, as dash reads them. Pure; any thread.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

namespace sandproof::machine::shell {

enum class EscapeStyle {
  /// Of `echo` and of `%b`: `\0nnn` and `\nnn` are octal, `\c` ends the output.
  kEcho,
  /// Of printf's format: `\nnn` is octal, `\c` is two characters.
  kFormat,
};

/// One escape: what it stands for, and the bytes of the text that it took.
struct Escape {
  std::string text;
  std::size_t length = 0;
  /// `\c`: nothing after it is written.
  bool stops = false;
};

/// The escape at the beginning of the text, which begins with a backslash. What is no escape is
/// itself.
Escape read_escape(std::string_view text, EscapeStyle style);

struct Unescaped {
  std::string text;
  bool stopped = false;
};

/// The text with its escapes read.
Unescaped unescape(std::string_view text, EscapeStyle style);

/// What `echo` writes with these operands: `-n` is an option where it is the first of them, and
/// nothing else is one.
std::string echo_output(std::span<const std::string> operands);

}  // namespace sandproof::machine::shell
