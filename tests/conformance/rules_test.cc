// SPDX-License-Identifier: Apache-2.0
// The form of the rows of the rule table. That ids keep their meaning is ledger_test.cc's.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstddef>
#include <map>
#include <optional>
#include <regex>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sandproof/conformance/rule.h"

namespace sandproof::conformance {
namespace {

using testing::Contains;
using testing::EndsWith;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;
using testing::UnorderedElementsAre;
using testing::UnorderedElementsAreArray;

// The areas of the contract, in its order, and how many rules each has.
const std::vector<std::pair<std::string_view, std::size_t>> kAreas = {
    {"CAP", 5},   {"SESSION", 11}, {"CLOSE", 10},   {"DESTROY", 8}, {"ATTACH", 7}, {"EXEC", 21},
    {"ENV", 6},   {"STREAM", 15},  {"COLLECT", 14}, {"WAIT", 6},    {"KILL", 11},  {"FILE", 17},
    {"SNAP", 11}, {"SET", 6},      {"LOG", 8},      {"META", 2},    {"LEAK", 5},   {"FAULT", 8},
};

// ---- Ids, areas and levels -------------------------------------------------------------------

TEST(Rules, IdsAreUniqueAndWellFormed) {
  std::set<std::string_view> ids;
  const std::regex form(R"([A-Z]+-[0-9]{3})");
  for (const Rule& rule : all_rules()) {
    EXPECT_TRUE(std::regex_match(std::string(rule.id), form)) << rule.id;
    EXPECT_TRUE(ids.insert(rule.id).second) << "twice: " << rule.id;
  }
}

TEST(Rules, AreasComeInTheOrderOfTheContract) {
  std::vector<std::pair<std::string_view, std::size_t>> areas;
  for (const Rule& rule : all_rules()) {
    if (areas.empty() || areas.back().first != rule.area()) areas.emplace_back(rule.area(), 0);
    ++areas.back().second;
  }
  EXPECT_EQ(areas, kAreas);
}

TEST(Rules, EveryAreaHasATitleAndTheListHasNoOther) {
  std::vector<std::string_view> names;
  for (const Area& area : all_areas()) {
    names.push_back(area.name);
    EXPECT_GE(area.title.size(), 10u) << area.name;
  }
  std::vector<std::string_view> expected;
  for (const auto& [name, count] : kAreas) expected.push_back(name);
  EXPECT_EQ(names, expected);
}

TEST(Rules, FourAreShouldAndTheRestIsMust) {
  std::vector<std::string_view> should;
  for (const Rule& rule : all_rules()) {
    if (rule.level == Level::kShould) should.push_back(rule.id);
  }
  EXPECT_THAT(should, UnorderedElementsAre("CAP-004", "SESSION-010", "EXEC-019", "LEAK-005"));
  EXPECT_EQ(all_rules().size() - should.size(), 167u);
}

TEST(Rules, AreFoundByTheirIdAndByNothingElse) {
  for (const Rule& rule : all_rules()) EXPECT_EQ(find_rule(rule.id), &rule);
  for (const std::string_view unknown : {"", "KILL", "KILL-4", "KILL-0040", "kill-004", "X-001"}) {
    EXPECT_EQ(find_rule(unknown), nullptr) << unknown;
  }
}

TEST(Rules, TheAreaIsTheIdsFirstPart) {
  const Rule* rule = find_rule("KILL-004");
  ASSERT_NE(rule, nullptr);
  EXPECT_EQ(rule->area(), "KILL");
}

// ---- Texts -----------------------------------------------------------------------------------

// Backticks come in pairs, and outside of them no Markdown is left.
void expect_plain(std::string_view id, std::string_view text) {
  bool code = false;
  for (const char c : text) {
    if (c == '`') code = !code;
    EXPECT_FALSE(!code && c == '*') << id << ": emphasis is left in: " << text;
    EXPECT_NE(c, '\n') << id;
  }
  EXPECT_FALSE(code) << id << ": an odd backtick in: " << text;
  EXPECT_EQ(text.find("  "), std::string_view::npos) << id << ": two blanks in: " << text;
}

TEST(Rules, SentencesAreUniqueAndPlain) {
  std::set<std::string_view> sentences;
  for (const Rule& rule : all_rules()) {
    EXPECT_GE(rule.sentence.size(), 20u) << rule.id;
    EXPECT_THAT(std::string(rule.sentence), EndsWith(".")) << rule.id;
    EXPECT_THAT(std::string(rule.sentence), Not(StartsWith("`["))) << rule.id << ": a marker";
    EXPECT_THAT(std::string(rule.sentence), Not(HasSubstr("(differs)"))) << rule.id;
    EXPECT_TRUE(sentences.insert(rule.sentence).second) << rule.id;
    expect_plain(rule.id, rule.sentence);
  }
}

TEST(Rules, IntentsAreUniqueSentencesOfTheirOwn) {
  std::set<std::string_view> intents;
  for (const Rule& rule : all_rules()) {
    EXPECT_GE(rule.intent.size(), 40u) << rule.id;
    EXPECT_LE(rule.intent.size(), 320u) << rule.id << ": more than two sentences' worth";
    EXPECT_THAT(std::string(rule.intent), EndsWith(".")) << rule.id;
    EXPECT_NE(rule.intent, rule.sentence) << rule.id;
    EXPECT_TRUE(intents.insert(rule.intent).second) << rule.id;
    expect_plain(rule.id, rule.intent);
  }
}

TEST(Rules, BugsAreAddresses) {
  const std::regex form(R"(https://github\.com/[\w.-]+/[\w.-]+/(issues|pull)/[0-9]+)");
  std::size_t addresses = 0;
  for (const Rule& rule : all_rules()) {
    std::set<std::string_view> seen;
    for (const std::string_view bug : rule.bugs) {
      EXPECT_TRUE(std::regex_match(std::string(bug), form)) << rule.id << ": " << bug;
      EXPECT_TRUE(seen.insert(bug).second) << rule.id << " has twice: " << bug;
      ++addresses;
    }
  }
  EXPECT_GT(addresses, 100u);
}

TEST(Rules, AllCameWithTheFirstVersion) {
  for (const Rule& rule : all_rules()) EXPECT_EQ(rule.since, "0.1") << rule.id;
}

// ---- Conditions ------------------------------------------------------------------------------

TEST(Rules, CapabilitiesAreThoseOfTheContractsMarkers) {
  const std::map<std::string_view, std::vector<Capability>> of_areas = {
      {"ATTACH", {Capability::kAttach}},
      {"FILE", {Capability::kUpload, Capability::kDownload}},
      {"SNAP", {Capability::kSnapshot, Capability::kRestore}},
  };
  const std::map<std::string_view, Capability> of_rules = {
      {"SESSION-008", Capability::kOutlives},  {"CLOSE-004", Capability::kOutlives},
      {"CLOSE-008", Capability::kOutlives},    {"DESTROY-005", Capability::kAttach},
      {"DESTROY-006", Capability::kAttach},    {"ATTACH-006", Capability::kCrossProcess},
      {"EXEC-013", Capability::kStdin},        {"EXEC-017", Capability::kAsyncExec},
      {"KILL-004", Capability::kKillTree},     {"SNAP-011", Capability::kCrossProcess},
      {"LEAK-005", Capability::kCrossProcess},
  };
  for (const Rule& rule : all_rules()) {
    std::vector<Capability> expected;
    if (const auto area = of_areas.find(rule.area()); area != of_areas.end()) {
      expected = area->second;
    }
    if (const auto own = of_rules.find(rule.id); own != of_rules.end()) {
      expected.push_back(own->second);
    }
    EXPECT_THAT(rule.capabilities, UnorderedElementsAreArray(expected)) << rule.id;
  }
}

TEST(Rules, TheConditionInASentenceIsTheOneInItsRow) {
  std::size_t conditional = 0;
  for (const Rule& rule : all_rules()) {
    const bool says_so = rule.sentence.starts_with("where `outlives` is not claimed,");
    EXPECT_EQ(rule.unless, says_so ? std::optional(Capability::kOutlives) : std::nullopt)
        << rule.id;
    if (rule.unless) {
      ++conditional;
      EXPECT_THAT(rule.capabilities, Not(Contains(*rule.unless))) << rule.id << " can never hold";
    }
  }
  EXPECT_EQ(conditional, 2u);
}

TEST(Rules, ACapabilityThatASentenceNamesInBackticksIsOneThatExists) {
  const std::regex condition("`([a-z_]+)` is (?:not )?claimed");
  std::size_t named = 0;
  for (const Rule& rule : all_rules()) {
    const std::string sentence(rule.sentence);
    for (std::sregex_iterator it(sentence.begin(), sentence.end(), condition), end; it != end;
         ++it) {
      EXPECT_TRUE(capability_from_string((*it)[1].str()).has_value())
          << rule.id << ": " << sentence;
      ++named;
    }
  }
  EXPECT_EQ(named, 3u);
}

// ---- Needs -----------------------------------------------------------------------------------

TEST(Rules, NeedsAreNamedOnce) {
  for (const Rule& rule : all_rules()) {
    const std::set<Need> needs(rule.needs.begin(), rule.needs.end());
    EXPECT_EQ(needs.size(), rule.needs.size()) << rule.id;
  }
}

TEST(Rules, ARuleThatOnlyOneKindOfBindingCanShowSaysSo) {
  const std::map<std::string_view, Need> expected = {
      {"CAP-005", Need::kIdentity},         {"SESSION-005", Need::kLeakCensus},
      {"SESSION-009", Need::kImages},       {"SESSION-010", Need::kImages},
      {"DESTROY-008", Need::kProcessTable}, {"ATTACH-007", Need::kStoppableEnvironment},
      {"EXEC-019", Need::kSmallPidSpace},   {"KILL-004", Need::kProcessTable},
      {"FILE-014", Need::kHostileArchive},  {"FILE-016", Need::kNoIsolation},
      {"LEAK-001", Need::kLeakCensus},      {"LEAK-004", Need::kLeakCensus},
      {"LEAK-005", Need::kLeakCensus},
  };
  for (const Rule& rule : all_rules()) {
    std::vector<Need> needs;
    if (const auto own = expected.find(rule.id); own != expected.end()) needs = {own->second};
    if (rule.area() == "FAULT") needs = {Need::kFaults};
    EXPECT_EQ(rule.needs, needs) << rule.id;
  }
}

TEST(Needs, TheListHasEveryEnumeratorInDeclarationOrder) {
  const auto needs = all_needs();
  for (std::size_t i = 0; i < needs.size(); ++i) {
    EXPECT_EQ(static_cast<std::size_t>(needs[i]), i) << to_string(needs[i]);
  }
  // to_string's switch names every enumerator, or the compiler refuses it: a need that is missing
  // from the end of the list would have a name here.
  EXPECT_EQ(to_string(static_cast<Need>(needs.size())), "unknown need");
}

TEST(Needs, NamesAreUniqueWordsForPeople) {
  std::set<std::string_view> names;
  for (const Need need : all_needs()) {
    const std::string_view name = to_string(need);
    EXPECT_TRUE(std::regex_match(std::string(name), std::regex("[a-z][a-z -]*[a-z]"))) << name;
    EXPECT_NE(name, "unknown need");
    EXPECT_TRUE(names.insert(name).second) << name;
  }
}

}  // namespace
}  // namespace sandproof::conformance
