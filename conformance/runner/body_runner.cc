// SPDX-License-Identifier: Apache-2.0
// One body, from an empty directory to its outcome (body_runner.h).
#include "conformance/runner/body_runner.h"

#include <exception>
#include <functional>
#include <system_error>
#include <utility>

#include "conformance/runner/ledger.h"
#include "conformance/runner/remove_tree.h"
#include "conformance/runner/type_name.h"

namespace sandproof::conformance::runner {
namespace {

// Calls `function`; the text of what it threw, or empty.
template <typename Function>
std::string thrown_by(const Function& function) {
  try {
    function();
  } catch (const std::exception& error) {
    return "threw " + type_name(error) + ": " + error.what();
  } catch (...) {
    return "threw something that is not a std::exception";
  }
  return {};
}

}  // namespace

BodyRunner::BodyRunner(const ContextParts& parts, AssertionCapture& capture, AssertionTally& tally,
                       std::filesystem::path temporary)
    : parts_(parts), capture_(capture), tally_(tally), temporary_(std::move(temporary)) {}

void BodyRunner::begin() {
  parts_.block->fired = 0;
  parts_.block->assertions = 0;
  tally_.take_places();
  tally_.take_left_out();
  capture_.begin();
  parts_.events->begin();
}

std::vector<std::string> BodyRunner::temporary_leftovers() {
  std::vector<std::string> left;
  std::error_code ignored;
  for (const auto& entry : std::filesystem::directory_iterator(temporary_, ignored)) {
    const char* const kind = entry.is_directory(ignored) ? "directory " : "file ";
    left.push_back(kind + entry.path().filename().string() + " in TMPDIR");
    const std::string trouble = remove_tree(entry.path());
    if (!trouble.empty()) left.push_back(trouble);
  }
  return left;
}

std::string BodyRunner::in_context(const std::filesystem::path& directory, std::uint64_t seed,
                                   std::vector<std::string>& left,
                                   const std::function<void(HarnessContext&)>& body) {
  std::string thrown;
  const std::string outside = thrown_by([&] {
    HarnessContext context(parts_, directory, seed);
    thrown = thrown_by([&] { body(context); });
    left = context.tear_down();
  });
  return thrown.empty() ? outside : thrown;
}

BodyResult BodyRunner::run(const Case& test_case, const std::filesystem::path& directory,
                           std::uint64_t seed) {
  begin();
  const auto start = std::chrono::steady_clock::now();
  std::vector<std::string> left;
  const std::string thrown =
      in_context(directory, seed, left, [&](HarnessContext& context) { test_case.body(context); });
  for (std::string& item : temporary_leftovers()) left.push_back(std::move(item));
  parts_.events->finish();
  if (!left.empty()) parts_.events->leftovers(left);

  BodyResult result;
  result.duration = std::chrono::duration_cast<std::chrono::milliseconds>(
      std::chrono::steady_clock::now() - start);
  result.assertions = parts_.block->assertions;
  result.places = tally_.take_places();
  result.left_out = tally_.take_left_out();
  if (capture_.failures() > 0) {
    result.outcome = "failed";
    result.message = thrown;
  } else if (!thrown.empty()) {
    result.outcome = "error";
    result.message = thrown;
  } else if (capture_.skipped()) {
    result.outcome = "error";
    result.message = "skipped itself: the conditions of a case stand in its row";
  } else if (result.assertions == 0) {
    result.outcome = "error";
    result.message = "asserted nothing";
  } else if (!left.empty()) {
    result.outcome = "error";
    result.message = left_behind(left);
  }
  return result;
}

RefusalResult BodyRunner::check(Capability capability, const std::filesystem::path& directory) {
  begin();
  RefusalResult result;
  std::vector<std::string> left;
  const std::string thrown = in_context(directory, 0, left, [&](HarnessContext& context) {
    result = check_refusal(context, capability);
  });
  for (std::string& item : temporary_leftovers()) left.push_back(std::move(item));
  if (!thrown.empty()) return {false, thrown};
  if (result.held && !left.empty()) return {false, left_behind(left)};
  return result;
}

}  // namespace sandproof::conformance::runner
