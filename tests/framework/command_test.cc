// SPDX-License-Identifier: Apache-2.0
// Commands (EXEC-001, EXEC-002, EXEC-003) and where their input comes from.
#include "sandproof/command.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sandproof/errors.h"
#include "thrown_message.h"

namespace sandproof {
namespace {

using namespace std::string_literals;
using testing::ElementsAre;
using testing::HasSubstr;

TEST(Command, AnArgvStaysAsItIs) {
  EXPECT_THAT(Command({"echo", "a b", "$HOME", "*", "\\", "'", "\"", "\n", "é", "", "-n"}).words(),
              ElementsAre("echo", "a b", "$HOME", "*", "\\", "'", "\"", "\n", "é", "", "-n"));
  EXPECT_THAT(Command(std::vector<std::string>{"a b"}).words(), ElementsAre("a b"))
      << "one word is not a text";
}

TEST(Command, ATextIsSplitAndNothingElse) {
  EXPECT_THAT(Command("echo $HOME | cat").words(), ElementsAre("echo", "$HOME", "|", "cat"));
  EXPECT_THAT(Command("printf '%s\\n' \"a b\"").words(), ElementsAre("printf", "%s\\n", "a b"));
  EXPECT_THAT(Command(std::string_view("ls -l")).words(), ElementsAre("ls", "-l"));
  EXPECT_THAT(Command("ls -l"s).words(), ElementsAre("ls", "-l"));
}

TEST(Command, AnEmptyOneIsRefused) {
  for (const Command& command :
       {Command(std::vector<std::string>{}), Command(""), Command(" \t\n")}) {
    EXPECT_THAT(thrown_message<InvalidArgumentError>([&] { (void)command.words(); }),
                HasSubstr("empty command"));
  }
}

TEST(Command, AnEmptyProgramNameIsRefused) {
  for (const Command& command : {Command({"", "a"}), Command("'' a"), Command("\"\"")}) {
    EXPECT_THAT(thrown_message<InvalidArgumentError>([&] { (void)command.words(); }),
                HasSubstr("program name is empty"));
  }
}

TEST(Command, UnbalancedQuotesAreRefusedWhenTheWordsAreAskedFor) {
  for (const char* text : {"echo 'a", "echo \"a", "echo a\\"}) {
    const Command command(text);  // Not here.
    EXPECT_THROW((void)command.words(), InvalidArgumentError) << text;
  }
}

TEST(Command, ANulIsRefusedWithItsPlace) {
  EXPECT_THAT(thrown_message<InvalidArgumentError>([] {
                (void)Command({"echo", "ok", "a\0b"s}).words();
              }),
              HasSubstr("NUL in word 2 at byte 1"));
  EXPECT_THROW((void)Command("echo a\0b"s).words(), InvalidArgumentError);
  EXPECT_THROW((void)Command({"ec\0ho"s}).words(), InvalidArgumentError);
}

TEST(Stdin, IsOneOfThree) {
  EXPECT_TRUE(Stdin().is_empty());
  EXPECT_TRUE(Stdin::empty().is_empty());
  EXPECT_EQ(Stdin::empty().data(), nullptr);
  EXPECT_TRUE(Stdin::pipe().is_pipe());
  EXPECT_FALSE(Stdin::pipe().is_empty());
  EXPECT_EQ(Stdin::pipe().data(), nullptr);
  const Stdin bytes = Stdin::bytes("a\0b"s);
  ASSERT_NE(bytes.data(), nullptr);
  EXPECT_EQ(*bytes.data(), "a\0b"s);
  EXPECT_FALSE(bytes.is_empty());
  EXPECT_FALSE(bytes.is_pipe());
  EXPECT_FALSE(Stdin::bytes("").is_empty()) << "given, although there is nothing in it";
}

}  // namespace
}  // namespace sandproof
