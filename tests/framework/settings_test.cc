// SPDX-License-Identifier: Apache-2.0
// The settings value, the description table and its checks (SET-002, SET-003, SET-004, ENV-004).
#include "sandproof/settings.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <stdexcept>

#include "sandproof/errors.h"
#include "settings_fields.h"
#include "thrown_message.h"

namespace sandproof {
namespace {

using namespace std::string_literals;
using testing::HasSubstr;
using List = std::vector<std::string>;
using Map = std::map<std::string, std::string>;

SettingField field(std::string name, SettingType type, SettingValue default_value) {
  return {std::move(name), type, std::move(default_value), "", {}, {}, {}};
}

// One field of each type.
const SettingsDescription& described() {
  static const SettingsDescription description({
      field("flag", SettingType::kBool, false),
      {"count", SettingType::kInteger, std::int64_t{3}, "", 1.0, 10.0, {}},
      field("any_integer", SettingType::kInteger, std::int64_t{0}),
      {"cores", SettingType::kNumber, 1.5, "", 0.5, {}, {}},
      field("any_number", SettingType::kNumber, 0.0),
      {"wait", SettingType::kDuration, 2.0, "", {}, 60.0, {}},
      {"memory", SettingType::kBytes, std::string("64k"), "", 1024.0, {}, {}},
      field("image", SettingType::kString, "busybox"s),
      {"pull", SettingType::kString, "missing"s, "", {}, {}, {"always", "missing", "never"}},
      field("extra", SettingType::kStringList, List{"a"}),
      field("labels", SettingType::kStringMap, Map{{"A", "1"}}),
      field("forward", SettingType::kBoolOrList, List{"PATH"}),
  });
  return description;
}

Settings one(const std::string& name, SettingValue value) {
  return Settings().set(name, std::move(value));
}

std::string refusal(const std::string& name, const SettingValue& value) {
  return thrown_message<InvalidArgumentError>([&] { (void)described().checked(one(name, value)); });
}

// ---- The value ----------------------------------------------------------------------------

TEST(Settings, HoldsWhatWasSetAndNothingElse) {
  Settings settings;
  EXPECT_FALSE(settings.has("a"));
  EXPECT_EQ(settings.find("a"), nullptr);
  settings.set("a", true).set("b", "text"s).set("a", false);
  ASSERT_NE(settings.find("a"), nullptr);
  EXPECT_EQ(*settings.find("a"), SettingValue(false));
  EXPECT_EQ(settings.fields().size(), 2u);
}

TEST(Settings, OverlayTakesEachFieldAsAWhole) {
  const Settings lower =
      Settings().set("kept", "low"s).set("both", "low"s).set("map", Map{{"A", "1"}, {"B", "2"}});
  const Settings higher =
      Settings().set("both", "high"s).set("map", Map{{"B", "3"}}).set("added", true);
  const Settings merged = lower.overlaid_with(higher);
  EXPECT_EQ(merged, Settings()
                        .set("kept", "low"s)
                        .set("both", "high"s)
                        .set("map", Map{{"B", "3"}})
                        .set("added", true));
  EXPECT_EQ(lower.fields().size(), 3u) << "the lower layer is as it was";
  EXPECT_EQ(lower.overlaid_with({}), lower);
  EXPECT_EQ(Settings().overlaid_with(higher), higher);
}

TEST(Settings, TypedAccess) {
  const Settings settings = described().completed({});
  EXPECT_FALSE(setting<bool>(settings, "flag"));
  EXPECT_EQ(setting<std::int64_t>(settings, "count"), 3);
  EXPECT_EQ(setting<double>(settings, "cores"), 1.5);
  EXPECT_EQ(setting<std::string>(settings, "image"), "busybox");
  EXPECT_EQ(setting<List>(settings, "forward"), List{"PATH"});
  EXPECT_EQ(setting<Map>(settings, "labels"), (Map{{"A", "1"}}));
  EXPECT_THROW((void)setting<bool>(settings, "count"), std::logic_error);
  EXPECT_THROW((void)setting<bool>(settings, "absent"), std::logic_error);
}

TEST(Settings, DurationsAreRoundedUp) {
  const auto duration = [](double seconds) { return setting_duration(one("d", seconds), "d"); };
  EXPECT_EQ(duration(0).count(), 0);
  EXPECT_EQ(duration(1.5).count(), 1500);
  EXPECT_EQ(duration(1e-9).count(), 1) << "over 0 stays over 0";
  EXPECT_EQ(duration(3600).count(), 3'600'000);
  EXPECT_GT(duration(1e300).count(), 0) << "without overflow";
  EXPECT_LT(duration(-1e300).count(), 0);
}

TEST(Settings, EnvironmentNames) {
  for (const char* name : {"A", "_", "a1", "PATH", "_0", "aZ_9"}) {
    EXPECT_TRUE(is_environment_name(name)) << name;
  }
  for (const char* name : {"", "1A", "A-B", "A B", "A=B", "É", "A.B", " A", "A\n"}) {
    EXPECT_FALSE(is_environment_name(name)) << name;
  }
  EXPECT_FALSE(is_environment_name("A\0"s));
}

// ---- The table ----------------------------------------------------------------------------

TEST(SettingsDescription, BeginsWithTheFieldsOfEveryFlavor) {
  const SettingsDescription none;
  std::vector<std::string> names;
  for (const SettingField& entry : none.fields()) {
    names.push_back(entry.name);
    EXPECT_FALSE(entry.help.empty()) << entry.name;
  }
  EXPECT_THAT(names, testing::ElementsAre("environment", "drain_grace", "spill_limit", "spill_dir",
                                          "operation_timeout"));
  EXPECT_EQ(described().fields().size(), 17u);
  EXPECT_EQ(described().fields()[5].name, "flag");

  const Settings defaults = none.completed({});
  EXPECT_EQ(setting<Map>(defaults, "environment"), Map{});
  EXPECT_EQ(setting_duration(defaults, "drain_grace").count(), 1000);
  EXPECT_EQ(setting<std::int64_t>(defaults, "spill_limit"), std::int64_t{1} << 30);
  EXPECT_EQ(setting<std::string>(defaults, "spill_dir"), "");
  EXPECT_EQ(setting_duration(defaults, "operation_timeout").count(), 30'000);
}

TEST(SettingsDescription, RefusesATableThatIsWrong) {
  const auto make = [](std::vector<SettingField> own) { SettingsDescription{std::move(own)}; };
  EXPECT_THROW(make({field("a", SettingType::kBool, true), field("a", SettingType::kBool, true)}),
               std::logic_error);
  EXPECT_THROW(make({field("drain_grace", SettingType::kDuration, 1.0)}), std::logic_error);
  EXPECT_THROW(make({field("", SettingType::kBool, true)}), std::logic_error);
  EXPECT_THROW(make({field("a", SettingType::kBool, "true"s)}), std::logic_error);
  EXPECT_THROW(make({{"a", SettingType::kInteger, std::int64_t{0}, "", 1.0, {}, {}}}),
               std::logic_error)
      << "a default that the table itself refuses";
}

TEST(SettingsDescription, DefaultsAreCanonical) {
  EXPECT_EQ(described().find("memory")->default_value, SettingValue(std::int64_t{65536}));
  EXPECT_EQ(described().find("nothing"), nullptr);
}

TEST(SettingsDescription, CheckedGivesCanonicalTypesAndOnlyWhatWasSet) {
  const Settings given = Settings()
                             .set("cores", std::int64_t{2})
                             .set("wait", std::int64_t{5})
                             .set("memory", "512 MiB"s)
                             .set("forward", true)
                             .set("labels", Map{});
  const Settings copy = given;
  EXPECT_EQ(described().checked(given), Settings()
                                            .set("cores", 2.0)
                                            .set("wait", 5.0)
                                            .set("memory", std::int64_t{512} << 20)
                                            .set("forward", true)
                                            .set("labels", Map{}));
  EXPECT_EQ(given, copy);
  EXPECT_EQ(described().checked({}), Settings());
}

TEST(SettingsDescription, CompletedHasEveryField) {
  const Settings complete = described().completed(one("flag", true));
  EXPECT_EQ(complete.fields().size(), described().fields().size());
  EXPECT_TRUE(setting<bool>(complete, "flag"));
}

TEST(SettingsDescription, BoundsAreInclusive) {
  for (const std::int64_t good : {1, 10})
    EXPECT_NO_THROW((void)described().checked(one("count", good)));
  EXPECT_NO_THROW((void)described().checked(one("cores", 0.5)));
  EXPECT_NO_THROW((void)described().checked(one("wait", 60.0)));
  EXPECT_NO_THROW((void)described().checked(one("memory", std::int64_t{1024})));
  EXPECT_NO_THROW((void)described().checked(one("drain_grace", 0.0)));
  EXPECT_NO_THROW((void)described().checked(one("drain_grace", 3600.0)));
  EXPECT_NO_THROW((void)described().checked(one("operation_timeout", 0.001)));
  EXPECT_NO_THROW((void)described().checked(one("spill_limit", std::int64_t{0})));
}

struct Refused {
  std::string name;
  SettingValue value;
  std::string message;
};

TEST(SettingsDescription, RefusesByNameAndSaysWhatWouldBeRight) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const double infinite = std::numeric_limits<double>::infinity();
  const std::vector<Refused> rows = {
      {"drain_grace", -1.0, "setting `drain_grace` is -1: it must be between 0 and 3600 seconds"},
      {"drain_grace", std::int64_t{3601}, "is 3601: it must be between 0 and 3600 seconds"},
      {"drain_grace", 3600.5, "is 3600.5: it must be between"},
      {"drain_grace", "1"s,
       "is a string: it must be a number of seconds, between 0 and 3600 seconds"},
      {"drain_grace", nan, "is nan: it must be a number of seconds"},
      {"operation_timeout", 0.0, "is 0: it must be between 0.001 and 86400 seconds"},
      {"operation_timeout", infinite, "is inf: it must be a number of seconds"},
      {"spill_limit", std::int64_t{-1}, "is -1: it must be at least 0 bytes"},
      {"spill_limit", "-1k"s, "is -1024: it must be at least 0 bytes"},
      {"spill_limit", "many"s, "is `many`: it must be a size such as 1048576, 64k or 512 MiB"},
      {"spill_limit", 1.5, "is 1.5: it must be a size such as"},
      {"spill_dir", true, "is true: it must be a string"},
      {"flag", std::int64_t{1}, "is 1: it must be true or false"},
      {"flag", "true"s, "is a string: it must be true or false"},
      {"count", std::int64_t{0}, "is 0: it must be between 1 and 10"},
      {"count", std::int64_t{11}, "is 11: it must be between 1 and 10"},
      {"count", 2.0, "is 2: it must be a whole number, between 1 and 10"},
      {"any_integer", 0.5, "is 0.5: it must be a whole number"},
      {"cores", 0.25, "is 0.25: it must be at least 0.5"},
      {"any_number", infinite, "is inf: it must be a number"},
      {"any_number", List{}, "is a list: it must be a number"},
      {"wait", 61.0, "is 61: it must be at most 60 seconds"},
      {"memory", std::int64_t{1023}, "is 1023: it must be at least 1024 bytes"},
      {"image", Map{}, "is a map: it must be a string"},
      {"pull", "sometimes"s, "is `sometimes`: it must be one of always, missing or never"},
      {"pull", false, "is false: it must be one of always, missing or never"},
      {"extra", "a"s, "is a string: it must be a list of strings"},
      {"labels", List{}, "is a list: it must be a map from names to strings"},
      {"forward", "PATH"s, "is a string: it must be true, false or a list of strings"},
      {"environment", Map{{"A-B", "x"}},
       "setting `environment` has the name `A-B`: a name must be"},
      {"environment", Map{{"", "x"}}, "has the name ``"},
      {"environment", Map{{"A=B", "x"}}, "has the name `A=B`"},
      {"environment", Map{{"1A", "x"}}, "has the name `1A`"},
      {"environment", Map{{"A\nB", "x"}}, "has the name `A?B`"},
      {"environment", Map{{"A", "x\0y"s}}, "setting `environment.A` has a NUL at byte 1"},
      {"extra", List{"a", "\0"s}, "setting `extra[1]` has a NUL at byte 0"},
      {"image", "a\0"s, "setting `image` has a NUL at byte 1"},
      {"forward", List{"\0"s}, "setting `forward[0]` has a NUL"},
  };
  for (const Refused& row : rows) EXPECT_THAT(refusal(row.name, row.value), HasSubstr(row.message));
}

TEST(SettingsDescription, RefusesUnknownNamesWithTheNearestOnes) {
  EXPECT_THAT(refusal("drain_grave", 1.0),
              HasSubstr("there is no setting `drain_grave`: did you mean `drain_grace`?"));
  EXPECT_THAT(refusal("zzzzzzzz", 1.0), HasSubstr("the settings are environment, drain_grace"));
  EXPECT_THAT(refusal("", 1.0), HasSubstr("there is no setting ``"));
}

TEST(SettingsDescription, NeverShowsValuesOfTheEnvironment) {
  EXPECT_THAT(refusal("environment", Map{{"A-B", "hunter2"}}), testing::Not(HasSubstr("hunter2")));
  EXPECT_THAT(refusal("environment", Map{{"A", "hunter2\0"s}}), testing::Not(HasSubstr("hunter2")));
}

TEST(SettingsDescription, SecretReferencesPassUnresolved) {
  const Settings settings = one("environment", Map{{"A", "{{db.password}}"}});
  EXPECT_EQ(described().checked(settings), settings);
}

// ---- Sizes and numbers as text --------------------------------------------------------------

TEST(ParseBytes, TakesUnitsInEverySpelling) {
  EXPECT_EQ(parse_bytes("0"), 0);
  EXPECT_EQ(parse_bytes("100"), 100);
  EXPECT_EQ(parse_bytes("100b"), 100);
  EXPECT_EQ(parse_bytes("100 B"), 100);
  const std::vector<std::pair<char, int>> units = {{'k', 10}, {'m', 20}, {'g', 30}, {'t', 40}};
  for (const auto& [letter, shift] : units) {
    const std::int64_t expected = std::int64_t{3} << shift;
    for (const std::string rest : {"", "b", "B", "ib", "iB", "IB"}) {
      for (const std::string blanks : {"", " ", "   "}) {
        const char upper = static_cast<char>(letter - 'a' + 'A');
        EXPECT_EQ(parse_bytes("3" + blanks + letter + rest), expected);
        EXPECT_EQ(parse_bytes("3" + blanks + upper + rest), expected);
      }
    }
  }
  EXPECT_EQ(parse_bytes("512 MiB"), 536870912);
  EXPECT_EQ(parse_bytes("-2k"), -2048);
}

TEST(ParseBytes, TakesNothingElse) {
  for (const char* text : {"", " ", "k", "MiB", " 1", "1 ", "1x", "1 kx", "1kk", "1.5g", "1e3",
                           "0x10", "+1", "1ki", "1bb", "1p", "--1", "1 k b", "1\tk"}) {
    EXPECT_EQ(parse_bytes(text), std::nullopt) << "`" << text << "`";
  }
  EXPECT_EQ(parse_bytes("1k\0"s), std::nullopt);
}

TEST(ParseBytes, TakesWhat63BitsHold) {
  EXPECT_EQ(parse_bytes("9223372036854775807"), std::numeric_limits<std::int64_t>::max());
  EXPECT_EQ(parse_bytes("9223372036854775808"), std::nullopt);
  EXPECT_EQ(parse_bytes("9007199254740991k"), 9223372036854774784);
  EXPECT_EQ(parse_bytes("9007199254740992k"), std::nullopt);
  EXPECT_EQ(parse_bytes("8388607t"), 9223370937343148032);
  EXPECT_EQ(parse_bytes("8388608t"), std::nullopt);
  EXPECT_EQ(parse_bytes("-8388608t"), std::numeric_limits<std::int64_t>::min());
  EXPECT_EQ(parse_bytes("-8388609t"), std::nullopt);
}

TEST(NumberText, IsShort) {
  EXPECT_EQ(number_text(0), "0");
  EXPECT_EQ(number_text(-1), "-1");
  EXPECT_EQ(number_text(3600), "3600");
  EXPECT_EQ(number_text(0.1), "0.1");
  EXPECT_EQ(number_text(1e9), "1000000000");
  EXPECT_EQ(number_text(1e300), "1e+300");
}

TEST(SettingTypes, HaveNames) {
  std::vector<std::string> names;
  for (int type = 0; type <= static_cast<int>(SettingType::kBoolOrList); ++type) {
    names.emplace_back(to_string(static_cast<SettingType>(type)));
  }
  EXPECT_THAT(names,
              testing::ElementsAre("bool", "integer", "number", "duration", "bytes", "string",
                                   "list of strings", "map of strings", "bool or list of strings"));
}

}  // namespace
}  // namespace sandproof
