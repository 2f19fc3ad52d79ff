// SPDX-License-Identifier: Apache-2.0
// The rules of the area ENV. The environment variables of a command. A table; any thread.
#include "conformance/rules/areas.h"

namespace sandproof::conformance {

// NOLINTNEXTLINE(readability-function-size): a table is as long as its contents.
std::vector<Rule> env_rules() {
  return {
      {.id = "ENV-001",
       .level = Level::kMust,
       .sentence =
           "Precedence, low to high: image or forwarded host variables, component settings, "
           "per-session settings, `exec` env. Per key; keys not named survive.",
       .intent =
           "Configuration is layered. With the wrong layer on top the command talks to the wrong "
           "server, with the wrong key.",
       .capabilities = {},
       .unless = std::nullopt,
       .needs = {},
       .since = "0.1",
       .bugs = {}},
      {.id = "ENV-002",
       .level = Level::kMust,
       .sentence = "An exec's env affects that exec alone.",
       .intent =
           "A variable that stays behind changes commands that come later, and shows a secret to "
           "commands that were never to see it.",
       .capabilities = {},
       .unless = std::nullopt,
       .needs = {},
       .since = "0.1",
       .bugs = {}},
      {.id = "ENV-003",
       .level = Level::kMust,
       .sentence =
           "Values with quotes, newlines, `$`, `=`, non-ASCII and the empty value arrive exactly; "
           "empty is not unset.",
       .intent =
           "Values hold keys, JSON and paths. One that is cut at a quote or at the second equals "
           "sign fails far from here.",
       .capabilities = {},
       .unless = std::nullopt,
       .needs = {},
       .since = "0.1",
       .bugs = {"https://github.com/podman-container-tools/podman/issues/3132"}},
      {.id = "ENV-004",
       .level = Level::kMust,
       .sentence = "A name that is not `[A-Za-z_][A-Za-z0-9_]*`, or a value with NUL, is "
                   "`InvalidArgumentError` before anything is contacted, on every flavor.",
       .intent =
           "A name with shell syntax in it is an injection on flavors that build a shell line, "
           "and a silent loss on others.",
       .capabilities = {},
       .unless = std::nullopt,
       .needs = {},
       .since = "0.1",
       .bugs = {"https://github.com/zenml-io/zenml/pull/4926"}},
      {.id = "ENV-005",
       .level = Level::kMust,
       .sentence =
           "The harness's own environment does not leak: a variable set in the harness is not "
           "visible unless forwarded by name (local: the default forwards PATH, HOME, LANG, "
           "LC_ALL, TMPDIR, TERM; a list replaces it; true forwards all; false none).",
       .intent =
           "The harness runs with the credentials of its user. Whatever leaks in is readable by "
           "the code that the sandbox was made to distrust.",
       .capabilities = {},
       .unless = std::nullopt,
       .needs = {},
       .since = "0.1",
       .bugs = {}},
      {.id = "ENV-006",
       .level = Level::kMust,
       .sentence = "The flavor adds no credentials of its own to the environment.",
       .intent =
           "A flavor has credentials for its backend. If the sandboxed code can read them, it can "
           "leave the sandbox by the front door.",
       .capabilities = {},
       .unless = std::nullopt,
       .needs = {},
       .since = "0.1",
       .bugs = {}},
  };
}

}  // namespace sandproof::conformance
