// SPDX-License-Identifier: Apache-2.0
// `:` and `true`.
#include "fakes/machine/shell/builtins/builtin.h"

namespace sandproof::machine::shell {

Task<int> colon_builtin(Shell& /*shell*/, Strings /*words*/) { co_return 0; }

}  // namespace sandproof::machine::shell
