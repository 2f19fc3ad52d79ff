// SPDX-License-Identifier: Apache-2.0
// The decisions of the pump under every order of events: seeded random schedules of large worlds,
// and all schedules of small ones. What may never happen: two leaders; a caller that sleeps
// although its wish is met; bytes, an end or an exit that wait with nobody on the way to them; a
// process that the poller holds for ever.
//
// The explorer proves with PumpFault that it would notice each hand-over that is left out.
#include "pump_state.h"

#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <random>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "tests/framework/support_pump_world.h"

namespace sandproof {
namespace {

using Choice = PumpWorld::Choice;
using Wish = PumpWorld::Wish;

/// A schedule of a world of this size ends after some hundred steps; one that does not is a
/// livelock.
constexpr int kMostSteps = 5000;

bool is_quiet(const std::vector<Choice>& choices) {
  for (const Choice& choice : choices) {
    if (choice.kind == PumpWorld::Kind::kInternal) return false;
  }
  return true;
}

/// Lets some actors be much faster than others, differently in each schedule: uniform choices
/// hardly ever let one run far ahead.
class Scheduler {
 public:
  explicit Scheduler(std::mt19937_64& random) : random_(random) {
    for (unsigned& weight : weights_) weight = 1u << (4 * (random() % 3));
  }
  const Choice& pick(const std::vector<Choice>& choices) {
    unsigned sum = 0;
    for (const Choice& choice : choices) sum += weight_of(choice);
    unsigned at = static_cast<unsigned>(random_() % sum);
    for (const Choice& choice : choices) {
      if (at < weight_of(choice)) return choice;
      at -= weight_of(choice);
    }
    return choices.back();
  }

 private:
  unsigned weight_of(const Choice& choice) const {
    return weights_[(static_cast<std::size_t>(choice.what) * 7 +
                     static_cast<std::size_t>(choice.index)) %
                    weights_.size()];
  }
  std::mt19937_64& random_;
  std::array<unsigned, 64> weights_{};
};

/// Runs one schedule to its end; empty if nothing was wrong.
std::string run_schedule(const PumpWorld::Plan& plan, std::mt19937_64& random) {
  PumpWorld world(plan);
  Scheduler scheduler(random);
  for (int step = 0; step < kMostSteps; ++step) {
    const std::vector<Choice> choices = world.choices();
    const std::string fault = world.fault_now(is_quiet(choices));
    if (!fault.empty()) return fault + ": " + world.describe();
    if (choices.empty()) return {};
    world.take(scheduler.pick(choices));
  }
  return "it never comes to rest: " + world.describe();
}

PumpWorld::Plan random_plan(std::mt19937_64& random, PumpFault fault) {
  PumpWorld::Plan plan;
  plan.fault = fault;
  const std::size_t callers = random() % 5;
  for (std::size_t i = 0; i < callers; ++i) {
    plan.callers.push_back(
        {static_cast<Wish>(random() % 3), 1 + static_cast<int>(random() % 3), random() % 4 == 0});
  }
  for (int& pieces : plan.pieces) pieces = static_cast<int>(random() % 4);
  plan.capacity = 1 + static_cast<int>(random() % 2);
  plan.spurious_wakeups = static_cast<int>(random() % 3);
  plan.has_exit_check = random() % 2 == 0;
  return plan;
}

/// The number of schedules until one shows a fault; 0 if none of `most` does.
int find_fault(PumpFault fault, int most, std::string& what) {
  for (int seed = 1; seed <= most; ++seed) {
    std::mt19937_64 random(static_cast<std::uint64_t>(seed));
    const PumpWorld::Plan plan = random_plan(random, fault);
    what = run_schedule(plan, random);
    if (!what.empty()) return seed;
  }
  return 0;
}

/// Every state that can be reached; the first fault, or empty.
std::string explore_all(const PumpWorld::Plan& plan, std::size_t& states) {
  std::set<PumpWorld> seen;
  std::vector<PumpWorld> open{PumpWorld(plan)};
  seen.insert(open.back());
  while (!open.empty()) {
    const PumpWorld world = std::move(open.back());
    open.pop_back();
    const std::vector<Choice> choices = world.choices();
    const std::string fault = world.fault_now(is_quiet(choices));
    if (!fault.empty()) return fault + ": " + world.describe();
    for (const Choice& choice : choices) {
      PumpWorld next = world;
      next.take(choice);
      if (seen.insert(next).second) open.push_back(std::move(next));
    }
  }
  states = seen.size();
  return {};
}

std::vector<PumpWorld::Plan> small_plans() {
  std::vector<PumpWorld::Plan> plans;
  const auto add = [&](std::vector<PumpWorld::CallerPlan> callers, std::array<int, 2> pieces,
                       bool has_exit_check) {
    PumpWorld::Plan plan;
    plan.callers = std::move(callers);
    plan.pieces = pieces;
    plan.has_exit_check = has_exit_check;
    plans.push_back(std::move(plan));
  };
  add({}, {2, 1}, true);
  add({{Wish::kOut, 2}}, {2, 0}, true);
  add({{Wish::kExit, 1, true}}, {2, 0}, true);
  add({{Wish::kOut, 1}, {Wish::kErr, 1}}, {1, 0}, false);
  add({{Wish::kOut, 1}, {Wish::kOut, 1}}, {1, 0}, false);
  add({{Wish::kOut, 1}, {Wish::kExit, 1}}, {1, 0}, false);
  return plans;
}

TEST(PumpStateTest, NoScheduleLosesAnything) {
  std::string what;
  const int seed = find_fault(PumpFault::kNone, 200'000, what);
  EXPECT_EQ(seed, 0) << "schedule " << seed << ": " << what;
}

TEST(PumpStateTest, AllSchedulesOfSmallWorldsLoseNothing) {
  std::size_t all = 0;
  for (const PumpWorld::Plan& plan : small_plans()) {
    std::size_t states = 0;
    EXPECT_EQ(explore_all(plan, states), "");
    all += states;
  }
  // Far fewer would mean that the worlds stand still.
  EXPECT_GT(all, 500'000u);
}

class PumpFaultTest : public testing::TestWithParam<PumpFault> {};

TEST_P(PumpFaultTest, IsFoundByRandomSchedules) {
  std::string what;
  EXPECT_GT(find_fault(GetParam(), 20'000, what), 0);
}

TEST_P(PumpFaultTest, IsFoundInSmallWorlds) {
  for (PumpWorld::Plan plan : small_plans()) {
    plan.fault = GetParam();
    std::size_t states = 0;
    if (!explore_all(plan, states).empty()) return;
  }
  ADD_FAILURE() << "the explorer looked at every schedule and noticed nothing";
}

INSTANTIATE_TEST_SUITE_P(
    EachHandOver, PumpFaultTest,
    testing::Values(PumpFault::kLeaderForgetsFollowers, PumpFault::kLeaderForgetsPoller,
                    PumpFault::kFollowerForgetsPoller, PumpFault::kPollerForgetsFollowers,
                    PumpFault::kPollerForgetsItself, PumpFault::kPublishForgetsFollowers,
                    PumpFault::kChangeForgetsLeader, PumpFault::kChangeForgetsPoller,
                    PumpFault::kPollerKeepsWhatItWatched, PumpFault::kDisarmForgotten));

}  // namespace
}  // namespace sandproof
