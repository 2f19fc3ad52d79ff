// SPDX-License-Identifier: Apache-2.0
// The background poller alone: what fires, once, and on which thread; lifetimes.
#include "poller.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <unistd.h>

#include <atomic>
#include <condition_variable>
#include <latch>
#include <mutex>
#include <thread>

#include "tests/framework/support_threads.h"
#include "wake_event.h"

namespace sandproof {
namespace {

using namespace std::chrono_literals;
/// For what must not happen: short, since it is always waited for.
constexpr std::chrono::milliseconds kMoment{20};

class Client : public PollerClient {
 public:
  void on_poller() noexcept override {
    const std::lock_guard lock(mutex_);
    ++calls_;
    thread_ = std::this_thread::get_id();
    changed_.notify_all();
  }
  bool wait_for_calls(int calls, std::chrono::milliseconds patience = std::chrono::seconds(60)) {
    std::unique_lock lock(mutex_);
    return changed_.wait_for(lock, patience, [&] { return calls_ >= calls; });
  }
  int calls() {
    const std::lock_guard lock(mutex_);
    return calls_;
  }
  std::thread::id thread() {
    const std::lock_guard lock(mutex_);
    return thread_;
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  int calls_ = 0;
  std::thread::id thread_;
};

pollfd readable(int fd) { return {fd, POLLIN, 0}; }

class PollerTest : public testing::Test {
 protected:
  const std::shared_ptr<Poller> poller_ = Poller::shared();
  const std::shared_ptr<Client> client_ = std::make_shared<Client>();
  WakeEvent event_;

  void arm(std::optional<Poller::Clock::time_point> when = {}) {
    const pollfd item = readable(event_.descriptor());
    poller_->arm(client_, {&item, 1}, when);
  }
};

TEST_F(PollerTest, OneIsSharedWhileSomebodyHoldsIt) { EXPECT_EQ(Poller::shared(), poller_); }

TEST_F(PollerTest, FiresOnceWhenADescriptorIsReady) {
  arm();
  EXPECT_FALSE(client_->wait_for_calls(1, kMoment));
  event_.set();
  EXPECT_TRUE(client_->wait_for_calls(1));
  EXPECT_NE(client_->thread(), std::this_thread::get_id());
  EXPECT_FALSE(client_->wait_for_calls(2, kMoment));
  arm();  // It is ready still.
  EXPECT_TRUE(client_->wait_for_calls(2));
}

TEST_F(PollerTest, FiresWhenItsTimeHasCome) {
  arm(Poller::Clock::now() + 1h);
  // An earlier time of another client wakes the poller up.
  const auto other = std::make_shared<Client>();
  poller_->arm(other, {}, Poller::Clock::now() + 10ms);
  EXPECT_TRUE(other->wait_for_calls(1));
  EXPECT_EQ(client_->calls(), 0);
  arm(Poller::Clock::now() - 1s);
  EXPECT_TRUE(client_->wait_for_calls(1));
}

TEST_F(PollerTest, ARegistrationTakesThePlaceOfTheEarlierOne) {
  arm();
  poller_->arm(client_, {}, Poller::Clock::now() + 1h);
  event_.set();
  EXPECT_FALSE(client_->wait_for_calls(1, kMoment));
  arm();
  EXPECT_TRUE(client_->wait_for_calls(1));
}

TEST_F(PollerTest, DisarmForgetsTheClient) {
  arm(Poller::Clock::now() + 1h);
  EXPECT_EQ(client_.use_count(), 2);
  poller_->disarm(client_.get());
  EXPECT_EQ(client_.use_count(), 1);
  event_.set();
  EXPECT_FALSE(client_->wait_for_calls(1, kMoment));
  poller_->disarm(client_.get());
}

TEST_F(PollerTest, ADescriptorOfSeveralChannelsIsWatchedForAll) {
  int ends[2];
  ASSERT_EQ(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0, ends), 0);
  // Fill it, so that it is not writable.
  const std::string block(1 << 16, 'x');
  while (::write(ends[0], block.data(), block.size()) > 0) {
  }
  const pollfd items[] = {{ends[0], POLLIN, 0}, {ends[0], POLLOUT, 0}};
  poller_->arm(client_, items, {});
  EXPECT_FALSE(client_->wait_for_calls(1, kMoment));
  ASSERT_EQ(::write(ends[1], "x", 1), 1);
  EXPECT_TRUE(client_->wait_for_calls(1));
  ::close(ends[0]);
  ::close(ends[1]);
}

TEST_F(PollerTest, WhatCannotBeWatchedCountsAsReady) {
  const int file = ::open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
  ASSERT_GE(file, 0);
  const pollfd item = readable(file);
  poller_->arm(client_, {&item, 1}, {});
  EXPECT_TRUE(client_->wait_for_calls(1));
  ::close(file);
}

TEST_F(PollerTest, ADescriptorNumberThatIsUsedAgainIsAnotherDescriptor) {
  for (int round = 0; round < 100; ++round) {
    auto first = std::make_unique<WakeEvent>();
    const int number = first->descriptor();
    pollfd item = readable(number);
    poller_->arm(client_, {&item, 1}, {});
    first.reset();
    WakeEvent second;
    ASSERT_EQ(second.descriptor(), number);
    poller_->arm(client_, {&item, 1}, {});
    second.set();
    ASSERT_TRUE(client_->wait_for_calls(round + 1));
  }
}

/// Holds a poller, as a process does.
class Holder : public Client {
 public:
  std::shared_ptr<Poller> poller;
  std::latch* gone = nullptr;
  ~Holder() override {
    poller.reset();
    gone->count_down();
  }
};

TEST(PollerLifetimeTest, TheLastReferenceMayGoOnThePollersOwnThread) {
  for (int round = 0; round < 50; ++round) {
    std::latch gone(1);
    auto holder = std::make_shared<Holder>();
    holder->gone = &gone;
    holder->poller = Poller::shared();
    Poller& poller = *holder->poller;
    poller.arm(std::move(holder), {}, Poller::Clock::now() + (round % 2) * 1ms);
    gone.wait();
  }
}

/// Arms, and by turns disarms or waits.
void arm_often(Poller& poller, std::size_t turn) {
  const auto client = std::make_shared<Client>();
  WakeEvent event;
  for (std::size_t i = 0; i < 500; ++i) {
    const pollfd item = readable(event.descriptor());
    event.set();
    const int before = client->calls();
    poller.arm(client, {&item, 1}, {});
    if ((i + turn) % 3 == 0) {
      poller.disarm(client.get());
    } else {
      EXPECT_TRUE(client->wait_for_calls(before + 1));
    }
    event.reset();
  }
}

TEST(PollerLifetimeTest, ManyThreadsArmAndDisarm) {
  const auto poller = Poller::shared();
  on_threads(4, [&](std::size_t turn) { arm_often(*poller, turn); });
}

}  // namespace
}  // namespace sandproof
