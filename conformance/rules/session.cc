// SPDX-License-Identifier: Apache-2.0
// The rules of the area SESSION. Sessions: create, scope exit, lifetimes. A table; any thread.
#include "conformance/rules/areas.h"

namespace sandproof::conformance {

// NOLINTNEXTLINE(readability-function-size): a table is as long as its contents.
std::vector<Rule> session_rules() {
  return {
      {.id = "SESSION-001",
       .level = Level::kMust,
       .sentence = "`create_session` returns an open session with a non-empty id.",
       .intent =
           "Without an id nobody can attach, log or clean up; a session that is born closed is of "
           "no use to anyone.",
       .capabilities = {},
       .unless = std::nullopt,
       .needs = {},
       .since = "0.1",
       .bugs = {}},
      {.id = "SESSION-002",
       .level = Level::kMust,
       .sentence =
           "Ids are unique, over 100 sessions and over threads, and match "
           "`[a-z0-9][a-z0-9-]{0,62}` (the built-in flavors: `<flavor>-` + 12 random hex digits).",
       .intent =
           "Two sessions with one id share files and are destroyed together. Ids end up in "
           "container names, pod names, paths and labels, so they must be legal in all of them.",
       .capabilities = {},
       .unless = std::nullopt,
       .needs = {},
       .since = "0.1",
       .bugs = {"https://github.com/moby/moby/issues/37698"}},
      {.id = "SESSION-003",
       .level = Level::kMust,
       .sentence =
           "Two sessions of one sandbox do not see each other's files in the working directory.",
       .intent =
           "Sessions stand for different users or different attempts. If one sees the other's "
           "files, results are mixed up and data leaks.",
       .capabilities = {},
       .unless = std::nullopt,
       .needs = {},
       .since = "0.1",
       .bugs = {}},
      {.id = "SESSION-004",
       .level = Level::kMust,
       .sentence = "Sessions can be created from many threads of one sandbox at once (16 × 4).",
       .intent =
           "Servers create sessions from many threads on one component. A client that is shared "
           "without care then fails or crosses the connections.",
       .capabilities = {},
       .unless = std::nullopt,
       .needs = {},
       .since = "0.1",
       .bugs = {"https://github.com/zenml-io/zenml/pull/4926",
                "https://github.com/kubernetes-client/python/issues/928",
                "https://github.com/onyx-dot-app/python-sandbox/pull/21"}},
      {.id = "SESSION-005",
       .level = Level::kMust,
       .sentence =
           "A create that fails leaves nothing behind: no directory, container, pod or process "
           "(checked through the backend), also when the failure comes after the environment was "
           "created.",
       .intent =
           "Nobody holds a handle to an environment whose create failed, so nobody can destroy "
           "it: it runs and costs money until someone finds it by hand.",
       .capabilities = {},
       .unless = std::nullopt,
       .needs = {Need::kLeakCensus},
       .since = "0.1",
       .bugs = {"https://github.com/huggingface/smolagents/issues/2050",
                "https://github.com/langchain-ai/deepagents/issues/6029",
                "https://github.com/huggingface/ml-intern/pull/163"}},
      {.id = "SESSION-006",
       .level = Level::kMust,
       .sentence =
           "Scope exit destroys the session if `destroy_on_exit`, else closes it; on the "
           "exception path too, and the body's exception stays the one that is seen. If the body "
           "did not throw, `with_session` throws the teardown error; a destructor never throws, "
           "is bounded, and leaves the error in the log and with the sandbox.",
       .intent =
           "Scope exit is what people trust to clean up. If it forgets, leaks on the exception "
           "path or hides the body's error, the run leaves an environment behind or is debugged "
           "in the wrong place.",
       .capabilities = {},
       .unless = std::nullopt,
       .needs = {},
       .since = "0.1",
       .bugs = {"https://github.com/OpenHands/OpenHands/pull/4970",
                "https://github.com/zenml-io/zenml/pull/4986"}},
      {.id = "SESSION-007",
       .level = Level::kMust,
       .sentence = "`destroy_on_exit` defaults to false; an attached session has it false.",
       .intent =
           "Whoever attaches does not own the environment. A handle that destroys by default ends "
           "another person's work.",
       .capabilities = {},
       .unless = std::nullopt,
       .needs = {},
       .since = "0.1",
       .bugs = {"https://github.com/langchain-ai/deepagents/issues/6029",
                "https://github.com/zenml-io/zenml/pull/4986"}},
      {.id = "SESSION-008",
       .level = Level::kMust,
       .sentence =
           "Nothing destroys an environment implicitly: a closed or destructed handle leaves it "
           "running.",
       .intent =
           "Long-lived environments are handed from process to process. One that ends because a "
           "handle was dropped loses work that nobody asked to lose.",
       .capabilities = {Capability::kOutlives},
       .unless = std::nullopt,
       .needs = {},
       .since = "0.1",
       .bugs = {}},
      {.id = "SESSION-011",
       .level = Level::kMust,
       .sentence =
           "Handles of sandbox, session and process may be destroyed in any order and on any "
           "thread; a process whose handle is gone runs on under its session.",
       .intent = "Destruction order is an accident of the program. A crash, or a command that dies "
                 "because somebody dropped a handle, shows up far from its cause.",
       .capabilities = {},
       .unless = std::nullopt,
       .needs = {},
       .since = "0.1",
       .bugs = {}},
      {.id = "SESSION-009",
       .level = Level::kMust,
       .sentence =
           "A session whose environment does not become ready within its start deadline fails "
           "with `TimeoutError` or `BackendError` that names the reason (image pull, "
           "unschedulable …), and is cleaned up.",
       .intent =
           "Without a deadline the caller hangs for ever on an image that never comes; without "
           "the reason nobody knows what to fix; without cleaning up, dead pods pile up.",
       .capabilities = {},
       .unless = std::nullopt,
       .needs = {Need::kImages},
       .since = "0.1",
       .bugs = {"https://github.com/decocms/studio/pull/4549"}},
      {.id = "SESSION-010",
       .level = Level::kShould,
       .sentence =
           "A hopeless start (image cannot be pulled, pod failed) fails as soon as it is known, "
           "not at the deadline.",
       .intent =
           "Waiting for the full deadline when the image name is wrong makes each typing error "
           "cost minutes.",
       .capabilities = {},
       .unless = std::nullopt,
       .needs = {Need::kImages},
       .since = "0.1",
       .bugs = {}},
  };
}

}  // namespace sandproof::conformance
