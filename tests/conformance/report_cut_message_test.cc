// SPDX-License-Identifier: Apache-2.0
// Long messages of GoogleTest, as the installed one words them: what differs is in what is kept.
#include <gmock/gmock.h>
#include <gtest/gtest-spi.h>
#include <gtest/gtest.h>

#include <functional>
#include <numeric>

#include "conformance/report/cut_message.h"
#include "conformance/report/terminal.h"
#include "conformance/runner/event_sink.h"
#include "conformance/runner/system.h"
#include "tests/conformance/report_log.h"

namespace sandproof::conformance {
namespace {

using testing::AllOf;
using testing::Contains;
using testing::Each;
using testing::ElementsAreArray;
using testing::HasSubstr;
using testing::Le;
using testing::Not;
using testing::ResultOf;

constexpr std::size_t kMost = 24;
constexpr std::size_t kColumns = 400;

std::string message_of(const std::function<void()>& assertion) {
  testing::TestPartResultArray results;
  {
    const testing::ScopedFakeTestPartResultReporter capture(
        testing::ScopedFakeTestPartResultReporter::INTERCEPT_ONLY_CURRENT_THREAD, &results);
    assertion();
  }
  return results.size() == 1 ? results.GetTestPartResult(0).message() : "";
}

std::string shown(const std::string& message) {
  std::string text;
  const std::vector<std::string> lines = cut_message(message, kMost, kColumns);
  EXPECT_THAT(lines, Each(ResultOf(columns_of, Le(kColumns))));
  // And the lines that tell what is left out.
  EXPECT_LE(lines.size(), kMost + 4);
  for (const std::string& line : lines) text += line + "\n";
  return text;
}

std::vector<int> numbers(int count) {
  std::vector<int> all(static_cast<std::size_t>(count));
  std::iota(all.begin(), all.end(), 1000);
  return all;
}

std::string message_about_lists(std::size_t count, std::size_t at) {
  const std::vector<int> wanted = numbers(static_cast<int>(count));
  std::vector<int> actual = wanted;
  actual[at] = -7;
  return message_of([&] { EXPECT_THAT(actual, ElementsAreArray(wanted)) << "of the script"; });
}

TEST(CutMessage, TheElementThatDiffersIsShownWhereverItIs) {
  for (const std::size_t at : {0U, 1U, 17U, 57U, 98U, 99U}) {
    const std::string message = message_about_lists(100, at);
    ASSERT_GT(lines_of(message).size(), 100U);
    const std::string number = std::to_string(at);
    EXPECT_THAT(shown(message),
                AllOf(HasSubstr("Value of: actual"), HasSubstr(" more)"),
                      HasSubstr("whose element #" + number + " doesn't match"),
                      HasSubstr("element #" + number + " is equal to " + std::to_string(1000 + at)),
                      HasSubstr("of the script")))
        << at;
  }
}

TEST(CutMessage, ItsValueIsShownInALineThatIsTooLong) {
  std::vector<std::string> wanted;
  for (int i = 0; i < 30; ++i) {
    wanted.push_back(std::string(60, static_cast<char>('a' + i % 26)) + ", {\\\"" +
                     std::to_string(i));
  }
  for (std::size_t at = 0; at < wanted.size(); ++at) {
    std::vector<std::string> actual = wanted;
    actual[at] = "what it is";
    const std::string message = message_of([&] { EXPECT_THAT(actual, ElementsAreArray(wanted)); });
    EXPECT_THAT(shown(message), AllOf(HasSubstr("\"what it is\""), HasSubstr("whose element #"),
                                      HasSubstr(" ... ")))
        << at;
  }
}

TEST(CutMessage, WhereTwoLongValuesPartIsShown) {
  for (const std::size_t at : {0U, 500U, 1500U, 2995U}) {
    const std::string one(3000, 'x');
    std::string other = one;
    other.replace(at, 5, "OTHER");
    EXPECT_THAT(shown(message_of([&] { EXPECT_EQ(one, other); })), HasSubstr("OTHER")) << at;
    EXPECT_THAT(shown(message_of([&] { EXPECT_THAT(other, testing::Eq(one)); })),
                HasSubstr("OTHER"))
        << at;
  }
}

TEST(CutMessage, OtherWordsKeepTheirHeadAndTheirTail) {
  std::string message;
  for (int i = 0; i < 1000; ++i) message += "line " + std::to_string(i) + "\n";
  EXPECT_THAT(shown(message), AllOf(HasSubstr("line 0\n"), HasSubstr("(976 more)\n"),
                                    Not(HasSubstr("line 500\n")), HasSubstr("line 999\n")));
  EXPECT_EQ(cut_message("one\ntwo", kMost, kColumns), (std::vector<std::string>{"one", "two"}));
  EXPECT_THAT(cut_message("", kMost, kColumns), testing::IsEmpty());
  // No code point is cut in two.
  std::string wide;
  for (int i = 0; i < 1000; ++i) wide += "ä→";
  EXPECT_NO_THROW(fabricated::Json(shown(wide)).dump());
  // A number that no list has, and one that is none.
  EXPECT_THAT(shown(std::string(1000, 'x') + "whose element #99999999999999999999 { "),
              HasSubstr("whose"));
  EXPECT_THAT(shown("  Actual: { 1, } }" + std::string(1000, 'x') + " whose element #7"),
              HasSubstr("#7"));
}

TEST(CutMessage, AnEventKeepsWhatDiffers) {
  runner::Pipe pipe = runner::make_pipe();
  runner::EventSink events(pipe.write.get());
  const std::string message = message_about_lists(1000, 777);
  ASSERT_GT(message.size(), 2 * runner::EventSink::kLongestText);
  events.assertion_failed("f.cc", 1, message, false);
  pipe.write.reset();
  std::string text(std::size_t{64} * 1024, '\0');
  const ssize_t size = ::read(pipe.read.get(), text.data(), text.size());
  ASSERT_GT(size, 0);
  const fabricated::Json event = fabricated::Json::parse(text.substr(0, size));
  EXPECT_THAT(event["message"].get<std::string>(),
              AllOf(HasSubstr("element #777 is equal to 1777"),
                    HasSubstr("whose element #777 doesn't match"), HasSubstr("of the script")));
  EXPECT_LE(event["message"].get<std::string>().size(), runner::EventSink::kLongestText + 100);
}

}  // namespace
}  // namespace sandproof::conformance
