// SPDX-License-Identifier: Apache-2.0
// Why a command did not start, from the errno of the step that failed to the error that people
// read. Functions without state; any thread.
#pragma once

#include <string>
#include <system_error>

#include "flavors/local/launcher.h"

namespace sandproof::local {

/// The steps of the child.
enum class LaunchStage : int { kSession, kInput, kOutput, kError, kDescriptors, kCwd, kExec };

/// What the child sends when it does not get as far as its program.
struct LaunchReport {
  LaunchStage stage;
  int error;
};

/// The child could not execute `program`, the file that was found for spec.argv[0]. Throws
/// ExecError.
[[noreturn]] void fail_launch(const LaunchSpec& spec, const std::string& program,
                              LaunchReport report);

/// There is no child. Throws ExecError: kNoResources where the system has run out of something.
[[noreturn]] void fail_launch(const LaunchSpec& spec, const std::system_error& error);

}  // namespace sandproof::local
