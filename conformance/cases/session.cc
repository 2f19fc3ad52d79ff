// SPDX-License-Identifier: Apache-2.0
// SESSION: how sessions are made. Cases; each used by one worker thread, which starts more where
// the rule speaks of threads.
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <vector>

#include "conformance/cases/areas.h"
#include "conformance/cases/support.h"
#include "sandproof/conformance/assertions.h"

namespace sandproof::conformance {
namespace {

using testing::AnyOf;
using testing::Each;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::MatchesRegex;
using testing::Not;
using testing::SizeIs;
using testing::StartsWith;

/// What a broken session or sandbox does, from many threads.
class Problems {
 public:
  void add(const std::string& problem) {
    const std::lock_guard lock(mutex_);
    if (!problem.empty()) problems_.push_back(problem);
  }
  std::vector<std::string> list() const { return problems_; }

 private:
  std::mutex mutex_;
  std::vector<std::string> problems_;
};

// SESSION-001: `create_session` returns an open session with a non-empty id.
void CreateGivesAnOpenSession(CaseContext& ctx) {
  const std::unique_ptr<Session> session = ctx.sandbox().create_session();
  EXPECT_THAT(session->id(), Not(IsEmpty()));
  EXPECT_FALSE(session->closed());
  EXPECT_EQ(out_within(ctx.bound(std::chrono::milliseconds(0)), *session, "echo hi"), "hi\n");
}

// SESSION-002: Ids are unique, over 100 sessions and over threads, and match
// `[a-z0-9][a-z0-9-]{0,62}`.
void IdsAreUniqueAndWellFormed(CaseContext& ctx) {
  Sandbox& sandbox = ctx.sandbox();
  std::mutex mutex;
  std::vector<std::string> ids;
  constexpr int kSessions = 100;
  constexpr int kMintingThreads = 8;
  in_parallel(kMintingThreads, [&](int thread) {
    for (int i = thread; i < kSessions; i += kMintingThreads) {
      const std::unique_ptr<Session> session = sandbox.create_session();
      const std::string id = session->id();
      session->destroy();
      const std::lock_guard lock(mutex);
      ids.push_back(id);
    }
  });
  EXPECT_THAT(std::set<std::string>(ids.begin(), ids.end()), SizeIs(kSessions));
  EXPECT_THAT(ids, Each(MatchesRegex("[a-z0-9][a-z0-9-]{0,62}")));
}

// SESSION-002: … `<flavor>-` + 12 random hex digits: the framework makes every flavor's ids.
void IdsNameTheirFlavor(CaseContext& ctx) {
  EXPECT_THAT(ctx.session().id(), MatchesRegex(ctx.sandbox().flavor() + "-[0-9a-f]{12}"));
}

// SESSION-003: Two sessions of one sandbox do not see each other's files in the working directory.
void SessionsDoNotSeeEachOthersFiles(CaseContext& ctx) {
  Session& first = ctx.session();
  const std::unique_ptr<Session> second = ctx.sandbox().create_session();
  sh(first, "echo first > mine");
  const std::string before = sh(*second, "cat mine 2>/dev/null || echo absent").out;
  sh(*second, "echo second > mine");
  const std::vector<std::string> seen{before, sh(first, "cat mine").out};
  EXPECT_THAT(seen, ElementsAre("absent\n", "first\n"));
}

// SESSION-004: Sessions can be created from many threads of one sandbox at once (16 × 4).
void SessionsAreCreatedFromManyThreads(CaseContext& ctx) {
  Sandbox& sandbox = ctx.sandbox();
  Problems problems;
  in_parallel(16, [&](int thread) {
    for (int i = 0; i < 4; ++i) {
      const std::string mine = std::to_string(thread) + "." + std::to_string(i);
      problems.add(error_of([&] {
        const std::unique_ptr<Session> session = sandbox.create_session();
        const std::string out = sh(*session, "echo " + mine + " >> f; cat f").out;
        if (out != mine + "\n") problems.add(mine + " read " + out);
        session->destroy();
      }));
    }
  });
  EXPECT_THAT(problems.list(), IsEmpty());
}

// SESSION-005: A create that fails leaves nothing behind: no directory, container, pod or process
// (checked through the backend).
void ARefusedCreateLeavesNothing(CaseContext& ctx) {
  Sandbox& sandbox = ctx.sandbox();
  // Sessions that should not have been made stay until they were counted.
  std::vector<std::unique_ptr<Session>> made;
  error_of([&] {
    made.push_back(sandbox.create_session(
        Settings().set("environment", std::map<std::string, std::string>{{"1BAD", "x"}})));
  });
  error_of([&] {
    made.push_back(sandbox.create_session(Settings().set("no_such_field", std::int64_t{1})));
  });
  EXPECT_THAT(ctx.probe().census(sandbox.component_id()), IsEmpty());
}

// SESSION-005: … also when the failure comes after the environment was created.
void AStartThatFailsLeavesNothing(CaseContext& ctx) {
  Sandbox& sandbox = ctx.sandbox();
  ctx.faults().fail_next_start();
  std::unique_ptr<Session> session;
  EXPECT_THAT(error_of([&] { session = sandbox.create_session(); }),
              AnyOf(StartsWith("BackendError"), StartsWith("TimeoutError")));
  EXPECT_THAT(ctx.probe().census(sandbox.component_id()), IsEmpty());
}

// SESSION-005: … also when the failure comes after the environment was created: in a restore, too.
void ARestoreThatFailsLeavesNothing(CaseContext& ctx) {
  Sandbox& sandbox = ctx.sandbox();
  const Snapshot snapshot = ctx.session().create_snapshot();
  const std::vector<std::string> before = census(ctx);
  ctx.faults().fail_next_start();
  std::unique_ptr<Session> session;
  EXPECT_THAT(error_of([&] { session = sandbox.restore(snapshot); }),
              AnyOf(StartsWith("BackendError"), StartsWith("TimeoutError")));
  EXPECT_THAT(census(ctx), testing::UnorderedElementsAreArray(before));
}

}  // namespace

std::vector<Case> session_cases() {
  std::vector<Case> cases{
      {.name = "CreateGivesAnOpenSession",
       .rules = {"SESSION-001"},
       .body = CreateGivesAnOpenSession,
       .smoke = true},
      {.name = "IdsAreUniqueAndWellFormed",
       .rules = {"SESSION-002"},
       .body = IdsAreUniqueAndWellFormed},
      {.name = "IdsNameTheirFlavor", .rules = {"SESSION-002"}, .body = IdsNameTheirFlavor},
      {.name = "SessionsDoNotSeeEachOthersFiles",
       .rules = {"SESSION-003"},
       .body = SessionsDoNotSeeEachOthersFiles},
      {.name = "SessionsAreCreatedFromManyThreads",
       .rules = {"SESSION-004"},
       .body = SessionsAreCreatedFromManyThreads},
      {.name = "ARefusedCreateLeavesNothing",
       .rules = {"SESSION-005"},
       .body = ARefusedCreateLeavesNothing,
       .needs = {Need::kLeakCensus}},
      {.name = "AStartThatFailsLeavesNothing",
       .rules = {"SESSION-005"},
       .body = AStartThatFailsLeavesNothing,
       .needs = {Need::kLeakCensus, Need::kFailingStart}},
      {.name = "ARestoreThatFailsLeavesNothing",
       .rules = {"SESSION-005"},
       .body = ARestoreThatFailsLeavesNothing,
       .with = {Capability::kSnapshot, Capability::kRestore},
       .needs = {Need::kLeakCensus, Need::kFailingStart}},
  };
  for (Case& row : session_end_cases()) cases.push_back(std::move(row));
  return cases;
}

}  // namespace sandproof::conformance
