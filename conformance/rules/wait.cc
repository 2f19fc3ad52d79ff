// SPDX-License-Identifier: Apache-2.0
// The rules of the area WAIT. wait() and exit_status(). A table; any thread.
#include "conformance/rules/areas.h"

namespace sandproof::conformance {

// NOLINTNEXTLINE(readability-function-size): a table is as long as its contents.
std::vector<Rule> wait_rules() {
  return {
      {.id = "WAIT-001",
       .level = Level::kMust,
       .sentence = "`wait()` returns the status; again, and from several threads, the same.",
       .intent =
           "The status belongs to everyone who asks. If the first waiter takes it, the others "
           "fail or read zero.",
       .capabilities = {},
       .unless = std::nullopt,
       .needs = {},
       .since = "0.1",
       .bugs = {"https://github.com/boostorg/process/issues/503",
                "https://github.com/python/cpython/issues/127050",
                "https://github.com/haskell/process/pull/58",
                "https://github.com/podman-container-tools/podman/issues/25479"}},
      {.id = "WAIT-002",
       .level = Level::kMust,
       .sentence =
           "`wait(timeout)` that expires throws `TimeoutError`; the command goes on and can be "
           "waited for again. `wait(0)` returns the status if the command has ended, else throws.",
       .intent =
           "Callers poll with a short timeout. If it kills, loses the status or throws another "
           "type on each flavor, the loop cannot be written.",
       .capabilities = {},
       .unless = std::nullopt,
       .needs = {},
       .since = "0.1",
       .bugs = {}},
      {.id = "WAIT-003",
       .level = Level::kMust,
       .sentence = "`exit_status()` is empty while running and set after, without any `wait()`.",
       .intent =
           "Schedulers look at many commands without blocking. A status that appears only after a "
           "wait makes finished commands look alive for ever.",
       .capabilities = {},
       .unless = std::nullopt,
       .needs = {},
       .since = "0.1",
       .bugs = {"https://github.com/boostorg/process/issues/564",
                "https://github.com/python/cpython/issues/127050"}},
      {.id = "WAIT-004",
       .level = Level::kMust,
       .sentence =
           "`wait()` returns at the command's own exit, whatever its descendants hold open; the "
           "drain grace belongs to the streams and to `collect`.",
       .intent =
           "A background child that keeps the pipe must not make a finished command look as if it "
           "still runs.",
       .capabilities = {},
       .unless = std::nullopt,
       .needs = {},
       .since = "0.1",
       .bugs = {"https://github.com/python/cpython/issues/119710",
                "https://github.com/moby/moby/issues/41052",
                "https://github.com/moby/moby/issues/13052",
                "https://github.com/nearai/ironclaw/pull/7751"}},
      {.id = "WAIT-005",
       .level = Level::kMust,
       .sentence =
           "A command killed by a signal from inside (`kill -TERM $$`) has integer status 143 on "
           "every flavor.",
       .intent =
           "A crash that reads as success or as another number on each flavor cannot be handled "
           "by the caller.",
       .capabilities = {},
       .unless = std::nullopt,
       .needs = {},
       .since = "0.1",
       .bugs = {"https://github.com/boostorg/process/issues/31"}},
      {.id = "WAIT-006",
       .level = Level::kMust,
       .sentence =
           "For a status that cannot be learned, `wait` and `collect` throw `SandboxLostError` "
           "(`collect`'s carries the output so far) and `exit_status()` returns lost(why).",
       .intent =
           "When the connection goes, nobody knows how the command ended. A made-up 0 ships a "
           "broken build; a made-up 1 blames the command.",
       .capabilities = {},
       .unless = std::nullopt,
       .needs = {},
       .since = "0.1",
       .bugs = {"https://github.com/podman-container-tools/podman/issues/25479",
                "https://github.com/kubernetes/kubernetes/issues/73056",
                "https://github.com/actions/runner-container-hooks/issues/228",
                "https://github.com/cloudflare/sandbox-sdk/issues/873",
                "https://github.com/smithersai/smithers/issues/742"}},
  };
}

}  // namespace sandproof::conformance
