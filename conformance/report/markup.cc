// SPDX-License-Identifier: Apache-2.0
// Escapes; see markup.h.
#include "conformance/report/markup.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "conformance/report/terminal.h"

namespace sandproof::conformance {
namespace {

/// Each byte that is not UTF-8 becomes U+FFFD. The JSON library has a decoder.
std::string valid_utf8(std::string_view text) {
  const nlohmann::json value = std::string(text);
  const std::string dumped = value.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  return nlohmann::json::parse(dumped).get<std::string>();
}

/// The characters of three bytes that are no text, by their last two bytes after `first`.
bool is_hidden(unsigned char first, unsigned char second, unsigned char third) {
  if (first == 0xEF) return second == 0xBF && third >= 0xBE;  // U+FFFE, U+FFFF
  if (first != 0xE2) return false;
  const bool separates = second == 0x80 && (third == 0xA8 || third == 0xA9);  // U+2028, U+2029
  const bool marks = second == 0x80 && (third == 0x8E || third == 0x8F);      // U+200E, U+200F
  const bool embeds = second == 0x80 && third >= 0xAA && third <= 0xAE;       // U+202A to 202E
  const bool isolates = second == 0x81 && third >= 0xA6 && third <= 0xA9;     // U+2066 to 2069
  return separates || marks || embeds || isolates;
}

unsigned code_point(unsigned char first, unsigned char second, unsigned char third) {
  return (first & 0x0FU) << 12U | (second & 0x3FU) << 6U | (third & 0x3FU);
}

}  // namespace

std::string clean_text(std::string_view text) {
  const std::string visible = printable(valid_utf8(text));
  std::string result;
  result.reserve(visible.size());
  for (std::size_t i = 0; i < visible.size(); ++i) {
    const auto byte = [&visible, i](std::size_t offset) {
      return i + offset < visible.size() ? static_cast<unsigned char>(visible[i + offset])
                                         : static_cast<unsigned char>(0);
    };
    if (is_hidden(byte(0), byte(1), byte(2))) {
      result += fmt::format("\\u{:04x}", code_point(byte(0), byte(1), byte(2)));
      i += 2;
    } else {
      result += visible[i];
    }
  }
  return result;
}

std::string escape_markup(std::string_view text) {
  std::string result;
  for (const char c : clean_text(text)) {
    switch (c) {
      case '&':
        result += "&amp;";
        break;
      case '<':
        result += "&lt;";
        break;
      case '>':
        result += "&gt;";
        break;
      case '"':
        result += "&quot;";
        break;
      case '\'':
        result += "&#39;";
        break;
      default:
        result += c;
    }
  }
  return result;
}

std::string escape_markdown(std::string_view text) {
  // What begins something in Markdown, in a table of it, or in HTML; `@` would call people, `#`
  // link to issues. A character reference has no meaning but its character.
  constexpr std::string_view kSpecial = "&<>`*_~|[]\\#@$";
  const std::string clean = clean_text(text);
  std::string result;
  for (std::size_t i = 0; i < clean.size(); ++i) {
    const char c = clean[i];
    const bool address = c == ':' && clean.compare(i, 3, "://") == 0;
    if (c == '\n') {
      result += ' ';
    } else if (address || kSpecial.find(c) != std::string_view::npos) {
      result += fmt::format("&#{};", static_cast<int>(c));
    } else {
      result += c;
    }
  }
  return result;
}

std::string markdown_block(std::string_view text, std::string_view language) {
  constexpr std::size_t kLeastFence = 3;
  const std::string content = clean_text(text);
  std::size_t longest = 0;
  std::size_t now = 0;
  for (const char c : content) {
    now = c == '`' ? now + 1 : 0;
    longest = std::max(longest, now);
  }
  const std::string fence(std::max(kLeastFence, longest + 1), '`');
  const std::string_view end = content.ends_with('\n') ? "" : "\n";
  return fmt::format("{}{}\n{}{}{}\n", fence, language, content, end, fence);
}

}  // namespace sandproof::conformance
