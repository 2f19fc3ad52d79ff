// SPDX-License-Identifier: Apache-2.0
// The reader of the event log: whole lines only, numbered without a gap.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "conformance/report/event_reader.h"
#include "tests/conformance/report_log.h"

namespace sandproof::conformance {
namespace {

using fabricated::Log;
using testing::AllOf;
using testing::HasSubstr;

std::string error_of(const std::string& text) {
  try {
    parse_event_log(text, "x.log");
  } catch (const EventLogError& error) {
    return error.what();
  }
  return "no error";
}

TEST(EventReader, ReadsEveryWholeLine) {
  const EventLog log = parse_event_log(Log().add("a").add("b").text(), "x.log");
  ASSERT_EQ(log.events.size(), 2U);
  EXPECT_EQ(log.events[1]["event"], "b");
  EXPECT_FALSE(log.torn);
}

TEST(EventReader, TakesAnEmptyLogForEmpty) {
  const EventLog log = parse_event_log("", "x.log");
  EXPECT_TRUE(log.events.empty());
  EXPECT_FALSE(log.torn);
}

TEST(EventReader, IgnoresATornLastLineAtEveryByte) {
  const std::string whole = Log().add("a").text();
  const std::string last = R"({"event":"b","seq":1,"t_ms":20})";
  for (std::size_t size = 1; size <= last.size(); ++size) {
    const EventLog log = parse_event_log(whole + last.substr(0, size), "x.log");
    EXPECT_EQ(log.events.size(), 1U) << size;
    EXPECT_TRUE(log.torn) << size;
  }
}

TEST(EventReader, TakesATornFirstLineForOneOnlyIfItBeginsAsThatOfARun) {
  const std::string merged = R"({"event":"run_started","format":1,"seq":0,"t_ms":0})";
  for (std::string whole : {Log().started().text(), merged + "\n"}) {
    whole.pop_back();
    for (std::size_t size = 1; size <= whole.size(); ++size) {
      const EventLog log = parse_event_log(whole.substr(0, size), "x.log");
      EXPECT_TRUE(log.torn && log.events.empty()) << size;
    }
  }
  for (const char* other :
       {"hello", "{\"answer\": 42}", "{\"event\":\"rule\",\"seq\":0}", " ", "["}) {
    EXPECT_THAT(error_of(other), AllOf(HasSubstr("x.log is no event log"),
                                       HasSubstr("`sandproof run --event-log FILE`")))
        << other;
  }
}

TEST(EventReader, RefusesAGapInTheSequence) {
  EXPECT_THAT(
      error_of("{\"event\":\"a\",\"seq\":0}\n{\"event\":\"b\",\"seq\":2}\n"),
      AllOf(HasSubstr("x.log"), HasSubstr("line 2"), HasSubstr("seq 2"), HasSubstr("1 was due")));
}

TEST(EventReader, RefusesARepeatedNumberAndALogWithoutItsBeginning) {
  EXPECT_THAT(error_of("{\"event\":\"a\",\"seq\":0}\n{\"event\":\"b\",\"seq\":0}\n"),
              HasSubstr("line 2"));
  EXPECT_THAT(error_of("{\"event\":\"a\",\"seq\":1}\n"), HasSubstr("line 1"));
}

TEST(EventReader, RefusesAWholeLineThatIsNoEvent) {
  EXPECT_THAT(error_of("{\"event\":\"a\",\"seq\":0}\nrubbish\n"),
              HasSubstr("line 2 is not a JSON"));
  EXPECT_THAT(error_of("[1]\n"), HasSubstr("not a JSON object"));
  EXPECT_THAT(error_of("{\"seq\":0}\n"), HasSubstr("no \"event\""));
  EXPECT_THAT(error_of("{\"event\":\"a\"}\n"), HasSubstr("no \"seq\""));
  EXPECT_THAT(error_of("{\"event\":\"a\",\"seq\":\"0\"}\n"), HasSubstr("no \"seq\""));
  EXPECT_THAT(error_of("\n"), HasSubstr("line 1"));
}

TEST(EventReader, NamesAFileThatCannotBeRead) {
  try {
    read_event_log("/nonexistent/run.log");
    ADD_FAILURE() << "no error";
  } catch (const EventLogError& error) {
    EXPECT_THAT(error.what(),
                AllOf(HasSubstr("/nonexistent/run.log"), HasSubstr("No such file or directory")));
  }
  EXPECT_THROW(read_event_log(std::filesystem::temp_directory_path()), EventLogError);
}

}  // namespace
}  // namespace sandproof::conformance
