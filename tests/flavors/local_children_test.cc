// SPDX-License-Identifier: Apache-2.0
// The running commands of a session, and the moment of its close.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <chrono>
#include <memory>
#include <thread>

#include "flavors/local/children.h"
#include "flavors/local/program.h"
#include "sandproof/errors.h"
#include "tests/flavors/local_support.h"

namespace sandproof::local {
namespace {

using Clock = std::chrono::steady_clock;

std::shared_ptr<Child> start_child() {
  const Descriptor cwd(::open("/", O_PATH | O_DIRECTORY | O_CLOEXEC));
  const Descriptor null(::open("/dev/null", O_WRONLY | O_CLOEXEC));
  return std::make_shared<Child>(launch({.argv = {"sleep", "1000"},
                                         .env = {{"PATH", kDefaultPath}},
                                         .cwd = cwd.get(),
                                         .cwd_name = "/",
                                         .in = -1,
                                         .out = null.get(),
                                         .err = null.get()}));
}

TEST(ChildrenTest, CloseHandsOverWhatRuns) {
  Children children("local-1");
  EXPECT_FALSE(children.any_started());
  const auto first = start_child();
  const auto second = start_child();
  EXPECT_TRUE(children.start().commit(first));
  EXPECT_TRUE(children.start().commit(second));
  EXPECT_TRUE(children.any_started());
  children.forget(*first);
  const auto handed = children.close(Clock::now());
  ASSERT_EQ(handed.size(), 1U);
  EXPECT_EQ(handed[0], second);
  EXPECT_THROW(children.start(), SessionClosedError);
}

TEST(ChildrenTest, CloseWaitsForAStartThatIsOnItsWay) {
  Children children("local-1");
  const auto child = start_child();
  auto ticket = children.start();
  std::jthread starter([&, mine = std::move(ticket)]() mutable {
    // Only once the close has begun.
    const auto deadline = Clock::now() + test::kPatience;
    for (bool closing = false; !closing && Clock::now() < deadline;) {
      try {
        children.start();
      } catch (const SessionClosedError&) {
        closing = true;
      }
    }
    EXPECT_TRUE(mine.commit(child));
    const Children::Start done = std::move(mine);
  });
  const auto handed = children.close(Clock::now() + test::kPatience);
  ASSERT_EQ(handed.size(), 1U);
  EXPECT_EQ(handed[0], child);
}

// It does not wait for ever; what comes later is told that it is too late.
TEST(ChildrenTest, AStartThatIsTooLateIsTold) {
  Children children("local-1");
  auto ticket = children.start();
  EXPECT_TRUE(children.close(Clock::now()).empty());
  EXPECT_FALSE(ticket.commit(start_child()));
}

TEST(ChildrenTest, AStartThatFailedIsNotWaitedFor) {
  Children children("local-1");
  { const auto ticket = children.start(); }
  EXPECT_TRUE(children.close(Clock::now() + std::chrono::hours(1)).empty());
  EXPECT_FALSE(children.any_started());
}

}  // namespace
}  // namespace sandproof::local
