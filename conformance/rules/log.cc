// SPDX-License-Identifier: Apache-2.0
// The rules of the area LOG. What a session writes to the log of its step. A table; any thread.
#include "conformance/rules/areas.h"

namespace sandproof::conformance {

// NOLINTNEXTLINE(readability-function-size): a table is as long as its contents.
std::vector<Rule> log_rules() {
  return {
      {.id = "LOG-001",
       .level = Level::kMust,
       .sentence =
           "Inside a step, a session's events go to one source, `sandbox:<id>`; outside a step "
           "there is none, and everything else works the same.",
       .intent =
           "People look for a session's output under its id. Split sources hide half of it, and "
           "code must work where nobody logs.",
       .capabilities = {},
       .unless = std::nullopt,
       .needs = {},
       .since = "0.1",
       .bugs = {}},
      {.id = "LOG-002",
       .level = Level::kMust,
       .sentence =
           "Per exec: `$ <command>` at INFO, each word quoted for a POSIX shell only where "
           "needed; then each stdout line at INFO and each stderr line at ERROR, without the "
           "newline, when it is handed to the caller or dropped past the cap; then, after "
           "`collect`, `OK exit code 0 in 1.2s` at INFO or `FAIL exit code 3 in 0.0s` at ERROR, "
           "from a steady clock.",
       .intent =
           "The log is read by people who want to repeat what was done. A command that cannot be "
           "pasted, a wrong level or a negative duration misleads them.",
       .capabilities = {},
       .unless = std::nullopt,
       .needs = {},
       .since = "0.1",
       .bugs = {}},
      {.id = "LOG-003",
       .level = Level::kMust,
       .sentence = "Lines dropped by the collect cap are still logged.",
       .intent =
           "The cap is for the caller's text. The full output is needed most when it was too long "
           "to return.",
       .capabilities = {},
       .unless = std::nullopt,
       .needs = {},
       .since = "0.1",
       .bugs = {}},
      {.id = "LOG-004",
       .level = Level::kMust,
       .sentence = "A failed launch logs `$ <command>` and a `FAIL` line that names the reason.",
       .intent = "A command in the log without a result looks as if it still ran.",
       .capabilities = {},
       .unless = std::nullopt,
       .needs = {},
       .since = "0.1",
       .bugs = {}},
      {.id = "LOG-005",
       .level = Level::kMust,
       .sentence =
           "The source is created at the first event, once, under any concurrency; it is ended by "
           "`close()` and `destroy()`, and nothing creates it again.",
       .intent =
           "A source that is opened twice shows lines twice; one that is opened again after the "
           "end never ends.",
       .capabilities = {},
       .unless = std::nullopt,
       .needs = {},
       .since = "0.1",
       .bugs = {}},
      {.id = "LOG-006",
       .level = Level::kMust,
       .sentence = "Sessions do not mix. Text is never read as a format (`%s`, `{}`).",
       .intent =
           "Output of users contains percent signs and braces. Read as a format it crashes the "
           "logger, and mixed sessions show one user's output to another.",
       .capabilities = {},
       .unless = std::nullopt,
       .needs = {},
       .since = "0.1",
       .bugs = {}},
      {.id = "LOG-007",
       .level = Level::kMust,
       .sentence =
           "A failing or slow sink breaks neither exec nor iteration; lines that nobody consumed "
           "by `close()` are counted in one record.",
       .intent =
           "A full log server must not stop the work, and output that nobody read must at least "
           "be known to exist.",
       .capabilities = {},
       .unless = std::nullopt,
       .needs = {},
       .since = "0.1",
       .bugs = {}},
      {.id = "LOG-008",
       .level = Level::kMust,
       .sentence = "exec env is not logged.",
       .intent =
           "Variables of a command are where people put keys. Once they are in the log, everybody "
           "has them.",
       .capabilities = {},
       .unless = std::nullopt,
       .needs = {},
       .since = "0.1",
       .bugs = {}},
  };
}

}  // namespace sandproof::conformance
