// SPDX-License-Identifier: Apache-2.0
// Ids: their form, and that they differ (SESSION-002).
#include "sandproof/id_source.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <mutex>
#include <set>
#include <thread>
#include <vector>

#include "sandproof/errors.h"

namespace sandproof {
namespace {

TEST(SystemIdSource, GivesAsManyDigitsAsAsked) {
  const auto ids = system_id_source();
  for (int digits = 1; digits <= 64; ++digits) {
    const std::string text = ids->hex(digits);
    EXPECT_EQ(text.size(), static_cast<std::size_t>(digits));
    EXPECT_EQ(text.find_first_not_of("0123456789abcdef"), std::string::npos) << text;
  }
}

TEST(SystemIdSource, RefusesOtherCounts) {
  const auto ids = system_id_source();
  for (const int digits : {0, -1, 65}) EXPECT_THROW(ids->hex(digits), InvalidArgumentError);
}

TEST(SystemIdSource, EveryDigitComesAtEveryPlace) {
  const auto ids = system_id_source();
  std::vector<std::set<char>> seen(9);
  // That one of 16 digits misses one of 9 places in 1000 draws has a chance of 1e-26.
  for (int draw = 0; draw < 1000; ++draw) {
    const std::string text = ids->hex(9);
    for (std::size_t place = 0; place < seen.size(); ++place) seen[place].insert(text[place]);
  }
  for (const auto& digits : seen) EXPECT_EQ(digits.size(), 16u);
}

TEST(SystemIdSource, NeighboursAreIndependent) {
  const auto ids = system_id_source();
  std::set<std::string> pairs;
  // That one of 256 pairs misses one of 2 places in 10000 draws has a chance of 5e-15.
  for (int draw = 0; draw < 10000; ++draw) {
    const std::string text = ids->hex(3);
    pairs.insert("0:" + text.substr(0, 2));
    pairs.insert("1:" + text.substr(1, 2));
  }
  EXPECT_EQ(pairs.size(), 512u);
}

TEST(SessionId, HasTheFormOfTheContractAndIsUniqueOverThreads) {
  const auto ids = system_id_source();
  std::mutex mutex;
  std::set<std::string> seen;
  {
    std::vector<std::jthread> threads;
    for (int thread = 0; thread < 8; ++thread) {
      threads.emplace_back([&] {
        for (int count = 0; count < 100; ++count) {
          std::string id = new_session_id(*ids, "local");
          const std::lock_guard lock(mutex);
          seen.insert(std::move(id));
        }
      });
    }
  }
  EXPECT_EQ(seen.size(), 800u);
  EXPECT_THAT(seen, testing::Each(testing::MatchesRegex("local-[0-9a-f]{12}")));
}

}  // namespace
}  // namespace sandproof
