// SPDX-License-Identifier: Apache-2.0
// Comparing ledger and tables; see ledger_check.h.
#include "tests/conformance/ledger_check.h"

#include <fmt/format.h>

#include <map>
#include <regex>
#include <set>
#include <sstream>

namespace sandproof::conformance::contract {
namespace {

struct LedgerEntry {
  std::string level;
  std::string sentence;
};

/// The ids in their order, and what is said of each; repeated ids count once.
struct Ledger {
  std::vector<std::string> ids;
  std::map<std::string, LedgerEntry> entries;
};

std::string level_of(const Rule& rule) { return rule.level == Level::kMust ? "M" : "S"; }

Ledger read_lines(const std::vector<std::string>& lines, std::vector<std::string>& findings) {
  static const std::regex kForm(R"(([A-Z]+-[0-9]{3}) ([MS]) (\S.*))");
  Ledger ledger;
  for (const std::string& line : lines) {
    std::smatch parts;
    if (!std::regex_match(line, parts, kForm)) {
      findings.push_back(fmt::format("the ledger has a line that is none: {}", line));
    } else if (!ledger.entries.emplace(parts[1], LedgerEntry{parts[2], parts[3]}).second) {
      findings.push_back(fmt::format("the ledger has {} twice", parts[1].str()));
    } else {
      ledger.ids.push_back(parts[1]);
    }
  }
  return ledger;
}

void compare(const std::string& id, const LedgerEntry& entry, const Rule& rule,
             std::vector<std::string>& findings) {
  if (entry.level != level_of(rule)) {
    findings.push_back(
        fmt::format("{} was {} and is {}: a level never changes", id, entry.level, level_of(rule)));
  }
  if (entry.sentence != rule.sentence) {
    findings.push_back(fmt::format(
        "{} is reworded. It was: {} It is: {} A rule that means something else gets an id of its "
        "own; one that is only better said is changed in docs/rules.ledger, too",
        id, entry.sentence, rule.sentence));
  }
}

void compare_order(const Ledger& ledger, const std::vector<std::string>& table,
                   std::vector<std::string>& findings) {
  std::vector<std::string> here;
  for (const std::string& id : table) {
    if (ledger.entries.contains(id)) here.push_back(id);
  }
  const std::set<std::string> in_table(table.begin(), table.end());
  std::vector<std::string> there;
  for (const std::string& id : ledger.ids) {
    if (in_table.contains(id)) there.push_back(id);
  }
  for (std::size_t i = 0; i < here.size(); ++i) {
    if (here[i] == there[i]) continue;
    findings.push_back(
        fmt::format("the order differs: {} stands where the ledger has {}", here[i], there[i]));
    return;
  }
}

void check_reference(std::string_view kind, std::string_view name, std::string_view id,
                     const std::set<std::string_view>& known, std::vector<std::string>& findings) {
  if (known.contains(id)) return;
  findings.push_back(
      fmt::format("the {} {} names the rule `{}`, which is not in the table", kind, name, id));
}

}  // namespace

std::vector<std::string> ledger_lines(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) {
    if (!line.starts_with('#')) lines.push_back(line);
  }
  return lines;
}

std::string ledger_line(const Rule& rule) {
  return fmt::format("{} {} {}", rule.id, level_of(rule), rule.sentence);
}

std::vector<std::string> ledger_findings(const std::vector<std::string>& ledger,
                                         const std::vector<Rule>& rules) {
  std::vector<std::string> findings;
  const Ledger wanted = read_lines(ledger, findings);
  std::vector<std::string> table;
  std::set<std::string> in_table;
  for (const Rule& rule : rules) {
    const std::string id(rule.id);
    if (!in_table.insert(id).second) {
      findings.push_back(fmt::format("the table has {} twice", id));
      continue;
    }
    table.push_back(id);
    const auto entry = wanted.entries.find(id);
    if (entry == wanted.entries.end()) {
      findings.push_back(
          fmt::format("{} is new. Its line in docs/rules.ledger is: {}", id, ledger_line(rule)));
    } else {
      compare(id, entry->second, rule, findings);
    }
  }
  for (const std::string& id : wanted.ids) {
    if (!in_table.contains(id)) findings.push_back(fmt::format("{} vanished from the table", id));
  }
  compare_order(wanted, table, findings);
  return findings;
}

std::vector<std::string> reference_findings(const std::vector<Rule>& rules,
                                            const std::vector<Case>& cases,
                                            const std::vector<Mutant>& mutants) {
  std::set<std::string_view> known;
  for (const Rule& rule : rules) known.insert(rule.id);
  std::vector<std::string> findings;
  for (const Case& test_case : cases) {
    if (test_case.rules.empty()) {
      findings.push_back(fmt::format("the case {} names no rule", test_case.name));
    }
    for (const std::string_view id : test_case.rules) {
      check_reference("case", test_case.name, id, known, findings);
    }
  }
  for (const Mutant& mutant : mutants) {
    check_reference("mutant", mutant.name, mutant.rule, known, findings);
  }
  return findings;
}

}  // namespace sandproof::conformance::contract
