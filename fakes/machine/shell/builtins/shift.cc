// SPDX-License-Identifier: Apache-2.0
// `shift`.
#include "fakes/machine/shell/builtins/builtin.h"

namespace sandproof::machine::shell {

Task<int> shift_builtin(Shell& shell, Strings words) {
  int count = 1;
  if (words.size() > 1) count = co_await number_of(shell, words[1]);
  Strings& positional = shell.state.positional;
  if (static_cast<std::size_t>(count) > positional.size()) {
    co_await shell.fail("can't shift that many");
  }
  positional.erase(positional.begin(), positional.begin() + count);
  shell.getopts_place() = {};
  co_return 0;
}

}  // namespace sandproof::machine::shell
