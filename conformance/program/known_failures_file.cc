// SPDX-License-Identifier: Apache-2.0
// The known-failures file; see known_failures_file.h. The one place that knows YAML.
#include "conformance/program/known_failures_file.h"

#include <fmt/format.h>
#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <chrono>
#include <set>
#include <sstream>
#include <utility>

#include "conformance/program/case_filter.h"
#include "conformance/program/nearest.h"
#include "conformance/program/program_error.h"
#include "conformance/report/files.h"

namespace sandproof::conformance {
namespace {

/// Thousands of entries; more is not a list that somebody keeps.
constexpr std::size_t kLargestFile = std::size_t{1024} * 1024;

constexpr const char* kFlakyRefused =
    "an entry that accepts a pass and a failure alike can never fail, so nothing would be noticed "
    "any more; find the race, or leave the case out with a filter while somebody looks for it";

struct Field {
  const char* name;
  std::string KnownFailure::*text;
};

/// In the order in which they are written.
constexpr Field kFields[] = {
    {"case", &KnownFailure::test_case},  {"rule", &KnownFailure::rule},
    {"flavor", &KnownFailure::flavor},   {"outcome", &KnownFailure::outcome},
    {"message", &KnownFailure::message}, {"reason", &KnownFailure::reason},
    {"link", &KnownFailure::link},       {"expires", &KnownFailure::expires},
};

const std::vector<std::string> kListedOutcomes = {"failed", "error", "timeout", "crashed"};

std::vector<std::string> field_names() {
  std::vector<std::string> names;
  for (const Field& field : kFields) names.emplace_back(field.name);
  return names;
}

std::int64_t line_of(const YAML::Mark& mark) { return std::int64_t{mark.line} + 1; }

[[noreturn]] void refuse(const std::string& file, std::int64_t line, const std::string& what) {
  throw usage_error(fmt::format("{}:{}: {}", file, line, what));
}

std::vector<YAML::Node> documents_of(const std::string& text, const std::string& file) {
  if (text.size() > kLargestFile) {
    throw usage_error(fmt::format("the known-failures file {} has {} bytes; the most is {}", file,
                                  text.size(), kLargestFile));
  }
  try {
    // The parser takes a carriage return for a line's end only before a newline: of a file with
    // such ends that lost its last byte it would be a part of the last value.
    return YAML::LoadAll(text.ends_with('\r') ? text + '\n' : text);
  } catch (const YAML::Exception& error) {
    refuse(file, error.mark.is_null() ? 1 : line_of(error.mark),
           fmt::format("this is not YAML: {} (a text with `: `, ` #` or a quote in it, or with a "
                       "sign at its start, has to stand in quotes)",
                       error.msg));
  }
}

bool is_date(const std::string& text) {
  constexpr std::string_view kForm = "dddd-dd-dd";
  if (text.size() != kForm.size()) return false;
  for (std::size_t i = 0; i < kForm.size(); ++i) {
    const bool digit = text[i] >= '0' && text[i] <= '9';
    if (kForm[i] == 'd' ? !digit : text[i] != kForm[i]) return false;
  }
  const auto number = [&text](std::size_t at, std::size_t size) {
    return std::stoi(text.substr(at, size));
  };
  return std::chrono::year_month_day(std::chrono::year(number(0, 4)),
                                     std::chrono::month(static_cast<unsigned>(number(5, 2))),
                                     std::chrono::day(static_cast<unsigned>(number(8, 2))))
      .ok();
}

/// One `name: value` into the entry.
void take_field(const YAML::Node& key, const YAML::Node& value, const std::string& file,
                KnownFailure& entry) {
  const std::int64_t line = line_of(key.Mark());
  if (!key.IsScalar()) refuse(file, line, "the name of a field has to be a word");
  const std::string name = key.Scalar();
  if (name == "flaky") refuse(file, line, fmt::format("`flaky` is no field: {}", kFlakyRefused));
  const auto* const field = std::find_if(std::begin(kFields), std::end(kFields),
                                         [&name](const Field& f) { return name == f.name; });
  if (field == std::end(kFields)) {
    refuse(file, line,
           fmt::format("there is no field `{}`{}", name, suggestion(name, field_names())));
  }
  std::string& text = entry.*field->text;
  if (!text.empty()) refuse(file, line, fmt::format("`{}` is given twice", name));
  if (!value.IsScalar() && !value.IsNull()) {
    refuse(file, line, fmt::format("`{}` has to be one text, not a list or a map", name));
  }
  if (value.IsNull() || value.Scalar().find_first_not_of(" \t\r\n") == std::string::npos) {
    refuse(file, line, fmt::format("`{}` is empty; say something or take it out", name));
  }
  text = value.Scalar();
}

void check_outcome(const KnownFailure& entry, const std::string& file) {
  if (entry.outcome.empty()) return;
  if (entry.outcome == "flaky") {
    refuse(file, entry.line, fmt::format("`outcome: flaky` is refused: {}", kFlakyRefused));
  }
  if (std::find(kListedOutcomes.begin(), kListedOutcomes.end(), entry.outcome) !=
      kListedOutcomes.end()) {
    return;
  }
  refuse(file, entry.line,
         fmt::format("`outcome` cannot be `{}`; it is one of {}", entry.outcome,
                     fmt::join(kListedOutcomes, ", ")));
}

void check_entry(const KnownFailure& entry, const std::string& file) {
  if (entry.test_case.empty() && entry.rule.empty()) {
    refuse(file, entry.line,
           "the entry has neither `case` nor `rule`; it has to say what fails, such as `case: "
           "KillIsIdempotent` or `rule: KILL-00*`");
  }
  if (!entry.test_case.empty() && !entry.rule.empty()) {
    refuse(file, entry.line, "the entry has both `case` and `rule`; take one of them out");
  }
  check_outcome(entry, file);
  if (entry.message.empty() && entry.outcome != "timeout" && entry.outcome != "crashed") {
    refuse(file, entry.line,
           "the entry has no `message`; give a part of what the failure says, so that another "
           "failure is not taken for this one (only with `outcome: timeout` or `outcome: crashed` "
           "it may be left out)");
  }
  if (entry.reason.empty()) {
    refuse(file, entry.line, "the entry has no `reason`; say why this failure is accepted");
  }
  if (entry.expires.empty()) {
    refuse(file, entry.line,
           "the entry has no `expires`; give the last day on which this failure is accepted, as "
           "`expires: 2027-02-28` (what stays for good is a deviation of the binding)");
  }
  if (!is_date(entry.expires)) {
    refuse(file, entry.line,
           fmt::format("`expires` is `{}`; it has to be a day such as 2027-02-28", entry.expires));
  }
}

KnownFailure entry_of(const YAML::Node& node, const std::string& file) {
  KnownFailure entry;
  entry.line = line_of(node.Mark());
  if (!node.IsMap()) {
    refuse(file, entry.line, "an entry has to be fields such as `case: KillIsIdempotent`");
  }
  for (const auto& pair : node) take_field(pair.first, pair.second, file, entry);
  check_entry(entry, file);
  return entry;
}

void take_entries(const YAML::Node& list, KnownFailuresFile& file) {
  file.in_lines = list.Style() != YAML::EmitterStyle::Flow;
  file.indent = list.Mark().column < 0 ? 0 : static_cast<std::size_t>(list.Mark().column);
  for (const YAML::Node& node : list) {
    KnownFailure entry = entry_of(node, file.name);
    // Two names for one node, or two entries on one line.
    if (!file.entries.empty() && entry.line <= file.entries.back().line) file.in_lines = false;
    for (const KnownFailure& other : file.entries) {
      if (!says_the_same(entry, other)) continue;
      refuse(file.name, entry.line,
             fmt::format("the entry says the same as that of line {}; take one of them out",
                         other.line));
    }
    file.entries.push_back(std::move(entry));
  }
}

}  // namespace

KnownFailuresFile parse_known_failures(std::string text, std::string name) {
  KnownFailuresFile file;
  file.name = std::move(name);
  file.text = std::move(text);
  const std::vector<YAML::Node> documents = documents_of(file.text, file.name);
  if (documents.size() > 1) {
    refuse(file.name, line_of(documents[1].Mark()),
           "a second YAML document begins here; the file has to be one list");
  }
  if (documents.empty() || documents[0].IsNull()) return file;
  if (!documents[0].IsSequence()) {
    refuse(file.name, line_of(documents[0].Mark()),
           "the file has to be a list, each entry of which begins as `- case: KillIsIdempotent` or "
           "`- rule: KILL-00*`");
  }
  take_entries(documents[0], file);
  return file;
}

KnownFailuresFile read_known_failures(const std::filesystem::path& path, bool must_exist) {
  std::error_code error;
  if (!must_exist && !std::filesystem::exists(path, error) && !error) {
    return parse_known_failures("", path.string());
  }
  std::string text;
  try {
    text = read_whole_file(path, "the known-failures file");
  } catch (const std::runtime_error& trouble) {
    throw usage_error(trouble.what());
  }
  return parse_known_failures(std::move(text), path.string());
}

void check_in_lines(const KnownFailuresFile& file) {
  if (file.in_lines) return;
  throw usage_error(fmt::format(
      "the known-failures file {} cannot be changed line by line: write each entry as a "
      "list item of its own, without anchors",
      file.name));
}

void look_up(KnownFailure& entry, const Suite& suite) {
  for (const Case& test_case : *suite.cases) {
    if (test_case.rules.empty()) continue;
    const std::string rule(test_case.rules.front());
    if (lists_case(entry, std::string(test_case.name), rule)) ++entry.suite_cases;
  }
  const std::vector<std::string> bindings = binding_names(suite);
  for (const std::string& name : bindings) {
    if (lists_flavor(entry, name)) entry.flavors.push_back(name);
  }
  if (entry.flavors.empty()) {
    entry.nearest = nearest_names(entry.flavor, bindings);
  } else if (entry.suite_cases == 0) {
    entry.nearest = entry.rule.empty() ? nearest_names(entry.test_case, case_names(suite))
                                       : nearest_names(entry.rule, rule_ids(suite));
    // A rule that is there and has no case.
    std::erase(entry.nearest, entry.rule);
  }
}

std::string entry_text(const KnownFailure& entry, std::size_t indent) {
  YAML::Emitter emitter;
  emitter << YAML::BeginSeq << YAML::BeginMap;
  for (const Field& field : kFields) {
    const std::string& text = entry.*field.text;
    if (text.empty()) continue;
    emitter << YAML::Key << field.name << YAML::Value;
    // Patterns and messages begin with signs that mean something in YAML.
    if (field.text == &KnownFailure::message) emitter << YAML::DoubleQuoted;
    emitter << text;
  }
  emitter << YAML::EndMap << YAML::EndSeq;
  std::istringstream lines(emitter.c_str());
  std::string result;
  for (std::string line; std::getline(lines, line);) {
    result += std::string(indent, ' ') + line + "\n";
  }
  return result;
}

}  // namespace sandproof::conformance
