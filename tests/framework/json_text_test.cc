// SPDX-License-Identifier: Apache-2.0
// Strict JSON: what is refused, and with which place.
#include "json_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "sandproof/errors.h"
#include "thrown_message.h"

namespace sandproof {
namespace {

using nlohmann::json;
using testing::HasSubstr;
using testing::Not;

std::string parse_refusal(std::string_view text) {
  return thrown_message<InvalidArgumentError>([&] { (void)parse_json(text, "cannot read x"); });
}

TEST(ParseJson, GivesTheValue) {
  EXPECT_EQ(parse_json(R"( {"a": [1, -2, 2.5, "é", true, null, {}]} )", "x"),
            (json{{"a", {1, -2, 2.5, "é", true, nullptr, json::object()}}}));
  EXPECT_EQ(parse_json("7", "x"), json(7));
}

TEST(ParseJson, NamesLineAndColumn) {
  EXPECT_THAT(parse_refusal("{\n  \"a\": 1,\n  \"b\" 2\n}"),
              HasSubstr("cannot read x: line 3, column 7"));
  EXPECT_THAT(parse_refusal(""), HasSubstr("line 1, column 1"));
  EXPECT_THAT(parse_refusal("[1,\n"), HasSubstr("line 2, column 1"));
  EXPECT_THAT(parse_refusal("tru"), HasSubstr("line 1, column 4"));
}

TEST(ParseJson, RefusesWhatIsMoreThanOneValue) {
  EXPECT_THAT(parse_refusal("{} {}"), HasSubstr("line 1, column 4"));
}

TEST(ParseJson, RefusesAKeyThatIsThereTwice) {
  EXPECT_THAT(parse_refusal(R"({"a": 1, "b": {"a": 2}, "a": 3})"),
              HasSubstr("the key `a` is there twice"));
  EXPECT_NO_THROW((void)parse_json(R"([{"a": 1}, {"a": 2, "b": {"a": 3}}])", "x"));
}

TEST(ParseJson, RefusesDeepNesting) {
  const auto nested = [](int depth) {
    const auto count = static_cast<std::size_t>(depth);
    return std::string(count, '[') + std::string(count, ']');
  };
  EXPECT_NO_THROW((void)parse_json(nested(kMaxJsonDepth), "x"));
  EXPECT_THAT(parse_refusal(nested(kMaxJsonDepth + 1)), HasSubstr("nested deeper than 32"));
  EXPECT_THAT(parse_refusal(std::string(1'000'000, '[')), HasSubstr("nested deeper than 32"));
}

TEST(ParseJson, RefusesANumberThatNoDoubleHolds) {
  EXPECT_THAT(parse_refusal("1e999"), HasSubstr("cannot read x: it is not JSON that can be kept"));
}

TEST(ParseJson, NeverShowsWhatItRead) {
  EXPECT_THAT(parse_refusal("{\"PASSWORD\": \"hunter2\n\"}"),
              testing::AllOf(HasSubstr("invalid string"), Not(HasSubstr("hunter2"))));
  EXPECT_THAT(parse_refusal("{\"PASSWORD\": hunter2}"), Not(HasSubstr("hu")));
  EXPECT_THAT(parse_refusal("{\"a\": \"x'; expected hunter2\n\"}"), Not(HasSubstr("hunter2")));
  EXPECT_THAT(parse_refusal("{\"a\": 1 \"x'; expected hunter2\"}"), Not(HasSubstr("hunter2")));
}

TEST(JsonKind, NamesEachTypeWithItsArticle) {
  EXPECT_EQ(json_kind(nullptr), "null");
  EXPECT_EQ(json_kind(json::object()), "an object");
  EXPECT_EQ(json_kind(json::array()), "an array");
  EXPECT_EQ(json_kind("x"), "a string");
  EXPECT_EQ(json_kind(1), "a number");
  EXPECT_EQ(json_kind(true), "a boolean");
}

}  // namespace
}  // namespace sandproof
