// SPDX-License-Identifier: Apache-2.0
// The layers of settings (SET-001 to SET-004).
#include "settings_layers.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sandproof/errors.h"
#include "thrown_message.h"

namespace sandproof {
namespace {

using namespace std::string_literals;
using testing::HasSubstr;
using Map = std::map<std::string, std::string>;

const SettingsDescription& layered() {
  static const SettingsDescription description(
      {{"image", SettingType::kString, "default"s, "", {}, {}, {}},
       {"workdir", SettingType::kString, "/default"s, "", {}, {}, {}}});
  return description;
}

Settings image(const char* name) { return Settings().set("image", std::string(name)); }

std::string image_of(const Settings& settings) { return setting<std::string>(settings, "image"); }

TEST(SettingsLayers, TheHighestThatSetAFieldWins) {
  const Settings none;
  EXPECT_EQ(image_of(effective_settings(layered(), none, {}, none)), "default");
  EXPECT_EQ(image_of(effective_settings(layered(), image("component"), {}, none)), "component");
  EXPECT_EQ(image_of(effective_settings(layered(), image("component"), image("step"), none)),
            "step");
  EXPECT_EQ(image_of(effective_settings(layered(), image("component"), {}, image("call"))), "call");
  EXPECT_EQ(
      image_of(effective_settings(layered(), image("component"), image("step"), image("call"))),
      "call");
}

TEST(SettingsLayers, AStepStandsInForTheWholeComponent) {
  const Settings step = Settings().set("workdir", "/step"s);
  EXPECT_EQ(image_of(effective_settings(layered(), image("component"), step, {})), "default");
  EXPECT_EQ(image_of(effective_settings(layered(), image("component"), Settings(), {})), "default")
      << "also where it sets nothing";
}

TEST(SettingsLayers, AFieldSetToItsDefaultCountsAsSet) {
  EXPECT_EQ(image_of(effective_settings(layered(), image("component"), {}, image("default"))),
            "default");
}

TEST(SettingsLayers, AMapIsReplacedAsAWhole) {
  const Settings component = Settings().set("environment", Map{{"A", "1"}, {"B", "2"}});
  const Settings call = Settings().set("environment", Map{{"B", "3"}});
  EXPECT_EQ(setting<Map>(effective_settings(layered(), component, {}, call), "environment"),
            (Map{{"B", "3"}}));
  const Settings empty = Settings().set("environment", Map{});
  EXPECT_EQ(setting<Map>(effective_settings(layered(), component, {}, empty), "environment"),
            Map{});
}

TEST(SettingsLayers, TheResultIsCompleteAndCanonical) {
  const Settings call = Settings().set("drain_grace", std::int64_t{2}).set("spill_limit", "1k"s);
  const Settings copy = call;
  const Settings effective = effective_settings(layered(), {}, {}, call);
  EXPECT_EQ(effective.fields().size(), layered().fields().size());
  EXPECT_EQ(setting<double>(effective, "drain_grace"), 2.0);
  EXPECT_EQ(setting<std::int64_t>(effective, "spill_limit"), 1024);
  EXPECT_EQ(call, copy) << "the caller's object is as it was (SET-004)";
}

TEST(SettingsLayers, ABadLayerIsNamed) {
  const Settings bad = Settings().set("drain_grace", -1.0);
  const auto refusal = [](const Settings& component, const std::optional<Settings>& step,
                          const Settings& call) {
    return thrown_message<InvalidArgumentError>(
        [&] { (void)effective_settings(layered(), component, step, call); });
  };
  const std::string plain = "setting `drain_grace` is -1: it must be between 0 and 3600 seconds";
  EXPECT_EQ(refusal({}, {}, bad), plain);
  EXPECT_EQ(refusal(bad, {}, {}), "in the settings of the component, " + plain);
  EXPECT_EQ(refusal({}, bad, {}), "in the settings of the step, " + plain);
  EXPECT_THAT(refusal({}, {}, Settings().set("imagee", "x"s)), HasSubstr("did you mean `image`?"));
}

}  // namespace
}  // namespace sandproof
