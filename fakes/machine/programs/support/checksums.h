// SPDX-License-Identifier: Apache-2.0
// What md5sum, sha1sum and sha256sum share. One process uses it.
#pragma once

#include "fakes/machine/program.h"
#include "fakes/machine/programs/support/digest.h"

namespace sandproof::machine::programs {

/// The whole program; gives its status.
Task<int> run_checksums(Process& self, DigestKind kind);

}  // namespace sandproof::machine::programs
