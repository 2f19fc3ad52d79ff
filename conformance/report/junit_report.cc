// SPDX-License-Identifier: Apache-2.0
// Writes JUnit XML in the structure that the strict readers take (the schema of Jenkins' xUnit
// plugin): properties stand in the suite alone, the one of a case as `case.NAME.rules`.
#include "conformance/report/junit_report.h"

#include <fmt/format.h>

#include <optional>
#include <set>

#include "conformance/report/failure_text.h"
#include "conformance/report/findings.h"
#include "conformance/report/known_failures_text.h"
#include "conformance/report/markup.h"
#include "conformance/report/summary.h"
#include "conformance/report/terminal.h"
#include "conformance/report/verdict_words.h"
#include "sandproof/words.h"

namespace sandproof::conformance {
namespace {

/// The suite of the list, and the class of its cases.
constexpr const char* kKnownFailures = "known-failures";

/// The children of a test case are told apart by viewers: a failure is a verdict on the flavor, an
/// error is not.
enum class Ending { kPassed, kSkipped, kFailure, kError };

struct TestCase {
  std::string class_name;
  std::string name;
  double duration_ms = 0;
  Ending ending = Ending::kPassed;
  /// One line; and which outcome it is.
  std::string message;
  std::string type;
  /// Several lines, for those that want to know.
  std::string text;
  std::string stderr_tail;
};

struct Property {
  std::string name;
  std::string value;
};

struct TestSuite {
  std::string name;
  std::vector<Property> properties;
  std::vector<TestCase> cases;

  std::size_t count(Ending ending) const {
    std::size_t result = 0;
    for (const TestCase& test_case : cases) result += test_case.ending == ending ? 1 : 0;
    return result;
  }
  double duration_ms() const {
    double result = 0;
    for (const TestCase& test_case : cases) result += test_case.duration_ms;
    return result;
  }
};

/// Jenkins takes what is before the last dot for a package.
std::string class_name_of(const FlavorResult& flavor, const std::string& rule_id) {
  return flavor.name + "." + rule_id.substr(0, rule_id.find('-'));
}

Ending ending_of(const RunModel& model, const CaseResult& result) {
  switch (result.outcome) {
    case Outcome::kPassed:
      return Ending::kPassed;
    case Outcome::kExpectedFailure:
    case Outcome::kUnsupported:
    case Outcome::kNotObservable:
      return Ending::kSkipped;
    case Outcome::kNotRun:
      // That the run is incomplete is said once, not once for each.
      if (!model.complete) return Ending::kSkipped;
      break;
    default:
      break;
  }
  if (!is_about_must(model, result)) return Ending::kSkipped;
  const bool verdict =
      result.outcome == Outcome::kFailed || result.outcome == Outcome::kUnexpectedPass;
  return verdict ? Ending::kFailure : Ending::kError;
}

std::string first_sentence(const RunModel& model, const CaseResult& result) {
  const RuleInfo* rule = model.find_rule(result.rules.front());
  return fmt::format("{}: {}", result.rules.front(), rule == nullptr ? "" : rule->sentence);
}

/// Why it was skipped, or which rule does not hold.
std::string junit_message(const RunModel& model, const CaseResult& result, Ending ending) {
  switch (result.outcome) {
    case Outcome::kPassed:
      return {};
    case Outcome::kUnsupported:
    case Outcome::kNotObservable:
      return fmt::format("{}: {}", words_of(result.outcome), result.reason);
    case Outcome::kExpectedFailure:
      return fmt::format("{}: {}",
                         result.known_failure ? "a known failure" : words_of(result.outcome),
                         result.deviation);
    case Outcome::kNotRun:
      return fmt::format("{}: {}", words_of(result.outcome),
                         result.reason.empty() ? why_incomplete(model) : result.reason);
    default:
      break;
  }
  std::string sentence = first_sentence(model, result);
  if (ending != Ending::kSkipped) return sentence;
  return fmt::format("a warning, since the rule is a SHOULD: {}; {}", ending_text(result),
                     sentence);
}

TestCase test_case_of(const RunModel& model, const FlavorResult& flavor, const CaseResult& result) {
  // The reader is a browser: a line may be long, symbols may be used.
  Terminal page;
  page.utf8 = true;
  page.width = 100;
  TestCase test_case;
  test_case.class_name = class_name_of(flavor, result.rules.front());
  test_case.name = result.name;
  test_case.duration_ms = result.duration_ms;
  test_case.ending = ending_of(model, result);
  test_case.type = to_string(result.outcome);
  test_case.message = junit_message(model, result, test_case.ending);
  const bool ended_badly =
      result.outcome <= Outcome::kUnexpectedPass || result.outcome == Outcome::kExpectedFailure;
  if (ended_badly) {
    test_case.text = failure_text(model, flavor, result, page);
    test_case.stderr_tail = result.stderr_tail;
  }
  return test_case;
}

/// Rules that count against the flavor, but of which no case tells.
TestCase rule_case_of(const BrokenRule& broken) {
  TestCase test_case;
  test_case.class_name = class_name_of(*broken.flavor, broken.info->id);
  test_case.name = broken.info->id;
  test_case.ending = broken.info->must ? Ending::kFailure : Ending::kSkipped;
  test_case.type = to_string(broken.rule->state);
  test_case.message = fmt::format("{}: {}", broken.info->id, broken.info->sentence);
  test_case.text = fmt::format("{}\n    {}\n    {}\n", broken.info->id, broken.info->sentence,
                               broken.rule->reason);
  return test_case;
}

/// What is wrong with the run as a whole: without it, a file could look good.
std::optional<TestCase> run_case(const RunModel& model, const std::string& suite) {
  const bool nothing = run_verdict(model).name == "nothing_selected";
  if (model.complete && !nothing) return std::nullopt;
  TestCase test_case;
  test_case.class_name = suite + ".run";
  test_case.name = nothing ? "SomethingIsSelected" : "RunIsComplete";
  // What --fail-fast stopped at is an error or a failure of its own.
  const bool judged = run_verdict(model).tone == Tone::kBad;
  test_case.ending = judged ? Ending::kSkipped : Ending::kError;
  test_case.type = judged ? "stopped" : run_verdict(model).name;
  test_case.message =
      nothing ? "nothing was selected"
              : fmt::format("{}: {}", judged ? "stopped" : "incomplete", why_incomplete(model));
  return test_case;
}

std::vector<Property> run_properties(const RunModel& model) {
  std::vector<Property> properties = {{"version", model.version},
                                      {"started_at", model.started_at},
                                      {"argv", quote_words(model.argv)},
                                      {"seed", std::to_string(model.seed)},
                                      {"time_scale", fmt::format("{:g}", model.time_scale)},
                                      {"jobs", std::to_string(model.jobs)},
                                      {"shuffled", model.shuffled ? "true" : "false"},
                                      {"filtered", model.filtered ? "true" : "false"},
                                      {"complete", model.complete ? "true" : "false"},
                                      {"exit_code", std::to_string(exit_code_of(model))}};
  if (!model.mutant.empty()) properties.push_back({"mutant", model.mutant});
  return properties;
}

void add_case_properties(const RunModel& model, const FlavorResult& flavor,
                         const CaseResult& result, std::vector<Property>& properties) {
  const auto add = [&properties, &result](std::string_view what, std::string value) {
    properties.push_back({fmt::format("case.{}.{}", result.name, what), std::move(value)});
  };
  add("outcome", std::string(to_string(result.outcome)));
  add("rules", fmt::format("{}", fmt::join(result.rules, " ")));
  if (result.seed) add("seed", std::to_string(*result.seed));
  // Of the others it can be made from these: a run has hundreds that passed.
  if (result.outcome < Outcome::kPassed) add("replay", replay_line(model, flavor, result));
}

TestSuite suite_of(const RunModel& model, const FlavorResult& flavor) {
  TestSuite suite;
  suite.name = flavor.name;
  suite.properties = run_properties(model);
  suite.properties.push_back({"flavor", flavor.name});
  suite.properties.push_back({"verdict", std::string(to_string(flavor.verdict))});
  for (const CaseResult& result : flavor.cases) {
    add_case_properties(model, flavor, result, suite.properties);
    suite.cases.push_back(test_case_of(model, flavor, result));
  }
  for (const BrokenRule& broken : rules_broken_without_case(model)) {
    if (broken.flavor == &flavor) suite.cases.push_back(rule_case_of(broken));
  }
  if (const auto test_case = run_case(model, suite.name)) suite.cases.push_back(*test_case);
  return suite;
}

TestCase entry_case(const KnownFailureResult& result) {
  TestCase test_case;
  test_case.class_name = kKnownFailures;
  test_case.name = title_of(result.entry);
  test_case.type = to_string(result.state);
  if (is_problem(result.state)) test_case.ending = Ending::kFailure;
  if (result.state == EntryState::kNotJudged) test_case.ending = Ending::kSkipped;
  if (test_case.ending == Ending::kPassed) return test_case;
  test_case.message = result.detail.empty() ? std::string(words_of(result.state)) : result.detail;
  const KnownFailure& entry = result.entry;
  test_case.text =
      fmt::format("line {}\nmessage: {}\nreason: {}\n", entry.line, entry.message, entry.reason);
  if (!entry.link.empty()) test_case.text += fmt::format("link: {}\n", entry.link);
  test_case.text += fmt::format("expires: {}\n", entry.expires);
  return test_case;
}

/// The list is judged beside the flavors: without this, a file could be green where the run is not.
TestSuite suite_of(const RunModel& model, const KnownFailuresResult& known) {
  TestSuite suite;
  suite.name = kKnownFailures;
  suite.properties = run_properties(model);
  suite.properties.push_back({"known_failures", known.file});
  suite.properties.push_back({"hold", known.hold() ? "true" : "false"});
  std::set<std::string> names;
  for (const KnownFailureResult& result : known.entries) {
    TestCase test_case = entry_case(result);
    // Entries may differ in their message alone.
    if (!names.insert(test_case.name).second) {
      test_case.name += fmt::format(" (line {})", result.entry.line);
    }
    suite.cases.push_back(std::move(test_case));
  }
  TestCase unlisted;
  unlisted.class_name = kKnownFailures;
  unlisted.name = "EveryFailureIsListed";
  if (!known.unlisted.empty()) {
    unlisted.ending = Ending::kFailure;
    unlisted.type = "unlisted";
    unlisted.message = fmt::format("not listed: {}", count_text(known.unlisted.size(), "failure"));
    for (const ListedCase& listed : known.unlisted) {
      unlisted.text += fmt::format("{} on {}\n", listed.name, listed.flavor);
    }
  }
  suite.cases.push_back(std::move(unlisted));
  return suite;
}

std::string attribute(std::string_view text) { return escape_markup(printable(text, false)); }

/// With its newlines, which a parser would take for blanks: it may be a line for a shell.
std::string property_value(std::string_view text) {
  std::string result;
  for (const char c : escape_markup(text)) {
    if (c == '\n') {
      result += "&#10;";
    } else {
      result += c;
    }
  }
  return result;
}

std::string seconds(double milliseconds) {
  constexpr double kSecond = 1000;
  return fmt::format("{:.3f}", milliseconds / kSecond);
}

std::string ending_xml(const TestCase& test_case) {
  if (test_case.ending == Ending::kPassed) return {};
  const char* const element = test_case.ending == Ending::kSkipped   ? "skipped"
                              : test_case.ending == Ending::kFailure ? "failure"
                                                                     : "error";
  return fmt::format("      <{0} type=\"{1}\" message=\"{2}\">{3}</{0}>\n", element,
                     attribute(test_case.type), attribute(test_case.message),
                     escape_markup(test_case.text));
}

std::string case_xml(const TestCase& test_case) {
  const std::string start = fmt::format("    <testcase classname=\"{}\" name=\"{}\" time=\"{}\"",
                                        attribute(test_case.class_name), attribute(test_case.name),
                                        seconds(test_case.duration_ms));
  const std::string ending = ending_xml(test_case);
  const std::string tail = test_case.stderr_tail.empty()
                               ? ""
                               : fmt::format("      <system-err>{}</system-err>\n",
                                             escape_markup(test_case.stderr_tail));
  if (ending.empty() && tail.empty()) return start + "/>\n";
  return fmt::format("{}>\n{}{}    </testcase>\n", start, ending, tail);
}

std::string suite_xml(const TestSuite& suite, const std::string& timestamp) {
  std::string text = fmt::format(
      "  <testsuite name=\"{}\" tests=\"{}\" failures=\"{}\" errors=\"{}\" skipped=\"{}\""
      " time=\"{}\"{}>\n    <properties>\n",
      attribute(suite.name), suite.cases.size(), suite.count(Ending::kFailure),
      suite.count(Ending::kError), suite.count(Ending::kSkipped), seconds(suite.duration_ms()),
      timestamp);
  for (const Property& property : suite.properties) {
    text += fmt::format("      <property name=\"{}\" value=\"{}\"/>\n", attribute(property.name),
                        property_value(property.value));
  }
  text += "    </properties>\n";
  for (const TestCase& test_case : suite.cases) text += case_xml(test_case);
  return text + "  </testsuite>\n";
}

/// Times of JUnit have no zone; ours are UTC.
std::string timestamp_attribute(const RunModel& model) {
  std::string time = model.started_at;
  if (time.ends_with('Z')) time.pop_back();
  return time.empty() ? "" : fmt::format(" timestamp=\"{}\"", attribute(time));
}

}  // namespace

std::string to_junit_report(const RunModel& model) {
  std::vector<TestSuite> suites;
  for (const FlavorResult& flavor : model.flavors) suites.push_back(suite_of(model, flavor));
  if (suites.empty()) {
    TestSuite suite;
    suite.name = "sandproof";
    suite.properties = run_properties(model);
    if (const auto test_case = run_case(model, suite.name)) suite.cases.push_back(*test_case);
    suites.push_back(std::move(suite));
  }
  if (model.known_failures) suites.push_back(suite_of(model, *model.known_failures));
  std::size_t tests = 0;
  std::size_t failures = 0;
  std::size_t errors = 0;
  std::string body;
  for (const TestSuite& suite : suites) {
    tests += suite.cases.size();
    failures += suite.count(Ending::kFailure);
    errors += suite.count(Ending::kError);
    body += suite_xml(suite, timestamp_attribute(model));
  }
  return fmt::format(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
      "<testsuites name=\"sandproof\" tests=\"{}\" failures=\"{}\" errors=\"{}\" time=\"{}\">\n"
      "{}</testsuites>\n",
      tests, failures, errors, seconds(model.elapsed_ms), body);
}

}  // namespace sandproof::conformance
