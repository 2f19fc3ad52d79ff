// SPDX-License-Identifier: Apache-2.0
// What a session publishes to its step (CONTRACT.md, META). A function; any thread.
#pragma once

#include <optional>
#include <string>

#include "sandproof/step.h"

namespace sandproof {

/// Publishes `sandbox.<id>.flavor`, and `sandbox.<id>.dashboard_url` where the url is there and not
/// empty; nothing where the step has no metadata sink. A key that the sink refuses is reported to
/// `diagnostics` as a warning, and the other one is published all the same. Throws nothing.
void publish_session_metadata(const StepContext& step, const std::string& id,
                              const std::string& flavor,
                              const std::optional<std::string>& dashboard_url,
                              Diagnostics& diagnostics) noexcept;

}  // namespace sandproof
