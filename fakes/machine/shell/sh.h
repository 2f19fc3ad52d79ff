// SPDX-License-Identifier: Apache-2.0
// The program `sh`. Differs from dash: what is read from standard input is read a byte at a time,
// so that commands find what follows them; `set -o pipefail` is there, as in busybox; recursion is
// bounded (run/shell.h); there is no line editing and no `fc`.
#pragma once

#include <span>

#include "fakes/machine/program.h"

namespace sandproof::machine {

/// `sh`, and the names by which images have it: rows for the one table of programs.
std::span<const ProgramRow> shell_programs();

}  // namespace sandproof::machine
