// SPDX-License-Identifier: Apache-2.0
// Rewriting the known-failures file: what is added, taken out and narrowed, what stays byte for
// byte, and that a run like the last one then holds.
#include "conformance/program/known_failures_update.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "conformance/program/program_error.h"
#include "tests/conformance/report_log.h"

namespace sandproof::conformance {
namespace {

using fabricated::Log;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::StartsWith;

/// Case name → what it says; empty: it passes. Each has a rule of its own.
using Ends = std::vector<std::pair<std::string, std::string>>;

/// The log of a whole run of 2024-05-01 on `local`, of a program that has `docker`, too.
RunModel run_with(const std::string& text, const Ends& ends) {
  Log log;
  log.started({{"known_failures", "k.yaml"}});
  for (KnownFailure entry : parse_known_failures(text, "k.yaml").entries) {
    for (std::size_t i = 0; i < ends.size(); ++i) {
      if (lists_case(entry, ends[i].first, "A-00" + std::to_string(i))) ++entry.suite_cases;
    }
    for (const char* flavor : {"local", "docker"}) {
      if (lists_flavor(entry, flavor)) entry.flavors.emplace_back(flavor);
    }
    log.add("known_failure", to_event(entry));
  }
  for (std::size_t i = 0; i < ends.size(); ++i) log.rule("A-00" + std::to_string(i));
  log.flavor("local");
  for (std::size_t i = 0; i < ends.size(); ++i) {
    log.planned(ends[i].first, {"A-00" + std::to_string(i)});
  }
  for (const auto& [name, message] : ends) {
    if (message == "hangs") {
      log.times_out(name);
    } else if (message == "crashes") {
      log.crashes(name);
    } else if (message.empty()) {
      log.finishes(name, "passed");
    } else {
      log.on(name, "assertion_failed", {{"message", message}}).finishes(name, "failed");
    }
  }
  return log.finished().model();
}

/// Updates, and sees that the same run holds now.
KnownFailuresUpdate updated(const std::string& text, const Ends& ends) {
  KnownFailuresUpdate update =
      update_known_failures(parse_known_failures(text, "k.yaml"), run_with(text, ends));
  const RunModel again = run_with(update.text, ends);
  EXPECT_EQ(exit_code_of(again), update.expired.empty() ? 0 : 1) << update.text;
  const KnownFailuresUpdate second =
      update_known_failures(parse_known_failures(update.text, "k.yaml"), again);
  EXPECT_EQ(second.text, update.text);
  return update;
}

std::string entry(const std::string& patterns, const std::string& message = "no such thing",
                  const std::string& expires = "2024-06-01") {
  return "- " + patterns + "   # why not\n  message:   '" + message + "'\n  expires: " + expires +
         "\n\n  # deeper\n  reason: >\n    # text\n    of ours\n";
}

const std::string kNoSuch = "there is no such thing as 12";

TEST(KnownFailuresUpdate, AFileThatHoldsStaysAsItIs) {
  const std::string text = "# head\n\n" + entry("case: One") + "\n# tail\n";
  const KnownFailuresUpdate update = updated(text, {{"One", kNoSuch}, {"Two", ""}});
  EXPECT_EQ(update.text, text);
  EXPECT_EQ(sentence_of(update), "nothing to change");
}

TEST(KnownFailuresUpdate, AddsWhatIsNotListed) {
  const KnownFailuresUpdate update =
      updated("", {{"One", kNoSuch}, {"Two", ""}, {"Three", "hangs"}, {"Four", "crashes"}});
  EXPECT_EQ(update.added, 3U);
  EXPECT_THAT(update.text, StartsWith("# Known failures"));
  EXPECT_THAT(update.text, HasSubstr("- case: One\n  flavor: local\n  message: \"there is no such "
                                     "thing as\"\n  reason: TODO\n  expires: 2024-07-30\n"));
  EXPECT_THAT(update.text, HasSubstr("- case: Three\n  flavor: local\n  outcome: timeout\n"
                                     "  message: \"wait on process\"\n"));
  EXPECT_THAT(update.text, HasSubstr("- case: Four\n  flavor: local\n  outcome: crashed\n"
                                     "  message: \"signaled(11)\"\n"));
  EXPECT_THAT(sentence_of(update), HasSubstr("3 entries added; say why instead of TODO"));
}

TEST(KnownFailuresUpdate, KeepsTheRestByteForByte) {
  const std::string head = "# head\r\n\n# of one\n" + entry("case: One");
  const std::string gone = "\n# of two,\n# which passes\n" + entry("case: Two\n  flavor: local");
  const std::string rest =
      "\n# Section.\n\n# of three\n-\n  case: Three\n  message: x\n  reason: y\n"
      "  expires: 2024-06-01";
  const Ends ends = {{"One", kNoSuch}, {"Two", ""}, {"Three", "x"}, {"Four", kNoSuch}};
  const KnownFailuresUpdate update = updated(head + gone + rest, ends);
  EXPECT_THAT(update.text, StartsWith(head + "\n# Section.\n\n# of three\n-\n  case: Three\n"));
  EXPECT_THAT(update.text,
              AllOf(HasSubstr("expires: 2024-06-01\n\n- case: Four\n"), Not(HasSubstr("of two"))));
  EXPECT_EQ(sentence_of(update).substr(0, 28), "1 entry added, 1 removed; sa");
  EXPECT_EQ(update.kept, 2U);
}

TEST(KnownFailuresUpdate, TheHeadOfTheFileOutlivesItsFirstEntry) {
  const std::string head = "# What this file is.\n";
  const KnownFailuresUpdate update =
      updated(head + entry("case: One\n  flavor: local"), {{"One", ""}});
  EXPECT_EQ(update.text, head);
  EXPECT_EQ(update.removed, 1U);
}

TEST(KnownFailuresUpdate, TakesOutWhatIsStale) {
  const KnownFailuresUpdate update = updated(entry("case: Gone"), {{"One", ""}});
  EXPECT_EQ(update.text, "");
}

TEST(KnownFailuresUpdate, NarrowsAPatternToWhatStillFails) {
  const KnownFailuresUpdate update = updated("# of all\n" + entry("case: T*\n  flavor: local"),
                                             {{"Two", kNoSuch}, {"Three", ""}, {"Ten", kNoSuch}});
  EXPECT_EQ(update.narrowed, 1U);
  EXPECT_EQ(update.added, 0U);
  EXPECT_THAT(update.text, AllOf(HasSubstr("- case: Two\n"), HasSubstr("- case: Ten\n"),
                                 HasSubstr("# text of ours"), Not(HasSubstr("Three"))));
}

TEST(KnownFailuresUpdate, KeepsWhatItSaysOfFlavorsThatWereNotRun) {
  const KnownFailuresUpdate update = updated(entry("case: One"), {{"One", ""}});
  EXPECT_THAT(update.text,
              AllOf(HasSubstr("- case: One\n  flavor: docker\n"), Not(HasSubstr("flavor: local"))));
}

TEST(KnownFailuresUpdate, AnotherFailureIsAnotherEntry) {
  const KnownFailuresUpdate update =
      updated(entry("case: One\n  flavor: local"), {{"One", "quite another thing"}});
  EXPECT_THAT(update.text, AllOf(HasSubstr("message: \"quite another thing\"\n  reason: TODO"),
                                 Not(HasSubstr("no such"))));
  EXPECT_EQ(update.added, 1U);
  EXPECT_EQ(update.removed, 1U);
}

TEST(KnownFailuresUpdate, OnlyAPersonProlongsWhatExpired) {
  const std::string text = entry("case: One", "no such thing", "2024-04-30") +
                           entry("case: Two\n  flavor: local", "no such thing", "2024-04-30");
  const KnownFailuresUpdate update = updated(text, {{"One", kNoSuch}, {"Two", ""}});
  EXPECT_EQ(update.text, entry("case: One", "no such thing", "2024-04-30"));
  EXPECT_THAT(update.expired, ElementsAre(1));
  EXPECT_THAT(sentence_of(update), HasSubstr("line 1, which only a person prolongs"));
}

TEST(KnownFailuresUpdate, GoesByTheIndentOfTheFile) {
  const std::string text =
      "  - case: One\n    message: no such\n    reason: r\n    expires: 2024-06-01\n";
  const KnownFailuresUpdate update = updated(text, {{"One", kNoSuch}, {"Two", kNoSuch}});
  EXPECT_THAT(update.text, StartsWith(text));
  EXPECT_THAT(update.text, HasSubstr("\n  - case: Two\n    flavor: local\n"));
}

TEST(KnownFailuresUpdate, RefusesWhatItCannotKeep) {
  const std::string fields = "message: m, reason: r, expires: 2024-06-01";
  for (const std::string& text : std::vector<std::string>{
           "[{case: One, " + fields + "}]",
           "- case: One\n  message: x\n  reason: r\n  expires: 2024-06-01\n...\n# end\n",
           "- case: Two\n  message: &m x\n  reason: r\n  expires: 2024-06-01\n- case: One\n  "
           "message: "
           "*m\n  reason: r\n  expires: 2024-06-01\n"}) {
    const Ends ends = {{"One", "x"}, {"Two", ""}, {"Three", "x"}};
    try {
      const KnownFailuresUpdate update =
          update_known_failures(parse_known_failures(text, "k.yaml"), run_with(text, ends));
      ADD_FAILURE() << "it made\n" << update.text;
    } catch (const ProgramError& error) {
      EXPECT_THAT(error.what(), AllOf(HasSubstr("k.yaml"), HasSubstr("cannot be changed")));
    }
  }
}

}  // namespace
}  // namespace sandproof::conformance
