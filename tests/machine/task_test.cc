// SPDX-License-Identifier: Apache-2.0
// Tasks: lazy, nested, and destroyed from the outside in one step.
#include "fakes/machine/task.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

namespace sandproof::machine {
namespace {

using ::testing::ElementsAre;

/// Suspends whoever awaits it, until it is opened.
class Gate {
 public:
  bool await_ready() const noexcept { return false; }
  void await_suspend(std::coroutine_handle<> waiter) noexcept { waiter_ = waiter; }
  void await_resume() const noexcept {}
  void open() { waiter_.resume(); }

 private:
  std::coroutine_handle<> waiter_;
};

/// Notes its end.
class Witness {
 public:
  Witness(std::vector<std::string>& ends, std::string name) : ends_(ends), name_(std::move(name)) {}
  ~Witness() { ends_.push_back(name_); }
  Witness(const Witness&) = delete;
  Witness& operator=(const Witness&) = delete;

 private:
  std::vector<std::string>& ends_;
  std::string name_;
};

Task<int> doubled(Gate& gate, int value) {
  co_await gate;
  co_return 2 * value;
}

Task<int> sum(Gate& gate) {
  const int first = co_await doubled(gate, 1);
  const int second = co_await doubled(gate, 10);
  co_return first + second;
}

TEST(Task, BeginsWhenItIsResumedAndGivesItsValue) {
  Gate gate;
  Task<int> task = sum(gate);
  EXPECT_FALSE(task.done());
  task.handle().resume();
  gate.open();
  EXPECT_FALSE(task.done());
  gate.open();
  ASSERT_TRUE(task.done());
  EXPECT_EQ(task.take(), 22);
}

Task<> inner(Gate& gate, std::vector<std::string>& ends) {
  const Witness witness(ends, "inner");
  co_await gate;
}

Task<> outer(Gate& gate, std::vector<std::string>& ends) {
  const Witness witness(ends, "outer");
  co_await inner(gate, ends);
}

TEST(Task, DestroyingTheOutermostDestroysAllOfThemInnermostFirst) {
  Gate gate;
  std::vector<std::string> ends;
  {
    const Task<> task = outer(gate, ends);
    task.handle().resume();
    EXPECT_THAT(ends, ElementsAre());
  }
  EXPECT_THAT(ends, ElementsAre("inner", "outer"));
}

TEST(Task, OneThatWasNeverBegunIsDestroyedToo) {
  Gate gate;
  std::vector<std::string> ends;
  { const Task<> task = outer(gate, ends); }
  EXPECT_THAT(ends, ElementsAre());
}

Task<> throws() {
  throw std::runtime_error("inside");
  co_return;
}

Task<std::string> catches() {
  try {
    co_await throws();
  } catch (const std::runtime_error& error) {
    co_return error.what();
  }
  co_return "nothing";
}

TEST(Task, AnExceptionReachesTheAwaiter) {
  Task<std::string> task = catches();
  task.handle().resume();
  EXPECT_EQ(task.take(), "inside");
}

Task<int> one() { co_return 1; }

Task<int> many(int count) {
  int total = 0;
  for (int i = 0; i < count; ++i) total += co_await one();
  co_return total;
}

// A task that ends at once must not cost a frame of the C++ stack for each.
TEST(Task, AMillionInARowNeedNoStack) {
  Task<int> task = many(1'000'000);
  task.handle().resume();
  EXPECT_EQ(task.take(), 1'000'000);
}

}  // namespace
}  // namespace sandproof::machine
