// SPDX-License-Identifier: Apache-2.0
// Modes, read and written.
#include "fakes/machine/programs/support/modes.h"

#include "fakes/machine/programs/support/numbers.h"

namespace sandproof::machine::programs {
namespace {

/// Three bits of one class, in all that are chosen.
unsigned spread(unsigned bits, unsigned classes) {
  return ((bits << 6) | (bits << 3) | bits) & classes;
}

class ModeClauses {
 public:
  ModeClauses(std::string_view text, ModeBase base)
      : text_(text), base_(base), mode_(base.mode & kModeBits) {}

  std::optional<unsigned> run() {
    do {
      if (!clause()) return std::nullopt;
    } while (take(',') && at_ < text_.size());
    if (at_ != text_.size()) return std::nullopt;
    return mode_;
  }

 private:
  char peek() const { return at_ < text_.size() ? text_[at_] : '\0'; }
  bool take(char letter) {
    if (peek() != letter) return false;
    ++at_;
    return true;
  }

  bool clause() {
    unsigned who = 0;
    for (;; ++at_) {
      if (peek() == 'u') {
        who |= kSetUid | 0700U;
      } else if (peek() == 'g') {
        who |= kSetGid | 0070U;
      } else if (peek() == 'o') {
        who |= 0007U;
      } else if (peek() == 'a') {
        who |= kSetUid | kSetGid | 0777U;
      } else {
        break;
      }
    }
    bool any = false;
    while (peek() == '+' || peek() == '-' || peek() == '=') {
      action(who);
      any = true;
    }
    return any;
  }

  void action(unsigned who) {
    const char what = text_[at_++];
    const unsigned chosen = who != 0 ? who : (kSetUid | kSetGid | 0777U) & ~base_.umask;
    unsigned bits = 0;
    const char from = peek();
    if (from == 'u' || from == 'g' || from == 'o') {
      ++at_;
      const int shift = from == 'u' ? 6 : from == 'g' ? 3 : 0;
      bits = spread((mode_ >> shift) & 7U, chosen & 0777U);
    } else {
      bits = letters(chosen);
    }
    if (what == '+') mode_ |= bits;
    if (what == '-') mode_ &= ~bits;
    if (what == '=') {
      const unsigned cleared = who != 0 ? who : kModeBits & ~kSticky;
      mode_ = (mode_ & ~cleared) | bits;
    }
  }

  unsigned letters(unsigned chosen) {
    unsigned bits = 0;
    for (;; ++at_) {
      switch (peek()) {
        case 'r':
          bits |= spread(4, chosen & 0777U);
          break;
        case 'w':
          bits |= spread(2, chosen & 0777U);
          break;
        case 'x':
          bits |= spread(1, chosen & 0777U);
          break;
        case 'X':
          if (base_.is_directory || (mode_ & 0111U) != 0) bits |= spread(1, chosen & 0777U);
          break;
        case 's':
          bits |= (kSetUid | kSetGid) & chosen;
          break;
        case 't':
          bits |= kSticky;
          break;
        default:
          return bits;
      }
    }
  }

  std::string_view text_;
  ModeBase base_;
  unsigned mode_;
  std::size_t at_ = 0;
};

}  // namespace

std::optional<unsigned> changed_mode(std::string_view text, ModeBase base) {
  if (!text.empty() && text.front() >= '0' && text.front() <= '9') {
    const std::optional<std::uint64_t> octal = read_unsigned(text, 8);
    if (!octal || *octal > kModeBits) return std::nullopt;
    return static_cast<unsigned>(*octal);
  }
  return ModeClauses(text, base).run();
}

unsigned type_bits(FileType type) {
  switch (type) {
    case FileType::kRegular:
      return 0100000;
    case FileType::kDirectory:
      return 0040000;
    case FileType::kSymlink:
      return 0120000;
    case FileType::kFifo:
      return 0010000;
    case FileType::kCharDevice:
      return 0020000;
  }
  return 0;
}

std::string mode_text(FileType type, unsigned mode) {
  std::string text = "-rwxrwxrwx";
  constexpr std::string_view kTypes = "-dlpc";
  text[0] = kTypes[static_cast<std::size_t>(type)];
  for (unsigned bit = 0; bit < 9; ++bit) {
    if ((mode & (0400U >> bit)) == 0) text[bit + 1] = '-';
  }
  const auto special = [&](unsigned bit, std::size_t at, char letter) {
    if ((mode & bit) == 0) return;
    text[at] = text[at] == '-' ? static_cast<char>(letter - 'a' + 'A') : letter;
  };
  special(kSetUid, 3, 's');
  special(kSetGid, 6, 's');
  special(kSticky, 9, 't');
  return text;
}

}  // namespace sandproof::machine::programs
