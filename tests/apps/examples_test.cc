// SPDX-License-Identifier: Apache-2.0
// The examples of --help name the program that is asked, and a flavor that it has.
#include "conformance/program/examples.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/apps/run_binary.h"

namespace sandproof::apps {
namespace {

using conformance::ExampleNames;
using conformance::with_own_names;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

const ExampleNames kOwn = {"demo-conformance", "demo"};

TEST(Examples, NamesAreReplacedAndRemarksStayInAColumn) {
  EXPECT_EQ(with_own_names("Examples:\n"
                           "  sandproof run                   all\n"
                           "  sandproof run --flavor FLAVOR    one\n"
                           "  gdb --args sandproof replay --flavor FLAVOR\n\n"
                           "See `sandproof list`.",
                           kOwn),
            "Examples:\n"
            "  demo-conformance run                all\n"
            "  demo-conformance run --flavor demo  one\n"
            "  gdb --args demo-conformance replay --flavor demo\n\n"
            "See `demo-conformance list`.");
}

TEST(Examples, OtherWordsStay) {
  for (const char* text : {"/opt/sandproof/bin", "sandproof-tools", "FLAVORS",
                           "  two   columns\n  of   words\n", ""}) {
    EXPECT_EQ(with_own_names(text, kOwn), text);
  }
}

TEST(Examples, AnAuthorsProgramShowsItself) {
  for (const std::vector<std::string>& words : {std::vector<std::string>{},
                                                {"run"},
                                                {"list"},
                                                {"explain"},
                                                {"doctor"},
                                                {"replay"},
                                                {"mutants"},
                                                {"report"},
                                                {"report", "merge"},
                                                {"report", "convert"},
                                                {"diff"},
                                                {"verify"}}) {
    std::vector<std::string> command = words;
    command.emplace_back("--help");
    const BinaryResult result = run_broken_flavors(command);
    SCOPED_TRACE(words.empty() ? "" : words.back());
    EXPECT_EQ(result.code, 0);
    EXPECT_THAT(result.out, AllOf(HasSubstr("  broken_flavors "), Not(HasSubstr("sandproof ")),
                                  Not(HasSubstr("FLAVOR"))));
  }
  EXPECT_THAT(run_broken_flavors({"run", "--help"}).out, HasSubstr("run --flavor passed "));
}

}  // namespace
}  // namespace sandproof::apps
