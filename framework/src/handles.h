// SPDX-License-Identifier: Apache-2.0
// The thin handles that users get: each forwards to a shared core and opens a wait record for the
// time of each verb. Thread-safe as the cores are.
#pragma once

#include <memory>
#include <string>

#include "sandproof/process.h"
#include "sandproof/sandbox.h"
#include "sandproof/session.h"
#include "sandproof/settings.h"

namespace sandproof {

class ProcessCore;
class SandboxCore;
class SessionCore;

std::unique_ptr<Process> make_process_handle(std::shared_ptr<ProcessCore> core);
std::unique_ptr<Session> make_session_handle(std::shared_ptr<SessionCore> core, OnExit on_exit,
                                             std::shared_ptr<SandboxCore> sandbox);
std::unique_ptr<Sandbox> make_sandbox_handle(std::shared_ptr<SandboxCore> core);

/// `spill_dir` of the settings, else $TMPDIR, else /tmp.
std::string spill_directory(const Settings& settings);

}  // namespace sandproof
