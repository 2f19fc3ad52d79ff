// SPDX-License-Identifier: Apache-2.0
// Cases as tests of GoogleTest; see sandproof/conformance/googletest.h.
#include "sandproof/conformance/googletest.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>

#include "conformance/program/check_bindings.h"
#include "conformance/program/program_error.h"
#include "conformance/program/single_case.h"
#include "conformance/report/failure_text.h"
#include "conformance/report/shell_line.h"
#include "conformance/runner/run.h"
#include "conformance/runner/selection.h"
#include "sandproof/errors.h"

namespace sandproof::conformance {
namespace {

/// What every test shares. Immutable once the tests are registered.
struct Door {
  Suite suite;
  std::string program;
  std::string config_json;
  double time_scale = 1;
  /// Where register_cases() was called: the place of a test.
  std::source_location where;
};

/// GTEST_SKIP() at a place of our choice: the reader's program rather than this file.
void skip_at(const std::source_location& where, const std::string& reason) {
  testing::internal::AssertHelper(testing::TestPartResult::kSkip, where.file_name(),
                                  static_cast<int>(where.line()), "") = testing::Message()
                                                                        << reason;
}

/// Of `my-flavor` and `KILL-004`: "my_flavor/KILL".
std::string test_suite_name(const Binding& binding, const Case& test_case) {
  std::string name = binding.name();
  std::replace_if(
      name.begin(), name.end(),
      [](char c) { return std::isalnum(static_cast<unsigned char>(c)) == 0; }, '_');
  const std::string_view rule = test_case.rules.front();
  return name + "/" + std::string(rule.substr(0, rule.find('-')));
}

/// How a person runs this test again.
std::string test_line(const Door& door, const Binding& binding, const Case& test_case,
                      std::int64_t seed) {
  return fmt::format(
      "{} --gtest_filter={} --gtest_random_seed={}", shell_word(door.program),
      shell_word(fmt::format("{}.{}", test_suite_name(binding, test_case), test_case.name)), seed);
}

/// Whether a passing case says that its rule holds, against what the binding declares. Where the
/// rule has more cases, another one may be the one that fails.
bool is_only_case_of_its_rule(const Suite& suite, const Case& test_case) {
  return std::count_if(suite.cases->begin(), suite.cases->end(), [&](const Case& other) {
           return other.rules.front() == test_case.rules.front();
         }) == 1;
}

class CaseTest : public testing::Test {
 public:
  CaseTest(std::shared_ptr<const Door> door, const Binding& binding, const Case& test_case)
      : door_(std::move(door)), binding_(binding), test_case_(test_case) {}

  void TestBody() override {
    RecordProperty("rules", fmt::format("{}", fmt::join(test_case_.rules, " ")));
    const Disposition disposition = dispose(door_->suite, test_case_, binding_);
    if (disposition.kind != DispositionKind::kRun) {
      return skip_at(door_->where,
                     fmt::format("{}: {}", test_case_.rules.front(), disposition.reason));
    }
    seed_ = GTEST_FLAG_GET(random_seed);
    RecordProperty("seed", seed_);
    try {
      RunModel model = run_single_case({&binding_, &test_case_, door_->config_json,
                                        static_cast<std::uint64_t>(seed_), door_->time_scale});
      model.replay_line = test_line(*door_, binding_, test_case_, seed_);
      judge(model);
    } catch (const std::exception& error) {
      FAIL() << test_case_.rules.front() << "  the case could not be run: " << error.what();
    }
  }

 private:
  void judge(const RunModel& model) {
    if (model.flavors.empty() || model.flavors.front().cases.empty()) {
      FAIL() << test_case_.rules.front() << "  the runner ended before the case began";
    }
    const FlavorResult& flavor = model.flavors.front();
    const CaseResult& result = flavor.cases.front();
    switch (result.outcome) {
      case Outcome::kPassed:
        return;
      case Outcome::kUnexpectedPass:
        if (!is_only_case_of_its_rule(door_->suite, test_case_)) return;
        break;
      case Outcome::kExpectedFailure:
        return skip_at(door_->where, fmt::format("{} is a known deviation of this flavor: {}",
                                                 result.rules.front(), result.deviation));
      default:
        break;
    }
    tell(model, flavor, result);
  }

  void tell(const RunModel& model, const FlavorResult& flavor, const CaseResult& result) {
    const std::string text = failure_text(model, flavor, result, Terminal{});
    // The place of the assertion, where there is one: editors go there.
    const bool placed = !result.failures.empty() && !result.failures.front().file.empty();
    const std::string file = placed ? result.failures.front().file : door_->where.file_name();
    const int line = static_cast<int>(placed ? result.failures.front().line : door_->where.line());
    ADD_FAILURE_AT(file.c_str(), line) << "\n" << text;
  }

  std::shared_ptr<const Door> door_;
  const Binding& binding_;
  const Case& test_case_;
  std::int32_t seed_ = 0;
};

void check_options(const Door& door) {
  constexpr double kLargestScale = 100;
  if (!(door.time_scale > 0 && door.time_scale <= kLargestScale)) {
    throw usage_error(fmt::format("the time scale is {}; it has to be over 0 and at most {}",
                                  door.time_scale, kLargestScale));
  }
  std::map<std::string, std::string> flavor_by_suite;
  for (const Binding& binding : door.suite.bindings) {
    if (!door.config_json.empty()) binding.flavor.settings.from_json(door.config_json);
    if (door.suite.cases->empty()) continue;
    const std::string name = test_suite_name(binding, door.suite.cases->front());
    const auto [other, fresh] = flavor_by_suite.emplace(name, binding.name());
    if (fresh) continue;
    throw usage_error(
        fmt::format("the flavors `{}` and `{}` would be one test suite, {}: rename one of them",
                    other->second, binding.name(), name));
  }
}

void register_all(const std::shared_ptr<const Door>& door) {
  for (const Binding& binding : door->suite.bindings) {
    for (const Case& test_case : *door->suite.cases) {
      testing::RegisterTest(test_suite_name(binding, test_case).c_str(),
                            std::string(test_case.name).c_str(), nullptr, nullptr,
                            door->where.file_name(), static_cast<int>(door->where.line()),
                            [door, &binding, &test_case]() -> CaseTest* {
                              return new CaseTest(door, binding, test_case);
                            });
    }
  }
}

/// The exit code where this process is a part of a test, or where something is wrong.
std::optional<int> enter(const std::shared_ptr<Door>& door, int argc, char** argv) {
  if (argc > 1 && std::string_view(argv[1]) == kSingleCaseWord) {
    return single_case_main(door->suite);
  }
  if (const std::optional<int> code = run_hidden(door->suite, argc, argv)) return code;
  try {
    check_bindings(door->suite);
    check_options(*door);
    return std::nullopt;
  } catch (const ProgramError& error) {
    print_error(error.what());
    return static_cast<int>(error.code());
  } catch (const InvalidArgumentError& error) {
    print_error(error.what());
    return static_cast<int>(ExitCode::kUsage);
  }
}

}  // namespace

void register_cases(std::vector<Binding> bindings, int argc, char** argv, GoogleTestOptions options,
                    std::source_location where) {
  const auto door = std::make_shared<Door>();
  door->suite = whole_suite(std::move(bindings));
  door->program = argc > 0 ? argv[0] : "the test program";
  door->config_json = std::move(options.config_json);
  door->time_scale = options.time_scale;
  door->where = where;
  if (const std::optional<int> code = enter(door, argc, argv)) std::exit(*code);
  register_all(door);
}

}  // namespace sandproof::conformance
