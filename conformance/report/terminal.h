// SPDX-License-Identifier: Apache-2.0
// What the reports know of the place where they are read: width, colours, characters; and text that
// fits it. Values and pure functions, but for describe_terminal() and write_text(); any thread.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace sandproof::conformance {

enum class ColorMode { kAuto, kAlways, kNever };

struct Terminal {
  /// Lines can be rewritten in place.
  bool live = false;
  bool color = false;
  /// The reader's locale is UTF-8: symbols beyond ASCII may be used.
  bool utf8 = false;
  std::size_t width = 80;
  std::size_t height = 24;
};

/// kAuto: colours on a terminal that is not dumb, unless NO_COLOR is set (no-color.org). The width
/// is the terminal's, else COLUMNS, else 80.
Terminal describe_terminal(int fd, ColorMode mode);

enum class Style { kPlain, kGood, kBad, kWarning, kDim, kStrong };
/// With the colour's escape sequences around it, where the terminal has colours.
std::string paint(const Terminal& terminal, Style style, std::string_view text);

/// Control characters as `\x1b`, tabs as spaces; a newline stays where `lines` is set. Text of a
/// flavor under test must not drive the reader's terminal.
std::string printable(std::string_view text, bool lines = true);

/// Columns that `text` takes: its code points. (Wide characters count as one.)
std::size_t columns_of(std::string_view text);
/// At most `columns`, with a sign that something was cut.
std::string cut_to(std::string_view text, std::size_t columns);
/// Filled up with spaces.
std::string pad_to(std::string_view text, std::size_t columns);
/// Broken between words into lines of at most `width` columns, the first after `first` and the
/// others after `rest`. A longer word stands on a line of its own. Ends with a newline.
std::string wrap(std::string_view text, std::size_t width, std::string_view first,
                 std::string_view rest);
std::vector<std::string> lines_of(std::string_view text);

/// "0.31 s", "20.0 s", "2 min 05 s".
std::string duration_text(double milliseconds);
/// "1 case", "3 cases".
std::string count_text(std::size_t count, std::string_view singular, std::string_view plural = "");
/// "cases/kill.cc:41": the last two parts of a path are enough to find it.
std::string place_text(std::string_view file, long line);

/// Writes all of it; false when nobody reads any more (EPIPE) or the disk is full. What failed
/// first on standard output is remembered for the end of the program.
bool write_text(int fd, std::string_view text);

/// The errno with which write_text() first failed on standard output in this process; 0: it did
/// not.
int standard_output_error();

}  // namespace sandproof::conformance
