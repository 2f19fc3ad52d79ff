// SPDX-License-Identifier: Apache-2.0
// Programs of the embedder: scripts of answers, and callbacks, which a GoogleMock can be.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "fakes/machine/images/image.h"
#include "fakes/machine/plugged/plugged_programs.h"
#include "tests/machine/world.h"

namespace sandproof::machine {
namespace {

using std::chrono::milliseconds;
using testing::_;
using testing::AllOf;
using testing::Contains;
using testing::ElementsAre;
using testing::Field;
using testing::HasSubstr;
using testing::Return;

/// A box with the program `git`, plugged in, in an image that has no other.
struct PluggedWorld {
  explicit PluggedWorld(ProcessBody git) {
    auto plugged = std::make_shared<PluggedPrograms>();
    plugged->add("git", std::move(git));
    const Image image = make_image(*find_image_profile("distroless"), {}, plugged->names(), 0);
    BoxOptions options;
    options.init = Init::kReaps;
    options.plugged = plugged;
    box = make_image_box(machine, image, std::move(options)).box;
  }
  std::shared_ptr<const Launch> start(Strings argv, std::string input = {}) {
    Start start;
    start.argv = std::move(argv);
    start.env = {"GIT_DIR=/tmp"};
    start.cwd = "/tmp";
    start.files = {open_text(std::move(input)), out, err};
    const auto launch = machine.start(*box, std::move(start));
    EXPECT_TRUE(launch.ok());
    machine.run_until_idle();
    return *launch;
  }

  ManualClock clock;
  Machine machine{clock};
  Box* box = nullptr;
  std::shared_ptr<Capture> out = std::make_shared<Capture>();
  std::shared_ptr<Capture> err = std::make_shared<Capture>();
};

TEST(MachinePlugged, AScriptAnswersByItsFirstRuleThatMatches) {
  PluggedWorld world(scripted_program(
      {{.argv = {"log", "--*"}, .reply = {.out = "one option\n"}},
       {.argv = {"log", "..."}, .reply = {.out = "a log\n", .err = "slow\n", .status = 3}},
       {.argv = {"crash"}, .reply = {.signal = 11}},
       {.argv = {}, .reply = {.out = "usage\n", .status = 1}}}));
  EXPECT_EQ(world.start({"/bin/git", "log", "--all"})->status(), WaitStatus::exited(0));
  EXPECT_EQ(world.start({"/bin/git", "log", "-1", "HEAD"})->status(), WaitStatus::exited(3));
  EXPECT_EQ(world.start({"/bin/git", "log"})->status(), WaitStatus::exited(3));
  EXPECT_EQ(world.start({"/bin/git"})->status(), WaitStatus::exited(1));
  EXPECT_EQ(world.start({"/bin/git", "crash"})->status(), WaitStatus::signaled(Signal::kSegv));
  EXPECT_EQ(world.out->text(), "one option\na log\na log\nusage\n");
  EXPECT_EQ(world.err->text(), "slow\nslow\n");
  EXPECT_EQ(world.start({"/bin/git", "push", "--force"})->status(), WaitStatus::exited(127));
  EXPECT_THAT(world.err->text(), HasSubstr("/bin/git push --force"));
}

TEST(MachinePlugged, AScriptTakesItsTimeAndComesInParts) {
  PluggedWorld world(scripted_program(
      {{.argv = {"..."},
        .reply = {.out = "abcdef",
                  .latency = milliseconds(10),
                  .plan = {{.bytes = 2}, {.bytes = 3, .after = milliseconds(5)}}}}}));
  const auto launch = world.start({"/bin/git"});
  EXPECT_EQ(world.out->text(), "");
  world.clock.advance(milliseconds(10));
  world.machine.run_until_idle();
  EXPECT_EQ(world.out->text(), "ab");
  EXPECT_EQ(launch->status(), std::nullopt);
  world.clock.advance(milliseconds(5));
  world.machine.run_until_idle();
  EXPECT_EQ(world.out->text(), "abcdef");
  EXPECT_EQ(launch->status(), WaitStatus::exited(0));
}

TEST(MachinePlugged, AMockIsAProgram) {
  testing::StrictMock<testing::MockFunction<ProgramAnswer(const ProgramCall&)>> git;
  EXPECT_CALL(
      git, Call(AllOf(Field(&ProgramCall::argv, ElementsAre("/bin/git", "commit")),
                      Field(&ProgramCall::env, Contains("GIT_DIR=/tmp")),
                      Field(&ProgramCall::cwd, "/tmp"), Field(&ProgramCall::input, "a message"))))
      .WillOnce(Return(ProgramAnswer{.out = "committed\n", .err = "", .status = 0}));
  PluggedWorld world(callback_program(git.AsStdFunction(), ProgramInput::kReadToEnd));
  EXPECT_EQ(world.start({"/bin/git", "commit"}, "a message")->status(), WaitStatus::exited(0));
  EXPECT_EQ(world.out->text(), "committed\n");
}

TEST(MachinePlugged, ACallbackThatThrowsEndsItsProcessAlone) {
  PluggedWorld world(callback_program(
      [](const ProgramCall&) -> ProgramAnswer { throw std::runtime_error("no such commit"); }));
  EXPECT_EQ(world.start({"/bin/git"})->status(), WaitStatus::signaled(Signal::kAbrt));
  EXPECT_THAT(world.err->text(), HasSubstr("no such commit"));
  EXPECT_NE(world.box->init(), nullptr);
}

TEST(MachinePlugged, APluggedProgramCanBeExecedAndHidesOneOfTheTable) {
  PluggedWorld world(scripted_program({{.argv = {"..."}, .reply = {.status = 9}}}));
  Start start;
  start.argv = {"test"};
  start.body = [](Process& self) -> Task<int> {
    const Strings argv = {"git"};
    (void)co_await self.exec("/bin/git", argv, {});
    co_return 1;
  };
  const auto launch = world.machine.start(*world.box, std::move(start));
  world.machine.run_until_idle();
  EXPECT_EQ((*launch)->status(), WaitStatus::exited(9));
}

}  // namespace
}  // namespace sandproof::machine
