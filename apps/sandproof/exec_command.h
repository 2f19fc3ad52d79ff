// SPDX-License-Identifier: Apache-2.0
// `sandproof exec`: one command in a fresh session of a flavor, as if it were run here.
#pragma once

#include <vector>

#include "sandproof/conformance/binding.h"
#include "sandproof/conformance/program.h"

namespace sandproof::apps {

conformance::Subcommand exec_command(std::vector<conformance::Binding> bindings);

}  // namespace sandproof::apps
