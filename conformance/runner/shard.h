// SPDX-License-Identifier: Apache-2.0
// A run in parts, on several machines: which part each case belongs to. Pure functions of the suite
// and the selection, so that every part computes the same without talking to the others; any
// thread.
#pragma once

#include <span>
#include <vector>

#include "conformance/runner/run.h"

namespace sandproof::conformance {

/// There are fewer rules than this, so more parts would be empty.
inline constexpr int kMostShards = 1000;

/// For each flavor and each of its cases the part that runs it, from 1 to `total`: each case has
/// exactly one. What decides are limits, flavors and the suite; not jobs, order, seed or time
/// scale. Cases that a failure charges to the same rule stay together, since only together they
/// show whether a declared deviation is still there. The sums of the limits of what really runs
/// are as equal as that allows.
std::vector<std::vector<int>> partition(const Suite& suite, std::span<const SelectedFlavor> flavors,
                                        int total);

/// Leaves each flavor the cases of `options.shard` and moves the rest to `others`. Without a shard
/// nothing changes.
void take_shard(const Suite& suite, RunOptions& options);

}  // namespace sandproof::conformance
