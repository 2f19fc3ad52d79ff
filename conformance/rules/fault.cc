// SPDX-License-Identifier: Apache-2.0
// The rules of the area FAULT. The environment misbehaves. A table; any thread.
#include "conformance/rules/areas.h"

namespace sandproof::conformance {

// NOLINTNEXTLINE(readability-function-size): a table is as long as its contents.
std::vector<Rule> fault_rules() {
  return {
      {.id = "FAULT-001",
       .level = Level::kMust,
       .sentence =
           "Backend unreachable, or answering 500, 429 or garbage, at each call: a typed error, "
           "bounded, nothing left behind, and the next call works once it is healthy.",
       .intent = "Backends restart and refuse. A client that hangs, leaks or stays broken after it "
                 "turns one bad second into an outage.",
       .capabilities = {},
       .unless = std::nullopt,
       .needs = {Need::kFaults},
       .since = "0.1",
       .bugs = {"https://github.com/kubernetes/kubernetes/pull/133448",
                "https://github.com/gravitational/teleport/pull/55696",
                "https://github.com/zalando-incubator/kopf/pull/8",
                "https://github.com/Yelp/task_processing/pull/223",
                "https://github.com/vercel/eve/pull/442"}},
      {.id = "FAULT-002",
       .level = Level::kMust,
       .sentence =
           "A reply lost after the work was done (create, delete, exec) neither leaks nor repeats.",
       .intent = "The answer can get lost after the work was done. Believing that nothing happened "
                 "leaks the thing; doing it again does it twice.",
       .capabilities = {},
       .unless = std::nullopt,
       .needs = {Need::kFaults},
       .since = "0.1",
       .bugs = {"https://github.com/NVIDIA-NeMo/Gym/pull/3488"}},
      {.id = "FAULT-003",
       .level = Level::kMust,
       .sentence = "A stream cut at any byte (in a frame header, in a character, in a line) is "
                   "`SandboxLostError` after the bytes received.",
       .intent = "A cut stream that counts as complete hands half a result on as the whole.",
       .capabilities = {},
       .unless = std::nullopt,
       .needs = {Need::kFaults},
       .since = "0.1",
       .bugs = {"https://github.com/rancher-sandbox/rancher-desktop/pull/7896",
                "https://github.com/managoat/fountain/pull/689"}},
      {.id = "FAULT-004",
       .level = Level::kMust,
       .sentence = "A stream that ends without a status is `SandboxLostError`.",
       .intent =
           "An end without a status tells nothing about the command. Zero, one or a hang are all "
           "wrong.",
       .capabilities = {},
       .unless = std::nullopt,
       .needs = {Need::kFaults},
       .since = "0.1",
       .bugs = {"https://github.com/kubernetes/kubernetes/issues/73056",
                "https://github.com/kubernetes-client/javascript/issues/465",
                "https://github.com/fabric8io/kubernetes-client/pull/4842"}},
      {.id = "FAULT-005",
       .level = Level::kMust,
       .sentence = "A stream that stays open after exit ends by the drain grace.",
       .intent =
           "Some servers never close the stream. A reader that waits for the end waits for ever.",
       .capabilities = {},
       .unless = std::nullopt,
       .needs = {Need::kFaults},
       .since = "0.1",
       .bugs = {"https://github.com/socktainer/socktainer/issues/346"}},
      {.id = "FAULT-006",
       .level = Level::kMust,
       .sentence = "Frames split and merged at every boundary give the same output.",
       .intent = "Networks cut where they like. A parser that relies on where frames begin garbles "
                 "output now and then, and on busy days only.",
       .capabilities = {},
       .unless = std::nullopt,
       .needs = {Need::kFaults},
       .since = "0.1",
       .bugs = {"https://github.com/podman-container-tools/podman/issues/9096",
                "https://github.com/docker/docker-py/pull/3438",
                "https://github.com/apocas/dockerode/issues/592",
                "https://github.com/kubernetes-client/c/issues/168",
                "https://github.com/kubernetes-client/python/pull/2100",
                "https://github.com/boostorg/beast/issues/3025"}},
      {.id = "FAULT-007",
       .level = Level::kMust,
       .sentence =
           "The environment dies under a running command (OOM, eviction, container killed, server "
           "restarted): `SandboxLostError` or a non-zero integer status, bounded.",
       .intent =
           "Memory limits and evictions end environments in the middle of a command. Reported as "
           "success, or not at all, the run goes on with nothing.",
       .capabilities = {},
       .unless = std::nullopt,
       .needs = {Need::kFaults},
       .since = "0.1",
       .bugs = {"https://github.com/moby/moby/issues/27626",
                "https://github.com/kubernetes/kubernetes/issues/129144",
                "https://github.com/actions/runner-container-hooks/issues/228"}},
      {.id = "FAULT-008",
       .level = Level::kMust,
       .sentence = "An environment replaced under the same name is not mistaken for the old one.",
       .intent =
           "A new environment under the old name answers in place of the old one, with another "
           "state: output of the wrong machine is taken for the right one.",
       .capabilities = {},
       .unless = std::nullopt,
       .needs = {Need::kFaults},
       .since = "0.1",
       .bugs = {"https://github.com/moby/moby/issues/37698",
                "https://github.com/kubernetes/kubernetes/pull/26100"}},
  };
}

}  // namespace sandproof::conformance
