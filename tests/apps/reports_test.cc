// SPDX-License-Identifier: Apache-2.0
// Every kind of report from one run: they agree, and the XML is valid.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <utility>

#include "sandproof/words.h"
#include "tests/apps/run_binary.h"

namespace sandproof::apps {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

/// `run` with these words and every kind of report; returns its exit code.
int run_with_all_reports(std::vector<std::string> words, const std::string& folder) {
  words.insert(words.begin(), "run");
  for (const char* report : {"json:/conformance.json", "junit:/conformance.xml",
                             "html:/conformance.html", "md:/conformance.md", "badge:/badge.json"}) {
    std::string value(report);
    words.insert(words.end(), {"--report", value.insert(value.find(':') + 1, folder)});
  }
  return run_binary(words).code;
}

void expect_agreement(const std::string& folder) {
  const auto judge = [](const std::vector<std::string>& words) {
    return run_shell(quote_words(words));
  };
  const BinaryResult compared = judge(
      {"python3", "-B", std::string(SANDPROOF_ROOT) + "/tests/apps/compare_reports.py", folder});
  EXPECT_EQ(compared.code, 0) << compared.out << compared.err;
  const BinaryResult valid = judge({"xmllint", "--noout", "--schema",
                                    std::string(SANDPROOF_ROOT) + "/tests/conformance/junit.xsd",
                                    folder + "/conformance.xml"});
  EXPECT_EQ(valid.code, 0) << valid.out << valid.err;
}

TEST(Reports, OfARunThatHoldsAgree) {
  const TemporaryDirectory directory;
  EXPECT_EQ(run_with_all_reports({"--area", "META", "--area", "CAP"}, directory.path()), 0);
  expect_agreement(directory.path());
}

TEST(Reports, OfARunThatFailsAgree) {
  const TemporaryDirectory directory;
  EXPECT_EQ(run_with_all_reports({"--flavor", "local", "--rule", "KILL-00[1-4]", "--area", "KILL",
                                  "--set", kNoPrograms},
                                 directory.path()),
            1);
  expect_agreement(directory.path());
}

TEST(Reports, OfARunWithAListAgree) {
  const auto entry = [](const std::string& rules, const std::string& last_day) {
    return "- rule: " + rules +
           "\n  message: no program of that name\n  reason: no image\n"
           "  link: https://x.test/1\n  expires: " +
           last_day + "\n";
  };
  // All of it is listed; a part; an entry is over.
  const std::pair<std::string, int> lists[] = {{entry("SESSION-00[134]", "2999-12-31"), 0},
                                               {entry("SESSION-00[13]", "2999-12-31"), 1},
                                               {entry("SESSION-00[134]", "2020-12-31"), 1}};
  for (const auto& [text, code] : lists) {
    const TemporaryDirectory directory;
    EXPECT_EQ(
        run_with_all_reports({"--flavor", "local", "--rule", "SESSION-00[134]", "--set",
                              kNoPrograms, "--known-failures", directory.file("known.yaml", text)},
                             directory.path()),
        code)
        << text;
    expect_agreement(directory.path());
  }
}

TEST(Reports, TheHelpListsEveryKind) {
  EXPECT_THAT(run_binary({"run", "--help"}).out, AllOf(HasSubstr("junit "), HasSubstr("html "),
                                                       HasSubstr("md "), HasSubstr("badge ")));
}

}  // namespace
}  // namespace sandproof::apps
