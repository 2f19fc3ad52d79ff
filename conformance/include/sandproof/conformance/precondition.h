// SPDX-License-Identifier: Apache-2.0
// What has to be so before a flavor can work, each as a check that says what to do where it is not.
// Written by the binding, run by `doctor`. Values.
#pragma once

#include <functional>
#include <string>
#include <utility>

#include "sandproof/settings.h"

namespace sandproof::conformance {

enum class CheckStatus {
  kOk,
  kWarning,  ///< The flavor works, but less well, or some cases cannot hold.
  kFailed,   ///< The flavor cannot work.
};

struct CheckResult {
  CheckStatus status = CheckStatus::kOk;
  /// What was found: "4.2 GiB are free in /tmp", "Function not implemented". May be empty.
  std::string detail;
  /// What to do, as an order to a person: "mount it: `mount -t proc proc /proc`". Of a warning or a
  /// failure alone, which has to have one.
  std::string fix;

  static CheckResult ok(std::string detail = {}) {
    return {CheckStatus::kOk, std::move(detail), {}};
  }
  static CheckResult warning(std::string detail, std::string fix) {
    return {CheckStatus::kWarning, std::move(detail), std::move(fix)};
  }
  static CheckResult failed(std::string detail, std::string fix) {
    return {CheckStatus::kFailed, std::move(detail), std::move(fix)};
  }
};

struct Precondition {
  /// What has to be so, as a statement: "/proc is mounted". Unique within a binding.
  std::string name;
  /// Called in a process of its own, which has one thread and is killed after half a minute: it may
  /// start children, connect, hang and crash. An exception is a failure with its text. `settings`
  /// are those that the component would be made with, complete: the binding's own, the user's on
  /// top, and the defaults.
  std::function<CheckResult(const Settings& settings)> check;
};

}  // namespace sandproof::conformance
