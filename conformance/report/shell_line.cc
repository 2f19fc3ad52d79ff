// SPDX-License-Identifier: Apache-2.0
// Quoting what cannot be seen; see shell_line.h.
#include "conformance/report/shell_line.h"

#include <fmt/format.h>

#include "conformance/report/markup.h"
#include "sandproof/words.h"

namespace sandproof::conformance {
namespace {

/// The bytes of the code point that begins `text`, or of what is none.
std::size_t size_of_first(std::string_view text) {
  std::size_t size = 1;
  while (size < text.size() && (static_cast<unsigned char>(text[size]) & 0xC0U) == 0x80U) ++size;
  return size;
}

/// Whether every report would show the character as something else.
bool is_shown_otherwise(std::string_view character) {
  return character != "\n" && clean_text(character) != character;
}

/// POSIX has no other word for a byte than the format of printf; what it writes keeps all but
/// newlines at its end.
std::string as_format(std::string_view bytes) {
  std::string format;
  for (const char c : bytes) format += fmt::format("\\{:03o}", static_cast<unsigned char>(c));
  return fmt::format("\"$(printf '{}')\"", format);
}

}  // namespace

std::string shell_word(std::string_view word) {
  std::string result;
  std::string hidden;
  std::string seen;
  const auto flush = [&] {
    if (!seen.empty()) result += quote_word(seen);
    if (!hidden.empty()) result += as_format(hidden);
    seen.clear();
    hidden.clear();
  };
  while (!word.empty()) {
    const std::string_view character = word.substr(0, size_of_first(word));
    std::string& part = is_shown_otherwise(character) ? hidden : seen;
    const std::string& other = &part == &seen ? hidden : seen;
    if (!other.empty()) flush();
    part += character;
    word.remove_prefix(character.size());
  }
  flush();
  return result.empty() ? quote_word("") : result;
}

std::string shell_line(std::span<const std::string> words) {
  std::string line;
  for (const std::string& word : words) line += (line.empty() ? "" : " ") + shell_word(word);
  return line;
}

}  // namespace sandproof::conformance
