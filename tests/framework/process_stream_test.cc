// SPDX-License-Identifier: Apache-2.0
// The streams of a process over real pipes (STREAM-001 to STREAM-015; spilling is in
// process_spill_test.cc).
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "sandproof/errors.h"
#include "tests/framework/support_fake_flavor.h"
#include "tests/framework/support_threads.h"

namespace sandproof {
namespace {

using Lines = std::vector<std::string>;
using ProcessStreamTest = FakeFlavorTest;

struct TextRow {
  std::string name;
  std::string bytes;
  Lines lines;
};

std::vector<TextRow> text_rows() {
  return {
      {"nothing", "", {}},
      {"one newline", "\n", {"\n"}},
      {"unterminated", "a", {"a"}},
      {"no line is invented", "a\n", {"a\n"}},
      {"last one unterminated", "a\n\nb", {"a\n", "\n", "b"}},
      {"other terminators stay",
       "a\r\nb\vc\fd\xC2\x85"
       "e\xE2\x80\xA8"
       "f\n",
       {"a\r\n",
        "b\vc\fd\xC2\x85"
        "e\xE2\x80\xA8"
        "f\n"}},
      {"NUL stays", std::string("a\0b\n", 4), {std::string("a\0b\n", 4)}},
      {"characters of all lengths",
       "z\xC3\xA9\xE2\x89\xA4\xF0\x9F\x98\x80\n",
       {"z\xC3\xA9\xE2\x89\xA4\xF0\x9F\x98\x80\n"}},
      {"a maximal invalid part becomes one U+FFFD",
       "a\xF0\x9F\x98"
       "b\xC3\n",
       {"a\xEF\xBF\xBD"
        "b\xEF\xBF\xBD\n"}},
      {"the end cuts a character", "ab\xE2\x82", {"ab\xEF\xBF\xBD"}},
  };
}

TEST_F(ProcessStreamTest, LinesAreTheSameHoweverTheBytesArrive) {
  for (const TextRow& row : text_rows()) {
    for (const std::size_t most : {1, 2, 3, 1 << 20}) {
      SCOPED_TRACE(row.name + ", reads of " + std::to_string(most));
      backend_->on_exec = [&](const auto& command) { command->most_per_read = most; };
      const auto process = exec();
      ASSERT_TRUE(command().write(Stream::kOut, row.bytes));
      ASSERT_TRUE(command().write(Stream::kErr, row.bytes));
      command().finish();
      EXPECT_EQ(all_lines(process->out()), row.lines);
      EXPECT_EQ(all_lines(process->err()), row.lines);
      EXPECT_EQ(process->out().end_state(), StreamEnd::kComplete);
    }
  }
}

TEST_F(ProcessStreamTest, AnEndedStreamStaysEnded) {
  const auto process = exec();
  command().write(Stream::kOut, "a\n");
  command().finish();
  EXPECT_EQ(all_lines(process->out()), Lines{"a\n"});
  EXPECT_EQ(all_lines(process->out()), Lines{});
  std::string line = "kept";
  EXPECT_FALSE(process->out().next(line));
  std::byte byte{};
  EXPECT_EQ(process->read_some(Stream::kOut, {&byte, 1}), 0u);
}

TEST_F(ProcessStreamTest, ALineIsSeenWhileTheCommandRuns) {
  const auto process = exec();
  std::string line;
  for (int i = 0; i < 100; ++i) {
    const std::string text = std::to_string(i) + "\n";
    command().write(Stream::kOut, text);
    ASSERT_TRUE(process->out().next(line));
    EXPECT_EQ(line, text);
  }
  EXPECT_FALSE(process->exit_status());
  EXPECT_FALSE(process->out().end_state());
}

TEST_F(ProcessStreamTest, AStreamEndsForItsReaderWhenEverythingWasTaken) {
  const auto process = exec();
  command().write(Stream::kOut, "a\nb\n");
  command().finish();
  std::string line;
  ASSERT_TRUE(process->out().next(line));
  EXPECT_EQ(process->wait(), ExitStatus::exited(0));
  EXPECT_FALSE(process->out().end_state());
  ASSERT_TRUE(process->out().next(line));
  EXPECT_FALSE(process->out().next(line));
  EXPECT_EQ(process->out().end_state(), StreamEnd::kComplete);
}

TEST_F(ProcessStreamTest, AClosedStreamEndsAndTheOtherGoesOn) {
  const auto process = exec();
  command().close(Stream::kOut);
  std::string line;
  EXPECT_FALSE(process->out().next(line));
  EXPECT_FALSE(process->exit_status());
  command().write(Stream::kErr, "e\n");
  ASSERT_TRUE(process->err().next(line));
  EXPECT_EQ(line, "e\n");
  command().finish(0);
  EXPECT_FALSE(process->err().next(line));
  EXPECT_EQ(process->wait(), ExitStatus::exited(0));
}

TEST_F(ProcessStreamTest, BothStreamsAreReadFromTwoThreads) {
  const std::string text = numbered_lines(4 << 20);
  const auto process = exec();
  std::jthread out_writer(
      [&] { command().write(Stream::kOut, text), command().close(Stream::kOut); });
  std::jthread err_writer(
      [&] { command().write(Stream::kErr, text), command().close(Stream::kErr); });
  std::string err;
  std::jthread reader([&] {
    std::string line;
    while (process->err().next(line)) err += line;
  });
  std::string out;
  std::string line;
  while (process->out().next(line)) out += line;
  reader.join();
  EXPECT_TRUE(out == text);
  EXPECT_TRUE(err == text);
  command().exit(ExitStatus::exited(0));
}

TEST_F(ProcessStreamTest, EachLineGoesToOneOfTwoReaders) {
  const std::string text = numbered_lines(1 << 20);
  const auto process = exec();
  std::jthread writer([&] { command().write(Stream::kOut, text), command().finish(); });
  Lines taken[2];
  on_threads(2, [&](std::size_t i) {
    std::string line;
    while (process->out().next(line)) taken[i].push_back(line);
  });
  Lines all;
  std::ranges::merge(taken[0], taken[1], std::back_inserter(all),
                     [](const auto& a, const auto& b) { return std::stoul(a) < std::stoul(b); });
  std::string joined;
  for (const std::string& line : all) joined += line;
  EXPECT_TRUE(joined == text);
}

TEST_F(ProcessStreamTest, OneStreamIsReadToItsEndAndThenTheOther) {
  const std::string text = numbered_lines(8 << 20);
  const auto process = exec();
  std::jthread writer([&] {
    // Turn by turn, so that a pump that leaves one stream alone blocks the command.
    for (std::size_t at = 0; at < text.size(); at += 65536) {
      const std::string piece = text.substr(at, 65536);
      command().write(Stream::kErr, piece);
      command().write(Stream::kOut, piece);
    }
    command().finish();
  });
  EXPECT_TRUE(all_bytes(*process, Stream::kOut, 65536) == text);
  EXPECT_TRUE(all_bytes(*process, Stream::kErr, 65536) == text);
}

TEST_F(ProcessStreamTest, ReadSomeGivesTheExactBytesAsSoonAsTheyAreThere) {
  const auto process = exec();
  std::string buffer(16, '\0');
  const auto read = [&](std::size_t most) {
    const auto space = std::as_writable_bytes(std::span(buffer)).first(most);
    return buffer.substr(0, process->read_some(Stream::kOut, space));
  };
  command().write(Stream::kOut, "\xFFpar");
  EXPECT_EQ(read(16), "\xFFpar");
  command().write(Stream::kOut, "tial\n");
  EXPECT_EQ(read(2), "ti");
  EXPECT_EQ(read(16), "al\n");
  EXPECT_EQ(process->read_some(Stream::kOut, {}), 0u);
  command().finish();
  EXPECT_EQ(read(16), "");
}

TEST_F(ProcessStreamTest, LinesAndBytesShareOnePosition) {
  const auto process = exec();
  command().write(Stream::kOut, "one\ntwo\nthree\nfo");
  std::string line;
  std::string bytes(5, '\0');
  const auto space = [&] { return std::as_writable_bytes(std::span(bytes)); };
  ASSERT_TRUE(process->out().next(line));
  EXPECT_EQ(line, "one\n");
  EXPECT_EQ(process->read_some(Stream::kOut, space()), 5u);
  EXPECT_EQ(bytes, "two\nt");
  ASSERT_TRUE(process->out().next(line));
  EXPECT_EQ(line, "hree\n");
  command().write(Stream::kOut, "ur\n");
  ASSERT_TRUE(process->out().next(line));
  EXPECT_EQ(line, "four\n");
  command().finish();
}

TEST_F(ProcessStreamTest, BytesComeOutOfALineThatAReaderOfLinesHasBegun) {
  const auto process = exec();
  // A reader of lines takes the beginning of a line, and waits.
  std::string line;
  std::jthread reader([&] { process->out().next(line); });
  command().write(Stream::kOut, "begin");
  std::string bytes;
  while (bytes.size() < 5) {
    std::string buffer(2, '\0');
    bytes += buffer.substr(
        0, process->read_some(Stream::kOut, std::as_writable_bytes(std::span(buffer))));
  }
  EXPECT_EQ(bytes, "begin");
  command().write(Stream::kOut, "rest\n");
  reader.join();
  EXPECT_EQ(line, "rest\n");
  command().finish();
}

/// Lines, pieces of bytes and chunks of any size, in one seeded mix: nothing is lost, doubled or
/// out of order.
TEST_F(ProcessStreamTest, AnyMixOfReadsGivesTheSameBytes) {
  std::mt19937 random(7);
  std::string text;
  while (text.size() < (1 << 20)) {
    text += std::string(random() % 200, static_cast<char>('a' + random() % 26));
    if (random() % 3 != 0) text += '\n';
  }
  for (int round = 0; round < 4; ++round) {
    backend_->on_exec = [&](const auto& command) { command->most_per_read = 1 + random() % 9000; };
    const auto process = exec();
    const auto command = backend_->last();
    std::jthread writer([&] { command->write(Stream::kOut, text), command->finish(); });
    std::string got;
    std::string line;
    std::string buffer(300, '\0');
    for (;;) {
      const std::size_t before = got.size();
      if (random() % 2 == 0) {
        if (process->out().next(line)) got += line;
      } else {
        const auto space = std::as_writable_bytes(std::span(buffer)).first(1 + random() % 300);
        got.append(buffer, 0, process->read_some(Stream::kOut, space));
      }
      if (got.size() == before) break;
    }
    EXPECT_TRUE(got == text) << "round " << round;
  }
}

TEST_F(ProcessStreamTest, ALineOf8MiBComesAsOne) {
  const std::string text = std::string(8 << 20, 'x') + "\n";
  const auto process = exec();
  std::jthread writer([&] { command().write(Stream::kOut, text), command().finish(); });
  std::string line;
  ASSERT_TRUE(process->out().next(line));
  EXPECT_TRUE(line == text);
  EXPECT_FALSE(process->out().next(line));
}

TEST_F(ProcessStreamTest, ABrokenTransportDeliversWhatItGaveAndThenThrows) {
  const auto process = exec();
  command().write(Stream::kOut, "a\nrest");
  command().break_stream(Stream::kOut, std::errc::connection_reset);
  command().write(Stream::kErr, "e\n");
  std::string line;
  ASSERT_TRUE(process->out().next(line));
  ASSERT_TRUE(process->out().next(line));
  EXPECT_EQ(line, "rest");
  for (int i = 0; i < 2; ++i) {
    try {
      process->out().next(line);
      FAIL() << "a broken stream ended as if it were complete";
    } catch (const SandboxLostError& error) {
      EXPECT_NE(std::string(error.what()).find(session().id()), std::string::npos) << error.what();
    }
  }
  std::byte byte{};
  EXPECT_THROW(process->read_some(Stream::kOut, {&byte, 1}), SandboxLostError);
  EXPECT_EQ(process->out().end_state(), StreamEnd::kBroken);
  // The other stream is what the command wrote, and nothing else.
  command().finish();
  EXPECT_EQ(all_lines(process->err()), Lines{"e\n"});
  EXPECT_EQ(process->err().end_state(), StreamEnd::kComplete);
}

TEST_F(ProcessStreamTest, AChannelWithoutDescriptorsIsLookedAt) {
  backend_->on_exec = [](const auto& command) { command->blind = true; };
  const auto process = exec();
  command().write(Stream::kOut, "a\n");
  std::string line;
  ASSERT_TRUE(process->out().next(line));
  EXPECT_EQ(line, "a\n");
  std::jthread later([&] { command().write(Stream::kErr, "e\n"), command().finish(3); });
  ASSERT_TRUE(process->err().next(line));
  EXPECT_EQ(process->wait(), ExitStatus::exited(3));
  EXPECT_FALSE(process->out().next(line));
}

TEST_F(ProcessStreamTest, HooksMayHoldBytesThatTheDescriptorDoesNotTellOf) {
  const std::string text = numbered_lines(50'000);
  for (const std::int64_t limit : {0, 1 << 30}) {
    settings_.set("spill_limit", limit);
    drop_session();
    drop_sandbox();
    backend_->on_exec = [&](const auto& command) {
      command->reads_ahead = true;
      command->most_per_read = 100;
      command->write(Stream::kOut, text);  // There before anybody looks.
    };
    const auto process = exec();
    std::string got;
    std::string line;
    // The streams stay open: nothing but the bytes themselves wakes anybody up.
    while (got.size() < text.size() && process->out().next(line)) got += line;
    EXPECT_TRUE(got == text);
    // And the same for the poller alone.
    std::jthread writer([&] { command().write(Stream::kErr, numbered_lines(4 << 20)); });
    if (limit == 0) process->kill();
    writer.join();
    command().finish();
  }
}

TEST_F(ProcessStreamTest, AStreamThatADescendantHoldsEndsAfterTheGrace) {
  settings_.set("drain_grace", 0.05);
  const auto process = exec();
  command().write(Stream::kOut, "a\n");
  command().exit(ExitStatus::exited(0));
  EXPECT_EQ(all_lines(process->out()), Lines{"a\n"});
  EXPECT_EQ(process->out().end_state(), StreamEnd::kHeldByDescendant);
  EXPECT_EQ(all_lines(process->err()), Lines{});
  // What is written still later is nobody's, and holds nobody up.
  EXPECT_TRUE(command().write(Stream::kOut, std::string(1 << 20, 'x')));
  EXPECT_EQ(all_lines(process->out()), Lines{});
}

TEST_F(ProcessStreamTest, WhatComesWithinTheGraceIsDelivered) {
  settings_.set("drain_grace", 30.0);
  const auto process = exec();
  command().exit(ExitStatus::exited(0));
  EXPECT_EQ(process->wait(), ExitStatus::exited(0));
  command().write(Stream::kOut, "late\n");
  command().close(Stream::kOut);
  EXPECT_EQ(all_lines(process->out()), Lines{"late\n"});
  EXPECT_EQ(process->out().end_state(), StreamEnd::kComplete);
}

TEST_F(ProcessStreamTest, ADescendantThatWritesForEverDoesNotMakeTheEndWait) {
  settings_.set("drain_grace", 0.05);
  const auto process = exec();
  command().exit(ExitStatus::exited(0));
  std::jthread writer([&] {
    const std::string line = std::string(79, 'y') + "\n";
    while (command().write(Stream::kOut, line)) {
    }
  });
  std::string line;
  while (process->out().next(line)) {
  }
  EXPECT_EQ(process->out().end_state(), StreamEnd::kHeldByDescendant);
  command().die(ExitStatus::exited(0));
}

TEST_F(ProcessStreamTest, ADetachedCommandIsDrainedToItsEnd) {
  exec().reset();
  const auto command = backend_->last();
  // Far more than pipes and buffers hold: it ends only if somebody reads.
  const std::string text = numbered_lines(4 << 20);
  EXPECT_TRUE(command->write(Stream::kOut, text));
  EXPECT_TRUE(command->write(Stream::kErr, text));
  command->finish();
  EXPECT_TRUE(command->wait_for_hooks_gone());
}

TEST_F(ProcessStreamTest, ACommandThatNobodyReadsIsDrainedIntoItsBuffer) {
  const auto process = exec();
  const std::string text = numbered_lines(4 << 20);
  EXPECT_TRUE(command().write(Stream::kOut, text));
  command().finish();
  EXPECT_TRUE(all_bytes(*process, Stream::kOut, 65536) == text);
}

}  // namespace
}  // namespace sandproof
