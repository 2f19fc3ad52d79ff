// SPDX-License-Identifier: Apache-2.0
// tr: replaces, deletes or squeezes bytes.
#include <array>
#include <bitset>
#include <cctype>

#include "fakes/machine/programs/mains.h"
#include "fakes/machine/programs/support/escapes.h"
#include "fakes/machine/programs/support/options.h"

namespace sandproof::machine::programs {
namespace {

constexpr Usage kTrUsage = {
    .text = "[-cds] STRING1 [STRING2]", .letters = "+Ccdst", .least = 1, .most = 2};

struct TrClass {
  std::string_view name;
  int (*has)(int);
};
constexpr std::array kTrClasses = {
    TrClass{"alpha", std::isalpha}, TrClass{"alnum", std::isalnum},
    TrClass{"digit", std::isdigit}, TrClass{"lower", std::islower},
    TrClass{"upper", std::isupper}, TrClass{"space", std::isspace},
    TrClass{"blank", std::isblank}, TrClass{"punct", std::ispunct},
    TrClass{"cntrl", std::iscntrl}, TrClass{"xdigit", std::isxdigit},
    TrClass{"graph", std::isgraph}, TrClass{"print", std::isprint},
};

/// A set as it is written, with ranges, classes and escapes, as the bytes that it stands for.
class TrSet {
 public:
  explicit TrSet(std::string_view text) : text_(text) {
    while (at_ < text_.size()) one();
  }
  std::string bytes;

 private:
  void one() {
    const std::string_view rest = text_.substr(at_);
    if (rest.starts_with("[:") && named_class(rest)) return;
    if (rest.size() >= 5 && rest.starts_with("[=") && rest.substr(3, 2) == "=]") {
      bytes += rest[2];
      at_ += 5;
      return;
    }
    // The brackets of System V around a range.
    if (rest.size() >= 5 && rest[0] == '[' && rest[2] == '-' && rest[4] == ']') {
      ++at_;
      range(letter());
      ++at_;
      return;
    }
    range(letter());
  }

  bool named_class(std::string_view rest) {
    const std::size_t end = rest.find(":]");
    if (end == rest.npos) return false;
    for (const TrClass& row : kTrClasses) {
      if (rest.substr(2, end - 2) != row.name) continue;
      for (int byte = 0; byte < 128; ++byte) {
        if (row.has(byte) != 0) bytes += static_cast<char>(byte);
      }
      at_ += end + 2;
      return true;
    }
    return false;
  }

  char letter() {
    if (text_[at_] != '\\') return text_[at_++];
    const ReadEscape escape = read_escape(text_.substr(at_), OctalEscape::kThreeDigits);
    at_ += escape.length;
    return escape.byte;
  }

  void range(char first) {
    if (at_ + 1 >= text_.size() || text_[at_] != '-') {
      bytes += first;
      return;
    }
    ++at_;
    const auto begin = static_cast<unsigned char>(first);
    const auto end = static_cast<unsigned char>(letter());
    for (unsigned byte = begin; byte <= end; ++byte) bytes += static_cast<char>(byte);
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

class Translation {
 public:
  Translation(const Options& options, std::string from, const std::string& to)
      : deletes_(options.has('d')), squeezes_(options.has('s')) {
    for (unsigned byte = 0; byte < 256; ++byte) map_[byte] = static_cast<char>(byte);
    if (options.has_any("cC")) from = complement(from);
    for (const char byte : from) first_.set(static_cast<unsigned char>(byte));
    for (const char byte : to) second_.set(static_cast<unsigned char>(byte));
    if (to.empty()) {
      if (!deletes_) second_ = first_;
      return;
    }
    if (deletes_) return;
    for (std::size_t i = 0; i < from.size(); ++i) {
      map_[static_cast<unsigned char>(from[i])] = i < to.size() ? to[i] : to.back();
    }
  }

  std::string of(std::string_view text) {
    std::string changed;
    for (const char before : text) {
      const auto byte = static_cast<unsigned char>(before);
      if (deletes_ && first_.test(byte)) continue;
      const char after = map_[byte];
      const bool again = static_cast<unsigned char>(after) == last_;
      if (squeezes_ && again && second_.test(static_cast<unsigned char>(after))) continue;
      changed += after;
      last_ = static_cast<unsigned char>(after);
    }
    return changed;
  }

 private:
  static std::string complement(const std::string& of) {
    std::bitset<256> there;
    for (const char byte : of) there.set(static_cast<unsigned char>(byte));
    std::string others;
    for (unsigned byte = 0; byte < 256; ++byte) {
      if (!there.test(byte)) others += static_cast<char>(byte);
    }
    return others;
  }

  bool deletes_;
  bool squeezes_;
  std::bitset<256> first_;
  std::bitset<256> second_;
  std::array<char, 256> map_{};
  int last_ = -1;
};

Task<int> run_tr(Process& self) {
  Tool tool(self, kTrUsage);
  const std::optional<Options> options = co_await read_options(tool);
  if (!options) co_return tool.status;
  const std::string from = TrSet(options->operands[0]).bytes;
  const std::string to = options->operands.size() > 1 ? TrSet(options->operands[1]).bytes : "";
  if (options->operands.size() > 1 && to.empty() && !options->has('d')) {
    co_await tool.fail("STRING2 cannot be empty");
    co_return tool.status;
  }
  Translation translation(*options, from, to);
  std::array<std::byte, 4096> chunk;
  for (;;) {
    const Result<std::size_t> count = co_await self.read(0, chunk);
    if (count.error() == Errno::kIntr) continue;
    if (!count) co_await tool.fail("read error", count.error());
    if (count.value_or(0) == 0) break;
    const std::string text = translation.of({reinterpret_cast<const char*>(chunk.data()), *count});
    const Errno error = co_await write_all(self, 1, text);
    if (error == Errno::kOk) continue;
    co_await tool.fail("write error", error);
    break;
  }
  co_return tool.status;
}

}  // namespace

Task<int> tr_main(Process& self) { return run_tr(self); }

}  // namespace sandproof::machine::programs
