// SPDX-License-Identifier: Apache-2.0
// expr: an expression in words.
#include <optional>

#include "fakes/machine/programs/mains.h"
#include "fakes/machine/programs/support/numbers.h"
#include "fakes/machine/programs/support/regex.h"
#include "fakes/machine/programs/support/tool.h"

namespace sandproof::machine::programs {
namespace {

constexpr Usage kExprUsage = {.text = "EXPRESSION", .failure = 2};
// Deeper than anybody nests them by hand.
constexpr int kMaxExprDepth = 500;

struct ExprError {
  std::string text;
};

class Expression {
 public:
  explicit Expression(std::span<const std::string> words) : words_(words) {}

  std::string run() {
    std::string value = either();
    if (more()) fail("syntax error");
    return value;
  }

  static bool is_false(const std::string& value) {
    if (value.empty()) return true;
    const std::optional<std::int64_t> number = read_integer(value);
    return number && *number == 0;
  }

 private:
  [[noreturn]] static void fail(std::string text) { throw ExprError{std::move(text)}; }
  bool more() const { return at_ < words_.size(); }
  bool take(std::string_view word) {
    if (!more() || words_[at_] != word) return false;
    ++at_;
    return true;
  }

  static std::int64_t number(const std::string& value) {
    const std::optional<std::int64_t> read = read_integer(value);
    if (!read || value.starts_with('+')) fail("non-numeric argument");
    return *read;
  }

  std::string either() {
    if (++depth_ > kMaxExprDepth) fail("expression too deep");
    std::string left = both();
    while (take("|")) {
      std::string right = both();
      if (is_false(left)) left = std::move(right);
    }
    --depth_;
    return left;
  }

  std::string both() {
    std::string left = comparison();
    while (take("&")) {
      const std::string right = comparison();
      if (is_false(left) || is_false(right)) left = "0";
    }
    return left;
  }

  std::string comparison() {
    std::string left = sum();
    for (;;) {
      std::string name;
      for (const char* candidate : {"<", "<=", "=", "==", "!=", ">=", ">"}) {
        if (more() && words_[at_] == candidate) name = candidate;
      }
      if (name.empty()) return left;
      ++at_;
      left = compare(left, name, sum()) ? "1" : "0";
    }
  }

  static bool compare(const std::string& left, const std::string& name, const std::string& right) {
    const auto a = read_integer(left);
    const auto b = read_integer(right);
    int order = left.compare(right);
    if (a && b) order = *a < *b ? -1 : *a > *b ? 1 : 0;
    if (name == "<") return order < 0;
    if (name == "<=") return order <= 0;
    if (name == "!=") return order != 0;
    if (name == ">=") return order >= 0;
    if (name == ">") return order > 0;
    return order == 0;
  }

  std::string sum() {
    std::string left = product();
    while (more() && (words_[at_] == "+" || words_[at_] == "-")) {
      const bool plus = words_[at_++] == "+";
      const std::int64_t a = number(left);
      const std::int64_t b = number(product());
      std::int64_t value = 0;
      // Wraps round where it does not fit, as the machine's arithmetic does.
      if (plus) {
        (void)__builtin_add_overflow(a, b, &value);
      } else {
        (void)__builtin_sub_overflow(a, b, &value);
      }
      left = std::to_string(value);
    }
    return left;
  }

  std::string product() {
    std::string left = match();
    while (more() && (words_[at_] == "*" || words_[at_] == "/" || words_[at_] == "%")) {
      const char name = words_[at_++].front();
      const std::int64_t a = number(left);
      const std::int64_t b = number(match());
      std::int64_t value = 0;
      if (name == '*') {
        (void)__builtin_mul_overflow(a, b, &value);
      } else if (b == 0) {
        fail("division by zero");
      } else if (b == -1) {
        if (name == '/') (void)__builtin_sub_overflow(std::int64_t{0}, a, &value);
      } else {
        value = name == '/' ? a / b : a % b;
      }
      left = std::to_string(value);
    }
    return left;
  }

  std::string match() {
    std::string left = word();
    while (take(":")) left = matched(left, word());
    return left;
  }

  static std::string matched(const std::string& text, const std::string& pattern) {
    std::string why;
    const std::optional<Regex> regex = Regex::compile(pattern, {}, &why);
    if (!regex) fail("bad regex '" + pattern + "': " + why);
    Regex::Match ranges;
    const bool found = regex->search(text, 0, ranges) && ranges[0].begin == 0;
    if (regex->groups() == 0) return std::to_string(found ? ranges[0].length() : 0);
    if (!found || !ranges[1].matched()) return {};
    return text.substr(ranges[1].begin, ranges[1].length());
  }

  std::string word() {
    if (!more()) fail("syntax error");
    if (take("(")) {
      std::string value = either();
      if (!take(")")) fail("syntax error");
      return value;
    }
    if (take("quote") || take("+")) {
      if (!more()) fail("syntax error");
      return words_[at_++];
    }
    if (take("length")) return std::to_string(word().size());
    if (take("match")) {
      const std::string text = word();
      return matched(text, word());
    }
    if (take("index")) {
      const std::string text = word();
      const std::size_t found = text.find_first_of(word());
      return std::to_string(found == text.npos ? 0 : found + 1);
    }
    if (take("substr")) {
      const std::string text = word();
      const auto from = read_integer(word());
      const auto length = read_integer(word());
      if (!from || !length || *from <= 0 || *length <= 0) return {};
      if (static_cast<std::uint64_t>(*from) > text.size()) return {};
      return text.substr(static_cast<std::size_t>(*from) - 1, static_cast<std::size_t>(*length));
    }
    if (words_[at_] == ")") fail("syntax error");
    return words_[at_++];
  }

  std::span<const std::string> words_;
  std::size_t at_ = 0;
  int depth_ = 0;
};

Task<int> run_expr(Process& self) {
  Tool tool(self, kExprUsage);
  std::span<const std::string> words(self.argv());
  words = words.subspan(1);
  std::string value;
  std::string wrong = words.empty() ? "too few arguments" : "";
  if (!words.empty()) {
    try {
      value = Expression(words).run();
    } catch (const ExprError& error) {
      wrong = error.text;
    }
  }
  if (!wrong.empty()) {
    co_await tool.fail(wrong);
    co_return tool.status;
  }
  (void)co_await tool.out.put(value + "\n");
  co_return co_await tool.finish(Expression::is_false(value) ? 1 : 0);
}

}  // namespace

Task<int> expr_main(Process& self) { return run_expr(self); }

}  // namespace sandproof::machine::programs
