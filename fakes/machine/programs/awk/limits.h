// SPDX-License-Identifier: Apache-2.0
// What a program of awk may use. A program in a box must not take the memory of its host, nor the
// stack of the machine's thread. Constants.
#pragma once

#include <cstddef>

namespace sandproof::machine::programs::awk {

/// One string. A search of a regular expression cannot be interrupted: a longer one would hold up
/// every other process of the machine.
inline constexpr std::size_t kMaxTextBytes = std::size_t{16} << 20;
/// All variables, arrays and the stack.
inline constexpr std::size_t kMaxMemoryBytes = std::size_t{256} << 20;
/// Calls of functions within each other; real ones end by the size of their stack.
inline constexpr std::size_t kMaxCallDepth = 10000;
/// Parentheses, blocks and operators within each other: the parser calls itself for each.
inline constexpr int kMaxNesting = 400;
/// Text of a program: its tree and its code take a hundred times that.
inline constexpr std::size_t kMaxProgramBytes = std::size_t{1} << 20;
/// Fields of a record, and parts of a split text.
inline constexpr std::size_t kMaxFields = std::size_t{1} << 21;
/// Streams and pipes that are open at the same time; the box has a limit of its own below.
inline constexpr std::size_t kMaxStreams = 4096;
/// A width or a precision of printf.
inline constexpr int kMaxPrintfWidth = 1 << 20;
/// Regular expressions made of strings that are kept compiled.
inline constexpr std::size_t kMaxCachedPatterns = 64;

}  // namespace sandproof::machine::programs::awk
