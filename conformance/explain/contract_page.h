// SPDX-License-Identifier: Apache-2.0
// The contract as a page: docs/contract.md is this text and nothing else. Pure; any thread.
#pragma once

#include <string>
#include <vector>

#include "sandproof/conformance/rule.h"

namespace sandproof::conformance {

/// Markdown, with an introduction and one section per area and rule. The same rules give the same
/// bytes.
std::string contract_page(const std::vector<Rule>& rules);

}  // namespace sandproof::conformance
