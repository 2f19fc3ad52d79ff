// SPDX-License-Identifier: Apache-2.0
#include "conformance/mutants/areas.h"

namespace sandproof::conformance {

std::vector<Mutant> session_mutants() { return {}; }

}  // namespace sandproof::conformance
