// SPDX-License-Identifier: Apache-2.0
// What the flavors need whose commands are processes of this machine. Values; any thread.
#pragma once

#include <string>
#include <vector>

#include "sandproof/conformance/precondition.h"

namespace sandproof::apps {

/// The system calls that launch a command and keep it in its place, /proc, the spill directory.
std::vector<conformance::Precondition> host_preconditions();

/// The directory of the setting `name`; empty means the one for temporary files.
conformance::Precondition directory_precondition(const std::string& name);

}  // namespace sandproof::apps
