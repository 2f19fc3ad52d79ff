// SPDX-License-Identifier: Apache-2.0
// test and [: whether an expression is true.
#include "fakes/machine/programs/mains.h"
#include "fakes/machine/programs/support/test_expression.h"
#include "fakes/machine/programs/support/tool.h"

namespace sandproof::machine::programs {
namespace {

constexpr Usage kTestUsage = {.text = "", .failure = 2};

Task<int> run_test(Process& self) {
  Tool tool(self, kTestUsage);
  std::span<const std::string> words(self.argv());
  words = words.subspan(1);
  if (tool.name == "[") {
    if (words.empty() || words.back() != "]") {
      co_await tool.fail("missing ]");
      co_return tool.status;
    }
    words = words.first(words.size() - 1);
  }
  const TestAnswer answer = evaluate_test(self, words);
  if (!answer.error.empty()) co_await tool.say(answer.error);
  co_return answer.status;
}

}  // namespace

Task<int> test_main(Process& self) { return run_test(self); }

}  // namespace sandproof::machine::programs
