// SPDX-License-Identifier: Apache-2.0
// The rules of the area COLLECT. collect(): a whole output under a cap. A table; any thread.
#include "conformance/rules/areas.h"

namespace sandproof::conformance {

// NOLINTNEXTLINE(readability-function-size): a table is as long as its contents.
std::vector<Rule> collect_rules() {
  return {
      {.id = "COLLECT-001",
       .level = Level::kMust,
       .sentence =
           "`collect()` drains both streams at once: 1 MiB and more on each, in any interleaving, "
           "does not deadlock.",
       .intent =
           "A tool that is noisy on stderr fills that pipe while only stdout is read, and the "
           "call never returns.",
       .capabilities = {},
       .unless = std::nullopt,
       .needs = {},
       .since = "0.1",
       .bugs = {"https://github.com/zenml-io/zenml/pull/4866"}},
      {.id = "COLLECT-002",
       .level = Level::kMust,
       .sentence = "It returns stdout, stderr, status, and a truncation flag per stream.",
       .intent = "Without all four the caller cannot tell a complete result from a part of one.",
       .capabilities = {},
       .unless = std::nullopt,
       .needs = {},
       .since = "0.1",
       .bugs = {"https://github.com/zenml-io/kitaru/issues/417"}},
      {.id = "COLLECT-003",
       .level = Level::kMust,
       .sentence =
           "`max_chars` counts code points per stream, terminators included; default 1 048 576. A "
           "line is kept if the total including it does not exceed the cap; exactly the cap fits.",
       .intent =
           "Callers size prompts and database fields by the cap. Counted in other units on other "
           "flavors, or off by one, texts overflow or lose their last line.",
       .capabilities = {},
       .unless = std::nullopt,
       .needs = {},
       .since = "0.1",
       .bugs = {"https://github.com/nodejs/node/pull/24951"}},
      {.id = "COLLECT-004",
       .level = Level::kMust,
       .sentence =
           "From the first line that does not fit, that line and all later ones are dropped and "
           "the flag is set: the result is always whole lines, a prefix of the output. A single "
           "over-long first line gives empty text and the flag.",
       .intent =
           "A later short line after a gap, or half a line, reads like real output and misleads "
           "people and models.",
       .capabilities = {},
       .unless = std::nullopt,
       .needs = {},
       .since = "0.1",
       .bugs = {"https://github.com/nodejs/node/pull/24951"}},
      {.id = "COLLECT-005",
       .level = Level::kMust,
       .sentence = "`max_chars = 0`: any output sets the flag; none does not.",
       .intent = "\"Only the status, please\" is a common wish. Zero must not mean everything, and "
                 "silence must not count as cut.",
       .capabilities = {},
       .unless = std::nullopt,
       .needs = {},
       .since = "0.1",
       .bugs = {"https://github.com/nodejs/node/pull/24951"}},
      {.id = "COLLECT-006",
       .level = Level::kMust,
       .sentence =
           "Past the cap the stream is still drained: the command is never blocked, and its exit "
           "status is its own.",
       .intent =
           "A command must not fail, hang or change its exit status because the caller wanted "
           "less text.",
       .capabilities = {},
       .unless = std::nullopt,
       .needs = {},
       .since = "0.1",
       .bugs = {"https://github.com/nodejs/node/pull/24951",
                "https://github.com/brightwave-inc/tidebreak/issues/3338"}},
      {.id = "COLLECT-007",
       .level = Level::kMust,
       .sentence = "The flags of the two streams are independent.",
       .intent =
           "A flood on stdout must not eat the one error line on stderr, which is the line that "
           "matters.",
       .capabilities = {},
       .unless = std::nullopt,
       .needs = {},
       .since = "0.1",
       .bugs = {"https://github.com/brightwave-inc/tidebreak/issues/3338"}},
      {.id = "COLLECT-008",
       .level = Level::kMust,
       .sentence =
           "A second `collect()` throws `AlreadyCollectedError`, at once, whatever the first "
           "returned.",
       .intent = "A second call that returns an empty text looks like a command without output.",
       .capabilities = {},
       .unless = std::nullopt,
       .needs = {},
       .since = "0.1",
       .bugs = {"https://github.com/zenml-io/zenml/pull/4866"}},
      {.id = "COLLECT-009",
       .level = Level::kMust,
       .sentence = "Of two threads that collect at once, one gets the output and one "
                   "`AlreadyCollectedError`.",
       .intent =
           "Two threads that both believe they have the output share its lines between them, and "
           "both results are wrong.",
       .capabilities = {},
       .unless = std::nullopt,
       .needs = {},
       .since = "0.1",
       .bugs = {}},
      {.id = "COLLECT-010",
       .level = Level::kMust,
       .sentence = "`collect()` after the streams were read by hand returns what is left (possibly "
                   "nothing) and the real status; it never hangs.",
       .intent =
           "Reading a few lines by hand and then collecting the rest is natural. A hang, or an "
           "error instead of the status, makes it a trap.",
       .capabilities = {},
       .unless = std::nullopt,
       .needs = {},
       .since = "0.1",
       .bugs = {}},
      {.id = "COLLECT-011",
       .level = Level::kMust,
       .sentence =
           "If draining fails, the process is killed and waited for, then the drain's own error "
           "is thrown; stdout's wins over stderr's. A later `collect()` throws that same error "
           "again.",
       .intent =
           "A command that nobody reads any more must not run on, and the caller must learn the "
           "first cause, again if asked again, not a consequence.",
       .capabilities = {},
       .unless = std::nullopt,
       .needs = {},
       .since = "0.1",
       .bugs = {"https://github.com/dart-lang/tools/issues/581"}},
      {.id = "COLLECT-012",
       .level = Level::kMust,
       .sentence =
           "With a timeout: at the deadline the tree is killed, and the output so far is returned "
           "with `timed_out` and integer status 137; elapsed at most timeout + drain grace + 2 s.",
       .intent =
           "What a command printed before its deadline is what explains why it took so long. A "
           "deadline that does not hold, or is told as exit code 0, breaks the whole run.",
       .capabilities = {},
       .unless = std::nullopt,
       .needs = {},
       .since = "0.1",
       .bugs = {"https://github.com/Gaurav-Gosain/tuios/issues/141",
                "https://github.com/UKGovernmentBEIS/inspect_ai/issues/1979",
                "https://github.com/narailabs/doc-wiki/pull/72"}},
      {.id = "COLLECT-013",
       .level = Level::kMust,
       .sentence =
           "Memory is bounded by the caps, whatever the command writes (1 GiB at the default cap "
           "grows the harness by less than 64 MiB).",
       .intent =
           "One runaway command must not take the memory of a server that runs hundreds of them.",
       .capabilities = {},
       .unless = std::nullopt,
       .needs = {},
       .since = "0.1",
       .bugs = {}},
      {.id = "COLLECT-014",
       .level = Level::kMust,
       .sentence =
           "The exit status is the direct child's, also when a grandchild holds the streams open: "
           "`collect()` returns within the drain grace after exit and says held by descendant.",
       .intent =
           "A command that starts a server in the background leaves its pipe open. Without the "
           "grace the call never returns; with the holder's status the result is wrong.",
       .capabilities = {},
       .unless = std::nullopt,
       .needs = {},
       .since = "0.1",
       .bugs = {"https://github.com/moby/moby/issues/41052",
                "https://github.com/moby/moby/issues/13052",
                "https://github.com/nearai/ironclaw/pull/7751"}},
  };
}

}  // namespace sandproof::conformance
