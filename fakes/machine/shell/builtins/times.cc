// SPDX-License-Identifier: Apache-2.0
// `times`. A process of the machine uses no processor time that it could tell.
#include "fakes/machine/shell/builtins/builtin.h"

namespace sandproof::machine::shell {

Task<int> times_builtin(Shell& shell, Strings /*words*/) {
  co_await shell.put("0m0.000000s 0m0.000000s\n0m0.000000s 0m0.000000s\n");
  co_return 0;
}

}  // namespace sandproof::machine::shell
