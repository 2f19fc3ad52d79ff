// SPDX-License-Identifier: Apache-2.0
// A descent over words, where an operator that cannot be one is an operand, as ash has it.
#include "fakes/machine/programs/support/test_expression.h"

#include <algorithm>
#include <array>
#include <cctype>

#include "fakes/machine/programs/support/numbers.h"

namespace sandproof::machine::programs {
namespace {

constexpr std::string_view kUnaryLetters = "rwxefdcbpugksozntLhSOG";
constexpr std::array<std::string_view, 14> kBinaries = {
    "=", "==", "!=", "<", ">", "-eq", "-ne", "-lt", "-le", "-gt", "-ge", "-nt", "-ot", "-ef"};
// Deeper than any script nests them by hand.
constexpr int kMaxDepth = 1000;

struct TestError {
  std::string text;
};

class TestExpression {
 public:
  TestExpression(Process& self, std::span<const std::string> words) : self_(self), words_(words) {}

  bool run() {
    const std::size_t count = words_.size();
    if (count == 0) return false;
    // POSIX decides short ones by their count.
    if (count == 1) return !words_[0].empty();
    if (count == 2 && words_[0] == "!") return words_[1].empty();
    if (count == 3 && is_binary(words_[1])) return binary(words_[0], words_[1], words_[2]);
    if (count == 3 && (words_[1] == "-a" || words_[1] == "-o")) {
      const bool left = !words_[0].empty();
      const bool right = !words_[2].empty();
      return words_[1] == "-a" ? left && right : left || right;
    }
    if (count == 3 && words_[0] == "(" && words_[2] == ")") return !words_[1].empty();
    if (count == 4 && words_[0] == "!" && is_binary(words_[2])) {
      return !binary(words_[1], words_[2], words_[3]);
    }
    const bool value = any();
    if (at_ < count) throw TestError{words_[at_] + ": unknown operand"};
    return value;
  }

 private:
  static bool is_unary(const std::string& word) {
    return word.size() == 2 && word[0] == '-' && kUnaryLetters.find(word[1]) != kUnaryLetters.npos;
  }
  static bool is_binary(const std::string& word) {
    return std::find(kBinaries.begin(), kBinaries.end(), word) != kBinaries.end();
  }
  bool more(std::size_t ahead = 0) const { return at_ + ahead < words_.size(); }
  bool take(std::string_view word) {
    if (!more() || words_[at_] != word) return false;
    ++at_;
    return true;
  }

  // -o binds less than -a; both sides are always read.
  bool any() {
    if (++depth_ > kMaxDepth) throw TestError{"expression too deep"};
    bool value = all();
    while (take("-o")) value = all() || value;
    --depth_;
    return value;
  }
  bool all() {
    bool value = negated();
    while (take("-a")) value = negated() && value;
    return value;
  }
  bool negated() {
    bool turned = false;
    while (more(1) && !(more(2) && is_binary(words_[at_ + 1])) && take("!")) turned = !turned;
    return primary() != turned;
  }
  bool primary() {
    if (!more()) throw TestError{"argument expected"};
    if (more(2) && is_binary(words_[at_ + 1])) {
      at_ += 3;
      return binary(words_[at_ - 3], words_[at_ - 2], words_[at_ - 1]);
    }
    if (take("(")) {
      const bool value = any();
      if (!take(")")) throw TestError{"closing paren expected"};
      return value;
    }
    const std::string& word = words_[at_];
    if (is_unary(word) && more(1)) {
      at_ += 2;
      return unary(word[1], words_[at_ - 1]);
    }
    if (more(1) && !more(2) && is_binary(words_[at_ + 1])) {
      throw TestError{words_[at_ + 1] + ": argument expected"};
    }
    ++at_;
    return !word.empty();
  }

  static std::int64_t integer(const std::string& text) {
    std::string_view digits = text;
    while (!digits.empty() && std::isspace(static_cast<unsigned char>(digits.front())) != 0) {
      digits.remove_prefix(1);
    }
    while (!digits.empty() && std::isspace(static_cast<unsigned char>(digits.back())) != 0) {
      digits.remove_suffix(1);
    }
    const std::optional<std::int64_t> value = read_integer(digits);
    if (value) return *value;
    const bool numeric = !digits.empty() &&
                         digits.substr(digits.front() == '-' || digits.front() == '+' ? 1 : 0)
                                 .find_first_not_of("0123456789") == digits.npos &&
                         std::isdigit(static_cast<unsigned char>(digits.back())) != 0;
    throw TestError{text + (numeric ? ": out of range" : ": bad number")};
  }

  bool binary(const std::string& left, const std::string& name, const std::string& right) {
    if (name == "=" || name == "==") return left == right;
    if (name == "!=") return left != right;
    if (name == "<") return left < right;
    if (name == ">") return left > right;
    if (name == "-nt" || name == "-ot" || name == "-ef") return files(left, name, right);
    const std::int64_t a = integer(left);
    const std::int64_t b = integer(right);
    if (name == "-eq") return a == b;
    if (name == "-ne") return a != b;
    if (name == "-lt") return a < b;
    if (name == "-le") return a <= b;
    if (name == "-gt") return a > b;
    return a >= b;
  }

  bool files(const std::string& left, const std::string& name, const std::string& right) {
    const Result<Attributes> a = self_.stat(left);
    const Result<Attributes> b = self_.stat(right);
    if (!a || !b) return false;
    if (name == "-nt") return a->modified > b->modified;
    if (name == "-ot") return a->modified < b->modified;
    return a->volume == b->volume && a->ino == b->ino;
  }

  bool unary(char letter, const std::string& word) {
    switch (letter) {
      case 'n':
        return !word.empty();
      case 'z':
        return word.empty();
      case 't':
        // The machine has no terminals.
        (void)integer(word);
        return false;
      case 'r':
        return self_.access(word, {.read = true}).ok();
      case 'w':
        return self_.access(word, {.write = true}).ok();
      case 'x':
        return self_.access(word, {.execute = true}).ok();
      default:
        break;
    }
    const bool link = letter == 'h' || letter == 'L';
    const Result<Attributes> found = self_.stat(word, link ? Follow::kNo : Follow::kYes);
    return found && is_so(letter, *found);
  }

  bool is_so(char letter, const Attributes& file) const {
    switch (letter) {
      case 'f':
        return file.type == FileType::kRegular;
      case 'd':
        return file.type == FileType::kDirectory;
      case 'c':
        return file.type == FileType::kCharDevice;
      case 'p':
        return file.type == FileType::kFifo;
      case 'h':
      case 'L':
        return file.type == FileType::kSymlink;
      case 'b':
      case 'S':
        return false;
      case 's':
        return file.size > 0;
      case 'u':
        return (file.mode & kSetUid) != 0;
      case 'g':
        return (file.mode & kSetGid) != 0;
      case 'k':
        return (file.mode & kSticky) != 0;
      case 'O':
        return file.uid == self_.credentials().uid;
      case 'G':
        return file.gid == self_.credentials().gid;
      default:
        return true;
    }
  }

  Process& self_;
  std::span<const std::string> words_;
  std::size_t at_ = 0;
  int depth_ = 0;
};

}  // namespace

TestAnswer evaluate_test(Process& self, std::span<const std::string> words) {
  try {
    return {.status = TestExpression(self, words).run() ? 0 : 1};
  } catch (const TestError& error) {
    return {.status = 2, .error = error.text};
  }
}

}  // namespace sandproof::machine::programs
