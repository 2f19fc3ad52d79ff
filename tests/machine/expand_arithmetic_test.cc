// SPDX-License-Identifier: Apache-2.0
// Arithmetic: values, assignments and error texts, compared with the real dash.
#include <gtest/gtest.h>

#include <limits>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "fakes/machine/shell/expand/arithmetic.h"
#include "tests/machine/expand_real_shell.h"

namespace sandproof::machine::shell {
namespace {

class MapVariables : public ArithmeticVariables {
 public:
  std::optional<std::string> get(std::string_view name) override {
    const auto found = values.find(name);
    if (found == values.end()) return std::nullopt;
    return found->second;
  }
  std::optional<std::string> set(std::string_view name, const std::string& value) override {
    if (name == "locked") return "locked: is read only";
    values[std::string(name)] = value;
    return std::nullopt;
  }
  std::map<std::string, std::string, std::less<>> values = {
      {"a", "5"}, {"b", " 0x10 "}, {"c", ""}, {"w", "word"}, {"two", "1 2"}, {"locked", "1"}};
};

// The value and the variables after it, or the error.
std::string arithmetic_answer(const std::string& expression) {
  MapVariables variables;
  const auto result = evaluate_arithmetic(expression, variables);
  if (const auto* error = std::get_if<ArithmeticError>(&result)) return error->text + "\n";
  std::string answer = std::to_string(std::get<std::int64_t>(result));
  for (const std::string_view name : {"a", "b", "c", "d"}) {
    answer += "|" + variables.get(name).value_or("unset");
  }
  return answer;
}

std::string arithmetic_script(const std::string& expression) {
  return "a=5; b=' 0x10 '; c=; w=word; two='1 2'; readonly locked=1\n"
         "x=" +
         quote_for_script(expression) +
         "\n"
         "printf '%s' \"$(($x))|$a|$b|$c|${d-unset}\"\n";
}

int compare_arithmetic(const std::vector<std::string>& expressions) {
  std::vector<std::string> scripts;
  for (const std::string& expression : expressions) {
    scripts.push_back(arithmetic_script(expression));
  }
  const auto runs = run_all(real_dash(), scripts);
  int valid = 0;
  for (std::size_t index = 0; index < runs.size(); ++index) {
    EXPECT_EQ(arithmetic_answer(expressions[index]), runs[index].out + runs[index].err)
        << testing::PrintToString(expressions[index]);
    if (runs[index].status == 0) ++valid;
  }
  return valid;
}

TEST(ExpandArithmetic, RowsAreThoseOfDash) {
  const std::vector<std::string> rows = {"",
                                         " ",
                                         "1",
                                         "0",
                                         "-1",
                                         "+1",
                                         "- -1",
                                         "!0",
                                         "!5",
                                         "~0",
                                         "!!7",
                                         "-~5",
                                         "1+2*3",
                                         "(1+2)*3",
                                         "10-4-3",
                                         "2*3%4",
                                         "100/7/2",
                                         "-7/2",
                                         "-7%3",
                                         "7%-3",
                                         "1<<4",
                                         "1<<63",
                                         "1<<64",
                                         "1<<65",
                                         "1<<-1",
                                         "-8>>1",
                                         "-1>>70",
                                         "1<2",
                                         "2<=2",
                                         "3>4",
                                         "4>=4",
                                         "1==1",
                                         "1!=1",
                                         "6&3",
                                         "6^3",
                                         "6|3",
                                         "1&&2",
                                         "0&&2",
                                         "1||0",
                                         "0||0",
                                         "1&&0||1",
                                         "1?2:3",
                                         "0?2:3",
                                         "1?0?4:5:6",
                                         "0?1:0?2:3",
                                         "1+2<<3",
                                         "1<<2+1",
                                         "1|2^3&4",
                                         "5==5==1",
                                         "1<2<3",
                                         "3-2-1",
                                         "1-(2-3)",
                                         "2+3==5&&1",
                                         "010",
                                         "0x1F",
                                         "0X1f",
                                         "0xg",
                                         "08",
                                         "0x",
                                         "9",
                                         "9223372036854775807",
                                         "9223372036854775807+1",
                                         "-9223372036854775807-1",
                                         "9223372036854775808",
                                         "99999999999999999999999",
                                         "0xffffffffffffffff",
                                         "9223372036854775807*2",
                                         "-(-9223372036854775807-1)",
                                         "(-9223372036854775807-1)/2",
                                         "a",
                                         "b",
                                         "c",
                                         "d",
                                         "w",
                                         "two",
                                         "a+b",
                                         "a=7",
                                         "a=b",
                                         "a=d=3",
                                         "a+=1",
                                         "a-=2",
                                         "a*=3",
                                         "a/=2",
                                         "a%=3",
                                         "a<<=2",
                                         "a>>=1",
                                         "a&=4",
                                         "a|=8",
                                         "a^=1",
                                         "d+=1",
                                         "a=a+1",
                                         "(a=9)+a",
                                         "a=1,b",
                                         "1=2",
                                         "a+b=2",
                                         "a++",
                                         "++a",
                                         "--a",
                                         "a--",
                                         "1+",
                                         "*1",
                                         "1 2",
                                         "(1",
                                         "1)",
                                         "()",
                                         "(",
                                         ")",
                                         "1?2",
                                         "1?2:",
                                         "1?:3",
                                         "?",
                                         "1/0",
                                         "1%0",
                                         "a/=0",
                                         "0&&1/0",
                                         "1||1/0",
                                         "0?1/0:4",
                                         "1?4:1/0",
                                         "1&&1/0",
                                         "0&&(a=9)",
                                         "1||(a=9)",
                                         "0?(a=8):(a=9)",
                                         "1?(a=8):(a=9)",
                                         "0&&w",
                                         "1||w",
                                         "0&&a=3",
                                         "1?a=3:4",
                                         "0?3:a=4",
                                         "1?2:a=4",
                                         "locked",
                                         "locked=2",
                                         "locked+=1",
                                         "0&&(locked=2)",
                                         "1@2",
                                         "@",
                                         "1 $ 2",
                                         "1.5",
                                         "a.b",
                                         "a[0]",
                                         "\"1\"",
                                         "1\n+\n2",
                                         "\t1\t",
                                         "1 ++ 2",
                                         "1 -- 2",
                                         "1 - - 2",
                                         "1+ +2",
                                         "1!2",
                                         "1~2",
                                         "! 1 == 0",
                                         "-a*2",
                                         "_x",
                                         "_x=4",
                                         "a1",
                                         "1a",
                                         "0b1",
                                         "1 < = 2",
                                         "1<=2",
                                         "a = = 2",
                                         "a == 2",
                                         "1 &&& 1",
                                         "1||",
                                         "||1",
                                         "1;2",
                                         "a=(1",
                                         "((((1))))",
                                         "((1)",
                                         "1/0+",
                                         "1/0)",
                                         "(1/0",
                                         "w+",
                                         "w+w",
                                         "1%(3-3)",
                                         "2**3",
                                         "a=2*",
                                         "1:2",
                                         "1&&1?2:3",
                                         "1|1?2:3",
                                         "a?b:c",
                                         "a=1?2:3",
                                         "a=0||0",
                                         "!a=3",
                                         "-a=3",
                                         "(a)=3",
                                         "1\r",
                                         "1\v+2",
                                         "0 0"};
  EXPECT_GT(compare_arithmetic(rows), 90);
}

// Sentences that are mostly valid, and then some with a token that does not belong there.
std::string random_expression(std::mt19937& engine, int depth) {
  static const std::vector<std::string> leaves = {"0",    "1", "2", "7", "010",
                                                  "0x1f", "a", "b", "c", "d"};
  static const std::vector<std::string> binary = {"+",  "-", "*",  "/", "%",  "<<",
                                                  ">>", "<", "<=", ">", ">=", "==",
                                                  "!=", "&", "^",  "|", "&&", "||"};
  static const std::vector<std::string> assign = {
      "=", "+=", "-=", "*=", "/=", "%=", "<<=", ">>=", "&=", "|=", "^="};
  if (depth == 0) return pick(engine, leaves);
  const auto inner = [&] { return random_expression(engine, depth - 1); };
  switch (engine() % 8) {
    case 0:
      return "(" + inner() + ")";
    case 1:
      return pick<std::string>(engine, {"-", "!", "~", "+"}) + " " + inner();
    case 2: {
      const std::string test = inner();
      const std::string yes = inner();
      return test + "?" + yes + ":" + inner();
    }
    case 3:
      return "(" + pick<std::string>(engine, {"a", "b", "d"}) + pick(engine, assign) + inner() +
             ")";
    case 4:
      return pick(engine, leaves);
    default: {
      const std::string left = inner();
      return left + " " + pick(engine, binary) + " " + inner();
    }
  }
}

TEST(ExpandArithmetic, RandomExpressionsAreThoseOfDash) {
  std::mt19937 engine(77);
  std::vector<std::string> expressions;
  for (int count = 0; count < 2500; ++count) expressions.push_back(random_expression(engine, 4));
  EXPECT_GT(compare_arithmetic(expressions), 1000);
}

TEST(ExpandArithmetic, RandomTokensAreThoseOfDash) {
  std::mt19937 engine(78);
  const std::vector<std::string> tokens = {"1", "2", "a", "w", "d",  "(",  ")",  "?", ":", "=",
                                           "+", "-", "*", "/", "%",  "<",  ">",  "!", "~", "&",
                                           "|", "^", "0", " ", "+=", "&&", "||", "@"};
  std::vector<std::string> expressions;
  for (int count = 0; count < 2500; ++count) expressions.push_back(random_text(engine, tokens, 7));
  EXPECT_GT(compare_arithmetic(expressions), 50);
}

// dash dies of SIGFPE here; wrapping is what every other operator of it does.
TEST(ExpandArithmetic, TheQuotientThatDoesNotFitWraps) {
  MapVariables variables;
  const std::string smallest = "(-9223372036854775807-1)";
  EXPECT_EQ(std::get<std::int64_t>(evaluate_arithmetic(smallest + "/-1", variables)),
            std::numeric_limits<std::int64_t>::min());
  EXPECT_EQ(std::get<std::int64_t>(evaluate_arithmetic(smallest + "%-1", variables)), 0);
}

TEST(ExpandArithmetic, NestingIsBounded) {
  MapVariables variables;
  for (const std::string_view open : {"(", "-", "~", "a=", "1?", "1?1:"}) {
    std::string deep;
    for (int count = 0; count < 100'000; ++count) deep += open;
    const auto result = evaluate_arithmetic(deep + "1", variables);
    ASSERT_TRUE(std::holds_alternative<ArithmeticError>(result)) << open;
    EXPECT_NE(std::get<ArithmeticError>(result).text.find("nested too deep"), std::string::npos)
        << open;
  }
  const std::string fits = std::string(400, '(') + "7" + std::string(400, ')');
  EXPECT_EQ(std::get<std::int64_t>(evaluate_arithmetic(fits, variables)), 7);
}

}  // namespace
}  // namespace sandproof::machine::shell
