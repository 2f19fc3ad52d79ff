// SPDX-License-Identifier: Apache-2.0
// `eval`.
#include "fakes/machine/shell/builtins/builtin.h"

namespace sandproof::machine::shell {

Task<int> eval_builtin(Shell& shell, Strings words) {
  std::string text;
  for (std::size_t at = 1; at < words.size(); ++at) {
    if (at > 1) text += ' ';
    text += words[at];
  }
  const RunMode mode{.tested = shell.builtin_tested, .last = false};
  co_return co_await shell.run_text(std::move(text), mode);
}

}  // namespace sandproof::machine::shell
