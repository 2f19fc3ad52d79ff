// SPDX-License-Identifier: Apache-2.0
// `printf`.
#include "fakes/machine/shell/expand/printf.h"

#include "fakes/machine/shell/builtins/builtin.h"

namespace sandproof::machine::shell {

Task<int> printf_builtin(Shell& shell, Strings words) {
  PrintfResult result = run_printf(std::span(words).subspan(1));
  for (std::string& error : result.errors) co_await shell.warn(std::move(error));
  co_await shell.put(std::move(result.out));
  co_return result.status;
}

}  // namespace sandproof::machine::shell
