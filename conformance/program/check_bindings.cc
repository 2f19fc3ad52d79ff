// SPDX-License-Identifier: Apache-2.0
// The rules of a binding; see check_bindings.h.
#include "conformance/program/check_bindings.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/program/case_filter.h"
#include "conformance/program/nearest.h"
#include "conformance/program/program_error.h"

namespace sandproof::conformance {
namespace {

/// What still fits above a column of the matrix and into a command line.
constexpr std::size_t kLongestName = 40;

bool is_flavor_name(std::string_view name) {
  if (name.empty() || name.size() > kLongestName || name.front() < 'a' || name.front() > 'z') {
    return false;
  }
  constexpr std::string_view kAllowed = "abcdefghijklmnopqrstuvwxyz0123456789-_";
  return name.find_first_not_of(kAllowed) == std::string_view::npos;
}

/// "kCrossProcess" of "cross_process": what an author has to write.
std::string enumerator_of(Capability capability) {
  std::string text = "k";
  bool upper = true;
  for (const char c : to_string(capability)) {
    if (c != '_') text += upper ? static_cast<char>(std::toupper(c)) : c;
    upper = c == '_';
  }
  return text;
}

void check_flavor(const Flavor& flavor) {
  if (flavor.name.empty()) {
    throw usage_error("a binding has a flavor without a name: set Flavor::name");
  }
  if (!is_flavor_name(flavor.name)) {
    throw usage_error(fmt::format(
        "the flavor name `{}` is not one: it begins with a lower-case letter, and holds "
        "at most {} lower-case letters, digits, `-` and `_`",
        flavor.name, kLongestName));
  }
  if (!flavor.make_hooks) {
    throw usage_error(
        fmt::format("the flavor `{}` has no factory: set Flavor::make_hooks to a function that "
                    "returns its SandboxHooks",
                    flavor.name));
  }
}

void check_capabilities(const Binding& binding) {
  for (const Capability capability : all_capabilities()) {
    const auto reason = binding.unclaimed.find(capability);
    if (binding.flavor.capabilities.has(capability)) {
      if (reason == binding.unclaimed.end()) continue;
      throw usage_error(
          fmt::format("the binding of `{}` claims the capability `{}` and says why it does not: "
                      "take one of the two out",
                      binding.name(), to_string(capability)));
    }
    if (reason != binding.unclaimed.end() && !reason->second.empty()) continue;
    throw usage_error(fmt::format(
        "the binding of `{0}` does not say why `{0}` does not claim the capability `{1}`: write "
        "binding.unclaimed[Capability::{2}] = \"the reason\", or claim it in Flavor::capabilities",
        binding.name(), to_string(capability), enumerator_of(capability)));
  }
}

/// What a binding says that it provides, it has to have the object for.
void check_provided(const Binding& binding, bool there, std::string_view member,
                    std::initializer_list<Need> needs) {
  for (const Need need : needs) {
    if (there || !binding.provides.contains(need)) continue;
    throw usage_error(fmt::format(
        "the binding of `{}` provides `{}` and has nothing to show it with: set Binding::{}, or "
        "take it out of Binding::provides",
        binding.name(), to_string(need), member));
  }
}

void check_needs(const Binding& binding) {
  check_provided(binding, binding.make_probe != nullptr, "make_probe",
                 {Need::kProcessTable, Need::kLeakCensus, Need::kIdentity, Need::kNoIsolation});
  check_provided(binding, binding.make_faults != nullptr, "make_faults",
                 {Need::kFailingStart, Need::kStoppableEnvironment});
  for (const auto& [need, reason] : binding.not_provided) {
    if (!binding.provides.contains(need)) continue;
    throw usage_error(
        fmt::format("the binding of `{}` provides `{}` and says why it does not: take one of the "
                    "two out",
                    binding.name(), to_string(need)));
  }
}

void check_deviations(const Suite& suite, const Binding& binding) {
  std::vector<std::string> seen;
  for (const Deviation& deviation : binding.deviations) {
    if (suite.find_rule(deviation.rule) == nullptr) {
      throw usage_error(
          fmt::format("the binding of `{}` declares a deviation from the rule `{}`, "
                      "which there is not{}",
                      binding.name(), deviation.rule, suggestion(deviation.rule, rule_ids(suite))));
    }
    if (deviation.reason.empty()) {
      throw usage_error(
          fmt::format("the binding of `{}` declares a deviation from {} without a "
                      "reason: set Deviation::reason",
                      binding.name(), deviation.rule));
    }
    if (std::find(seen.begin(), seen.end(), deviation.rule) != seen.end()) {
      throw usage_error(fmt::format("the binding of `{}` declares the deviation from {} twice",
                                    binding.name(), deviation.rule));
    }
    seen.push_back(deviation.rule);
  }
}

}  // namespace

void check_bindings(const Suite& suite) {
  if (suite.bindings.empty()) {
    throw usage_error("the program has no binding: pass run_program() at least one");
  }
  for (const Binding& binding : suite.bindings) {
    check_flavor(binding.flavor);
    if (suite.find_binding(binding.name()) != &binding) {
      throw usage_error(fmt::format("two bindings have the flavor name `{}`", binding.name()));
    }
    check_capabilities(binding);
    check_needs(binding);
    check_deviations(suite, binding);
  }
}

}  // namespace sandproof::conformance
