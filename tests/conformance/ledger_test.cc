// SPDX-License-Identifier: Apache-2.0
// The contract keeps its word: ids never vanish and never change their meaning (docs/rules.ledger),
// what names a rule names one that is there, and docs/contract.md is the table. The checker itself
// is fed with what it must catch.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <source_location>
#include <string>
#include <vector>

#include "conformance/explain/contract_page.h"
#include "conformance/report/files.h"
#include "tests/conformance/ledger_check.h"

namespace sandproof::conformance {
namespace {

using contract::ledger_findings;
using contract::reference_findings;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

std::filesystem::path docs_path(const std::string& name) {
  const std::filesystem::path here = std::source_location::current().file_name();
  return here.parent_path().parent_path().parent_path() / "docs" / name;
}

std::string docs_file(const std::string& name) {
  return read_whole_file(docs_path(name), "the page");
}

std::vector<std::string> committed_ledger() {
  return contract::ledger_lines(docs_file("rules.ledger"));
}

TEST(Ledger, AgreesWithTheTable) {
  EXPECT_THAT(committed_ledger(), testing::SizeIs(all_rules().size()));
  EXPECT_THAT(ledger_findings(committed_ledger(), all_rules()), IsEmpty());
}

TEST(Ledger, EveryCaseAndMutantNamesARuleThatIsThere) {
  EXPECT_THAT(reference_findings(all_rules(), all_cases(), all_mutants()), IsEmpty());
}

TEST(ContractPage, IsTheTable) {
  // As one comparison of two long texts a difference could not be read.
  const std::string expected = contract_page(all_rules());
  const std::string actual = docs_file("contract.md");
  const auto [a, b] = std::mismatch(expected.begin(), expected.end(), actual.begin(), actual.end());
  const auto around = [](const std::string& text, std::string::const_iterator at) {
    const auto offset = static_cast<std::size_t>(at - text.begin());
    return text.substr(offset < 60 ? 0 : offset - 60, 120);
  };
  EXPECT_TRUE(expected == actual)
      << "docs/contract.md is not what the table of rules says; `scripts/contract` writes it.\n"
      << "table: " << around(expected, a) << "\npage:  " << around(actual, b);
}

TEST(ContractPage, HasEveryRuleWithItsSentenceAndItsReason) {
  const std::string page = contract_page(all_rules());
  for (const Rule& rule : all_rules()) {
    EXPECT_THAT(page, HasSubstr("### " + std::string(rule.id) + "\n"));
    EXPECT_THAT(page, HasSubstr(std::string(rule.sentence)));
    EXPECT_THAT(page, HasSubstr(std::string(rule.intent)));
    for (const std::string_view bug : rule.bugs) {
      EXPECT_THAT(page, HasSubstr("(" + std::string(bug) + ")"));
    }
  }
  EXPECT_EQ(page.find('{'), page.find("{0,62}")) << "a placeholder is left";
}

// ---- The checker -----------------------------------------------------------------------------

/// Three rules, and the ledger that fits them.
class LedgerCheck : public testing::Test {
 protected:
  static Rule rule(std::string_view id, std::string_view sentence, Level level = Level::kMust) {
    Rule made{};
    made.id = id;
    made.level = level;
    made.sentence = sentence;
    return made;
  }
  std::vector<Rule> rules_ = {rule("A-001", "One."), rule("A-002", "Two.", Level::kShould),
                              rule("B-001", "Three.")};
  std::vector<std::string> ledger_ = {"A-001 M One.", "A-002 S Two.", "B-001 M Three."};
};

TEST_F(LedgerCheck, FindsNothingWhereAllIsWell) {
  EXPECT_THAT(ledger_findings(ledger_, rules_), IsEmpty());
}

TEST_F(LedgerCheck, FindsAnIdThatVanished) {
  rules_.erase(rules_.begin() + 1);
  EXPECT_THAT(ledger_findings(ledger_, rules_), ElementsAre("A-002 vanished from the table"));
}

TEST_F(LedgerCheck, FindsASentenceThatWasReworded) {
  rules_[2].sentence = "Four.";
  EXPECT_THAT(ledger_findings(ledger_, rules_),
              ElementsAre(AllOf(HasSubstr("B-001 is reworded"), HasSubstr("It was: Three."),
                                HasSubstr("It is: Four."))));
}

TEST_F(LedgerCheck, FindsALevelThatChanged) {
  rules_[1].level = Level::kMust;
  EXPECT_THAT(ledger_findings(ledger_, rules_), ElementsAre(HasSubstr("A-002 was S and is M")));
}

TEST_F(LedgerCheck, FindsAnIdThatIsUsedTwice) {
  rules_.push_back(rule("A-001", "One more."));
  EXPECT_THAT(ledger_findings(ledger_, rules_), ElementsAre("the table has A-001 twice"));
  rules_.pop_back();
  ledger_.emplace_back("A-001 M One.");
  EXPECT_THAT(ledger_findings(ledger_, rules_), ElementsAre("the ledger has A-001 twice"));
}

TEST_F(LedgerCheck, FindsAnotherOrder) {
  std::swap(rules_[0], rules_[1]);
  EXPECT_THAT(ledger_findings(ledger_, rules_),
              ElementsAre("the order differs: A-002 stands where the ledger has A-001"));
}

TEST_F(LedgerCheck, FindsANewRuleAndGivesItsLine) {
  rules_.insert(rules_.begin() + 2, rule("A-003", "New."));
  EXPECT_THAT(ledger_findings(ledger_, rules_), ElementsAre(HasSubstr("is: A-003 M New.")));
}

TEST_F(LedgerCheck, FindsAMeaningThatMovedToAnotherId) {
  std::swap(rules_[0].sentence, rules_[2].sentence);
  EXPECT_THAT(ledger_findings(ledger_, rules_),
              ElementsAre(HasSubstr("A-001 is reworded"), HasSubstr("B-001 is reworded")));
}

TEST_F(LedgerCheck, FindsALineThatIsNone) {
  for (const char* line : {"", "A-004", "A-4 M x", "a-004 M x", "A-004 X x", "A-004 M "}) {
    auto ledger = ledger_;
    ledger.emplace_back(line);
    EXPECT_THAT(ledger_findings(ledger, rules_), ElementsAre(HasSubstr("a line that is none")))
        << line;
  }
}

TEST_F(LedgerCheck, FindsACaseAndAMutantWithoutARule) {
  Case without{"Without", {}, nullptr};
  Case unknown{"Unknown", {"A-001", "A-009"}, nullptr};
  Mutant mutant{};
  mutant.name = "Stray";
  mutant.rule = "B-002";
  EXPECT_THAT(
      reference_findings(rules_, {Case{"Good", {"A-001"}, nullptr}, without, unknown}, {mutant}),
      ElementsAre("the case Without names no rule",
                  "the case Unknown names the rule `A-009`, which is not in the table",
                  "the mutant Stray names the rule `B-002`, which is not in the table"));
}

TEST(LedgerLines, LeaveCommentsOut) {
  EXPECT_THAT(contract::ledger_lines("# x\nA-001 M One.\n#\nB-001 S Two.\n"),
              ElementsAre("A-001 M One.", "B-001 S Two."));
}

}  // namespace
}  // namespace sandproof::conformance
