// SPDX-License-Identifier: Apache-2.0
// Numbers are read and written by the C library, as in dash; text is padded here, since it may have
// NUL bytes in it.
#include "fakes/machine/shell/expand/printf.h"

#include <algorithm>
#include <cerrno>
#include <cinttypes>
#include <cstdlib>
#include <optional>
#include <string_view>
#include <utility>

#include "fakes/machine/errno.h"
#include "fakes/machine/printed.h"
#include "fakes/machine/shell/expand/escapes.h"

namespace sandproof::machine::shell {
namespace {

// What ends a printf at once.
struct PrintfEnd {};

// One directive, its '*' taken from the operands.
struct Directive {
  std::string flags;
  std::optional<long long> width;
  std::optional<long long> precision;
  char letter = 0;

  // For the C library, with the length that the operand has.
  std::string for_library(std::string_view length) const {
    std::string text = "%" + flags;
    if (width) text += std::to_string(*width);
    if (precision) text += "." + std::to_string(*precision);
    return text + std::string(length) + letter;
  }
};

class Printf {
 public:
  Printf(std::string_view format, std::span<const std::string> operands)
      : format_(format), operands_(operands) {}

  PrintfResult run() {
    try {
      // Again while operands are left, and only if the format takes any.
      std::size_t before = 0;
      do {
        before = next_;
        pass();
      } while (next_ > before && next_ < operands_.size());
    } catch (PrintfEnd) {
    }
    return std::move(result_);
  }

 private:
  [[noreturn]] void fail(std::string text) {
    result_.errors.push_back(std::move(text));
    result_.status = 2;
    throw PrintfEnd();
  }

  void write(std::string_view text) {
    if (result_.out.size() + text.size() > kMaxPrintfOutput) fail("output too long");
    result_.out += text;
  }

  void pass() {
    std::size_t at = 0;
    while (at < format_.size()) {
      const std::size_t plain = std::min(format_.find_first_of("%\\", at), format_.size());
      write(format_.substr(at, plain - at));
      at = plain;
      if (at == format_.size()) return;
      const std::string_view rest = format_.substr(at);
      if (rest.front() == '\\') {
        const Escape escape = read_escape(rest, EscapeStyle::kFormat);
        write(escape.text);
        at += escape.length;
      } else if (rest.starts_with("%%")) {
        write("%");
        at += 2;
      } else {
        at = directive(at);
      }
    }
  }

  // The directive that begins at `begin`; the position after it.
  std::size_t directive(std::size_t begin) {
    Directive directive;
    std::size_t at = begin + 1;
    const std::size_t flags = std::min(format_.find_first_not_of("#-+ 0", at), format_.size());
    directive.flags = format_.substr(at, flags - at);
    at = flags;
    directive.width = number(begin, at);
    if (directive.width.value_or(0) < 0) {
      directive.flags += '-';
      directive.width = -*directive.width;
    }
    if (at < format_.size() && format_[at] == '.') {
      directive.precision = number(begin, ++at).value_or(0);
      // A negative one counts as none.
      if (*directive.precision < 0) directive.precision.reset();
    }
    if (at == format_.size()) fail("missing format character");
    directive.letter = format_[at++];
    if (!convert(directive)) {
      fail(std::string(format_.substr(begin, at - begin)) + ": invalid directive");
    }
    return at;
  }

  // A width or a precision, moving `at` behind it.
  std::optional<long long> number(std::size_t begin, std::size_t& at) {
    std::optional<long long> value;
    if (at < format_.size() && format_[at] == '*') {
      ++at;
      value = static_cast<int>(integer());
    } else {
      while (at < format_.size() && format_[at] >= '0' && format_[at] <= '9') {
        value = std::min(value.value_or(0) * 10 + (format_[at++] - '0'), kMaxPrintfWidth + 1);
      }
    }
    if (value && (*value > kMaxPrintfWidth || *value < -kMaxPrintfWidth)) {
      fail(std::string(format_.substr(begin, at - begin)) + ": field too wide");
    }
    return value;
  }

  // The formats are made of a directive that was checked; the compiler does not see that.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
  bool convert(const Directive& directive) {
    switch (directive.letter) {
      case 'b': {
        const Unescaped read = unescape(operand().value_or(""), EscapeStyle::kEcho);
        write(padded(directive, read.text, directive.precision));
        if (read.stopped) throw PrintfEnd();
        return true;
      }
      case 'c':
        // Of an empty operand, the NUL that ends it; without one, the same.
        write(padded(directive, std::string(1, (operand().value_or("") + '\0').front()), {}));
        return true;
      case 's':
        write(padded(directive, operand().value_or(""), directive.precision));
        return true;
      case 'd':
      case 'i':
        write(printed(directive.for_library("j").c_str(), integer()));
        return true;
      case 'o':
      case 'u':
      case 'x':
      case 'X':
        write(printed(directive.for_library("j").c_str(), unsigned_integer()));
        return true;
      case 'a':
      case 'A':
      case 'e':
      case 'E':
      case 'f':
      case 'F':
      case 'g':
      case 'G':
        write(printed(directive.for_library("").c_str(), real()));
        return true;
      default:
        return false;
    }
  }
#pragma GCC diagnostic pop

  static std::string padded(const Directive& directive, std::string text,
                            std::optional<long long> precision) {
    if (precision) text.resize(std::min(text.size(), static_cast<std::size_t>(*precision)));
    const auto width = static_cast<std::size_t>(directive.width.value_or(0));
    if (text.size() >= width) return text;
    const std::string fill(width - text.size(), ' ');
    return directive.flags.find('-') != std::string::npos ? text + fill : fill + text;
  }

  std::optional<std::string> operand() {
    if (next_ == operands_.size()) return std::nullopt;
    return operands_[next_++];
  }

  // The value of the operand that `read` (one of strto…) reads; 0 where there is none. `'x` is the
  // byte x.
  template <typename Value, typename Read>
  Value numeric(Read read) {
    const std::optional<std::string> text = operand();
    if (!text) return 0;
    if (text->starts_with('"') || text->starts_with('\'')) {
      return static_cast<Value>(static_cast<unsigned char>(text->c_str()[1]));
    }
    errno = 0;
    char* end = nullptr;
    const Value value = read(text->c_str(), &end);
    const int error = errno;
    if (*end != '\0') {
      complain(*text +
               (end == text->c_str() ? ": expected numeric value" : ": not completely converted"));
    } else if (error == ERANGE) {
      complain(*text + ": " + std::string(text_of(Errno::kRange)));
    }
    return value;
  }

  std::intmax_t integer() {
    return numeric<std::intmax_t>(
        [](const char* text, char** end) { return std::strtoimax(text, end, 0); });
  }
  std::uintmax_t unsigned_integer() {
    return numeric<std::uintmax_t>(
        [](const char* text, char** end) { return std::strtoumax(text, end, 0); });
  }
  double real() {
    return numeric<double>([](const char* text, char** end) { return std::strtod(text, end); });
  }

  void complain(std::string text) {
    result_.errors.push_back(std::move(text));
    result_.status = 1;
  }

  std::string_view format_;
  std::span<const std::string> operands_;
  std::size_t next_ = 0;
  PrintfResult result_;
};

}  // namespace

PrintfResult run_printf(std::span<const std::string> arguments) {
  if (!arguments.empty() && arguments.front().size() > 1 && arguments.front().front() == '-') {
    if (arguments.front() != "--") {
      return {"", {"Illegal option -" + arguments.front().substr(1, 1)}, 2};
    }
    arguments = arguments.subspan(1);
  }
  if (arguments.empty()) return {"", {"usage: printf format [arg ...]"}, 2};
  return Printf(arguments.front(), arguments.subspan(1)).run();
}

}  // namespace sandproof::machine::shell
