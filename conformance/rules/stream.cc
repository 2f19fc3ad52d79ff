// SPDX-License-Identifier: Apache-2.0
// The rules of the area STREAM. The two output streams of a command. A table; any thread.
#include "conformance/rules/areas.h"

namespace sandproof::conformance {

// NOLINTNEXTLINE(readability-function-size): a table is as long as its contents.
std::vector<Rule> stream_rules() {
  return {
      {.id = "STREAM-001",
       .level = Level::kMust,
       .sentence =
           "Lines come in order, each with its terminator; a last line without one comes as it "
           "is; empty output gives no line; no line is invented after a final newline.",
       .intent = "Parsers of output count on lines. A lost last line, an invented one or a dropped "
                 "blank one changes what they read.",
       .capabilities = {},
       .unless = std::nullopt,
       .needs = {},
       .since = "0.1",
       .bugs = {"https://github.com/wonderwhy-er/DesktopCommanderMCP/pull/649",
                "https://github.com/gptme/gptme/pull/1672",
                "https://github.com/mrnugget/fzz/pull/5",
                "https://github.com/kubernetes-client/python/issues/2358"}},
      {.id = "STREAM-002",
       .level = Level::kMust,
       .sentence = "A line is seen while the command still runs.",
       .intent =
           "Progress, prompts and server start-up messages are only useful while the command runs.",
       .capabilities = {},
       .unless = std::nullopt,
       .needs = {},
       .since = "0.1",
       .bugs = {}},
      {.id = "STREAM-003",
       .level = Level::kMust,
       .sentence = "stdout and stderr are kept apart.",
       .intent =
           "Results go to stdout and noise to stderr. Merged, the JSON on stdout no longer parses.",
       .capabilities = {},
       .unless = std::nullopt,
       .needs = {},
       .since = "0.1",
       .bugs = {"https://github.com/elie222/rakazo/pull/366",
                "https://github.com/daytonaio/daytona/issues/2067"}},
      {.id = "STREAM-004",
       .level = Level::kMust,
       .sentence =
           "The only line terminator is `\\n`; `\\r`, VT, FF, NEL, U+2028 stay inside the line.",
       .intent =
           "Progress bars, Windows text and Unicode separators inside a line must not turn one "
           "line into many; otherwise each flavor gives another number of lines.",
       .capabilities = {},
       .unless = std::nullopt,
       .needs = {},
       .since = "0.1",
       .bugs = {}},
      {.id = "STREAM-005",
       .level = Level::kMust,
       .sentence =
           "Text is UTF-8; each maximal invalid part becomes U+FFFD; a character split over any "
           "two chunks is whole. NUL is kept.",
       .intent =
           "Output is cut into chunks anywhere and is not always text. A decoder that works chunk "
           "by chunk garbles names, and a strict one ends the stream.",
       .capabilities = {},
       .unless = std::nullopt,
       .needs = {},
       .since = "0.1",
       .bugs = {"https://github.com/wonderwhy-er/DesktopCommanderMCP/issues/628",
                "https://github.com/wonderwhy-er/DesktopCommanderMCP/pull/649",
                "https://github.com/openwrt/luci/pull/8976",
                "https://github.com/kubernetes-client/python-base/issues/88"}},
      {.id = "STREAM-006",
       .level = Level::kMust,
       .sentence = "A line of 8 MiB comes as one line, in time linear in its length.",
       .intent =
           "Minified code, base64 and JSON come as one huge line. A splitter that scans it again "
           "for each chunk takes minutes, one with a limit cuts it.",
       .capabilities = {},
       .unless = std::nullopt,
       .needs = {},
       .since = "0.1",
       .bugs = {"https://github.com/docker/cli/issues/4941"}},
      {.id = "STREAM-007",
       .level = Level::kMust,
       .sentence =
           "Reading one stream to its end and then the other loses nothing and never deadlocks, "
           "with 32 MiB on each; the harness's memory stays bounded (64 MiB over its start).",
       .intent =
           "People read stdout to its end and look at stderr only after. If the other pipe is "
           "full meanwhile, command and reader wait for each other for ever.",
       .capabilities = {},
       .unless = std::nullopt,
       .needs = {},
       .since = "0.1",
       .bugs = {}},
      {.id = "STREAM-008",
       .level = Level::kMust,
       .sentence =
           "`wait()` without reading anything returns when the command ends, with 32 MiB (and up "
           "to `spill_limit`) unread, and the output can still be read after it; so does a "
           "command that nobody waits for.",
       .intent =
           "Waiting first and reading later is the natural order. A command that blocks on a full "
           "pipe then never ends, and output that wait threw away cannot be shown.",
       .capabilities = {},
       .unless = std::nullopt,
       .needs = {},
       .since = "0.1",
       .bugs = {}},
      {.id = "STREAM-009",
       .level = Level::kMust,
       .sentence =
           "A second iteration of an exhausted stream ends at once; two iterators of one stream "
           "never see the same line twice.",
       .intent =
           "Code that looks at a stream twice must not hang on an end that was already taken, nor "
           "hand one line to two consumers.",
       .capabilities = {},
       .unless = std::nullopt,
       .needs = {},
       .since = "0.1",
       .bugs = {}},
      {.id = "STREAM-010",
       .level = Level::kMust,
       .sentence = "Both streams can be read from two threads at once.",
       .intent =
           "One thread per stream is the classic way to read both. A lock over both brings back "
           "the deadlock that it was to avoid.",
       .capabilities = {},
       .unless = std::nullopt,
       .needs = {},
       .since = "0.1",
       .bugs = {}},
      {.id = "STREAM-011",
       .level = Level::kMust,
       .sentence = "If the transport breaks, what was received is delivered, then the read throws "
                   "`SandboxLostError`; no text is invented on stderr.",
       .intent =
           "A connection that breaks is not the end of the output. Taken for one, half a result "
           "counts as the whole; text put on stderr is taken for the command's own.",
       .capabilities = {},
       .unless = std::nullopt,
       .needs = {},
       .since = "0.1",
       .bugs = {}},
      {.id = "STREAM-012",
       .level = Level::kMust,
       .sentence =
           "All bytes written before exit are delivered, for 1 B … 16 MiB, over many repetitions, "
           "on a slow reader too.",
       .intent =
           "The last kilobytes before the exit hold the result or the error. Exactly those get "
           "lost when the exit is taken for the end of the stream.",
       .capabilities = {},
       .unless = std::nullopt,
       .needs = {},
       .since = "0.1",
       .bugs = {"https://github.com/cpan-authors/IPC-Run/pull/177",
                "https://github.com/podman-container-tools/podman/issues/9096",
                "https://github.com/docker/docker-py/pull/3438",
                "https://github.com/kubernetes/kubectl/issues/1361"}},
      {.id = "STREAM-013",
       .level = Level::kMust,
       .sentence =
           "A slow reader slows the command down or fills a bounded buffer or file; it never "
           "makes output disappear. At the bound, or when the file cannot grow, the command is "
           "held back, and a `TimeoutError` of `wait` says so.",
       .intent = "A reader that is slow for a moment must not lose output, and must not fill the "
                 "harness's memory either; a command that stands still because of it must say so.",
       .capabilities = {},
       .unless = std::nullopt,
       .needs = {},
       .since = "0.1",
       .bugs = {}},
      {.id = "STREAM-014",
       .level = Level::kMust,
       .sentence =
           "`read_some` gives the exact bytes, invalid UTF-8 too, and a partial line as soon as "
           "it has arrived.",
       .intent =
           "Binary output and prompts without a newline exist. Only raw bytes, at once, serve "
           "archives and interactive programs.",
       .capabilities = {},
       .unless = std::nullopt,
       .needs = {},
       .since = "0.1",
       .bugs = {"https://github.com/elie222/rakazo/pull/366",
                "https://github.com/kubernetes-client/python-base/issues/88"}},
      {.id = "STREAM-015",
       .level = Level::kMust,
       .sentence =
           "A command that closes one stream and runs on: that stream ends, the other goes on.",
       .intent =
           "Daemons close their standard output and go on reporting errors. A reader that takes "
           "one end for both, or fails on it, misses them.",
       .capabilities = {},
       .unless = std::nullopt,
       .needs = {},
       .since = "0.1",
       .bugs = {"https://github.com/python/cpython/pull/18117"}},
  };
}

}  // namespace sandproof::conformance
