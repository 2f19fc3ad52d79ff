// SPDX-License-Identifier: Apache-2.0
// Whether a case runs on a binding (selection.h). Pure functions.
#include "conformance/runner/selection.h"

#include <string>

namespace sandproof::conformance {
namespace {

std::string quoted(Capability capability) { return "`" + std::string(to_string(capability)) + "`"; }

Disposition unsupported(const Binding& binding, Capability capability) {
  const auto why = binding.unclaimed.find(capability);
  std::string reason = binding.name() + " does not claim " + quoted(capability);
  if (why != binding.unclaimed.end() && !why->second.empty()) reason += ": " + why->second;
  return {DispositionKind::kUnsupported, std::move(reason), capability};
}

Disposition not_observable(std::string reason) {
  return {DispositionKind::kNotObservable, std::move(reason), std::nullopt};
}

Disposition missing(const Binding& binding, Need need) {
  const auto why = binding.not_provided.find(need);
  std::string reason = "needs " + std::string(to_string(need));
  if (why != binding.not_provided.end() && !why->second.empty()) reason += ": " + why->second;
  return not_observable(std::move(reason));
}

// What a case asks for: its own conditions and those of all its rules.
struct Conditions {
  std::vector<Capability> with;
  std::vector<Capability> without;
  std::vector<Need> needs;
};

Conditions conditions_of(const Suite& suite, const Case& test_case) {
  Conditions all{test_case.with, test_case.without, test_case.needs};
  for (const std::string_view id : test_case.rules) {
    const Rule* rule = suite.find_rule(id);
    if (rule == nullptr) continue;
    all.with.insert(all.with.end(), rule->capabilities.begin(), rule->capabilities.end());
    if (rule->unless) all.without.push_back(*rule->unless);
    all.needs.insert(all.needs.end(), rule->needs.begin(), rule->needs.end());
  }
  return all;
}

}  // namespace

std::string_view to_string(DispositionKind kind) {
  switch (kind) {
    case DispositionKind::kRun:
      return "run";
    case DispositionKind::kUnsupported:
      return "unsupported";
    case DispositionKind::kNotObservable:
      return "not_observable";
  }
  return "run";
}

Disposition dispose(const Suite& suite, const Case& test_case, const Binding& binding) {
  const Conditions conditions = conditions_of(suite, test_case);
  for (const Capability capability : conditions.with) {
    if (!binding.flavor.capabilities.has(capability)) return unsupported(binding, capability);
  }
  for (const Capability capability : conditions.without) {
    if (binding.flavor.capabilities.has(capability)) {
      return not_observable("applies where " + quoted(capability) + " is not claimed");
    }
  }
  for (const Need need : conditions.needs) {
    if (!binding.provides.contains(need)) return missing(binding, need);
  }
  return {};
}

std::uint64_t case_seed(std::uint64_t run_seed, std::string_view case_name) {
  // FNV-1a over the name, then the finaliser of splitmix64, so that neighbouring run seeds give
  // unrelated case seeds.
  std::uint64_t hash = 0xcbf29ce484222325;
  for (const char c : case_name) {
    hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
  }
  hash ^= run_seed + 0x9e3779b97f4a7c15;
  hash = (hash ^ (hash >> 30)) * 0xbf58476d1ce4e5b9;
  hash = (hash ^ (hash >> 27)) * 0x94d049bb133111eb;
  return hash ^ (hash >> 31);
}

}  // namespace sandproof::conformance
