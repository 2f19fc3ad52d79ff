// SPDX-License-Identifier: Apache-2.0
// The utility `printf` as dash has it, as a function from its operands to what it writes. Pure; any
// thread.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace sandproof::machine::shell {

struct PrintfResult {
  std::string out;
  /// A line each on stderr, after the name of the shell, its line and "printf: ". They are written
  /// before `out`.
  std::vector<std::string> errors;
  int status = 0;
};

/// A width or a precision that is larger is an error, as is an output: a script of three words must
/// not fill the memory of the program around the machine.
inline constexpr long long kMaxPrintfWidth = 1 << 20;
inline constexpr std::size_t kMaxPrintfOutput = std::size_t{64} << 20;

/// `arguments` are what stands after the name: options (there are none but `--`), the format, its
/// operands. Directives:
/// `%% %b %c %s %d %i %o %u %x %X %a %A %e %E %f %F %g %G`, flags `#-+ 0`, width, precision, `*`.
/// The format is used again while operands are left. Differs from dash: digits and a `*` in one
/// width are refused, where dash hands them to the C library.
PrintfResult run_printf(std::span<const std::string> arguments);

}  // namespace sandproof::machine::shell
