// SPDX-License-Identifier: Apache-2.0
// true: succeeds.
#include "fakes/machine/programs/mains.h"

namespace sandproof::machine::programs {

Task<int> true_main(Process& /*self*/) { co_return 0; }

}  // namespace sandproof::machine::programs
