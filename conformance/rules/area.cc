// SPDX-License-Identifier: Apache-2.0
// The chapters of the contract, in its order. Constant; any thread.
#include <array>
#include <span>

#include "sandproof/conformance/rule.h"

namespace sandproof::conformance {
namespace {

constexpr std::array kChapters = {
    Area{"CAP", "what a flavor declares, and that it keeps to it"},
    Area{"SESSION", "creating sessions, leaving their scope, lifetimes"},
    Area{"CLOSE", "letting go of a handle"},
    Area{"DESTROY", "ending an environment"},
    Area{"ATTACH", "another handle to a running environment"},
    Area{"EXEC", "starting a command"},
    Area{"ENV", "the environment variables of a command"},
    Area{"STREAM", "the two output streams of a command"},
    Area{"COLLECT", "a whole output under a cap"},
    Area{"WAIT", "waiting for a command, and its status"},
    Area{"KILL", "ending one command and its tree"},
    Area{"FILE", "transfers of files, both ways"},
    Area{"SNAP", "snapshots, and sessions restored from them"},
    Area{"SET", "settings: layers, checks, secrets"},
    Area{"LOG", "what a session writes to the log of its step"},
    Area{"META", "what a session publishes about itself"},
    Area{"LEAK", "what is left behind, in the backend and in the harness"},
    Area{"FAULT", "the environment misbehaves"},
};

}  // namespace

std::span<const Area> all_areas() { return kChapters; }

}  // namespace sandproof::conformance
