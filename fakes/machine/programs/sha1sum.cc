// SPDX-License-Identifier: Apache-2.0
// sha1sum: digests of files.
#include "fakes/machine/programs/mains.h"
#include "fakes/machine/programs/support/checksums.h"

namespace sandproof::machine::programs {

Task<int> sha1sum_main(Process& self) { return run_checksums(self, DigestKind::kSha1); }

}  // namespace sandproof::machine::programs
