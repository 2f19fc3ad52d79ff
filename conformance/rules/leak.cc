// SPDX-License-Identifier: Apache-2.0
// The rules of the area LEAK. What is left behind: in the backend and in the harness. A table; any
// thread.
#include "conformance/rules/areas.h"

namespace sandproof::conformance {

std::vector<Rule> leak_rules() {
  return {
      {.id = "LEAK-001",
       .level = Level::kMust,
       .sentence = "After a case that destroys what it made, the backend holds nothing of it: no "
                   "container, pod, image, process, directory, connection.",
       .intent = "What is left after each case adds up: disks fill, quotas run out, bills grow.",
       .capabilities = {},
       .unless = std::nullopt,
       .needs = {Need::kLeakCensus},
       .since = "0.1",
       .bugs = {"https://github.com/OpenHands/OpenHands/issues/11801",
                "https://github.com/zenml-io/zenml/pull/4993"}},
      {.id = "LEAK-002",
       .level = Level::kMust,
       .sentence =
           "After a first one as warm-up, 100 execs leave the harness's file descriptors, threads "
           "and zombies as they were.",
       .intent =
           "A server runs thousands of commands a day. One descriptor, thread or zombie for each "
           "ends it within the week.",
       .capabilities = {},
       .unless = std::nullopt,
       .needs = {},
       .since = "0.1",
       .bugs = {"https://github.com/swiftlang/swift-subprocess/pull/282",
                "https://github.com/docker/docker-py/issues/1755",
                "https://github.com/kubernetes-client/python-base/issues/53"}},
      {.id = "LEAK-003",
       .level = Level::kMust,
       .sentence = "Children inherit no descriptors of the harness but their three.",
       .intent = "A child that inherits a descriptor keeps another command's pipe or the server's "
                 "socket open: no end of file comes, ports stay taken, secrets are readable.",
       .capabilities = {},
       .unless = std::nullopt,
       .needs = {},
       .since = "0.1",
       .bugs = {"https://github.com/boostorg/process/issues/170"}},
      {.id = "LEAK-004",
       .level = Level::kMust,
       .sentence = "64 sessions, created, used and destroyed from 8 threads, leave nothing.",
       .intent = "Clean-up that works for one session at a time loses some when many end at once.",
       .capabilities = {},
       .unless = std::nullopt,
       .needs = {Need::kLeakCensus},
       .since = "0.1",
       .bugs = {}},
      {.id = "LEAK-005",
       .level = Level::kShould,
       .sentence = "What a killed harness leaves behind can be found by label and swept.",
       .intent = "Harnesses are killed. If what they leave cannot be found and told apart from the "
                 "living, it is either kept for ever or removed together with what is in use.",
       .capabilities = {Capability::kCrossProcess},
       .unless = std::nullopt,
       .needs = {Need::kLeakCensus},
       .since = "0.1",
       .bugs = {"https://github.com/moby/moby/issues/36321",
                "https://github.com/apocas/dockerode/issues/196",
                "https://github.com/apache/spark/pull/56445",
                "https://github.com/aron-muon/KubeCodeRun/pull/61",
                "https://github.com/OpenHands/OpenHands/pull/4970"}},
  };
}

}  // namespace sandproof::conformance
