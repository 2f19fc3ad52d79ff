// SPDX-License-Identifier: Apache-2.0
// The flavor `memory` bound to the suite. A value; any thread.
#pragma once

#include <span>

#include "fakes/machine/program.h"
#include "sandproof/conformance/binding.h"

namespace sandproof::apps {

/// Over these programs, which are borrowed. A row of the table of flavors as soon as they have a
/// shell, which the suite's commands need.
conformance::Binding memory_binding(std::span<const machine::ProgramRow> programs);

}  // namespace sandproof::apps
