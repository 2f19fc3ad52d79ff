// SPDX-License-Identifier: Apache-2.0
// How a flavor is bound to the suite: one small value. An author's main() makes one and passes it
// to run_program() (program.h) or register_cases() (googletest.h).
//
// A flavor's row and a reason for each capability that it does not claim are enough; everything
// else widens what the suite can see. Values; any thread.
#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "sandproof/conformance/precondition.h"
#include "sandproof/conformance/probe.h"
#include "sandproof/conformance/rule.h"
#include "sandproof/flavor.h"

namespace sandproof::conformance {

/// A rule that the flavor is known to break, with the reason and a link.
struct Deviation {
  std::string rule;
  std::string reason;
  std::string link;
};

struct Binding {
  Flavor flavor;
  /// Why each capability that the flavor does not claim is not claimed.
  std::map<Capability, std::string> unclaimed;
  /// What the binding provides, and why it does not provide the rest.
  std::set<Need> provides;
  std::map<Need, std::string> not_provided;
  /// Settings of the component under test on top of which the user's config comes. `scratch` is an
  /// empty directory that is private to the case and removed after it. May be null.
  std::function<Settings(const std::filesystem::path& scratch)> base_settings;
  /// Settings of which each names a directory on this machine that the flavor makes its
  /// environments in. Where a user's config names one, each case gets a directory of its own below
  /// it, so that what others have there, and cases beside it, are not counted as its own.
  std::vector<std::string> directory_settings;
  /// May be null. `settings` are those that the component was made with.
  std::function<std::unique_ptr<Probe>(const Settings& settings)> make_probe;
  /// May be null.
  std::function<std::unique_ptr<FaultInjector>(const Settings& settings)> make_faults;
  std::vector<Deviation> deviations;
  /// What the flavor needs of the machine and of its backend, for `doctor`. In the order in which a
  /// person would look: what the later ones stand on comes first.
  std::vector<Precondition> preconditions;
  /// For tests of the suite itself: a run takes it only where it is named.
  bool test_only = false;

  const std::string& name() const { return flavor.name; }
};

/// One reason for every capability that `flavor` does not claim: where a new flavor begins.
std::map<Capability, std::string> unclaimed_because(const Flavor& flavor,
                                                    const std::string& reason);

}  // namespace sandproof::conformance
