// SPDX-License-Identifier: Apache-2.0
// CAP-002, checked for any flavor without a case: an operation whose capability is not claimed is
// refused by name, and has no side effect. Runs in the worker, like a case.
#pragma once

#include <string>

#include "conformance/runner/harness_context.h"
#include "sandproof/capabilities.h"

namespace sandproof::conformance::runner {

struct RefusalResult {
  bool held = false;
  /// What happened: the refusal's text, or what came instead of it.
  std::string message;
};

/// Does the operation with a session of `context`. Throws what creating a session throws.
RefusalResult check_refusal(HarnessContext& context, Capability capability);

}  // namespace sandproof::conformance::runner
