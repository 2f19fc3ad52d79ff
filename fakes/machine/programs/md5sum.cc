// SPDX-License-Identifier: Apache-2.0
// md5sum: digests of files.
#include "fakes/machine/programs/mains.h"
#include "fakes/machine/programs/support/checksums.h"

namespace sandproof::machine::programs {

Task<int> md5sum_main(Process& self) { return run_checksums(self, DigestKind::kMd5); }

}  // namespace sandproof::machine::programs
