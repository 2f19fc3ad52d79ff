// SPDX-License-Identifier: Apache-2.0
// A session of the local flavor through its hooks, as the framework calls them.
#include <dirent.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "flavors/local/process_table.h"
#include "sandproof/errors.h"
#include "sandproof/flavor.h"
#include "sandproof/flavors/local.h"
#include "tests/flavors/local_support.h"

namespace sandproof::local {
namespace {

namespace fs = std::filesystem;
using test::drive;
using test::Finished;
using test::LocalWorld;
using test::request;
using test::shell;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

Finished run(SessionHooks& session, const ExecRequest& command, std::string_view input = {}) {
  return drive(*session.do_exec(command), input);
}

std::size_t open_descriptors() {
  std::size_t count = 0;
  for ([[maybe_unused]] const auto& entry : fs::directory_iterator("/proc/self/fd")) ++count;
  return count;
}

std::size_t own_children() {
  std::size_t count = 0;
  for (const ProcessRow& row : system_process_table()->list()) {
    if (row.parent == ::getpid()) ++count;
  }
  return count;
}

TEST(LocalFlavorTest, ClaimsWhatItDoes) {
  const Flavor flavor = local_flavor();
  EXPECT_EQ(flavor.name, "local");
  EXPECT_EQ(flavor.capabilities,
            (Capabilities{Capability::kKillTree, Capability::kUpload, Capability::kDownload,
                          Capability::kStdin, Capability::kAsyncExec}));
  for (const char* const field : {"forward_env", "base_dir", "close_grace"}) {
    EXPECT_NE(flavor.settings.find(field), nullptr) << field;
  }
}

TEST(LocalFlavorTest, WarnsOnceThatThereIsNoIsolation) {
  LocalWorld world;
  world.create("local-a");
  world.create("local-b");
  ASSERT_THAT(world.diagnostics->texts, SizeIs(1));
  EXPECT_THAT(world.diagnostics->texts[0], HasSubstr("no isolation"));
  EXPECT_EQ(world.diagnostics->levels[0], LogLevel::kWarning);
}

TEST(LocalFlavorTest, ACreateThatFailsLeavesNothing) {
  LocalWorld world;
  world.settings.set("forward_env", std::vector<std::string>{"NO=NAME"});
  EXPECT_THROW(world.create("local-a"), InvalidArgumentError);
  world.settings.set("forward_env", true);
  world.settings.set("base_dir", world.base().string() + "/none");
  EXPECT_THROW(world.create("local-b"), BackendError);
  EXPECT_TRUE(fs::is_empty(world.base()));
  EXPECT_THAT(world.diagnostics->texts, IsEmpty());
}

TEST(LocalSessionTest, CommandsRunInTheWorkingDirectory) {
  LocalWorld world;
  const auto session = world.create("local-a");
  const std::string workdir = world.workdir("local-a").string();
  EXPECT_EQ(run(*session, request({"pwd"})).out, workdir + "\n");
  run(*session, request({"mkdir", "sub dir"}));
  EXPECT_EQ(run(*session, request({"pwd"}, "sub dir")).out, workdir + "/sub dir\n");
  EXPECT_EQ(run(*session, request({"pwd"}, "/")).out, "/\n");
  // The next command starts where every command starts.
  run(*session, shell("cd /; export LEAK=1"));
  EXPECT_EQ(run(*session, shell("pwd; echo \"$LEAK\"")).out, workdir + "\n\n");
}

TEST(LocalSessionTest, ErrorsNameTheSession) {
  LocalWorld world;
  const auto session = world.create("local-named");
  const auto failure = [&](const ExecRequest& command) {
    try {
      session->do_exec(command);
    } catch (const ExecError& error) {
      return std::pair<LaunchFailure, std::string>(error.why(), error.what());
    }
    ADD_FAILURE() << "it was started";
    return std::pair<LaunchFailure, std::string>();
  };
  const auto missing = failure(request({"no-such-program"}));
  EXPECT_EQ(missing.first, LaunchFailure::kNotFound);
  EXPECT_THAT(missing.second, AllOf(HasSubstr("local-named"), HasSubstr("no-such-program")));
  const auto cwd = failure(request({"true"}, "no/such"));
  EXPECT_EQ(cwd.first, LaunchFailure::kBadCwd);
  EXPECT_THAT(cwd.second, AllOf(HasSubstr("local-named"), HasSubstr("no/such")));
  run(*session, shell("rm -r \"$PWD\""));
  EXPECT_EQ(failure(request({"true"})).first, LaunchFailure::kBadCwd);
  EXPECT_EQ(own_children(), 0U);
}

TEST(LocalSessionTest, TheEnvironmentIsTheForwardedOneUnderTheGivenOne) {
  LocalWorld world;
  ::setenv("SANDPROOF_TEST_HOST", "host", 1);
  ::setenv("SANDPROOF_TEST_BOTH", "host", 1);
  world.settings.set("forward_env", std::vector<std::string>{"PATH", "SANDPROOF_TEST_HOST",
                                                             "SANDPROOF_TEST_BOTH"});
  const auto session = world.create("local-env");
  // Captured when the session was created.
  ::setenv("SANDPROOF_TEST_HOST", "later", 1);
  ExecRequest command = request({"env"});
  command.env = {{"SANDPROOF_TEST_BOTH", "given"}, {"PATH", ::getenv("PATH")}};
  const std::string out = run(*session, command).out;
  EXPECT_THAT(
      out, AllOf(HasSubstr("SANDPROOF_TEST_HOST=host\n"), HasSubstr("SANDPROOF_TEST_BOTH=given\n"),
                 HasSubstr("SANDPROOF_MARK=" + test::kComponent + "/local-env/")));
  EXPECT_EQ(std::count(out.begin(), out.end(), '\n'), 4);

  world.settings.set("forward_env", false);
  const auto bare = world.create("local-bare");
  const std::string rest = run(*bare, request({"env"})).out;
  EXPECT_EQ(std::count(rest.begin(), rest.end(), '\n'), 1) << rest;
  ::unsetenv("SANDPROOF_TEST_HOST");
  ::unsetenv("SANDPROOF_TEST_BOTH");
}

TEST(LocalSessionTest, StreamsAreKeptApartAndComplete) {
  LocalWorld world;
  const auto session = world.create("local-streams");
  const Finished finished =
      run(*session, shell("head -c 3000000 /dev/zero; head -c 2000000 /dev/zero >&2; exit 3"));
  EXPECT_EQ(finished.out.size(), 3'000'000U);
  EXPECT_EQ(finished.err.size(), 2'000'000U);
  EXPECT_EQ(finished.status, ExitStatus::exited(3));
}

// BUGS.md #12.
TEST(LocalSessionTest, OneStreamMayEndBeforeTheOther) {
  LocalWorld world;
  const auto session = world.create("local-closed");
  const auto process = session->do_exec(shell("exec 1>&-; read x; echo e >&2"));
  // Its input is empty, so it ends at once; what matters is the order of the ends.
  const Finished finished = drive(*process);
  EXPECT_EQ(finished.out, "");
  EXPECT_EQ(finished.err, "e\n");
  EXPECT_EQ(process->do_descriptor(Channel::kOut), -1);
}

// EXEC-013.
TEST(LocalSessionTest, InputAndOutputFlowTogether) {
  LocalWorld world;
  const auto session = world.create("local-cat");
  std::string input(std::size_t{16} << 20, '\0');
  for (std::size_t i = 0; i < input.size(); ++i) input[i] = static_cast<char>(i * 7);
  ExecRequest command = request({"cat"});
  command.wants_input = true;
  const Finished finished = run(*session, command, input);
  EXPECT_TRUE(finished.out == input);
  EXPECT_EQ(finished.status, ExitStatus::exited(0));
}

// BUGS.md #9, and no SIGPIPE for this program.
TEST(LocalSessionTest, ACommandThatDoesNotReadItsInputIsNoTrouble) {
  LocalWorld world;
  const auto session = world.create("local-deaf");
  ExecRequest command = shell("head -c 1048576 /dev/zero");
  command.wants_input = true;
  const Finished finished = run(*session, command, std::string(1'048'576, ' '));
  EXPECT_EQ(finished.out.size(), 1'048'576U);
  EXPECT_EQ(finished.status, ExitStatus::exited(0));
  const auto early = session->do_exec([] {
    ExecRequest exits = shell("exec <&-; echo closed; sleep 2000");
    exits.wants_input = true;
    return exits;
  }());
  EXPECT_EQ(test::read_line(*early), "closed");
  EXPECT_EQ(early->do_write(std::as_bytes(std::span("x"))).state, IoState::kEnd);
  early->do_kill();
}

TEST(LocalSessionTest, TheExitIsSeenWhileADescendantHoldsTheStreams) {
  LocalWorld world;
  world.settings.set("close_grace", 0.1);
  const auto session = world.create("local-held");
  const auto process = session->do_exec(shell("sleep 2000 & exit 5"));
  EXPECT_EQ(test::wait_exit(*process), ExitStatus::exited(5));
  std::array<std::byte, 16> buffer{};
  EXPECT_EQ(process->do_read(Stream::kOut, buffer).state, IoState::kAgain);
  session->do_close();
  EXPECT_EQ(process->do_read(Stream::kOut, buffer).state, IoState::kEnd);
}

TEST(LocalSessionTest, ManyCommandsAtOnceDoNotMix) {
  LocalWorld world;
  const auto session = world.create("local-many");
  std::vector<std::unique_ptr<ProcessHooks>> processes;
  processes.reserve(64);
  for (int i = 0; i < 64; ++i) {
    const std::string n = std::to_string(i);
    processes.push_back(
        session->do_exec(shell("echo out" + n + "; echo err" + n + " >&2; exit " + n)));
  }
  for (int i = 63; i >= 0; --i) {
    const Finished finished = drive(*processes[static_cast<std::size_t>(i)]);
    EXPECT_EQ(finished.out, "out" + std::to_string(i) + "\n");
    EXPECT_EQ(finished.err, "err" + std::to_string(i) + "\n");
    EXPECT_EQ(finished.status, ExitStatus::exited(i));
  }
}

// LEAK-002, BUGS.md #193.
TEST(LocalSessionTest, CommandsLeaveNothing) {
  LocalWorld world;
  const auto session = world.create("local-leak");
  const auto once = [&] {
    EXPECT_EQ(run(*session, shell("exit 0")).status, ExitStatus::exited(0));
    EXPECT_THROW(session->do_exec(request({"./none"})), ExecError);
    EXPECT_THROW(session->do_exec(request({"true"}, "none")), ExecError);
  };
  once();
  const std::size_t before = open_descriptors();
  for (int i = 0; i < 100; ++i) once();
  EXPECT_EQ(open_descriptors(), before);
  EXPECT_EQ(own_children(), 0U);
}

// A finished command whose handle is kept costs one descriptor, not three.
TEST(LocalSessionTest, FinishedCommandsThatAreKeptCostLittle) {
  LocalWorld world;
  const auto session = world.create("local-kept");
  const std::size_t before = open_descriptors();
  std::vector<std::unique_ptr<ProcessHooks>> kept;
  kept.reserve(20);
  for (int i = 0; i < 20; ++i) {
    kept.push_back(session->do_exec(shell("echo x")));
    drive(*kept.back());
  }
  EXPECT_LE(open_descriptors(), before + 20);
  kept.clear();
  EXPECT_EQ(open_descriptors(), before);
}

TEST(LocalSessionTest, TransfersGoToTheWorkingDirectory) {
  LocalWorld world;
  const auto session = world.create("local-files");
  test::write_file(world.base() / "up", "#!/bin/sh\necho uploaded\n");
  fs::permissions(world.base() / "up", fs::perms::owner_all);
  session->do_upload_file(world.base() / "up", "tools/run");
  EXPECT_EQ(run(*session, request({"tools/run"})).out, "uploaded\n");
  run(*session, shell("echo made >result; ln -s / escape"));
  session->do_download_file("result", world.base() / "down");
  EXPECT_EQ(test::read_file(world.base() / "down"), "made\n");
  session->do_download_file((world.workdir("local-files") / "result").string(),
                            world.base() / "down2");
  EXPECT_EQ(test::read_file(world.base() / "down2"), "made\n");
  const std::string outside = "escape" + (world.base() / "up").string();
  EXPECT_THROW(session->do_download_file(outside, world.base() / "down"), InvalidArgumentError);
  EXPECT_THROW(session->do_upload_file(world.base() / "down", outside), InvalidArgumentError);
  try {
    session->do_download_file("none", world.base() / "down");
    FAIL() << "it was downloaded";
  } catch (const NotFoundError& error) {
    EXPECT_THAT(error.what(), AllOf(HasSubstr("none"), HasSubstr("local-files")));
  }
}

// BUGS.md #98: base_dir itself is a link.
TEST(LocalSessionTest, TheBaseDirectoryMayBeALink) {
  LocalWorld world;
  fs::create_directory(world.base() / "real");
  fs::create_directory_symlink("real", world.base() / "alias");
  world.settings.set("base_dir", (world.base() / "alias").string());
  const auto session = world.create("local-alias");
  test::write_file(world.base() / "up", "x");
  session->do_upload_file(world.base() / "up",
                          (world.base() / "alias/sandproof-local-alias/file").string());
  session->do_download_file("file", world.base() / "down");
  EXPECT_EQ(test::read_file(world.base() / "down"), "x");
  session->do_close();
  EXPECT_TRUE(fs::is_empty(world.base() / "real"));
}

// LEAK-004.
TEST(LocalSessionTest, SessionsFromManyThreadsLeaveNothing) {
  LocalWorld world;
  const std::size_t before = open_descriptors();
  std::vector<std::jthread> threads;
  threads.reserve(8);
  for (int t = 0; t < 8; ++t) {
    threads.emplace_back([&world, t] {
      for (int i = 0; i < 8; ++i) {
        const std::string id = "local-" + std::to_string(t) + "-" + std::to_string(i);
        const auto session = world.create(id);
        EXPECT_EQ(run(*session, shell("echo x >file; cat file")).out, "x\n");
        session->do_close();
      }
    });
  }
  threads.clear();
  EXPECT_TRUE(fs::is_empty(world.base()));
  EXPECT_EQ(open_descriptors(), before);
  EXPECT_EQ(own_children(), 0U);
}

TEST(LocalSessionTest, ASessionThatIsDestroyedWithoutACloseRemovesItsDirectory) {
  LocalWorld world;
  world.create("local-dropped").reset();
  EXPECT_TRUE(fs::is_empty(world.base()));
}

}  // namespace
}  // namespace sandproof::local
