// SPDX-License-Identifier: Apache-2.0
// The rules of the area CLOSE. close(): letting go of a handle. A table; any thread.
#include "conformance/rules/areas.h"

namespace sandproof::conformance {

// NOLINTNEXTLINE(readability-function-size): a table is as long as its contents.
std::vector<Rule> close_rules() {
  return {
      {.id = "CLOSE-001",
       .level = Level::kMust,
       .sentence =
           "After `close()`: `exec`, `exec_async`, `create_snapshot`, `upload_file`, "
           "`download_file` throw `SessionClosedError` with the id in its text, contact nothing, "
           "and win over `UnsupportedError`.",
       .intent =
           "A call on a closed handle is a bug in the caller. It has to be told at once and by "
           "id, not through an odd backend error, and never by work done in a session that was "
           "given up.",
       .capabilities = {},
       .unless = std::nullopt,
       .needs = {},
       .since = "0.1",
       .bugs = {"https://github.com/NVIDIA-NeMo/Gym/pull/3488"}},
      {.id = "CLOSE-002",
       .level = Level::kMust,
       .sentence = "`close()` is idempotent; the second call does nothing, from any thread.",
       .intent =
           "Clean-up code runs more than once: scope exit after an explicit close, two threads on "
           "shutdown. A second close that fails turns success into failure.",
       .capabilities = {},
       .unless = std::nullopt,
       .needs = {},
       .since = "0.1",
       .bugs = {"https://github.com/NVIDIA-NeMo/Gym/pull/3488"}},
      {.id = "CLOSE-003",
       .level = Level::kMust,
       .sentence = "`closed()` is false before, true after.",
       .intent =
           "Callers ask closed() before they use a shared handle; a wrong answer sends them into "
           "errors or makes them give up a live session.",
       .capabilities = {},
       .unless = std::nullopt,
       .needs = {},
       .since = "0.1",
       .bugs = {}},
      {.id = "CLOSE-004",
       .level = Level::kMust,
       .sentence =
           "`close()` does not stop the environment: it stays attachable, and a running command "
           "goes on to its end.",
       .intent =
           "Where environments outlive handles, close means let go. If it stops the command, a "
           "job that was to run overnight is lost.",
       .capabilities = {Capability::kOutlives},
       .unless = std::nullopt,
       .needs = {},
       .since = "0.1",
       .bugs = {"https://github.com/zenml-io/zenml/pull/4907"}},
      {.id = "CLOSE-005",
       .level = Level::kMust,
       .sentence =
           "where `outlives` is not claimed, `close()` ends every process of the session (TERM, "
           "grace, KILL; the whole tree), in parallel, bounded by one grace period however many "
           "there are, and removes the working directory.",
       .intent = "What is left runs on in a deleted directory and eats the host. Ending stubborn "
                 "commands one after the other makes close last minutes.",
       .capabilities = {},
       .unless = Capability::kOutlives,
       .needs = {},
       .since = "0.1",
       .bugs = {"https://github.com/microsoft/autogen/pull/7383",
                "https://github.com/zenml-io/zenml/pull/4907",
                "https://github.com/UKGovernmentBEIS/inspect_ai/issues/4496"}},
      {.id = "CLOSE-006",
       .level = Level::kMust,
       .sentence =
           "If the flavor's close hook fails, the error propagates once, the session is closed, "
           "the log source has ended.",
       .intent =
           "An error that is swallowed hides a leak; one that is thrown again and again makes the "
           "handle impossible to get rid of; an open log source keeps lines of a dead session "
           "coming.",
       .capabilities = {},
       .unless = std::nullopt,
       .needs = {},
       .since = "0.1",
       .bugs = {}},
      {.id = "CLOSE-007",
       .level = Level::kMust,
       .sentence =
           "`close()` returns bounded while another thread is blocked in a stream, `wait` or "
           "`collect`. Where `outlives` is not claimed, the blocked call ends within the grace; "
           "where it is, the call goes on undisturbed to the command's real end.",
       .intent =
           "Shutdown happens while other threads wait for output. If close waits for them, and "
           "they wait for the command, the program never ends.",
       .capabilities = {},
       .unless = std::nullopt,
       .needs = {},
       .since = "0.1",
       .bugs = {"https://github.com/boostorg/beast/issues/261"}},
      {.id = "CLOSE-008",
       .level = Level::kMust,
       .sentence = "A process handle taken before `close()` stays usable (streams, wait, kill).",
       .intent =
           "The process handle is how the caller learns the result of a command that goes on. If "
           "it dies with the session handle, the result is lost.",
       .capabilities = {Capability::kOutlives},
       .unless = std::nullopt,
       .needs = {},
       .since = "0.1",
       .bugs = {"https://github.com/e2b-dev/E2B/issues/1074"}},
      {.id = "CLOSE-009",
       .level = Level::kMust,
       .sentence = "where `outlives` is not claimed, a stream read after `close()` ends or throws "
                   "`SessionClosedError`; it never blocks.",
       .intent = "A reader that blocks on a session that is gone hangs its thread for good.",
       .capabilities = {},
       .unless = Capability::kOutlives,
       .needs = {},
       .since = "0.1",
       .bugs = {}},
      {.id = "CLOSE-010",
       .level = Level::kMust,
       .sentence =
           "`exec` racing `close()` gives a process that `close` ended, or `SessionClosedError`; "
           "never a leak.",
       .intent =
           "A command that slips in while the session closes has no owner: nothing ever ends it, "
           "and it shows up days later as load on the host.",
       .capabilities = {},
       .unless = std::nullopt,
       .needs = {},
       .since = "0.1",
       .bugs = {}},
  };
}

}  // namespace sandproof::conformance
