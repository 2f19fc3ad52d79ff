// SPDX-License-Identifier: Apache-2.0
// `sandproof init`: the project with which a new flavor begins.
#pragma once

#include "sandproof/conformance/program.h"

namespace sandproof::apps {

conformance::Subcommand init_command();

}  // namespace sandproof::apps
