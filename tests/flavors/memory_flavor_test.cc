// SPDX-License-Identifier: Apache-2.0
// The memory flavor through the interfaces of the framework: what it claims, it does.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <thread>

#include "sandproof/errors.h"
#include "sandproof/flavor.h"
#include "sandproof/output.h"
#include "sandproof/process.h"
#include "tests/flavors/local_support.h"
#include "tests/flavors/memory_world.h"

namespace sandproof::memory {
namespace {

namespace fs = std::filesystem;
using local::test::ScratchDir;
using std::chrono::seconds;
using test::MemoryWorld;
using test::Ran;
using ::testing::AllOf;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::SizeIs;

/// The commands that run in an environment, but for its init.
std::vector<std::string> commands_in(World& world, const std::string& id) {
  std::vector<std::string> commands;
  for (const machine::ProcessInfo& process : world.processes(id)) {
    if (process.pid != machine::Box::kInitPid) {
      commands.push_back(process.argv.empty() ? "(zombie)" : process.argv.front());
    }
  }
  return commands;
}

LaunchFailure why_not(Session& session, Command command, ExecOptions options = {}) {
  try {
    session.exec(std::move(command), std::move(options));
  } catch (const ExecError& error) {
    EXPECT_THAT(error.what(), HasSubstr(session.id()));
    return error.why();
  }
  ADD_FAILURE() << "it started";
  return LaunchFailure::kOther;
}

TEST(MemoryFlavorTest, ACommandRunsAndIsCollected) {
  MemoryWorld world;
  const auto sandbox = world.sandbox();
  const auto session = sandbox->create_session();
  const Ran said = test::run(*session, {"say", "hello", "two  words", ""});
  EXPECT_EQ(said.out, "hello two  words \n");
  EXPECT_EQ(said.status, "exited(0)");
  EXPECT_EQ(test::run(*session, {"exit", "42"}).status, "exited(42)");
  EXPECT_EQ(test::run(*session, {"cat"}).out, "");
  EXPECT_EQ(test::run(*session, {"pwd"}).out, "/workspace\n");
  EXPECT_EQ(
      test::run(*session, {"pwd"}, {.cwd = "/tmp", .env = {}, .input = {}, .timeout = {}}).out,
      "/tmp\n");
  EXPECT_EQ(test::run(*session, {"cat", "/etc/hostname"}).out, session->id() + "\n");
  session->destroy();
  EXPECT_THAT(world.world->census("tests/memory"), IsEmpty());
}

TEST(MemoryFlavorTest, WhatCannotStartSaysWhy) {
  MemoryWorld world;
  const auto sandbox = world.sandbox();
  const auto session = sandbox->create_session({}, OnExit::kDestroy);
  EXPECT_EQ(why_not(*session, {"nonesuch"}), LaunchFailure::kNotFound);
  EXPECT_EQ(why_not(*session, {"/bin/nonesuch"}), LaunchFailure::kNotFound);
  EXPECT_EQ(why_not(*session, {"/etc"}), LaunchFailure::kNotExecutable);
  EXPECT_EQ(why_not(*session, {"/etc/passwd"}), LaunchFailure::kNotExecutable);
  ExecOptions elsewhere;
  elsewhere.cwd = "missing";
  EXPECT_EQ(why_not(*session, {"true"}, elsewhere), LaunchFailure::kBadCwd);
  elsewhere.cwd = "/etc/passwd";
  EXPECT_EQ(why_not(*session, {"true"}, elsewhere), LaunchFailure::kBadCwd);
  EXPECT_EQ(why_not(*session, {"true", std::string(200'000, 'x')}), LaunchFailure::kTooLarge);
  ExecOptions no_path;
  no_path.env = {{"PATH", "/etc:/nonexistent"}};
  EXPECT_EQ(why_not(*session, {"true"}, no_path), LaunchFailure::kNotFound);
  no_path.env = {{"PATH", "/nonexistent:/bin"}};
  EXPECT_EQ(test::run(*session, {"true"}, no_path).status, "exited(0)");
  EXPECT_THAT(commands_in(*world.world, session->id()), IsEmpty());
}

TEST(MemoryFlavorTest, AScriptWithoutItsInterpreterIsNotExecutable) {
  MemoryWorld world;
  const auto sandbox = world.sandbox();
  const auto session = sandbox->create_session({}, OnExit::kDestroy);
  const ScratchDir scratch;
  const fs::path script = scratch.path() / "script";
  std::ofstream(script) << "#!/bin/nonesuch\n";
  fs::permissions(script, fs::perms(0755));
  session->upload_file(script, "script");
  EXPECT_EQ(why_not(*session, {"./script"}), LaunchFailure::kNotExecutable);
  std::ofstream(script) << "#!/bin/say said by\n";
  session->upload_file(script, "script");
  EXPECT_EQ(test::run(*session, {"./script", "x"}).out, "said by ./script x\n");
  std::ofstream(script) << "nothing of the kind\n";
  session->upload_file(script, "script");
  EXPECT_EQ(why_not(*session, {"./script"}), LaunchFailure::kBadFormat);
}

TEST(MemoryFlavorTest, TheEnvironmentComesInLayers) {
  MemoryWorld world;
  const auto sandbox = world.sandbox();
  Settings settings;
  settings.set("environment", std::map<std::string, std::string>{{"A", "session"}, {"B", "b"}});
  const auto session = sandbox->create_session(settings, OnExit::kDestroy);
  ExecOptions options;
  options.env = {{"A", "command"}, {"EMPTY", ""}};
  EXPECT_THAT(test::run(*session, {"env"}, options).out,
              AllOf(HasSubstr("A=command\n"), HasSubstr("B=b\n"), HasSubstr("EMPTY=\n"),
                    HasSubstr("HOME=/root\n"), HasSubstr("PATH=/usr")));
  const auto again = sandbox->attach(session->id());
  EXPECT_THAT(test::run(*again, {"env"}).out,
              AllOf(HasSubstr("A=session\n"), Not(HasSubstr("EMPTY"))));
}

TEST(MemoryFlavorTest, InputComesBack) {
  MemoryWorld world;
  const auto sandbox = world.sandbox();
  const auto session = sandbox->create_session({}, OnExit::kDestroy);
  std::string text;
  for (int i = 0; text.size() < 2'000'000; ++i) text += std::to_string(i) + "\n";
  ExecOptions options;
  options.input = Stdin::bytes(text);
  const auto process = session->exec({"cat"}, options);
  CollectOptions all;
  all.max_chars = text.size() + 1;
  EXPECT_EQ(process->collect(all).out, text);
  // One that does not read is no reason to hang.
  EXPECT_EQ(test::run(*session, {"true"}, options).status, "exited(0)");
}

TEST(MemoryFlavorTest, KillingEndsTheTreeAndNothingElse) {
  MemoryWorld world;
  const auto sandbox = world.sandbox();
  const auto session = sandbox->create_session({}, OnExit::kDestroy);
  const auto other = session->exec({"hold"});
  const auto process = session->exec({"tree"});
  std::string line;
  ASSERT_TRUE(process->out().next(line));
  EXPECT_THAT(commands_in(*world.world, session->id()), SizeIs(3));
  process->kill();
  EXPECT_EQ(process->wait().to_string(), "signaled(9)");
  EXPECT_THAT(commands_in(*world.world, session->id()), ElementsAre("hold"));
  process->kill();
  EXPECT_EQ(other->exit_status(), std::nullopt);
}

TEST(MemoryFlavorTest, AnEnvironmentOutlivesItsHandles) {
  MemoryWorld world;
  const auto sandbox = world.sandbox();
  std::string id;
  {
    const auto session = sandbox->create_session();
    id = session->id();
    ExecOptions options;
    options.input = Stdin::bytes("kept");
    EXPECT_EQ(test::run(*session, {"save", "file"}, options).status, "exited(0)");
    const auto process = session->exec({"stubborn"});
    std::string line;
    ASSERT_TRUE(process->out().next(line));
    session->close();
  }
  EXPECT_THAT(commands_in(*world.world, id), ElementsAre("stubborn"));
  const auto attached = world.sandbox()->attach(id);
  EXPECT_EQ(test::run(*attached, {"cat", "file"}).out, "kept");
  EXPECT_THROW(world.sandbox("tests/other")->attach(id), NotFoundError);
  EXPECT_THROW(sandbox->attach("memory-nonesuch"), NotFoundError);
  attached->destroy();
  EXPECT_THROW(sandbox->attach(id), NotFoundError);
  EXPECT_THAT(world.world->census("tests/memory"), IsEmpty());
}

TEST(MemoryFlavorTest, AStoppedEnvironmentIsLost) {
  MemoryWorld world;
  const auto sandbox = world.sandbox();
  const auto session = sandbox->create_session({}, OnExit::kDestroy);
  const auto process = session->exec({"hold"});
  world.world->stop(session->id());
  EXPECT_EQ(process->wait().to_string(), "signaled(9)");
  EXPECT_THROW(session->exec({"true"}), SandboxLostError);
  EXPECT_THROW(session->create_snapshot(), SandboxLostError);
  try {
    (void)sandbox->attach(session->id());
    ADD_FAILURE() << "it was attached to";
  } catch (const NotFoundError& error) {
    EXPECT_THAT(error.what(), HasSubstr("stopped"));
  }
}

TEST(MemoryFlavorTest, SnapshotsKeepFilesAndSettingsAsTheyWere) {
  MemoryWorld world;
  const auto sandbox = world.sandbox();
  Settings settings;
  settings.set("workdir", std::string("/srv/app"))
      .set("environment", std::map<std::string, std::string>{{"A", "kept"}});
  const auto session = sandbox->create_session(settings, OnExit::kDestroy);
  ExecOptions before;
  before.input = Stdin::bytes("before");
  ExecOptions after;
  after.input = Stdin::bytes("after");
  test::run(*session, {"save", "file"}, before);
  const Snapshot snapshot = session->create_snapshot();
  test::run(*session, {"save", "file"}, after);
  const auto one = sandbox->restore(snapshot, {}, OnExit::kDestroy);
  const auto two = sandbox->restore(snapshot, {}, OnExit::kDestroy);
  test::run(*one, {"save", "file"}, after);
  EXPECT_EQ(test::run(*session, {"cat", "file"}).out, "after");
  EXPECT_EQ(test::run(*two, {"cat", "file"}).out, "before");
  EXPECT_EQ(test::run(*two, {"pwd"}).out, "/srv/app\n");
  EXPECT_THAT(test::run(*two, {"env"}).out, HasSubstr("A=kept\n"));
  session->destroy();
  EXPECT_EQ(test::run(*sandbox->restore(snapshot, {}, OnExit::kDestroy), {"cat", "file"}).out,
            "before");
  EXPECT_THAT(world.world->census("tests/memory"), Contains("snapshot " + snapshot.ref));
  sandbox->delete_snapshot(snapshot);
  sandbox->delete_snapshot(snapshot);
  EXPECT_THROW(sandbox->restore(snapshot), NotFoundError);
}

TEST(MemoryFlavorTest, ASnapshotOfAFixedRootKeepsTheWorkingDirectory) {
  MemoryWorld world;
  const auto sandbox = world.sandbox();
  Settings settings;
  settings.set("image", std::string("readonly"));
  const auto session = sandbox->create_session(settings, OnExit::kDestroy);
  ExecOptions options;
  options.input = Stdin::bytes("kept");
  EXPECT_EQ(test::run(*session, {"save", "file"}, options).status, "exited(0)");
  const Snapshot snapshot = session->create_snapshot();
  const auto restored = sandbox->restore(snapshot, {}, OnExit::kDestroy);
  EXPECT_EQ(test::run(*restored, {"cat", "file"}).out, "kept");
  options.input = Stdin::bytes("changed");
  EXPECT_EQ(test::run(*restored, {"save", "file"}, options).status, "exited(0)");
  EXPECT_EQ(test::run(*session, {"cat", "file"}).out, "kept");
  EXPECT_EQ(test::run(*restored, {"save", "/new"}, options).status, "exited(2)");
  // One that names a place in memory has it there.
  settings.set("workdir", std::string("/tmp/w"));
  const auto in_memory = sandbox->create_session(settings, OnExit::kDestroy);
  EXPECT_EQ(test::run(*in_memory, {"pwd"}).out, "/tmp/w\n");
}

TEST(MemoryFlavorTest, ACreateThatFailsLeavesNothing) {
  MemoryWorld world;
  const auto sandbox = world.sandbox();
  world.world->fail_next_start();
  EXPECT_THROW(sandbox->create_session(), BackendError);
  EXPECT_THROW(sandbox->create_session(Settings().set("workdir", std::string("relative"))),
               InvalidArgumentError);
  EXPECT_THROW(sandbox->create_session(Settings().set("workdir", std::string("/etc/passwd/x"))),
               BackendError);
  EXPECT_THROW(sandbox->create_session(Settings().set("image", std::string("nonesuch"))),
               InvalidArgumentError);
  EXPECT_THAT(world.world->census("tests/memory"), IsEmpty());
  EXPECT_EQ(world.world->loop().call([](machine::Machine& machine) { return machine.box_count(); }),
            0U);
  sandbox->create_session({}, OnExit::kDestroy);
}

TEST(MemoryFlavorTest, LimitsAreTheEnvironmentsOwn) {
  MemoryWorld world;
  const auto sandbox = world.sandbox();
  Settings small;
  small.set("disk", std::int64_t{1} << 20).set("processes", std::int64_t{3});
  const auto session = sandbox->create_session(small, OnExit::kDestroy);
  ExecOptions options;
  options.input = Stdin::bytes(std::string(3 << 20, 'x'));
  EXPECT_EQ(test::run(*session, {"save", "big"}, options).status, "exited(1)");
  const auto one = session->exec({"hold"});
  const auto two = session->exec({"hold"});
  EXPECT_EQ(why_not(*session, {"true"}), LaunchFailure::kNoResources);
  one->kill();
  EXPECT_EQ(test::run(*session, {"true"}).status, "exited(0)");
  const auto fixed =
      sandbox->create_session(Settings().set("image", std::string("readonly")), OnExit::kDestroy);
  EXPECT_EQ(test::run(*fixed, {"pwd"}).out, "/workspace\n");
  EXPECT_EQ(test::run(*fixed, {"save", "/new"}).status, "exited(2)");
  EXPECT_EQ(test::run(*fixed, {"save", "new"}).status, "exited(0)");
}

TEST(MemoryFlavorTest, APluggedProgramIsOneOfTheEnvironments) {
  auto plugged = std::make_shared<machine::PluggedPrograms>();
  plugged->add("git", machine::callback_program([](const machine::ProgramCall& call) {
                 return machine::ProgramAnswer{
                     .out = "in " + call.cwd + "\n", .err = "", .status = 4};
               }));
  MemoryWorld world(plugged);
  const auto sandbox = world.sandbox();
  const auto session = sandbox->create_session({}, OnExit::kDestroy);
  const Ran ran = test::run(*session, {"git", "status"});
  EXPECT_EQ(ran.out, "in /workspace\n");
  EXPECT_EQ(ran.status, "exited(4)");
}

TEST(MemoryFlavorTest, ManySessionsFromManyThreads) {
  MemoryWorld world;
  const auto sandbox = world.sandbox();
  {
    std::vector<std::jthread> threads;
    for (int i = 0; i < 4; ++i) {
      threads.emplace_back([&] {
        for (int n = 0; n < 8; ++n) {
          const auto session = sandbox->create_session({}, OnExit::kDestroy);
          EXPECT_EQ(test::run(*session, {"say", session->id()}).out, session->id() + "\n");
        }
      });
    }
  }
  EXPECT_THAT(world.world->census("tests/memory"), IsEmpty());
}

TEST(MemoryFlavorTest, OutputThatNobodyReadsHoldsItsCommandUpAlone) {
  MemoryWorld world;
  const auto sandbox = world.sandbox();
  Settings settings;
  settings.set("spill_limit", std::int64_t{0});
  const auto session = sandbox->create_session(settings, OnExit::kDestroy);
  const auto loud = session->exec({"yes"});
  for (int i = 0; i < 20; ++i) EXPECT_EQ(test::run(*session, {"say", "x"}).out, "x\n");
  EXPECT_EQ(loud->exit_status(), std::nullopt);
  loud->kill();
  EXPECT_EQ(loud->wait(seconds(20)).to_string(), "signaled(9)");
}

}  // namespace
}  // namespace sandproof::memory
