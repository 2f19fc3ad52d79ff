// SPDX-License-Identifier: Apache-2.0
// printf: words by a format, which is used again while words are left.
#include <algorithm>
#include <cerrno>
#include <cstdlib>

#include "fakes/machine/printed.h"
#include "fakes/machine/programs/mains.h"
#include "fakes/machine/programs/support/escapes.h"
#include "fakes/machine/programs/support/tool.h"

namespace sandproof::machine::programs {
namespace {

constexpr Usage kPrintfUsage = {.text = "FORMAT [ARG]..."};
// A width that is larger is taken for this: a word must not fill the memory of the host.
constexpr long kMaxPrintfField = 1 << 20;
// What one use of the format may give, bytes.
constexpr std::size_t kMaxPrintfText = std::size_t{64} << 20;

/// One use of the format gives text and, perhaps, complaints that come before it.
class PrintfFormat {
 public:
  PrintfFormat(std::string_view format, std::span<const std::string> words)
      : format_(format), words_(words) {}

  /// Once more over the format. False where it was the last time.
  bool pass() {
    const std::size_t before = next_;
    std::size_t at = 0;
    while (at < format_.size() && !ended_) {
      if (text.size() > kMaxPrintfText) {
        errors.emplace_back("output too long");
        ended_ = true;
      }
      const char letter = format_[at];
      if (letter == '\\') {
        at += escape(at);
      } else if (letter == '%' && format_.substr(at, 2) == "%%") {
        text += '%';
        at += 2;
      } else if (letter == '%') {
        at = directive(at);
      } else {
        text += letter;
        ++at;
      }
    }
    return !ended_ && next_ > before && next_ < words_.size();
  }

  std::string text;
  Strings errors;

 private:
  std::size_t escape(std::size_t at) {
    if (format_.substr(at, 2) == "\\c") {
      ended_ = true;
      return 2;
    }
    const ReadEscape read = read_escape(format_.substr(at), OctalEscape::kThreeDigits);
    text += read.byte;
    return read.length;
  }

  std::string word() { return next_ < words_.size() ? words_[next_++] : std::string(); }

  long field(std::size_t& at) {
    long value = 0;
    if (at < format_.size() && format_[at] == '*') {
      ++at;
      value = static_cast<long>(integer(word()));
    } else {
      while (at < format_.size() && format_[at] >= '0' && format_[at] <= '9') {
        value = std::min(value * 10 + (format_[at++] - '0'), kMaxPrintfField);
      }
    }
    return std::clamp(value, -kMaxPrintfField, kMaxPrintfField);
  }

  std::size_t directive(const std::size_t begin) {
    std::size_t at = begin + 1;
    std::string spec = "%";
    while (at < format_.size() && std::string_view("-+ #0").find(format_[at]) != spec.npos) {
      spec += format_[at++];
    }
    long width = field(at);
    if (width < 0) {
      spec += '-';
      width = -width;
    }
    if (width > 0) spec += std::to_string(width);
    long precision = -1;
    if (at < format_.size() && format_[at] == '.') {
      precision = field(++at);
      if (precision >= 0) spec += "." + std::to_string(precision);
    }
    while (at < format_.size() && std::string_view("hlLjztq").find(format_[at]) != spec.npos) ++at;
    const char letter = at < format_.size() ? format_[at] : '\0';
    if (letter == '\0' || !convert(spec, letter)) {
      errors.push_back(std::string(format_.substr(begin)) + ": invalid format");
      ended_ = true;
    }
    return at + 1;
  }

  bool convert(const std::string& spec, char letter) {
    // The format is made of what was checked above.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
    switch (letter) {
      case 'b': {
        const Unescaped read = unescape(word(), OctalEscape::kAlsoZero, true);
        text += printed((spec + 's').c_str(), read.text.c_str());
        ended_ = read.stopped;
        return true;
      }
      case 'c':
        text += printed((spec + 's').c_str(), word().substr(0, 1).c_str());
        return true;
      case 's':
        text += printed((spec + 's').c_str(), word().c_str());
        return true;
      case 'd':
      case 'i':
      case 'o':
      case 'u':
      case 'x':
      case 'X':
        text += printed((spec + "ll" + letter).c_str(), integer(word()));
        return true;
      case 'e':
      case 'E':
      case 'f':
      case 'F':
      case 'g':
      case 'G':
        text += printed((spec + letter).c_str(), real(word()));
        return true;
      default:
        return false;
    }
#pragma GCC diagnostic pop
  }

  long long integer(const std::string& of) {
    if (of.starts_with('"') || of.starts_with('\''))
      return static_cast<unsigned char>(of.c_str()[1]);
    char* end = nullptr;
    errno = 0;
    long long value = std::strtoll(of.c_str(), &end, 0);
    if (errno == ERANGE) {
      errno = 0;
      value = static_cast<long long>(std::strtoull(of.c_str(), &end, 0));
    }
    if (errno == 0 && *end == '\0' && !of.empty()) return value;
    errors.push_back("invalid number '" + of + "'");
    return 0;
  }

  double real(const std::string& of) {
    char* end = nullptr;
    const double value = std::strtod(of.c_str(), &end);
    if (*end == '\0' && !of.empty()) return value;
    errors.push_back("invalid number '" + of + "'");
    return 0;
  }

  std::string_view format_;
  std::span<const std::string> words_;
  std::size_t next_ = 0;
  bool ended_ = false;
};

Task<int> run_printf(Process& self) {
  Tool tool(self, kPrintfUsage);
  std::span<const std::string> words(self.argv());
  words = words.subspan(1);
  if (!words.empty() && words.front() == "--") words = words.subspan(1);
  if (words.empty()) co_return co_await tool.misuse();
  PrintfFormat format(words.front(), words.subspan(1));
  bool again = true;
  while (again) {
    again = format.pass();
    for (const std::string& error : format.errors) co_await tool.fail(error);
    format.errors.clear();
    if (!co_await tool.out.put(format.text)) break;
    format.text.clear();
    co_await self.yield_point();
  }
  co_return co_await tool.finish();
}

}  // namespace

Task<int> printf_main(Process& self) { return run_printf(self); }

}  // namespace sandproof::machine::programs
