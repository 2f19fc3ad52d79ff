// SPDX-License-Identifier: Apache-2.0
// The name of an exception's type as people know it. Pure; any thread.
#pragma once

#include <exception>
#include <string>

namespace sandproof::conformance::runner {

/// "NotFoundError", "invalid_argument": without its namespaces.
std::string type_name(const std::exception& error);

}  // namespace sandproof::conformance::runner
