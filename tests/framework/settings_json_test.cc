// SPDX-License-Identifier: Apache-2.0
// Settings as JSON and as text of a command line.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sandproof/errors.h"
#include "sandproof/settings.h"
#include "thrown_message.h"

namespace sandproof {
namespace {

using namespace std::string_literals;
using testing::HasSubstr;
using testing::Not;
using List = std::vector<std::string>;
using Map = std::map<std::string, std::string>;

const SettingsDescription& json_described() {
  const auto field = [](std::string name, SettingType type, SettingValue value) {
    return SettingField{std::move(name), type, std::move(value), "", {}, {}, {}};
  };
  static const SettingsDescription description({
      field("flag", SettingType::kBool, false),
      field("count", SettingType::kInteger, std::int64_t{3}),
      field("cores", SettingType::kNumber, 1.5),
      field("image", SettingType::kString, "busybox"s),
      field("extra", SettingType::kStringList, List{"a"}),
      field("forward", SettingType::kBoolOrList, List{"PATH"}),
  });
  return description;
}

std::string settings_json_refusal(const std::string& json) {
  return thrown_message<InvalidArgumentError>([&] { (void)json_described().from_json(json); });
}

std::string text_refusal(const std::string& name, const std::string& text) {
  return thrown_message<InvalidArgumentError>(
      [&] { (void)json_described().from_text(name, text); });
}

TEST(SettingsJson, ReadsEveryType) {
  const Settings expected = Settings()
                                .set("flag", true)
                                .set("count", std::int64_t{-7})
                                .set("cores", 2.0)
                                .set("image", "é"s)
                                .set("extra", List{"a", ""})
                                .set("forward", false)
                                .set("environment", Map{{"A", "1"}, {"B", ""}})
                                .set("drain_grace", 0.5)
                                .set("operation_timeout", 3.0)
                                .set("spill_limit", std::int64_t{65536});
  EXPECT_EQ(json_described().from_json(R"({
    "flag": true, "count": -7, "cores": 2, "image": "é", "extra": ["a", ""], "forward": false,
    "environment": {"A": "1", "B": ""}, "drain_grace": 0.5, "operation_timeout": 3,
    "spill_limit": "64k"})"),
            expected);
  EXPECT_EQ(json_described().from_json(R"({"forward": ["A"]})"),
            Settings().set("forward", List{"A"}));
  EXPECT_EQ(json_described().from_json("{}"), Settings());
  EXPECT_EQ(json_described().from_json(R"({"spill_limit": 9223372036854775807})"),
            Settings().set("spill_limit", std::int64_t{9223372036854775807}));
}

TEST(SettingsJson, ReadsBackEqual) {
  const Settings settings = Settings()
                                .set("flag", true)
                                .set("count", std::int64_t{9007199254740993})
                                .set("cores", 3.0)
                                .set("image", "\"\n\\ \x01"s)
                                .set("extra", List{})
                                .set("forward", List{"A"})
                                .set("environment", Map{{"A", "{{db.password}}"}})
                                .set("drain_grace", 0.1)
                                .set("spill_limit", std::int64_t{0});
  EXPECT_EQ(json_described().from_json(json_described().to_json(settings)), settings);
  EXPECT_EQ(json_described().to_json({}), "{}");
  const Settings complete = json_described().completed({});
  EXPECT_EQ(json_described().from_json(json_described().to_json(complete)), complete);
}

TEST(SettingsJson, WritesCanonicalValues) {
  EXPECT_EQ(
      json_described().to_json(Settings().set("spill_limit", "1g"s).set("cores", std::int64_t{2})),
      R"({"cores":2.0,"spill_limit":1073741824})");
  EXPECT_THROW((void)json_described().to_json(Settings().set("nothing", true)),
               InvalidArgumentError);
  EXPECT_THROW((void)json_described().to_json(Settings().set("image", "\xFF"s)),
               InvalidArgumentError);
}

TEST(SettingsJson, RefusesByName) {
  EXPECT_THAT(settings_json_refusal("{"), HasSubstr("cannot read the settings: line 1, column 2"));
  EXPECT_THAT(settings_json_refusal("[]"), HasSubstr("the settings are an array"));
  EXPECT_THAT(settings_json_refusal("null"), HasSubstr("the settings are null"));
  EXPECT_THAT(settings_json_refusal(R"({"flagg": true})"), HasSubstr("did you mean `flag`?"));
  EXPECT_THAT(settings_json_refusal(R"({"flag": true, "flag": true})"),
              HasSubstr("`flag` is there twice"));
  EXPECT_THAT(settings_json_refusal(R"({"flag": null})"),
              HasSubstr("setting `flag` is null: it must be true"));
  EXPECT_THAT(settings_json_refusal(R"({"flag": "true"})"),
              HasSubstr("setting `flag` is a string"));
  EXPECT_THAT(settings_json_refusal(R"({"count": 1.0})"),
              HasSubstr("setting `count` is 1: it must be a whole"));
  EXPECT_THAT(settings_json_refusal(R"({"count": 9223372036854775808})"),
              HasSubstr("it must be a whole number"));
  EXPECT_THAT(settings_json_refusal(R"({"drain_grace": -1})"),
              HasSubstr("setting `drain_grace` is -1"));
  EXPECT_THAT(settings_json_refusal(R"({"extra": ["a", 1]})"),
              HasSubstr("setting `extra[1]` is a number: it must be a string"));
  EXPECT_THAT(settings_json_refusal(R"({"extra": [["a"]]})"), HasSubstr("`extra[0]` is an array"));
  EXPECT_THAT(settings_json_refusal(R"({"environment": {"A": null}})"),
              HasSubstr("setting `environment.A` is null: it must be a string"));
  EXPECT_THAT(settings_json_refusal(R"({"environment": {"A": 1}})"),
              HasSubstr("`environment.A` is a number"));
  EXPECT_THAT(settings_json_refusal(R"({"environment": {"A": "\u0000"}})"), HasSubstr("has a NUL"));
  EXPECT_THAT(settings_json_refusal(R"({"environment": {"A-B": ""}})"),
              HasSubstr("has the name `A-B`"));
}

TEST(SettingsText, ReadsEveryType) {
  const SettingsDescription& table = json_described();
  EXPECT_EQ(table.from_text("flag", "true"), Settings().set("flag", true));
  EXPECT_EQ(table.from_text("flag", "false"), Settings().set("flag", false));
  EXPECT_EQ(table.from_text("count", "-7"), Settings().set("count", std::int64_t{-7}));
  EXPECT_EQ(table.from_text("cores", "2"), Settings().set("cores", 2.0));
  EXPECT_EQ(table.from_text("drain_grace", "0.5"), Settings().set("drain_grace", 0.5));
  EXPECT_EQ(table.from_text("spill_limit", "1 GiB"),
            Settings().set("spill_limit", std::int64_t{1} << 30));
  EXPECT_EQ(table.from_text("image", " a=b\n"), Settings().set("image", " a=b\n"s));
  EXPECT_EQ(table.from_text("image", ""), Settings().set("image", ""s));
  EXPECT_EQ(table.from_text("image", "true"), Settings().set("image", "true"s));
  EXPECT_EQ(table.from_text("extra", R"(["a","b"])"), Settings().set("extra", List{"a", "b"}));
  EXPECT_EQ(table.from_text("environment", R"({"A":"1"})"),
            Settings().set("environment", Map{{"A", "1"}}));
  EXPECT_EQ(table.from_text("forward", "true"), Settings().set("forward", true));
  EXPECT_EQ(table.from_text("forward", "[]"), Settings().set("forward", List{}));
}

TEST(SettingsText, RefusesByName) {
  EXPECT_THAT(text_refusal("imagee", "x"), HasSubstr("did you mean `image`?"));
  EXPECT_THAT(text_refusal("flag", "yes"), HasSubstr("setting `flag` is `yes`: it must be true"));
  EXPECT_THAT(text_refusal("flag", "TRUE"), HasSubstr("it must be true or false"));
  for (const char* text : {"", "1.5", "1 ", "0x1", "one", "9223372036854775808", "+1"}) {
    EXPECT_THAT(text_refusal("count", text), HasSubstr("it must be a whole number")) << text;
  }
  for (const char* text : {"", "1s", "one", "1,5"}) {
    EXPECT_THAT(text_refusal("drain_grace", text), HasSubstr("it must be a number of seconds"));
  }
  EXPECT_THAT(text_refusal("drain_grace", "nan"), HasSubstr("it must be a number of seconds"));
  EXPECT_THAT(text_refusal("drain_grace", "inf"), HasSubstr("it must be a number of seconds"));
  EXPECT_THAT(text_refusal("drain_grace", "4000"), HasSubstr("is 4000: it must be between"));
  EXPECT_THAT(text_refusal("spill_limit", "1.5g"), HasSubstr("is `1.5g`: it must be a size"));
  EXPECT_THAT(text_refusal("extra", "a"), HasSubstr(R"(not JSON such as ["first", "second"])"));
  EXPECT_THAT(text_refusal("extra", "true"), HasSubstr("setting `extra` is true"));
  EXPECT_THAT(text_refusal("extra", "{}"), HasSubstr("setting `extra` is a map"));
  EXPECT_THAT(text_refusal("extra", "null"), HasSubstr("setting `extra` is null"));
  EXPECT_THAT(text_refusal("environment", "A=hunter2"),
              testing::AllOf(HasSubstr(R"(not JSON such as {"NAME": "value"})"),
                             Not(HasSubstr("hunter2"))));
}

}  // namespace
}  // namespace sandproof
