// SPDX-License-Identifier: Apache-2.0
// Terminals and text that fits them; see terminal.h.
#include "conformance/report/terminal.h"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cctype>
#include <cerrno>
#include <cstdlib>

#include "conformance/report/write_signals.h"

namespace sandproof::conformance {
namespace {

constexpr std::size_t kDefaultWidth = 80;
/// Narrower than this nothing is readable; wider than this no sentence is.
constexpr std::size_t kLeastWidth = 40;
constexpr std::size_t kLargestWidth = 160;

std::string_view variable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? std::string_view{} : value;
}

/// The locale as setlocale() would choose it. The program does not call that, so that numbers are
/// printed alike everywhere.
bool locale_is_utf8() {
  for (const char* name : {"LC_ALL", "LC_CTYPE", "LANG"}) {
    std::string value(variable(name));
    if (value.empty()) continue;
    std::transform(value.begin(), value.end(), value.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return value.find("utf-8") != std::string::npos || value.find("utf8") != std::string::npos;
  }
  return false;
}

bool is_continuation(char c) { return (static_cast<unsigned char>(c) & 0xC0U) == 0x80U; }

std::string_view escape_of(Style style) {
  switch (style) {
    case Style::kGood:
      return "\x1b[32m";
    case Style::kBad:
      return "\x1b[1;31m";
    case Style::kWarning:
      return "\x1b[33m";
    case Style::kDim:
      return "\x1b[2m";
    case Style::kStrong:
      return "\x1b[1m";
    case Style::kPlain:
      break;
  }
  return {};
}

/// The one thing that all writers of the process share: its standard output.
std::atomic<int> first_output_error{0};

}  // namespace

Terminal describe_terminal(int fd, ColorMode mode) {
  Terminal terminal;
  terminal.live = ::isatty(fd) == 1 && variable("TERM") != "dumb" && !variable("TERM").empty();
  terminal.color = mode == ColorMode::kAlways ||
                   (mode == ColorMode::kAuto && terminal.live && variable("NO_COLOR").empty());
  terminal.utf8 = locale_is_utf8();
  std::size_t width = std::strtoul(std::string(variable("COLUMNS")).c_str(), nullptr, 10);
  winsize size{};
  if (::ioctl(fd, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) {
    width = size.ws_col;
    if (size.ws_row > 0) terminal.height = size.ws_row;
  }
  terminal.width = std::clamp(width == 0 ? kDefaultWidth : width, kLeastWidth, kLargestWidth);
  return terminal;
}

std::string paint(const Terminal& terminal, Style style, std::string_view text) {
  if (!terminal.color || style == Style::kPlain || text.empty()) return std::string(text);
  return fmt::format("{}{}\x1b[0m", escape_of(style), text);
}

std::string printable(std::string_view text, bool lines) {
  std::string result;
  result.reserve(text.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto byte = static_cast<unsigned char>(text[i]);
    // The C1 controls of Unicode, U+0080 to U+009F, are C2 80 to C2 9F in UTF-8.
    const bool c1 = byte == 0xC2 && i + 1 < text.size() && is_continuation(text[i + 1]) &&
                    static_cast<unsigned char>(text[i + 1]) < 0xA0;
    if (c1) {
      result += fmt::format("\\x{:02x}", static_cast<unsigned char>(text[++i]));
    } else if (byte == '\n' && lines) {
      result += '\n';
    } else if (byte == '\n') {
      result += "\\n";
    } else if (byte == '\t') {
      result += "  ";
    } else if (byte < 0x20 || byte == 0x7F) {
      result += fmt::format("\\x{:02x}", byte);
    } else {
      result += text[i];
    }
  }
  return result;
}

std::size_t columns_of(std::string_view text) {
  return static_cast<std::size_t>(
      std::count_if(text.begin(), text.end(), [](char c) { return !is_continuation(c); }));
}

std::string cut_to(std::string_view text, std::size_t columns) {
  constexpr std::string_view kCut = "...";
  if (columns_of(text) <= columns) return std::string(text);
  if (columns <= kCut.size()) return std::string(kCut.substr(0, columns));
  std::size_t left = columns - kCut.size();
  std::size_t end = 0;
  while (end < text.size() && (left > 0 || is_continuation(text[end]))) {
    if (!is_continuation(text[end])) --left;
    ++end;
  }
  return std::string(text.substr(0, end)) + std::string(kCut);
}

std::string pad_to(std::string_view text, std::size_t columns) {
  const std::size_t taken = columns_of(text);
  return std::string(text) + std::string(taken < columns ? columns - taken : 0, ' ');
}

std::string wrap(std::string_view text, std::size_t width, std::string_view first,
                 std::string_view rest) {
  std::string result(first);
  std::size_t column = columns_of(first);
  bool at_start = true;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find_first_of(" \n"), text.size());
    const std::string_view word = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (word.empty()) continue;
    const std::size_t size = columns_of(word);
    if (!at_start && column + 1 + size > width) {
      result += '\n';
      result += rest;
      column = columns_of(rest);
      at_start = true;
    }
    if (!at_start) result += ' ';
    column += size + (at_start ? 0 : 1);
    result += word;
    at_start = false;
  }
  return result + '\n';
}

std::vector<std::string> lines_of(std::string_view text) {
  std::vector<std::string> lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    lines.emplace_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

std::string duration_text(double milliseconds) {
  constexpr double kSecond = 1000;
  const double seconds = milliseconds / kSecond;
  if (seconds < 10) return fmt::format("{:.2f} s", seconds);
  if (seconds < 120) return fmt::format("{:.1f} s", seconds);
  const auto whole = static_cast<long>(seconds);
  return fmt::format("{} min {:02} s", whole / 60, whole % 60);
}

std::string count_text(std::size_t count, std::string_view singular, std::string_view plural) {
  if (count == 1) return fmt::format("1 {}", singular);
  return plural.empty() ? fmt::format("{} {}s", count, singular)
                        : fmt::format("{} {}", count, plural);
}

std::string place_text(std::string_view file, long line) {
  const std::size_t last = file.rfind('/');
  const std::size_t before = last == 0 || last == std::string_view::npos
                                 ? std::string_view::npos
                                 : file.rfind('/', last - 1);
  if (before != std::string_view::npos) file.remove_prefix(before + 1);
  return fmt::format("{}:{}", printable(file, false), line);
}

int standard_output_error() { return first_output_error.load(); }

bool write_text(int fd, std::string_view text) {
  const BlockedWriteSignals blocked;
  while (!text.empty()) {
    const ssize_t count = ::write(fd, text.data(), text.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) {
      int none = 0;
      if (fd == STDOUT_FILENO) first_output_error.compare_exchange_strong(none, errno);
      return false;
    }
    text.remove_prefix(static_cast<std::size_t>(count));
  }
  return true;
}

}  // namespace sandproof::conformance
