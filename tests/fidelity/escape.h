// SPDX-License-Identifier: Apache-2.0
// How any bytes are written as lines of a rows file, and back. Pure functions.
#pragma once

#include <string>
#include <string_view>

namespace sandproof::fidelity {

// Lines that unescape() turns into `bytes` again: printable ASCII stands for itself, `\\` is a
// backslash, `\t` a tab, `\xHH` any byte, a lone `\` an empty line, and a final `\c` says that the
// last line has no newline. Empty for no bytes; else ends in a newline.
std::string escape(std::string_view bytes);

// The bytes of `lines`; empty lines are ignored. Throws std::runtime_error, which names the line,
// for an escape that does not exist.
std::string unescape(std::string_view lines);

// Each line of `text` moved right by `columns`.
std::string indent(std::string_view text, int columns);

}  // namespace sandproof::fidelity
