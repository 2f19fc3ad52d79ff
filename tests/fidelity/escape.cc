// SPDX-License-Identifier: Apache-2.0
// How any bytes are written as lines of a rows file, and back.
#include "tests/fidelity/escape.h"

#include <charconv>
#include <stdexcept>

namespace sandproof::fidelity {
namespace {

std::string hex_escape(unsigned char byte) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  return {'\\', 'x', kDigits[byte >> 4], kDigits[byte & 15]};
}

std::string escape_line(std::string_view line) {
  if (line.empty()) return "\\";
  std::string text;
  // These would begin something else in the file.
  const bool marks = line.starts_with("===") || line.starts_with("---") || line.starts_with("## ");
  for (std::size_t at = 0; at < line.size(); ++at) {
    const auto byte = static_cast<unsigned char>(line[at]);
    // Editors take spaces at the end of a line away.
    const bool last_space = byte == ' ' && at + 1 == line.size();
    if (byte == '\\') {
      text += "\\\\";
    } else if (byte == '\t') {
      text += "\\t";
    } else if (byte < 0x20 || byte >= 0x7f || last_space || (marks && at == 0)) {
      text += hex_escape(byte);
    } else {
      text += line[at];
    }
  }
  return text;
}

[[noreturn]] void refuse(std::string_view line) {
  throw std::runtime_error("the line '" + std::string(line) +
                           R"(' has an escape that is none of \\ \t \xHH, and \c at its end)");
}

// Appends the bytes of one line; false when it ends in `\c`.
bool unescape_line(std::string_view line, std::string& bytes) {
  if (line == "\\") return true;
  for (std::size_t at = 0; at < line.size(); ++at) {
    if (line[at] != '\\') {
      bytes += line[at];
      continue;
    }
    const char kind = ++at < line.size() ? line[at] : '\0';
    if (kind == '\\') {
      bytes += '\\';
    } else if (kind == 't') {
      bytes += '\t';
    } else if (kind == 'c' && at + 1 == line.size()) {
      return false;
    } else if (kind == 'x' && at + 2 < line.size()) {
      unsigned byte = 0;
      const char* first = line.data() + at + 1;
      if (std::from_chars(first, first + 2, byte, 16).ptr != first + 2) refuse(line);
      bytes += static_cast<char>(byte);
      at += 2;
    } else {
      refuse(line);
    }
  }
  return true;
}

}  // namespace

std::string escape(std::string_view bytes) {
  std::string lines;
  while (!bytes.empty()) {
    const std::size_t end = bytes.find('\n');
    lines += escape_line(bytes.substr(0, end));
    if (end == bytes.npos) return lines + "\\c\n";
    lines += '\n';
    bytes.remove_prefix(end + 1);
  }
  return lines;
}

std::string unescape(std::string_view lines) {
  std::string bytes;
  while (!lines.empty()) {
    const std::size_t end = lines.find('\n');
    const std::string_view line = lines.substr(0, end);
    lines.remove_prefix(end == lines.npos ? lines.size() : end + 1);
    if (!line.empty() && unescape_line(line, bytes)) bytes += '\n';
  }
  return bytes;
}

std::string indent(std::string_view text, int columns) {
  const std::string margin(static_cast<std::size_t>(columns), ' ');
  std::string moved;
  bool begins = true;
  for (const char byte : text) {
    if (begins) moved += margin;
    moved += byte;
    begins = byte == '\n';
  }
  return moved;
}

}  // namespace sandproof::fidelity
