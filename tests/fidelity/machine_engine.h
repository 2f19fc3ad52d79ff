// SPDX-License-Identifier: Apache-2.0
// The machine as an engine: its shell is dash's, its programs are busybox's.
#pragma once

#include <memory>

#include "tests/fidelity/engine.h"

namespace sandproof::fidelity {

// Each run has a machine of its own, whose time passes only while nothing else does: a script that
// sleeps costs nothing. Scripts run as nobody. A row that starts a program that the machine has not
// is not judged: the result says which (Result::lacking).
std::unique_ptr<Engine> make_machine_engine();

}  // namespace sandproof::fidelity
