// SPDX-License-Identifier: Apache-2.0
// The checks of `doctor`, each where it fails, and what becomes of checks that misbehave.
#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <source_location>
#include <stdexcept>
#include <string>
#include <vector>

#include "conformance/doctor/checkup.h"
#include "conformance/doctor/machine.h"
#include "conformance/doctor/session_check.h"
#include "conformance/doctor/trial.h"
#include "sandproof/conformance/checks.h"
#include "sandproof/errors.h"

namespace sandproof::conformance {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

class Directory {
 public:
  Directory() {
    std::string name = (fs::temp_directory_path() / "doctor-test-XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr) throw std::runtime_error("no directory");
    path_ = name;
  }
  ~Directory() { fs::remove_all(path_); }
  Directory(const Directory&) = delete;
  Directory& operator=(const Directory&) = delete;
  const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

// ---- Ready-made checks -----------------------------------------------------------------------

TEST(Checks, ADirectoryThatCanBeWrittenIsFineAndKeepsNothing) {
  const Directory directory;
  EXPECT_EQ(check_writable_directory(directory.path(), "x").status, CheckStatus::kOk);
  EXPECT_EQ(check_unnamed_file(directory.path()).status, CheckStatus::kOk);
  EXPECT_TRUE(fs::is_empty(directory.path()));
}

TEST(Checks, ADirectoryThatCannotIsNamedWithTheRemedy) {
  const CheckResult result = check_writable_directory("/proc/self", "set X to another");
  EXPECT_EQ(result.status, CheckStatus::kFailed);
  EXPECT_THAT(result.detail, HasSubstr("/proc/self: "));
  EXPECT_EQ(result.fix, "set X to another");
  EXPECT_EQ(check_unnamed_file("/proc/self").status, CheckStatus::kWarning);
  EXPECT_THAT(check_writable_directory("/nonexistent", "").detail,
              HasSubstr("No such file or directory"));
}

TEST(Checks, SpaceIsComparedWithBothBounds) {
  constexpr std::uint64_t kAll = UINT64_MAX;
  EXPECT_EQ(check_free_space("/tmp", 0, 0).status, CheckStatus::kOk);
  EXPECT_EQ(check_free_space("/tmp", 0, kAll).status, CheckStatus::kWarning);
  EXPECT_EQ(check_free_space("/tmp", kAll, kAll).status, CheckStatus::kFailed);
  EXPECT_EQ(check_free_space("/nonexistent", 0, 0).status, CheckStatus::kFailed);
}

TEST(Checks, ProcIsTheOneOfThisProcess) {
  EXPECT_EQ(check_process_directory().status, CheckStatus::kOk);
  const Directory fake;
  const CheckResult none = check_process_directory(fake.path());
  EXPECT_EQ(none.status, CheckStatus::kFailed);
  EXPECT_THAT(none.fix, HasSubstr("mount -t proc proc " + fake.path().string()));
  fs::create_directory(fake.path() / "self");
  std::ofstream(fake.path() / "self" / "stat") << "1 (init) S\n";
  EXPECT_THAT(check_process_directory(fake.path()).detail, HasSubstr("another pid namespace"));
}

TEST(Checks, AProgramIsLookedUpInThePathGiven) {
  const Directory directory;
  const std::string path = "/nonexistent:" + directory.path().string();
  const fs::path program = directory.path() / "tool";
  EXPECT_EQ(check_program("tool", path).status, CheckStatus::kFailed);
  std::ofstream(program) << "#!/bin/sh\n";
  EXPECT_THAT(check_program("tool", path).detail, HasSubstr(path)) << "it cannot be executed";
  ::chmod(program.c_str(), 0755);
  EXPECT_EQ(check_program("tool", path).detail, program.string());
  EXPECT_EQ(check_program("tool", "").status, CheckStatus::kFailed);
}

TEST(Checks, PidfdsWorkHere) { EXPECT_EQ(check_pidfd().status, CheckStatus::kOk); }

/// The text that a check gives under a limit, which is lowered in a child.
CheckResult under_limit(__rlimit_resource resource, rlim_t most, CheckResult (*check)()) {
  const CheckedGroup group = check_group("limited",
                                         {{"limited",
                                           [=](const Settings&) {
                                             const rlimit limit = {most, most};
                                             if (::setrlimit(resource, &limit) != 0)
                                               throw std::runtime_error("no limit");
                                             return check();
                                           }}},
                                         Settings());
  return group.rows.front().result;
}

TEST(Checks, DescriptorsAreComparedWithTheHardLimit) {
  const auto check = [] { return check_descriptors(64, 256); };
  EXPECT_EQ(under_limit(RLIMIT_NOFILE, 300, check).status, CheckStatus::kOk);
  const CheckResult few = under_limit(RLIMIT_NOFILE, 100, check);
  EXPECT_EQ(few.status, CheckStatus::kWarning);
  EXPECT_THAT(few.detail, HasSubstr("only 100"));
  EXPECT_THAT(few.fix, HasSubstr("ulimit -n 256"));
  EXPECT_EQ(under_limit(RLIMIT_NOFILE, 40, check).status, CheckStatus::kFailed);
}

TEST(Checks, ProcessesAreTriedOutAndGone) {
  const CheckResult result = check_processes(2, 5);
  EXPECT_EQ(result.status, CheckStatus::kOk);
  EXPECT_EQ(result.detail, "5 were tried");
}

TEST(Checks, TooFewDescriptorsForAPipeIsAFailureAndNoCrash) {
  const auto check = [] { return check_processes(2, 5); };
  // The child holds the standard streams and its own pipe.
  EXPECT_EQ(under_limit(RLIMIT_NOFILE, 3, check).status, CheckStatus::kFailed);
}

TEST(Checks, BytesAreReadable) {
  EXPECT_EQ(bytes_text(0), "0 B");
  EXPECT_EQ(bytes_text(1023), "1023 B");
  EXPECT_EQ(bytes_text(std::uint64_t{512} << 20), "512.0 MiB");
  EXPECT_EQ(bytes_text(std::uint64_t{4000} << 40), "4000.0 TiB");
}

TEST(MachineNeeds, AreMeasuredByWhatTheyAreGiven) {
  MachineNeeds needs;
  needs.temporary = "/nonexistent";
  needs.proc = "/nonexistent";
  const CheckedGroup group = check_group("m", machine_preconditions(needs), Settings());
  std::vector<std::string> failed;
  for (const CheckedPrecondition& row : group.rows) {
    if (row.result.status == CheckStatus::kFailed) failed.push_back(row.name);
    EXPECT_EQ(row.result.fix.empty(), row.result.status == CheckStatus::kOk) << row.name;
  }
  EXPECT_THAT(failed, ElementsAre("temporary files can be made", "there is room for them",
                                  "/proc is mounted"));
}

// ---- Checks that misbehave -------------------------------------------------------------------

CheckResult result_of(const std::function<CheckResult(const Settings&)>& check,
                      std::chrono::milliseconds limit = kCheckLimit) {
  return check_group("g", {{"it holds", check}}, Settings(), limit).rows.front().result;
}

TEST(Checkup, GivesWhatTheCheckGave) {
  const CheckResult result =
      result_of([](const Settings&) { return CheckResult::warning("little of it", "get more"); });
  EXPECT_EQ(result.status, CheckStatus::kWarning);
  EXPECT_EQ(result.detail, "little of it");
  EXPECT_EQ(result.fix, "get more");
}

TEST(Checkup, AnExceptionIsAFailureWithItsText) {
  const CheckResult result = result_of(
      [](const Settings&) -> CheckResult { throw BackendError("no daemon on socket x"); });
  EXPECT_EQ(result.status, CheckStatus::kFailed);
  EXPECT_EQ(result.detail, "no daemon on socket x");
}

TEST(Checkup, ACrashIsAFailureAndTheNextOneIsLookedAt) {
  const CheckedGroup group =
      check_group("g",
                  {{"a", [](const Settings&) -> CheckResult { std::abort(); }},
                   {"b", [](const Settings&) -> CheckResult { ::_exit(0); }},
                   {"c", [](const Settings&) { return CheckResult::ok(); }}},
                  Settings());
  EXPECT_THAT(group.rows[0].result.detail, HasSubstr("signaled(6)"));
  EXPECT_EQ(group.rows[1].result.status, CheckStatus::kFailed) << "it never said that it holds";
  EXPECT_EQ(group.rows[2].result.status, CheckStatus::kOk);
}

TEST(Checkup, AHangEndsAtTheLimit) {
  const CheckResult result = result_of(
      [](const Settings&) -> CheckResult {
        for (;;) ::pause();
      },
      std::chrono::milliseconds(50));
  EXPECT_EQ(result.status, CheckStatus::kFailed);
  EXPECT_EQ(result.detail, "nothing came of it within 0.05 s");
}

TEST(Checkup, LongTextsAreCutAndBothPartsArrive) {
  const CheckResult result = result_of([](const Settings&) {
    return CheckResult::failed(std::string(100'000, 'd'), std::string(100'000, 'f'));
  });
  EXPECT_EQ(result.status, CheckStatus::kFailed);
  EXPECT_GT(result.detail.size(), 1000u);
  EXPECT_EQ(result.fix, std::string(result.fix.size(), 'f'));
  EXPECT_GT(result.fix.size(), 1000u);
}

TEST(Checkup, ChecksGetTheSettings) {
  const Settings settings = Settings().set("socket", std::string("/run/x"));
  const CheckedGroup group =
      check_group("g",
                  {{"a",
                    [](const Settings& given) {
                      return CheckResult::ok(setting<std::string>(given, "socket"));
                    }}},
                  settings);
  EXPECT_EQ(group.rows.front().result.detail, "/run/x");
}

// ---- Told --------------------------------------------------------------------------------------

std::vector<CheckedGroup> one_of_each() {
  return {{"this machine",
           {{"it is there", CheckResult::ok()}, {"it is large", CheckResult::ok("3 of them")}}},
          {"frail",
           {{"it is fast", CheckResult::warning("slow", "buy another")},
            {"it starts", CheckResult::failed("no\x1b[2Jdaemon", "start it")}}}};
}

TEST(CheckupText, IsAlignedAndHasTheFixBelow) {
  EXPECT_EQ(checkup_text(one_of_each(), {}), R"(this machine
  ok    it is there
  ok    it is large: 3 of them

frail
  warn  it is fast: slow
        fix: buy another
  FAIL  it starts: no\x1b[2Jdaemon
        fix: start it
)");
}

TEST(CheckupText, HasColoursOnATerminalAlone) {
  Terminal terminal;
  terminal.color = true;
  EXPECT_THAT(checkup_text(one_of_each(), terminal), HasSubstr("\x1b[1;31mFAIL\x1b[0m  it starts"));
}

TEST(CheckupJson, SaysWhetherAllIsThere) {
  auto groups = one_of_each();
  EXPECT_TRUE(any_failed(groups));
  const auto json = checkup_json(groups);
  EXPECT_EQ(json["ready"], false);
  EXPECT_EQ(json["groups"][1]["of"], "frail");
  EXPECT_EQ(json["groups"][1]["preconditions"][0]["status"], "warning");
  EXPECT_EQ(json["groups"][1]["preconditions"][1]["fix"], "start it");
  groups[1].rows.pop_back();
  EXPECT_FALSE(any_failed(groups));
  EXPECT_EQ(checkup_json(groups)["ready"], true);
}

// ---- A session on trial ------------------------------------------------------------------------

class NoSessions : public SandboxHooks {
 public:
  std::unique_ptr<SessionHooks> do_create_session(const SessionSpec&) override {
    throw BackendError("the pool is empty");
  }
};

TEST(SessionCheck, AFlavorThatGivesNoSessionFails) {
  Binding binding;
  binding.flavor.name = "frail";
  binding.flavor.make_hooks = [](const ComponentContext&) {
    return std::make_unique<NoSessions>();
  };
  const CheckedGroup group = check_group("frail", {session_precondition(binding, "")}, Settings());
  EXPECT_EQ(group.rows.front().result.status, CheckStatus::kFailed);
  EXPECT_THAT(group.rows.front().result.detail, HasSubstr("the pool is empty"));
}

TEST(SessionCheck, ItsProgramsAreThoseThatCasesRun) {
  const fs::path here = std::source_location::current().file_name();
  std::string cases;
  for (const auto& entry : fs::directory_iterator(here.parent_path() / "../../conformance/cases")) {
    std::ifstream file(entry.path());
    cases.append(std::istreambuf_iterator<char>(file), {});
  }
  ASSERT_THAT(cases, Not(IsEmpty()));
  for (const std::string_view program : programs_of_cases()) {
    const std::string name(program);
    EXPECT_TRUE(cases.find("\"" + name + "\"") != std::string::npos ||
                cases.find(name + " ") != std::string::npos)
        << name << " is asked for, and no case runs it";
  }
}

}  // namespace
}  // namespace sandproof::conformance
