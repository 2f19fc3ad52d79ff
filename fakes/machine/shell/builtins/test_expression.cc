// SPDX-License-Identifier: Apache-2.0
// A recursive descent over the words. Up to four of them mean what POSIX says by their number.
#include "fakes/machine/shell/builtins/test_expression.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <string_view>

namespace sandproof::machine::shell {
namespace {

struct TestError {
  std::string text;
};

// Parentheses inside each other.
constexpr int kMaxTestDepth = 1000;

enum class TestToken { kEnd, kOperand, kOpen, kClose, kNot, kAnd, kOr, kUnary, kBinary };

TestToken token_of(std::string_view word) {
  constexpr std::array<std::string_view, 13> kBinary = {
      "=", "!=", "<", ">", "-eq", "-ne", "-ge", "-gt", "-le", "-lt", "-nt", "-ot", "-ef"};
  if (std::find(kBinary.begin(), kBinary.end(), word) != kBinary.end()) return TestToken::kBinary;
  if (word == "(") return TestToken::kOpen;
  if (word == ")") return TestToken::kClose;
  if (word == "!") return TestToken::kNot;
  if (word == "-a") return TestToken::kAnd;
  if (word == "-o") return TestToken::kOr;
  constexpr std::string_view kUnary = "rwxefdcbpugkshLSGOztn";
  const bool unary = word.size() == 2 && word[0] == '-' && kUnary.find(word[1]) != kUnary.npos;
  return unary ? TestToken::kUnary : TestToken::kOperand;
}

std::int64_t test_number(const std::string& text) {
  constexpr std::string_view kBlanks = " \t\n\v\f\r";
  std::string_view digits = text;
  digits.remove_prefix(std::min(digits.find_first_not_of(kBlanks), digits.size()));
  if (digits.starts_with('+')) digits.remove_prefix(1);
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
  const std::string_view rest(end, static_cast<std::size_t>(digits.data() + digits.size() - end));
  if (error != std::errc() || rest.find_first_not_of(kBlanks) != std::string_view::npos) {
    throw TestError{"Illegal number: " + text};
  }
  return number;
}

class TestReader {
 public:
  TestReader(Process& process, std::span<const std::string> words)
      : process_(process), words_(words) {}

  bool read_all() {
    const bool holds = read_or(token(0));
    // dash names the last word that it could use.
    if (at_ + 1 < words_.size()) {
      const std::string& last = words_[at_];
      throw TestError{last + (last.empty() ? "" : ": ") + "unexpected operator"};
    }
    return holds;
  }

  bool binary(const std::string& left, const std::string& op, const std::string& right) {
    if (op == "=") return left == right;
    if (op == "!=") return left != right;
    if (op == "<") return left < right;
    if (op == ">") return left > right;
    if (op == "-nt" || op == "-ot" || op == "-ef") return compare_files(left, op, right);
    const std::int64_t a = test_number(left);
    const std::int64_t b = test_number(right);
    if (op == "-eq") return a == b;
    if (op == "-ne") return a != b;
    if (op == "-ge") return a >= b;
    if (op == "-gt") return a > b;
    if (op == "-le") return a <= b;
    return a < b;
  }

 private:
  // What the word is where it stands: an operator may be an operand there.
  TestToken token(std::size_t at) const {
    if (at >= words_.size()) return TestToken::kEnd;
    const TestToken token = token_of(words_[at]);
    if (token == TestToken::kOpen && at + 1 >= words_.size()) return TestToken::kOperand;
    if (token != TestToken::kUnary) return token;
    if (at + 1 >= words_.size()) return TestToken::kOperand;
    const bool compared = at + 2 < words_.size() && token_of(words_[at + 1]) == TestToken::kBinary;
    return compared ? TestToken::kOperand : token;
  }

  // Each begins with the token of the word at `at_`, and leaves `at_` at the last word it used.
  bool read_or(TestToken first) {
    bool holds = false;
    for (;;) {
      holds = read_and(first) || holds;
      if (token(at_ + 1) != TestToken::kOr) return holds;
      at_ += 2;
      first = token(at_);
    }
  }

  bool read_and(TestToken first) {
    bool holds = true;
    for (;;) {
      holds = read_not(first) && holds;
      if (token(at_ + 1) != TestToken::kAnd) return holds;
      at_ += 2;
      first = token(at_);
    }
  }

  bool read_not(TestToken first) {
    bool negated = false;
    while (first == TestToken::kNot) {
      negated = !negated;
      first = token(at_ + 1);
      if (first != TestToken::kEnd) ++at_;
    }
    return read_primary(first) != negated;
  }

  bool read_primary(TestToken first) {
    // Nothing is false, as after a last `-a`.
    if (first == TestToken::kEnd) return false;
    if (first == TestToken::kOpen) return read_group();
    if (first == TestToken::kUnary) {
      const char op = words_[at_++][1];
      return unary(op, words_[at_]);
    }
    if (token(at_ + 1) != TestToken::kBinary) return !words_[at_].empty();
    const std::string& left = words_[at_];
    const std::string& op = words_[at_ + 1];
    at_ += 2;
    if (at_ >= words_.size()) throw TestError{op + ": argument expected"};
    return binary(left, op, words_[at_]);
  }

  bool read_group() {
    if (++depth_ > kMaxTestDepth) throw TestError{"too deep"};
    ++at_;
    if (token(at_) == TestToken::kClose) return false;
    const bool holds = read_or(token(at_));
    ++at_;
    if (token(at_) != TestToken::kClose) throw TestError{"closing paren expected"};
    --depth_;
    return holds;
  }

  bool unary(char op, const std::string& operand) {
    switch (op) {
      case 'z':
        return operand.empty();
      case 'n':
        return !operand.empty();
      case 't':
        (void)test_number(operand);
        return false;
      case 'r':
        return process_.access(operand, {.read = true}).ok();
      case 'w':
        return process_.access(operand, {.write = true}).ok();
      case 'x':
        return process_.access(operand, {.execute = true}).ok();
      default:
        return of_attributes(op, operand);
    }
  }

  bool of_attributes(char op, const std::string& operand) {
    const bool link = op == 'h' || op == 'L';
    const auto found = process_.stat(operand, link ? Follow::kNo : Follow::kYes);
    if (!found) return false;
    switch (op) {
      case 'e':
        return true;
      case 'f':
        return found->type == FileType::kRegular;
      case 'd':
        return found->type == FileType::kDirectory;
      case 'c':
        return found->type == FileType::kCharDevice;
      case 'p':
        return found->type == FileType::kFifo;
      case 'h':
      case 'L':
        return found->type == FileType::kSymlink;
      case 's':
        return found->size > 0;
      case 'u':
        return (found->mode & kSetUid) != 0;
      case 'g':
        return (found->mode & kSetGid) != 0;
      case 'k':
        return (found->mode & kSticky) != 0;
      case 'O':
        return found->uid == process_.credentials().uid;
      case 'G':
        return found->gid == process_.credentials().gid;
      default:
        // Block devices and sockets: there are none.
        return false;
    }
  }

  bool compare_files(const std::string& left, const std::string& op, const std::string& right) {
    const auto a = process_.stat(left);
    const auto b = process_.stat(right);
    if (!a || !b) return false;
    if (op == "-nt") return a->modified > b->modified;
    if (op == "-ot") return a->modified < b->modified;
    return a->volume == b->volume && a->ino == b->ino;
  }

  Process& process_;
  std::span<const std::string> words_;
  std::size_t at_ = 0;
  int depth_ = 0;
};

bool evaluate_words(Process& process, std::span<const std::string> words) {
  bool negated = false;
  while (words.size() == 3 || words.size() == 4) {
    if (words.size() == 3 && token_of(words[1]) == TestToken::kBinary) {
      return TestReader(process, words).binary(words[0], words[1], words[2]) != negated;
    }
    if (words.front() == "(" && words.back() == ")") {
      words = words.subspan(1, words.size() - 2);
      break;
    }
    if (words.front() != "!") break;
    negated = !negated;
    words = words.subspan(1);
  }
  if (words.empty()) return negated;
  return TestReader(process, words).read_all() != negated;
}

}  // namespace

TestOutcome evaluate_test(Process& process, std::span<const std::string> words) {
  if (words.empty()) return {};
  try {
    return {.holds = evaluate_words(process, words)};
  } catch (TestError& error) {
    return {.error = std::move(error.text)};
  }
}

}  // namespace sandproof::machine::shell
