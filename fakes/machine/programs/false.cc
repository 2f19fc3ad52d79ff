// SPDX-License-Identifier: Apache-2.0
// false: does not succeed.
#include "fakes/machine/programs/mains.h"

namespace sandproof::machine::programs {

Task<int> false_main(Process& /*self*/) { co_return 1; }

}  // namespace sandproof::machine::programs
