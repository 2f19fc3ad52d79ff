// SPDX-License-Identifier: Apache-2.0
// The small pool: everything posted runs, in the order of posting, and the pool may go on one of
// its own threads.
#include "exec_pool.h"

#include <gtest/gtest.h>
#include <signal.h>

#include <latch>
#include <memory>
#include <thread>
#include <vector>

namespace sandproof {
namespace {

TEST(ExecPoolTest, OneThreadKeepsTheOrder) {
  std::vector<int> order;
  {
    ExecPool pool(1);
    for (int i = 0; i < 100; ++i) pool.post([&order, i] { order.push_back(i); });
  }  // Runs what is queued.
  ASSERT_EQ(order.size(), 100u);
  for (int i = 0; i < 100; ++i) EXPECT_EQ(order[static_cast<std::size_t>(i)], i);
}

TEST(ExecPoolTest, TwoThreadsRunAtOnce) {
  ExecPool pool(2);
  std::latch both(2);
  for (int i = 0; i < 2; ++i) pool.post([&both] { both.arrive_and_wait(); });
  both.wait();
}

TEST(ExecPoolTest, ItsThreadsTakeNoSignals) {
  sigset_t mask;
  ::sigemptyset(&mask);
  {
    ExecPool pool(1);
    pool.post([&mask] { ::pthread_sigmask(SIG_SETMASK, nullptr, &mask); });
  }
  EXPECT_EQ(::sigismember(&mask, SIGTERM), 1);
  EXPECT_EQ(::sigismember(&mask, SIGCHLD), 1);
  ::pthread_sigmask(SIG_SETMASK, nullptr, &mask);
  EXPECT_EQ(::sigismember(&mask, SIGTERM), 0);
}

TEST(ExecPoolTest, NoThreadIsStartedForNothing) { const ExecPool pool(2); }

TEST(ExecPoolTest, TheLastReferenceMayGoInATask) {
  for (int round = 0; round < 100; ++round) {
    std::latch dropped(1);
    std::latch gone(1);
    auto pool = std::make_shared<ExecPool>(2);
    pool->post([pool, &dropped, &gone]() mutable {
      dropped.wait();
      pool.reset();
      gone.count_down();
    });
    pool.reset();
    dropped.count_down();
    gone.wait();
  }
}

}  // namespace
}  // namespace sandproof
