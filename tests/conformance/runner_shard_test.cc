// SPDX-License-Identifier: Apache-2.0
// Dividing a run: every case in exactly one part, whatever else differs between the machines.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <deque>
#include <map>
#include <numeric>
#include <random>
#include <set>

#include "conformance/runner/selection.h"
#include "conformance/runner/shard.h"

namespace sandproof::conformance {
namespace {

using std::chrono::milliseconds;

/// A suite of random size with names of its own, and two bindings: one runs every case, one does
/// not claim `attach`.
class ShardWorld {
 public:
  explicit ShardWorld(unsigned seed) : random_(seed) {
    const std::size_t rules = 1 + random_() % 40;
    for (std::size_t i = 0; i < rules; ++i) {
      rules_.push_back(
          {text("R-" + std::to_string(i)), Level::kMust, "", "", {}, std::nullopt, {}, "0.1", {}});
    }
    const std::size_t count = random_() % 120;
    for (std::size_t i = 0; i < count; ++i) {
      Case one{.name = text("Case" + std::to_string(i)),
               .rules = {rules_[random_() % rules].id},
               .body = nullptr};
      if (random_() % 3 == 0) one.rules.push_back(rules_[random_() % rules].id);
      one.limit = milliseconds(random_() % 4 == 0 ? 60'000 : 20'000);
      if (random_() % 4 == 0) one.with = {Capability::kAttach};
      cases_.push_back(std::move(one));
    }
    for (const char* name : {"full", "plain"}) {
      Binding binding;
      binding.flavor.name = name;
      if (binding.flavor.name == "full") binding.flavor.capabilities = Capabilities::all();
      suite.bindings.push_back(std::move(binding));
    }
    suite.cases = &cases_;
    suite.mutants = &mutants_;
    suite.rules = &rules_;
  }

  RunOptions options() const {
    RunOptions result;
    for (const Binding& binding : suite.bindings) {
      SelectedFlavor selected;
      selected.binding = &binding;
      for (const Case& one : cases_) selected.cases.push_back(&one);
      result.flavors.push_back(std::move(selected));
    }
    return result;
  }

  Suite suite;

 private:
  std::string_view text(std::string value) { return texts_.emplace_back(std::move(value)); }

  std::mt19937 random_;
  /// What the tables point to; never moves.
  std::deque<std::string> texts_;
  std::vector<Rule> rules_;
  std::vector<Case> cases_;
  std::vector<Mutant> mutants_;
};

class EveryTotal : public testing::TestWithParam<int> {};

TEST_P(EveryTotal, ShardsAreDisjointAndTogetherTheWhole) {
  for (unsigned seed = 0; seed < 20; ++seed) {
    const ShardWorld world(seed);
    const RunOptions whole = world.options();
    std::vector<std::multiset<const Case*>> together(whole.flavors.size());
    for (int index = 1; index <= GetParam(); ++index) {
      RunOptions part = world.options();
      part.shard = Shard{index, GetParam(), "", false};
      take_shard(world.suite, part);
      for (std::size_t f = 0; f < part.flavors.size(); ++f) {
        const SelectedFlavor& flavor = part.flavors[f];
        together[f].insert(flavor.cases.begin(), flavor.cases.end());
        // In the suite's order, and what is not here is said to be elsewhere.
        EXPECT_TRUE(std::is_sorted(flavor.cases.begin(), flavor.cases.end()));
        EXPECT_EQ(flavor.cases.size() + flavor.others.size(), whole.flavors[f].cases.size());
        for (const OtherCase& other : flavor.others) EXPECT_NE(other.shard, index);
      }
    }
    for (std::size_t f = 0; f < whole.flavors.size(); ++f) {
      const auto& all = whole.flavors[f].cases;
      EXPECT_EQ(together[f], std::multiset<const Case*>(all.begin(), all.end())) << "seed " << seed;
    }
  }
}

TEST_P(EveryTotal, CasesOfOneRuleStayTogether) {
  for (unsigned seed = 0; seed < 20; ++seed) {
    const ShardWorld world(seed);
    const RunOptions whole = world.options();
    const auto parts = partition(world.suite, whole.flavors, GetParam());
    for (std::size_t f = 0; f < parts.size(); ++f) {
      std::map<std::string_view, std::set<int>> shards_of_rule;
      for (std::size_t i = 0; i < parts[f].size(); ++i) {
        shards_of_rule[whole.flavors[f].cases[i]->rules.front()].insert(parts[f][i]);
      }
      for (const auto& [rule, shards] : shards_of_rule) EXPECT_EQ(shards.size(), 1U) << rule;
    }
  }
}

TEST_P(EveryTotal, NoShardHasMoreThanOneGroupMoreThanAnother) {
  for (unsigned seed = 0; seed < 20; ++seed) {
    const ShardWorld world(seed);
    const RunOptions whole = world.options();
    const auto parts = partition(world.suite, whole.flavors, GetParam());
    std::vector<milliseconds> load(static_cast<std::size_t>(GetParam()));
    milliseconds largest_group{0};
    for (std::size_t f = 0; f < parts.size(); ++f) {
      std::map<std::string_view, milliseconds> groups;
      for (std::size_t i = 0; i < parts[f].size(); ++i) {
        const Case& one = *whole.flavors[f].cases[i];
        const bool runs = f == 0 || one.with.empty();
        if (!runs) continue;
        load.at(static_cast<std::size_t>(parts[f][i] - 1)) += one.limit;
        groups[one.rules.front()] += one.limit;
      }
      for (const auto& [rule, limit] : groups) largest_group = std::max(largest_group, limit);
    }
    const auto [least, most] = std::minmax_element(load.begin(), load.end());
    EXPECT_LE(*most - *least, largest_group) << "seed " << seed;
  }
}

INSTANTIATE_TEST_SUITE_P(Shard, EveryTotal, testing::Range(1, 21));

TEST(Shard, OnlyTheSelectionDecides) {
  const ShardWorld world(7);
  RunOptions one = world.options();
  one.shard = Shard{2, 3, "", false};
  RunOptions other = one;
  other.jobs = 16;
  other.shuffle = true;
  other.seed = 99;
  other.time_scale = 5;
  other.shard->from = "JOB_COMPLETION_INDEX=1";
  take_shard(world.suite, one);
  take_shard(world.suite, other);
  for (std::size_t f = 0; f < one.flavors.size(); ++f) {
    EXPECT_EQ(one.flavors[f].cases, other.flavors[f].cases);
  }
}

TEST(Shard, WithoutOneNothingChanges) {
  const ShardWorld world(7);
  RunOptions options = world.options();
  take_shard(world.suite, options);
  EXPECT_EQ(options.flavors[0].cases, world.options().flavors[0].cases);
  EXPECT_TRUE(options.flavors[0].others.empty());
}

/// The program's own suite: no part is idle, and none has all the work.
TEST(Shard, TheSuiteIsDividedEvenly) {
  Binding binding;
  binding.flavor.name = "full";
  binding.flavor.capabilities = Capabilities::all();
  for (const Need need : all_needs()) binding.provides.insert(need);
  const Suite suite = whole_suite({binding});
  SelectedFlavor selected;
  selected.binding = &suite.bindings.front();
  for (const Case& one : *suite.cases) selected.cases.push_back(&one);
  // By the limits of what runs: a rule's cases stay together, so one rule is the best that can be.
  std::map<std::string_view, std::chrono::milliseconds> by_rule;
  std::vector<std::chrono::milliseconds> costs;
  for (const Case* one : selected.cases) {
    const bool runs = dispose(suite, *one, suite.bindings.front()).kind == DispositionKind::kRun;
    costs.push_back(runs ? one->limit : std::chrono::milliseconds(0));
    by_rule[one->rules.front()] += costs.back();
  }
  std::chrono::milliseconds largest{0};
  for (const auto& [rule, cost] : by_rule) largest = std::max(largest, cost);
  for (const int total : {2, 3, 5, 8}) {
    std::vector<std::chrono::milliseconds> loads(static_cast<std::size_t>(total));
    const std::vector<int> part = partition(suite, {&selected, 1}, total).front();
    for (std::size_t i = 0; i < part.size(); ++i) {
      loads.at(static_cast<std::size_t>(part[i] - 1)) += costs[i];
    }
    const auto [least, most] = std::minmax_element(loads.begin(), loads.end());
    EXPECT_LE(*most - *least, largest) << total;
    EXPECT_GT(*least, largest) << "too few to say anything";
  }
}

}  // namespace
}  // namespace sandproof::conformance
