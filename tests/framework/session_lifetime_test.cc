// SPDX-License-Identifier: Apache-2.0
// Handles of sandbox, session and process go in any order and on any thread (SESSION-011), and
// whatever held the last reference, nothing is left.
#include <dirent.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <latch>
#include <memory>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "poller.h"
#include "tests/framework/support_fake_flavor.h"
#include "tests/framework/support_threads.h"

namespace sandproof {
namespace {

struct Handles {
  std::unique_ptr<Sandbox> sandbox;
  std::unique_ptr<Session> session;
  std::unique_ptr<Process> process;

  void drop(int which) {
    if (which == 0) sandbox.reset();
    if (which == 1) session.reset();
    if (which == 2) process.reset();
  }
};

class SessionLifetimeTest : public FakeFlavorTest {
 protected:
  Handles make() {
    Handles handles;
    handles.sandbox = make_sandbox(FakeBackend::flavor(backend_, capabilities_), options_);
    handles.session = handles.sandbox->create_session();
    handles.process = handles.session->exec({"a"});
    return handles;
  }
};

TEST_F(SessionLifetimeTest, HandlesGoInAnyOrder) {
  std::array<int, 3> order{0, 1, 2};
  do {
    Handles handles = make();
    const auto command = backend_->last();
    ASSERT_TRUE(command->write(Stream::kOut, numbered_lines(100'000)));
    for (const int which : order) handles.drop(which);
    // Closing the session ended the command.
    EXPECT_TRUE(command->wait_for_hooks_gone());
  } while (std::ranges::next_permutation(order).found);
  EXPECT_TRUE(backend_->wait_for_no_sessions());
  EXPECT_EQ(backend_->closes(), 6);
}

TEST_F(SessionLifetimeTest, HandlesGoOnOtherThreadsAtOnce) {
  for (int round = 0; round < 100; ++round) {
    Handles handles = make();
    const auto command = backend_->last();
    std::latch go(4);
    on_threads(4, [&](std::size_t which) {
      go.arrive_and_wait();
      if (which == 3 && round % 2 == 0) command->finish();
      handles.drop(static_cast<int>(which));
    });
    ASSERT_TRUE(command->wait_for_hooks_gone());
  }
}

TEST_F(SessionLifetimeTest, AProcessStaysUsableWhenTheOthersAreGone) {
  Handles handles = make();
  const auto command = backend_->last();
  command->write(Stream::kOut, "a\n");
  handles.sandbox.reset();
  handles.session.reset();
  EXPECT_EQ(all_lines(handles.process->out()), std::vector<std::string>{"a\n"});
  EXPECT_EQ(handles.process->wait().integer(), 143);
  handles.process->kill();
  EXPECT_FALSE(command->hooks_gone());
}

TEST_F(SessionLifetimeTest, WhereItOutlivesACommandRunsOnWithoutAnyHandle) {
  capabilities_ = Capabilities::all();
  backend_->on_close = [] {};
  for (const bool read_before : {false, true}) {
    Handles handles = make();
    const auto command = backend_->last();
    if (read_before) {
      command->write(Stream::kOut, "a\n");
      std::string line;
      handles.process->out().next(line);
    }
    for (int which = 0; which < 3; ++which) handles.drop(which);
    // Drained and reaped by the poller, which then lets go of everything on its own thread.
    ASSERT_TRUE(command->write(Stream::kOut, numbered_lines(1 << 20)));
    command->finish();
    EXPECT_TRUE(command->wait_for_hooks_gone());
  }
}

TEST_F(SessionLifetimeTest, ACommandWhoseEndACallerSawIsLetGoOf) {
  // The poller holds a registration of descriptors that are closed when the caller has seen their
  // ends: nothing would ever fire.
  capabilities_ = Capabilities::all();
  for (int round = 0; round < 20; ++round) {
    Handles handles = make();
    const auto command = backend_->last();
    std::string line;
    command->write(Stream::kErr, std::string(1 << 20, 'x') + "\n");  // Read by the poller.
    command->finish();
    handles.process->collect();
    for (int which = 0; which < 3; ++which) handles.drop(which);
    ASSERT_TRUE(command->wait_for_hooks_gone());
  }
}

TEST_F(SessionLifetimeTest, ThePoolsThreadMayDropTheLastSession) {
  for (int round = 0; round < 50; ++round) {
    std::latch in_exec(1);
    std::latch let_go(1);
    backend_->on_exec = [&](const auto&) {
      in_exec.count_down();
      let_go.wait();
    };
    settings_.set("operation_timeout", 0.01);
    options_.settings = settings_;
    auto sandbox = make_sandbox(FakeBackend::flavor(backend_, capabilities_), options_);
    auto session = sandbox->create_session();
    { const auto dropped = session->exec_async({"a"}); }
    in_exec.wait();
    sandbox.reset();
    session.reset();  // Gives up waiting for the start.
    let_go.count_down();
    ASSERT_TRUE(backend_->wait_for_execs(round + 1));
    ASSERT_TRUE(backend_->last()->wait_for_hooks_gone());
  }
}

TEST_F(SessionLifetimeTest, AnIdleHarnessHasNoPoller) {
  std::weak_ptr<Poller> poller;
  {
    Handles handles = make();
    poller = Poller::shared();
  }
  EXPECT_TRUE(backend_->last()->wait_for_hooks_gone());
  // The last reference may go on the poller's own thread, an instant after the hooks.
  while (!poller.expired()) std::this_thread::yield();
}

std::size_t entries_of(const char* directory) {
  DIR* dir = ::opendir(directory);
  std::size_t count = 0;
  while (::readdir(dir) != nullptr) ++count;
  ::closedir(dir);
  return count;
}

TEST_F(SessionLifetimeTest, AHundredExecsLeaveNoDescriptorsAndNoThreads) {
  const auto use = [&](int execs) {
    std::mt19937 random(1);
    for (int i = 0; i < execs; ++i) {
      const auto process = exec(random() % 2 == 0 ? with_input(Stdin::pipe()) : ExecOptions());
      const auto command = backend_->last();
      command->write(Stream::kOut, numbered_lines(random() % 400'000));
      command->finish();
      if (random() % 2 == 0) process->collect();
    }
    for (const auto& command : backend_->all()) EXPECT_TRUE(command->wait_for_hooks_gone());
  };
  use(3);
  const std::size_t descriptors = entries_of("/proc/self/fd");
  const std::size_t threads = entries_of("/proc/self/task");
  use(100);
  // What the test's own side of the pipes holds; the framework's is closed.
  const std::size_t more = entries_of("/proc/self/fd");
  EXPECT_LE(more, descriptors + std::size_t{100} * 5);
  EXPECT_EQ(entries_of("/proc/self/task"), threads);
}

TEST_F(SessionLifetimeTest, SixtyFourRunningCommandsTakeNoThreads) {
  session();
  exec()->kill();
  const std::size_t before = entries_of("/proc/self/task");
  std::vector<std::unique_ptr<Process>> processes;
  processes.reserve(64);
  for (int i = 0; i < 64; ++i) processes.push_back(exec());
  const std::string text = numbered_lines(10'000);
  for (const auto& command : backend_->all()) command->write(Stream::kOut, text);
  EXPECT_LE(entries_of("/proc/self/task"), before + 4);
  for (const auto& command : backend_->all()) command->finish();
  for (const auto& process : processes) EXPECT_EQ(process->collect().out, text);
}

}  // namespace
}  // namespace sandproof
