// SPDX-License-Identifier: Apache-2.0
// A session's states: exec, close, destroy, and what they do to processes and to each other
// (CLOSE, DESTROY, SESSION-006, EXEC-017).
#include <gtest/gtest.h>

#include <chrono>
#include <latch>
#include <string>
#include <thread>
#include <vector>

#include "sandproof/errors.h"
#include "sandproof/wrappers.h"
#include "tests/framework/support_fake_flavor.h"
#include "tests/framework/support_threads.h"

namespace sandproof {
namespace {

using namespace std::chrono_literals;

class SessionCoreTest : public FakeFlavorTest {
 protected:
  /// Until exec, exec_async and transfers are refused.
  void expect_closed() {
    EXPECT_TRUE(session().closed());
    const int execs = backend_->execs();
    EXPECT_THROW(session().exec({"a"}), SessionClosedError);
    EXPECT_THROW(session().exec_async({"a"}), SessionClosedError);
    EXPECT_THROW(session().upload_file("a", "b"), SessionClosedError);
    EXPECT_THROW(session().download_file("a", "b"), SessionClosedError);
    EXPECT_THROW(session().create_snapshot(), SessionClosedError);
    EXPECT_EQ(backend_->execs(), execs);
  }
  void expect_ended_or_refused() {
    try {
      EXPECT_EQ(exec()->wait().integer(), 143);
    } catch (const SessionClosedError&) {
    }
  }
};

TEST_F(SessionCoreTest, ACloseRefusesEverythingAndWinsOverUnsupported) {
  EXPECT_FALSE(session().closed());
  session().close();
  expect_closed();
  try {
    session().exec({""});
  } catch (const SessionClosedError& error) {
    EXPECT_NE(std::string(error.what()).find(session().id()), std::string::npos);
  }
  session().close();
  EXPECT_EQ(backend_->closes(), 1);
}

TEST_F(SessionCoreTest, CloseFromManyThreadsClosesOnce) {
  session();
  on_threads(8, [&](std::size_t) {
    session().close();
    EXPECT_TRUE(session().closed());
  });
  EXPECT_EQ(backend_->closes(), 1);
}

TEST_F(SessionCoreTest, AFailingCloseHookIsThrownOnce) {
  in_step_ = true;
  backend_->on_close = [] { throw std::runtime_error("the engine is gone"); };
  exec()->kill();
  try {
    session().close();
    FAIL() << "the error of the close hook was swallowed";
  } catch (const BackendError& error) {
    const std::string text = error.what();
    EXPECT_NE(text.find("the engine is gone"), std::string::npos) << text;
    EXPECT_NE(text.find(session().id()), std::string::npos) << text;
  }
  expect_closed();
  session().close();
  EXPECT_EQ(logs_->ended().size(), 1u);
}

TEST_F(SessionCoreTest, CloseEndsEverybodyWhoIsBlocked) {
  const auto process = exec(with_input(Stdin::pipe()));
  std::latch started(4);
  std::vector<std::jthread> blocked;
  blocked.emplace_back([&] {
    std::string line;
    started.count_down();
    EXPECT_FALSE(process->out().next(line));
  });
  blocked.emplace_back([&] {
    std::byte byte{};
    started.count_down();
    EXPECT_EQ(process->read_some(Stream::kErr, {&byte, 1}), 0u);
  });
  blocked.emplace_back([&] {
    started.count_down();
    EXPECT_EQ(process->wait().integer(), 143);
  });
  blocked.emplace_back([&] {
    started.count_down();
    EXPECT_EQ(process->collect().status.integer(), 143);
  });
  started.wait();
  session().close();
}

TEST_F(SessionCoreTest, AReadAfterCloseGivesWhatCameAndEnds) {
  const auto process = exec();
  command().write(Stream::kOut, "before\n");
  session().close();
  EXPECT_EQ(all_lines(process->out()), std::vector<std::string>{"before\n"});
  EXPECT_EQ(process->collect().status.integer(), 143);
}

/// A close hook that ends nothing: the framework still lets go, bounded however many there are.
TEST_F(SessionCoreTest, CloseIsBoundedWhenCommandsDoNotEnd) {
  backend_->on_close = [] {};
  std::vector<std::unique_ptr<Process>> processes;
  processes.reserve(16);
  for (int i = 0; i < 16; ++i) processes.push_back(exec());
  std::string line;
  std::jthread reader([&] { EXPECT_FALSE(processes[0]->out().next(line)); });
  const auto start = std::chrono::steady_clock::now();
  session().close();
  // The bound of CONTRACT.md for one close, not for sixteen: the grace, and 2 s.
  EXPECT_LT(std::chrono::steady_clock::now() - start, 10s);
  for (const auto& process : processes) {
    EXPECT_THROW(process->wait(), SandboxLostError);
    EXPECT_FALSE(process->err().next(line));
  }
  processes.clear();
  reader.join();
  // Nothing is held any more, although the commands' streams are open.
  for (const auto& command : backend_->all()) EXPECT_TRUE(command->wait_for_hooks_gone());
}

TEST_F(SessionCoreTest, CloseDoesNotWaitForTheGraceOfHeldStreams) {
  settings_.set("drain_grace", 3600.0);
  const auto process = exec();
  command().write(Stream::kOut, "a\n");
  command().exit(ExitStatus::exited(0));
  backend_->on_close = [] {};
  session().close();
  EXPECT_EQ(process->wait(), ExitStatus::exited(0));
  EXPECT_EQ(all_lines(process->out()), std::vector<std::string>{"a\n"});
  EXPECT_EQ(process->out().end_state(), StreamEnd::kHeldByDescendant);
}

TEST_F(SessionCoreTest, WhereItOutlivesACommandGoesOnAfterClose) {
  capabilities_ = Capabilities::all();
  backend_->on_close = [] {};
  const auto process = exec(with_input(Stdin::pipe()));
  session().close();
  EXPECT_THROW(process->wait(1ms), TimeoutError);
  EXPECT_TRUE(process->in().write("x"));
  EXPECT_EQ(command().read_input(1), "x");
  command().write(Stream::kOut, "after\n");
  std::string line;
  EXPECT_TRUE(process->out().next(line));
  EXPECT_EQ(line, "after\n");
  command().finish(5);
  EXPECT_EQ(process->wait(), ExitStatus::exited(5));
}

TEST_F(SessionCoreTest, ExecRacingCloseIsEndedOrRefused) {
  for (int round = 0; round < 100; ++round) {
    drop_session();
    session();
    const int before = backend_->execs();
    std::latch go(5);
    on_threads(5, [&](std::size_t thread) {
      go.arrive_and_wait();
      if (thread == 0) {
        session().close();
      } else {
        expect_ended_or_refused();
      }
    });
    const auto commands = backend_->all();
    for (std::size_t i = static_cast<std::size_t>(before); i < commands.size(); ++i) {
      EXPECT_TRUE(commands[i]->wait_for_hooks_gone());
    }
  }
}

TEST_F(SessionCoreTest, AStartThatComesBackAfterCloseGaveUpIsKilled) {
  settings_.set("operation_timeout", 0.05);
  std::latch in_exec(1);
  std::latch close_done(1);
  backend_->on_exec = [&](const auto&) {
    in_exec.count_down();
    close_done.wait();
  };
  std::jthread starter([&] { EXPECT_THROW(exec(), SessionClosedError); });
  in_exec.wait();
  // Waits for the start as long as it may.
  session().close();
  EXPECT_EQ(backend_->closes(), 1);
  close_done.count_down();
  starter.join();
  EXPECT_EQ(command().kills(), 1);
  EXPECT_TRUE(command().wait_for_hooks_gone());
}

TEST_F(SessionCoreTest, DestroyEndsTheEnvironmentAndCloses) {
  const auto process = exec();
  session().destroy();
  expect_closed();
  EXPECT_EQ(backend_->destroys(), 1);
  EXPECT_EQ(backend_->closes(), 1);
  EXPECT_EQ(process->wait().integer(), 143);
  session().destroy();
  session().close();
  EXPECT_EQ(backend_->destroys(), 1);
  EXPECT_EQ(backend_->closes(), 1);
}

TEST_F(SessionCoreTest, DestroyWorksOnAClosedHandle) {
  session().close();
  session().destroy();
  EXPECT_EQ(backend_->destroys(), 1);
  EXPECT_EQ(backend_->closes(), 1);
}

TEST_F(SessionCoreTest, AFailedDestroyLeavesTheHandleOpenAndCanBeTriedAgain) {
  backend_->on_destroy = [] { throw BackendError("conflict", 409); };
  try {
    session().destroy();
    FAIL() << "the error of the destroy hook was swallowed";
  } catch (const BackendError& error) {
    EXPECT_EQ(error.status(), 409);
  }
  EXPECT_FALSE(session().closed());
  const auto process = exec();
  command().finish(0);
  EXPECT_EQ(process->wait(), ExitStatus::exited(0));
  backend_->on_destroy = {};
  session().destroy();
  expect_closed();
  EXPECT_EQ(backend_->destroys(), 2);
}

TEST_F(SessionCoreTest, DestroyFromManyThreadsDestroysOnceAndReturnsClosed) {
  session();
  on_threads(8, [&](std::size_t) {
    session().destroy();
    EXPECT_TRUE(session().closed());
    EXPECT_EQ(backend_->closes(), 1);
  });
  EXPECT_EQ(backend_->destroys(), 1);
}

TEST_F(SessionCoreTest, DestroyEndsRunningCommandsWhereTheyOutliveTheirHandle) {
  capabilities_ = Capabilities::all();
  backend_->on_close = [] {};
  const auto process = exec();
  backend_->on_destroy = [this] { command().die(ExitStatus::signaled(9)); };
  std::latch started(1);
  std::jthread reader([&] {
    std::string line;
    started.count_down();
    EXPECT_FALSE(process->out().next(line));
  });
  started.wait();
  session().destroy();
  EXPECT_EQ(process->wait().integer(), 137);
}

TEST_F(SessionCoreTest, ScopeExitClosesOrDestroysAsAsked) {
  { const auto scoped = sandbox().create_session({}, OnExit::kClose); }
  EXPECT_EQ(backend_->closes(), 1);
  EXPECT_EQ(backend_->destroys(), 0);
  { const auto scoped = sandbox().create_session({}, OnExit::kDestroy); }
  EXPECT_EQ(backend_->closes(), 2);
  EXPECT_EQ(backend_->destroys(), 1);
  EXPECT_EQ(sandbox().last_teardown_error(), nullptr);
  EXPECT_EQ(backend_->sessions_alive(), 0);
}

TEST_F(SessionCoreTest, ADestructorsErrorIsLeftWithTheSandboxAndTheLog) {
  backend_->on_destroy = [] { throw BackendError("busy"); };
  { const auto scoped = sandbox().create_session({}, OnExit::kDestroy); }
  EXPECT_EQ(diagnostics_->count("teardown of session"), 1);
  ASSERT_NE(sandbox().last_teardown_error(), nullptr);
  EXPECT_THROW(std::rethrow_exception(sandbox().last_teardown_error()), BackendError);
  EXPECT_EQ(backend_->closes(), 1);  // What the handle held is let go of all the same.
}

TEST_F(SessionCoreTest, ADestructorSurvivesDiagnosticsThatThrow) {
  class Throwing : public Diagnostics {
    void report(LogLevel, std::string_view) override { throw std::runtime_error("no log"); }
  };
  options_.diagnostics = std::make_shared<Throwing>();
  backend_->on_close = [] { throw BackendError("busy"); };
  { const auto scoped = sandbox().create_session(); }
  EXPECT_NE(sandbox().last_teardown_error(), nullptr);
  // And a kill that has trouble to tell.
  backend_->on_exec = [](const auto& command) {
    command->on_kill = [] { throw BackendError("no way"); };
  };
  exec()->kill();
  command().finish();
}

TEST_F(SessionCoreTest, WithSessionReportsTheBodysErrorFirst) {
  backend_->on_close = [] { throw BackendError("teardown"); };
  const auto run = [&](const std::function<void(Session&)>& body) -> std::string {
    try {
      with_session(sandbox(), {}, OnExit::kClose, body);
    } catch (const std::exception& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_EQ(run([](Session&) { throw std::runtime_error("body"); }), "body");
  EXPECT_NE(sandbox().last_teardown_error(), nullptr);
  EXPECT_NE(run([](Session&) {}).find("teardown"), std::string::npos);
  backend_->on_close = {};
  EXPECT_EQ(run([](Session& session) { EXPECT_FALSE(session.closed()); }), "");
}

TEST_F(SessionCoreTest, ExecAsyncGivesTheSameResultsAndErrors) {
  auto future = session().exec_async({"a"});
  const auto process = future.get();
  command().finish(6);
  EXPECT_EQ(process->wait(), ExitStatus::exited(6));
  EXPECT_THROW(session().exec_async({""}).get(), InvalidArgumentError);
  backend_->on_exec = [](const auto&) {
    throw ExecError(LaunchFailure::kNotFound, "there is no a");
  };
  EXPECT_THROW(session().exec_async({"a"}).get(), ExecError);
}

TEST_F(SessionCoreTest, ExecAsyncIsRefusedWhereItIsNotClaimed) {
  capabilities_ = {};
  EXPECT_THROW(session().exec_async({"a"}), UnsupportedError);
}

TEST_F(SessionCoreTest, DroppingAFutureNeitherBlocksNorCancels) {
  std::latch let_go(1);
  backend_->on_exec = [&](const auto&) { let_go.wait(); };
  { const auto dropped = session().exec_async({"a"}); }
  let_go.count_down();
  ASSERT_TRUE(backend_->wait_for_execs(1));
  // It runs on under the session, drained, and is reaped.
  EXPECT_TRUE(command().write(Stream::kOut, std::string(1 << 20, 'x')));
  command().finish();
  EXPECT_TRUE(command().wait_for_hooks_gone());
}

TEST_F(SessionCoreTest, CloseFailsWhatIsQueued) {
  std::latch in_exec(2);
  std::latch let_go(1);
  backend_->on_exec = [&](const auto&) {
    in_exec.count_down();
    let_go.wait();
  };
  std::vector<std::future<std::unique_ptr<Process>>> futures;
  futures.reserve(10);
  for (int i = 0; i < 10; ++i) futures.push_back(session().exec_async({"a"}));
  in_exec.wait();  // Two are starting, eight wait for a thread.
  std::jthread closer([&] { session().close(); });
  // They fail before those that are starting are done.
  for (std::size_t i = 2; i < 10; ++i) EXPECT_THROW(futures[i].get(), SessionClosedError);
  let_go.count_down();
  closer.join();
  for (std::size_t i = 0; i < 2; ++i) EXPECT_EQ(futures[i].get()->wait().integer(), 143);
  EXPECT_EQ(backend_->execs(), 2);
}

TEST_F(SessionCoreTest, TransfersArePassedOnAndTheirErrorsConverted) {
  capabilities_ = capabilities_.with(Capability::kUpload).with(Capability::kDownload);
  session().upload_file("a", "b");
  backend_->on_transfer = [] { throw FileTransferError("no space"); };
  EXPECT_THROW(session().download_file("a", "b"), FileTransferError);
  backend_->on_transfer = [] { throw std::runtime_error("odd"); };
  EXPECT_THROW(session().upload_file("a", "b"), BackendError);
}

TEST_F(SessionCoreTest, BadOptionsOfExecAreRefusedBeforeAnythingIsContacted) {
  ExecOptions bad_name;
  bad_name.env["1A"] = "x";
  EXPECT_THROW(exec(bad_name), InvalidArgumentError);
  ExecOptions bad_value;
  bad_value.env["A"] = std::string("a\0b", 3);
  EXPECT_THROW(exec(bad_value), InvalidArgumentError);
  ExecOptions bad_cwd;
  bad_cwd.cwd = std::string("a\0b", 3);
  EXPECT_THROW(exec(bad_cwd), InvalidArgumentError);
  EXPECT_THROW(session().exec("a 'b"), InvalidArgumentError);
  EXPECT_EQ(backend_->execs(), 0);
}

TEST_F(SessionCoreTest, TheEnvironmentOfACommandIsTheSessionsUnderItsOwn) {
  settings_.set("environment", Environment{{"A", "session"}, {"B", "session"}});
  ExecOptions options;
  options.env = {{"B", "exec"}, {"C", ""}};
  options.cwd = "here";
  exec(options);
  const ExecRequest& request = command().request;
  EXPECT_EQ(request.env, (Environment{{"A", "session"}, {"B", "exec"}, {"C", ""}}));
  EXPECT_EQ(request.exec_env, options.env);
  EXPECT_EQ(request.cwd, "here");
  EXPECT_EQ(request.argv, std::vector<std::string>{"command"});
}

/// Hooks that give nothing where something was asked for.
class EmptySession : public SessionHookWrapper {
 public:
  using SessionHookWrapper::SessionHookWrapper;
  std::unique_ptr<ProcessHooks> do_exec(const ExecRequest& /*request*/) override { return nullptr; }
};

class EmptySandbox : public SandboxHookWrapper {
 public:
  using SandboxHookWrapper::SandboxHookWrapper;
  std::unique_ptr<SessionHooks> do_create_session(const SessionSpec& spec) override {
    if (++created == 1) return nullptr;
    return std::make_unique<EmptySession>(inner().do_create_session(spec));
  }
  int created = 0;
};

TEST_F(SessionCoreTest, AFlavorThatGivesNothingIsRefused) {
  options_.decorate_hooks = [](std::unique_ptr<SandboxHooks> hooks) {
    return std::make_unique<EmptySandbox>(std::move(hooks));
  };
  EXPECT_THROW(sandbox().create_session(), BackendError);
  EXPECT_THROW(exec(), BackendError);
}

TEST_F(SessionCoreTest, WhatAHookThrowsIsConvertedOnce) {
  backend_->on_exec = [](const auto&) { throw std::system_error(EMFILE, std::generic_category()); };
  EXPECT_THROW(exec(), BackendError);
  backend_->on_exec = [](const auto&) { throw 7; };
  EXPECT_THROW(exec(), BackendError);
  backend_->on_exec = [](const auto&) {
    throw ExecError(LaunchFailure::kNoResources, "no processes left");
  };
  EXPECT_THROW(exec(), ExecError);
}

}  // namespace
}  // namespace sandproof
