// SPDX-License-Identifier: Apache-2.0
// Cases that end, in every way that a body can.
#include <fstream>
#include <stdexcept>
#include <thread>

#include "sandproof/conformance/assertions.h"
#include "sandproof/conformance/context.h"
#include "sandproof/errors.h"
#include "tests/conformance/runner_fixture/fixture_cases.h"

namespace sandproof::conformance::fixture {
namespace {

void passes(CaseContext& context) {
  context.note("scratch is empty");
  EXPECT_TRUE(std::filesystem::is_empty(context.scratch()));
  EXPECT_EQ(1, 1);
}

void prints_random(CaseContext& context) {
  context.note(std::to_string(context.random()()));
  SUCCEED();
  EXPECT_EQ(1, 1);
}

void fails(CaseContext&) {
  EXPECT_EQ(1, 2) << "first";
  ASSERT_EQ(3, 4) << "second";
  EXPECT_EQ(5, 6) << "never";
}

void throws_error(CaseContext&) {
  EXPECT_EQ(1, 1);
  throw NotFoundError("no such thing");
}

void throws_number(CaseContext&) {
  EXPECT_EQ(1, 1);
  throw 42;
}

void fails_and_throws(CaseContext&) {
  EXPECT_EQ(1, 2);
  throw std::runtime_error("besides");
}

void asserts_nothing(CaseContext&) {}

void skips(CaseContext&) {
  EXPECT_EQ(1, 1);
  GTEST_SKIP() << "not today";
}

void asserts_on_threads(CaseContext&) {
  std::vector<std::jthread> threads;
  for (int i = 0; i < 8; ++i) {
    threads.emplace_back([i] { EXPECT_EQ(i, -1) << "thread " << i; });
  }
}

void fails_without_end(CaseContext& context) {
  for (int i = 0; i < 10'000; ++i) {
    EXPECT_EQ(i, -1) << std::string(20'000, 'x');
    context.note("again");
  }
}

void needs_scaled_time(CaseContext& context) {
  using namespace std::chrono_literals;
  context.note("bound " + std::to_string(context.bound(1000ms).count()) + " default " +
               std::to_string(context.bound().count()) + " scaled " +
               std::to_string(context.scaled(1000ms).count()));
  EXPECT_GT(context.bound(), 1ms);
}

void leaves_unremovable_directories(CaseContext& context) {
  std::filesystem::path deep = context.scratch();
  for (int i = 0; i < 100; ++i) deep /= "d";
  std::filesystem::create_directories(deep);
  std::ofstream(deep / "file") << "x";
  std::filesystem::permissions(deep, std::filesystem::perms::none);
  std::filesystem::permissions(context.scratch() / "d", std::filesystem::perms::none);
  EXPECT_EQ(1, 1);
}

}  // namespace

void add_outcome_cases(std::vector<Case>& cases) {
  cases.push_back({.name = "Passes", .rules = {"RUN-001"}, .body = passes});
  cases.push_back({.name = "PrintsRandom", .rules = {"RUN-001"}, .body = prints_random});
  cases.push_back({.name = "Fails", .rules = {"RUN-001"}, .body = fails});
  cases.push_back({.name = "FailsAsDeclared", .rules = {"RUN-002"}, .body = fails});
  cases.push_back({.name = "ThrowsError", .rules = {"RUN-001"}, .body = throws_error});
  cases.push_back({.name = "ThrowsNumber", .rules = {"RUN-001"}, .body = throws_number});
  cases.push_back({.name = "FailsAShould", .rules = {"RUN-006"}, .body = fails});
  cases.push_back({.name = "FailsAndThrows", .rules = {"RUN-001"}, .body = fails_and_throws});
  cases.push_back({.name = "AssertsNothing", .rules = {"RUN-001"}, .body = asserts_nothing});
  cases.push_back({.name = "Skips", .rules = {"RUN-001"}, .body = skips});
  cases.push_back({.name = "AssertsOnThreads", .rules = {"RUN-001"}, .body = asserts_on_threads});
  cases.push_back({.name = "FailsWithoutEnd", .rules = {"RUN-001"}, .body = fails_without_end});
  cases.push_back({.name = "NeedsScaledTime", .rules = {"RUN-001"}, .body = needs_scaled_time});
  cases.push_back({.name = "LeavesUnremovableDirectories",
                   .rules = {"RUN-001"},
                   .body = leaves_unremovable_directories});
}

}  // namespace sandproof::conformance::fixture
