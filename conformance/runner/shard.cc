// SPDX-License-Identifier: Apache-2.0
// Dividing a run (shard.h): the largest group first, each to the part that has least so far.
#include "conformance/runner/shard.h"

#include <algorithm>
#include <map>
#include <tuple>

#include "conformance/runner/selection.h"

namespace sandproof::conformance {
namespace {

/// The cases of a flavor that stay together: indices into SelectedFlavor::cases.
struct ShardGroup {
  std::size_t flavor = 0;
  std::vector<std::size_t> cases;
  /// Where it stands in the suite's table.
  const Case* first = nullptr;
  /// The sum of the limits of those that run; what does not run costs nothing.
  std::chrono::milliseconds limit{0};
};

void add_groups(const Suite& suite, std::span<const SelectedFlavor> flavors, std::size_t index,
                std::vector<ShardGroup>& groups) {
  const SelectedFlavor& flavor = flavors[index];
  std::map<std::string_view, std::size_t> by_rule;
  for (std::size_t i = 0; i < flavor.cases.size(); ++i) {
    const Case& test_case = *flavor.cases[i];
    // A case without a rule, which only a test's suite has, stands for itself.
    const std::string_view key = test_case.rules.empty() ? test_case.name : test_case.rules.front();
    const auto [place, added] = by_rule.emplace(key, groups.size());
    if (added) groups.push_back({index, {}, &test_case, {}});
    ShardGroup& group = groups[place->second];
    group.cases.push_back(i);
    const Disposition disposition = dispose(suite, test_case, *flavor.binding);
    if (disposition.kind == DispositionKind::kRun) group.limit += test_case.limit;
  }
}

/// The largest first, and a rule's groups of all flavors after each other: what takes long on one
/// flavor does on the others, and neighbours go to different parts.
std::vector<ShardGroup> groups_of(const Suite& suite, std::span<const SelectedFlavor> flavors) {
  std::vector<ShardGroup> groups;
  for (std::size_t i = 0; i < flavors.size(); ++i) add_groups(suite, flavors, i, groups);
  std::stable_sort(groups.begin(), groups.end(), [](const ShardGroup& a, const ShardGroup& b) {
    return std::tuple(b.limit, b.cases.size(), a.first) <
           std::tuple(a.limit, a.cases.size(), b.first);
  });
  return groups;
}

}  // namespace

std::vector<std::vector<int>> partition(const Suite& suite, std::span<const SelectedFlavor> flavors,
                                        int total) {
  struct Load {
    std::chrono::milliseconds limit{0};
    std::size_t cases = 0;
  };
  std::vector<Load> loads(static_cast<std::size_t>(std::max(total, 1)));
  std::vector<std::vector<int>> parts;
  for (const SelectedFlavor& flavor : flavors) parts.emplace_back(flavor.cases.size());
  for (const ShardGroup& group : groups_of(suite, flavors)) {
    const auto least =
        std::min_element(loads.begin(), loads.end(), [](const Load& a, const Load& b) {
          return std::tuple(a.limit, a.cases) < std::tuple(b.limit, b.cases);
        });
    least->limit += group.limit;
    least->cases += group.cases.size();
    for (const std::size_t index : group.cases) {
      parts[group.flavor][index] = static_cast<int>(least - loads.begin()) + 1;
    }
  }
  return parts;
}

void take_shard(const Suite& suite, RunOptions& options) {
  if (!options.shard) return;
  const std::vector<std::vector<int>> parts =
      partition(suite, options.flavors, options.shard->total);
  for (std::size_t f = 0; f < options.flavors.size(); ++f) {
    SelectedFlavor& flavor = options.flavors[f];
    std::vector<const Case*> mine;
    for (std::size_t i = 0; i < flavor.cases.size(); ++i) {
      if (parts[f][i] == options.shard->index) {
        mine.push_back(flavor.cases[i]);
      } else {
        flavor.others.push_back({flavor.cases[i], parts[f][i]});
      }
    }
    flavor.cases = std::move(mine);
  }
}

}  // namespace sandproof::conformance
