// SPDX-License-Identifier: Apache-2.0
// `test` and `[`.
#include "fakes/machine/shell/builtins/builtin.h"
#include "fakes/machine/shell/builtins/test_expression.h"

namespace sandproof::machine::shell {

Task<int> test_builtin(Shell& shell, Strings words) {
  if (words.front() == "[") {
    if (words.back() != "]" || words.size() == 1) co_await shell.fail("missing ]");
    words.pop_back();
  }
  const TestOutcome outcome = evaluate_test(shell.process, std::span(words).subspan(1));
  if (outcome.error) co_await shell.fail(*outcome.error);
  co_return outcome.holds ? 0 : 1;
}

}  // namespace sandproof::machine::shell
