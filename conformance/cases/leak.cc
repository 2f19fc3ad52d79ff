// SPDX-License-Identifier: Apache-2.0
// LEAK: what is left behind, in the backend and in the harness. Cases; each used by one worker
// thread.
#include <memory>
#include <string>
#include <vector>

#include "conformance/cases/areas.h"
#include "conformance/cases/harness_state.h"
#include "conformance/cases/support.h"
#include "sandproof/conformance/assertions.h"

namespace sandproof::conformance {
namespace {

using namespace std::chrono_literals;
using testing::Contains;
using testing::Each;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

// LEAK-001: After a case that destroys what it made, the backend holds nothing of it: no container,
// pod, image, process, directory, connection.
void NothingIsLeftAfterDestroy(CaseContext& ctx) {
  const auto session = ctx.sandbox().create_session();
  run(*session, {"touch", "f"});
  auto background = start(*session, "setsid sleep 341 & echo up; sleep 343");
  EXPECT_THAT(census(ctx), Not(IsEmpty()))
      << "the probe sees nothing even while there is something";
  session->destroy();
  EXPECT_TRUE(eventually(ctx.bound(0ms), [&] { return census(ctx).empty(); }))
      << testing::PrintToString(census(ctx));
}

// LEAK-001: … no process: nor a dead one that nobody reaps.
void OrphansLeaveNoZombies(CaseContext& ctx) {
  const auto session = ctx.sandbox().create_session();
  // It stays: the dead have no mark any more, and are found by who lives beside them.
  const Started control =
      start(*session,
            "i=0; while [ $i -lt 30 ]; do sh -c 'sleep 0.01 >/dev/null 2>&1 &'; i=$((i+1)); done; "
            "echo up; exec sleep 342");
  std::vector<std::string> seen;
  eventually(ctx.bound(0ms), [&] {
    seen.clear();
    for (const ProcessEntry& entry : ctx.probe().processes(session->id())) {
      seen.push_back(entry.command + (entry.alive ? "" : " (dead)"));
    }
    return seen == std::vector<std::string>{"sleep 342"};
  });
  session->destroy();
  EXPECT_THAT(seen, testing::ElementsAre("sleep 342"));
}

/// The harness's own descriptors, threads and zombies.
std::vector<std::size_t> usage() { return {own_descriptors(), own_threads(), own_zombies()}; }

// LEAK-002: After a first one as warm-up, 100 execs leave the harness's file descriptors, threads
// and zombies as they were.
void ExecsLeaveTheHarnessAsItWas(CaseContext& ctx) {
  Session& session = ctx.session();
  run(session, {"true"});
  const std::vector<std::size_t> before = usage();
  for (int i = 0; i < 80; ++i) run(session, {"true"});
  for (int i = 0; i < 10; ++i) error_of([&] { session.exec({"no-such-program"}); });
  for (int i = 0; i < 10; ++i) session.exec({"sleep", "30"})->kill();
  EXPECT_TRUE(eventually(ctx.bound(0ms), [&] { return usage() == before; }))
      << "descriptors, threads, zombies: " << testing::PrintToString(usage()) << " instead of "
      << testing::PrintToString(before);
}

// LEAK-003: Children inherit no descriptors of the harness but their three.
void ChildrenInheritThreeDescriptors(CaseContext& ctx) {
  Session& session = ctx.session();
  const CarelessDescriptors careless;
  std::vector<std::string> seen(8);
  in_parallel(8, [&](int i) { seen[i] = run(session, {"ls", "/proc/self/fd"}).out; });
  // The fourth is the directory that ls reads.
  EXPECT_THAT(seen, Each("0\n1\n2\n3\n"));
}

// LEAK-004: 64 sessions, created, used and destroyed from 8 threads, leave nothing.
void SixtyFourSessionsLeaveNothing(CaseContext& ctx) {
  Sandbox& sandbox = ctx.sandbox();
  std::vector<std::string> wrong(8);
  in_parallel(8, [&](int i) {
    for (int round = 0; round < 8 && wrong[i].empty(); ++round) {
      wrong[i] = error_of([&] {
        const auto session = sandbox.create_session();
        run(*session, {"sh", "-c", "echo x > f; sleep 347 >/dev/null 2>&1 &"});
        session->destroy();
      });
    }
  });
  EXPECT_THAT(wrong, Each(IsEmpty()));
  EXPECT_TRUE(eventually(ctx.bound(0ms), [&] { return census(ctx).empty(); }))
      << testing::PrintToString(census(ctx));
}

// LEAK-005: What a killed harness leaves behind can be found by label and swept.
void WhatAKilledHarnessLeavesCanBeFound(CaseContext& ctx) {
  const ElsewhereResult dead = ctx.die_elsewhere({"sh", "-c", "echo x > f; sleep 371"});
  EXPECT_THAT(census(ctx), Contains(HasSubstr(dead.session_id))) << dead.error;
  const auto session = ctx.sandbox().attach(dead.session_id);
  EXPECT_TRUE(eventually(ctx.bound(0ms), [&] { return run(*session, {"cat", "f"}).out == "x\n"; }));
  session->destroy();
  EXPECT_TRUE(eventually(ctx.bound(0ms), [&] { return census(ctx).empty(); }))
      << testing::PrintToString(census(ctx));
}

}  // namespace

std::vector<Case> leak_cases() {
  return {
      {.name = "NothingIsLeftAfterDestroy",
       .rules = {"LEAK-001"},
       .body = NothingIsLeftAfterDestroy},
      {.name = "OrphansLeaveNoZombies",
       .rules = {"LEAK-001"},
       .body = OrphansLeaveNoZombies,
       .needs = {Need::kProcessTable}},
      {.name = "ExecsLeaveTheHarnessAsItWas",
       .rules = {"LEAK-002"},
       .body = ExecsLeaveTheHarnessAsItWas},
      {.name = "ChildrenInheritThreeDescriptors",
       .rules = {"LEAK-003"},
       .body = ChildrenInheritThreeDescriptors},
      {.name = "SixtyFourSessionsLeaveNothing",
       .rules = {"LEAK-004"},
       .body = SixtyFourSessionsLeaveNothing},
      {.name = "WhatAKilledHarnessLeavesCanBeFound",
       .rules = {"LEAK-005"},
       .body = WhatAKilledHarnessLeavesCanBeFound,
       .with = {Capability::kAttach}},
  };
}

}  // namespace sandproof::conformance
