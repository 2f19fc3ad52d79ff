// SPDX-License-Identifier: Apache-2.0
// Formatting values.
#include "fakes/machine/programs/awk/format.h"

#include <algorithm>
#include <cmath>

#include "fakes/machine/programs/awk/ast.h"
#include "fakes/machine/programs/support/tool.h"

namespace sandproof::machine::programs::awk {
namespace {

// A width that is larger is taken for this: a word must not fill the memory of the host.
constexpr int kMaxAwkWidth = 1 << 20;

class ValueFormat {
 public:
  ValueFormat(const std::string& format, std::span<const Value> values, const std::string& convert)
      : format_(format), values_(values), convert_(convert) {}

  std::string run() {
    for (at_ = 0; at_ < format_.size();) {
      if (format_[at_] != '%') {
        out_ += format_[at_++];
      } else if (format_.compare(at_, 2, "%%") == 0) {
        out_ += '%';
        at_ += 2;
      } else {
        directive();
      }
    }
    return std::move(out_);
  }

 private:
  Value next() { return used_ < values_.size() ? values_[used_++] : Value(); }

  int field() {
    int value = 0;
    if (at_ < format_.size() && format_[at_] == '*') {
      throw Failure{"%*x formats are not supported"};
    }
    while (at_ < format_.size() && format_[at_] >= '0' && format_[at_] <= '9') {
      value = std::min(value * 10 + (format_[at_++] - '0'), kMaxAwkWidth);
    }
    return value;
  }

  void directive() {
    const std::size_t begin = at_++;
    std::string flags = "%";
    while (at_ < format_.size() && std::string_view("-+ #0").find(format_[at_]) != flags.npos) {
      flags += format_[at_++];
    }
    const int width = field();
    int precision = -1;
    if (at_ < format_.size() && format_[at_] == '.') {
      ++at_;
      precision = field();
    }
    while (at_ < format_.size() && std::string_view("hlLqjzt").find(format_[at_]) != flags.npos) {
      ++at_;
    }
    const char letter = at_ < format_.size() ? format_[at_++] : '\0';
    std::string spec = flags;
    if (width > 0) spec += std::to_string(width);
    if (precision >= 0) spec += "." + std::to_string(precision);
    if (!convert(spec, letter)) out_.append(format_, begin, at_ - begin);
  }

  bool convert(const std::string& spec, char letter) {
    // The format is made of what was checked above.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
    switch (letter) {
      case 'c': {
        const Value value = next();
        std::string text = value.to_text(convert_).substr(0, 1);
        if (value.kind() == Value::Kind::kNumber) {
          text = static_cast<char>(static_cast<unsigned char>(whole(value.to_number())));
        }
        out_ += printed((spec + 's').c_str(), text.c_str());
        return true;
      }
      case 's':
        out_ += printed((spec + 's').c_str(), next().to_text(convert_).c_str());
        return true;
      case 'd':
      case 'i':
      case 'o':
      case 'u':
      case 'x':
      case 'X':
        out_ += printed((spec + "ll" + letter).c_str(), whole(next().to_number()));
        return true;
      case 'e':
      case 'E':
      case 'f':
      case 'F':
      case 'g':
      case 'G':
        out_ += printed((spec + letter).c_str(), next().to_number());
        return true;
      default:
        return false;
    }
#pragma GCC diagnostic pop
  }

  static long long whole(double number) {
    // What does not fit has no meaning in C.
    constexpr double kMost = 9.2e18;
    if (std::isnan(number)) return 0;
    return static_cast<long long>(std::clamp(number, -kMost, kMost));
  }

  const std::string& format_;
  std::span<const Value> values_;
  const std::string& convert_;
  std::size_t at_ = 0;
  std::size_t used_ = 0;
  std::string out_;
};

}  // namespace

std::string format_values(const std::string& format, std::span<const Value> values,
                          const std::string& convert) {
  return ValueFormat(format, values, convert).run();
}

std::string format_number(const std::string& format, double number) {
  const Value value = Value::number(number);
  // A format that asks for a text would come back here.
  if (format.find('s') != format.npos) return format_number("%.6g", number);
  return format_values(format, {&value, 1}, format);
}

}  // namespace sandproof::machine::programs::awk
