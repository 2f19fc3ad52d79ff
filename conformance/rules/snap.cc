// SPDX-License-Identifier: Apache-2.0
// The rules of the area SNAP. Snapshots, and sessions restored from them. A table; any thread.
#include "conformance/rules/areas.h"

namespace sandproof::conformance {

// NOLINTNEXTLINE(readability-function-size): a table is as long as its contents.
std::vector<Rule> snap_rules() {
  return {
      {.id = "SNAP-001",
       .level = Level::kMust,
       .sentence = "`create_snapshot` leaves the session running and usable.",
       .intent =
           "A snapshot is taken in the middle of work. If it stops or pauses the work for good, "
           "nobody can take one.",
       .capabilities = {Capability::kSnapshot, Capability::kRestore},
       .unless = std::nullopt,
       .needs = {},
       .since = "0.1",
       .bugs = {"https://github.com/moby/moby/issues/10932"}},
      {.id = "SNAP-002",
       .level = Level::kMust,
       .sentence =
           "`restore` gives a new session with a new id whose files are those at the time of the "
           "snapshot: later changes and later files are absent.",
       .intent =
           "People return to a point before a mistake. If later changes come along, or an older "
           "state comes back, the point is lost.",
       .capabilities = {Capability::kSnapshot, Capability::kRestore},
       .unless = std::nullopt,
       .needs = {},
       .since = "0.1",
       .bugs = {"https://github.com/e2b-dev/E2B/issues/884"}},
      {.id = "SNAP-003",
       .level = Level::kMust,
       .sentence =
           "The original is unaffected by what happens in the restored session, and two restores "
           "are independent of each other.",
       .intent =
           "Branches of a search start from one state. Shared files make them disturb each other.",
       .capabilities = {Capability::kSnapshot, Capability::kRestore},
       .unless = std::nullopt,
       .needs = {},
       .since = "0.1",
       .bugs = {}},
      {.id = "SNAP-004",
       .level = Level::kMust,
       .sentence = "A snapshot serialises to JSON and back to an equal value.",
       .intent =
           "A snapshot is kept in a database between processes. What does not survive that trip "
           "cannot be restored.",
       .capabilities = {Capability::kSnapshot, Capability::kRestore},
       .unless = std::nullopt,
       .needs = {},
       .since = "0.1",
       .bugs = {}},
      {.id = "SNAP-005",
       .level = Level::kMust,
       .sentence =
           "A snapshot of another sandbox component is `InvalidArgumentError` that names both.",
       .intent =
           "A reference of another component means nothing here, or something else. Both names "
           "are what a person needs to find the mix-up.",
       .capabilities = {Capability::kSnapshot, Capability::kRestore},
       .unless = std::nullopt,
       .needs = {},
       .since = "0.1",
       .bugs = {"https://github.com/zenml-io/zenml/pull/4866"}},
      {.id = "SNAP-006",
       .level = Level::kMust,
       .sentence = "A snapshot that is gone is `NotFoundError`.",
       .intent =
           "A snapshot that was cleaned up must be told apart from a backend that is down; an "
           "empty session in its place loses work in silence.",
       .capabilities = {Capability::kSnapshot, Capability::kRestore},
       .unless = std::nullopt,
       .needs = {},
       .since = "0.1",
       .bugs = {}},
      {.id = "SNAP-007",
       .level = Level::kMust,
       .sentence = "A snapshot outlives its session's `destroy()`.",
       .intent =
           "The snapshot is often the only thing kept. If it goes with its session, nothing is "
           "left to restore.",
       .capabilities = {Capability::kSnapshot, Capability::kRestore},
       .unless = std::nullopt,
       .needs = {},
       .since = "0.1",
       .bugs = {"https://github.com/moby/moby/issues/36321"}},
      {.id = "SNAP-008",
       .level = Level::kMust,
       .sentence = "Two snapshots of one session have different refs.",
       .intent = "Two snapshots under one ref overwrite each other, and the older state is lost.",
       .capabilities = {Capability::kSnapshot, Capability::kRestore},
       .unless = std::nullopt,
       .needs = {},
       .since = "0.1",
       .bugs = {}},
      {.id = "SNAP-009",
       .level = Level::kMust,
       .sentence = "Restore keeps the session's own working directory, environment and limits, and "
                   "accepts settings and `destroy_on_exit`.",
       .intent =
           "A restored session that starts elsewhere, or with other variables or limits, is not "
           "the one that was saved.",
       .capabilities = {Capability::kSnapshot, Capability::kRestore},
       .unless = std::nullopt,
       .needs = {},
       .since = "0.1",
       .bugs = {"https://github.com/podman-container-tools/podman/issues/3132"}},
      {.id = "SNAP-010",
       .level = Level::kMust,
       .sentence = "`delete_snapshot` removes it from the backend; again does nothing.",
       .intent =
           "Snapshots cost storage. Without a delete that works, and that can be repeated, they "
           "pile up.",
       .capabilities = {Capability::kSnapshot, Capability::kRestore},
       .unless = std::nullopt,
       .needs = {},
       .since = "0.1",
       .bugs = {}},
      {.id = "SNAP-011",
       .level = Level::kMust,
       .sentence = "A snapshot restores in another process.",
       .intent = "The process that took the snapshot is rarely the one that needs it.",
       .capabilities = {Capability::kSnapshot, Capability::kRestore, Capability::kCrossProcess},
       .unless = std::nullopt,
       .needs = {},
       .since = "0.1",
       .bugs = {}},
  };
}

}  // namespace sandproof::conformance
