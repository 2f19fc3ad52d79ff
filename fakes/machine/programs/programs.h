// SPDX-License-Identifier: Apache-2.0
// The one table of the machine's programs, but for the shell. What they answer is what Debian's
// busybox answers (and coreutils' and procps' programs where it has none): tests/fidelity has the
// rows. Where they differ from it on purpose:
// - a usage is its first line alone;
// - output that cannot be written is said by every program, where some of busybox's say nothing;
// - there are no locales: bytes are characters;
// - what a box must not do to its host is bounded: lines, files held in memory, patterns.
// A constant; any thread.
#pragma once

#include <span>

#include "fakes/machine/program.h"

namespace sandproof::machine::programs {

/// By name, in the order of bytes.
std::span<const ProgramRow> programs();

}  // namespace sandproof::machine::programs
