// SPDX-License-Identifier: Apache-2.0
// Everything at once: seeded rounds in which several threads use one process in every way while the
// command writes, closes, exits or dies and the session may be closed. What must hold: everybody
// returns; every byte that was written comes to exactly one reader, in order, unless the session
// was closed meanwhile; all see one status; nothing is left. Meant for the thread sanitizer.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "sandproof/errors.h"
#include "sandproof/sanitized.h"
#include "tests/framework/support_fake_flavor.h"
#include "tests/framework/support_threads.h"

namespace sandproof {
namespace {

using namespace std::chrono_literals;

/// A slow build does fewer rounds; what it looks for shows in one round of many as well.
constexpr int kRounds = kSanitized ? 60 : 300;

struct Round {
  explicit Round(std::uint32_t seed) : random(seed) {}
  std::mt19937 random;
  bool chance(unsigned one_in) { return random() % one_in == 0; }
  std::size_t size(std::size_t most) { return random() % most; }
};

class ProcessRaceTest : public FakeFlavorTest {
 protected:
  /// The command: writes both texts in random pieces, then ends in some way.
  static void act(FakeCommand& command, const std::string& out, const std::string& err,
                  Round round) {
    std::size_t at[2] = {0, 0};
    const std::string* texts[2] = {&out, &err};
    while (at[0] < out.size() || at[1] < err.size()) {
      const std::size_t i = round.size(2);
      const std::string piece = texts[i]->substr(at[i], 1 + round.size(30'000));
      if (!command.write(i == 0 ? Stream::kOut : Stream::kErr, piece)) return;
      at[i] += piece.size();
    }
    if (round.chance(2)) command.close(Stream::kErr);
    if (round.chance(2)) command.exit(ExitStatus::exited(0));
    command.finish(0);
  }

  static std::string read_as_lines(Process& process, Stream stream) {
    std::string all;
    std::string line;
    LineStream& lines = stream == Stream::kOut ? process.out() : process.err();
    while (lines.next(line)) all += line;
    return all;
  }

  static ExitStatus wait_again_and_again(Process& process) {
    for (;;) {
      try {
        return process.wait(1ms);
      } catch (const TimeoutError&) {
      }
    }
  }

  static void write_until_refused(Process& process) {
    while (process.in().write("some input for the command\n")) {
    }
  }

  /// One of four ways; in the last the command ends by itself.
  void end(Process& process, std::size_t how) {
    if (how == 0) process.kill();
    if (how == 1) session().close();
    if (how == 2) session().destroy();
  }
};

TEST_F(ProcessRaceTest, ReadersWaitersAndThePoller) {
  settings_.set("drain_grace", 30.0);
  for (int i = 0; i < kRounds; ++i) {
    Round round(static_cast<std::uint32_t>(i));
    if (round.chance(3)) {
      // The limit is passed again and again.
      settings_.set("spill_limit", std::int64_t{50'000});
      drop_session();
      drop_sandbox();
    }
    const std::string out = numbered_lines(round.size(600'000));
    const std::string err = numbered_lines(round.size(600'000));
    backend_->on_exec = [most = 1 + round.size(100'000)](const auto& command) {
      command->most_per_read = most;
    };
    const auto process = exec();
    const auto command = backend_->last();
    std::string got_out;
    std::string got_err;
    at_once([&, r = Round(round.random())] { act(*command, out, err, r); },
            [&] { got_out = read_as_lines(*process, Stream::kOut); },
            [&] { got_err = all_bytes(*process, Stream::kErr, 10'000); },
            [&] { EXPECT_EQ(wait_again_and_again(*process), ExitStatus::exited(0)); },
            [&] { EXPECT_EQ(process->wait(), ExitStatus::exited(0)); });
    ASSERT_TRUE(got_out == out) << "round " << i;
    ASSERT_TRUE(got_err == err) << "round " << i;
  }
}

TEST_F(ProcessRaceTest, TwoReadersOfOneStreamAndCollect) {
  for (int i = 0; i < kRounds; ++i) {
    Round round(static_cast<std::uint32_t>(1000 + i));
    const std::string out = numbered_lines(round.size(200'000));
    const auto process = exec();
    const auto command = backend_->last();
    std::size_t counts[3] = {0, 0, 0};
    const auto read = [&](std::size_t& count) {
      std::string line;
      while (process->out().next(line)) count += line.size();
    };
    at_once([&, r = Round(round.random())] { act(*command, out, "", r); }, [&] { read(counts[0]); },
            [&] { read(counts[1]); }, [&] { counts[2] = process->collect().out.size(); });
    ASSERT_EQ(counts[0] + counts[1] + counts[2], out.size()) << "round " << i;
  }
}

TEST_F(ProcessRaceTest, KillCloseDeadlineAndDetach) {
  settings_.set("drain_grace", 0.01);
  for (int i = 0; i < kRounds; ++i) {
    Round round(static_cast<std::uint32_t>(2000 + i));
    drop_session();
    ExecOptions options = with_input(Stdin::pipe());
    if (round.chance(2)) options.timeout = std::chrono::milliseconds(round.size(4));
    auto process = exec(options);
    const auto command = backend_->last();
    const std::string out = numbered_lines(round.size(300'000));
    const std::size_t how = round.size(4);
    std::atomic<bool> over = false;
    std::jthread actor([&, r = Round(round.random())] { act(*command, out, out, r); });
    at_once([&] { EXPECT_LE(all_bytes(*process, Stream::kOut, 3'000).size(), out.size()); },
            [&] { process->collect(); }, [&] { write_until_refused(*process); },
            [&] {
              while (!process->exit_status() && !over) std::this_thread::yield();
            },
            [&] { end(*process, how); },
            [&] {
              const ExitStatus status = process->wait();
              over = true;
              EXPECT_THAT(status.integer(), testing::AnyOf(0, 137, 143)) << status;
              EXPECT_EQ(process->exit_status(), status);
            });
    process.reset();
    command->die(ExitStatus::exited(0));
    ASSERT_TRUE(command->wait_for_hooks_gone()) << "round " << i;
  }
}

TEST_F(ProcessRaceTest, ManyCommandsThatNobodyWaitsFor) {
  for (int i = 0; i < kRounds / 20; ++i) {
    Round round(static_cast<std::uint32_t>(3000 + i));
    const std::string out = numbered_lines(400'000);
    std::vector<std::shared_ptr<FakeCommand>> commands;
    std::vector<std::jthread> actors;
    commands.reserve(16);
    actors.reserve(16);
    for (int c = 0; c < 16; ++c) {
      auto process = exec();
      const auto command = backend_->last();
      commands.push_back(command);
      actors.emplace_back([&, command, r = Round(round.random())] { act(*command, out, out, r); });
      if (round.chance(2)) {
        std::string line;
        process->out().next(line);
      }
    }
    actors.clear();  // They come to their ends although nobody reads.
    for (const auto& command : commands) ASSERT_TRUE(command->wait_for_hooks_gone());
  }
}

TEST_F(ProcessRaceTest, BlindChannelsUnderTheSameLoad) {
  backend_->on_exec = [](const auto& command) { command->blind = true; };
  for (int i = 0; i < kRounds / 10; ++i) {
    Round round(static_cast<std::uint32_t>(4000 + i));
    const std::string out = numbered_lines(round.size(200'000));
    const auto process = exec();
    const auto command = backend_->last();
    std::jthread actor([&, r = Round(round.random())] { act(*command, out, out, r); });
    std::string err;
    std::jthread reader([&] { err = read_as_lines(*process, Stream::kErr); });
    ASSERT_TRUE(read_as_lines(*process, Stream::kOut) == out);
    reader.join();
    ASSERT_TRUE(err == out);
  }
}

}  // namespace
}  // namespace sandproof
