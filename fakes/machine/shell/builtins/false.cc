// SPDX-License-Identifier: Apache-2.0
// `false`.
#include "fakes/machine/shell/builtins/builtin.h"

namespace sandproof::machine::shell {

Task<int> false_builtin(Shell& /*shell*/, Strings /*words*/) { co_return 1; }

}  // namespace sandproof::machine::shell
