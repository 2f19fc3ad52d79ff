// SPDX-License-Identifier: Apache-2.0
// Why a command did not start, for people. Functions without state; any thread.
#pragma once

#include <string>

#include "fakes/machine/errno.h"
#include "flavors/memory/find_program.h"
#include "sandproof/hooks.h"

namespace sandproof::memory {

/// Throws ExecError.
[[noreturn]] void fail_start(const std::string& session_id, const ExecRequest& request,
                             const StartTrouble& trouble);

}  // namespace sandproof::memory
