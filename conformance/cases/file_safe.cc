// SPDX-License-Identifier: Apache-2.0
// FILE: transfers that fail half-way, run at once, are large, or would leave the environment.
// Cases; each used by one worker thread.
#include <algorithm>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "conformance/cases/areas.h"
#include "conformance/cases/harness_state.h"
#include "conformance/cases/support.h"
#include "sandproof/conformance/assertions.h"
#include "sandproof/log_stores.h"

namespace sandproof::conformance {
namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;
using testing::Each;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::StartsWith;

/// The names in a directory of the harness, sorted.
std::vector<std::string> names_in(const fs::path& directory) {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(directory)) {
    names.push_back(entry.path().filename().string());
  }
  std::ranges::sort(names);
  return names;
}

// FILE-010: A transfer that fails half-way leaves the target as it was (write aside, then rename).
void AFailedDownloadLeavesTheTarget(CaseContext& ctx) {
  sh(ctx.session(), "head -c 4194304 /dev/zero > large");
  const fs::path directory = ctx.scratch() / "d";
  fs::create_directory(directory);
  write_file(directory / "target", "old");
  std::string error;
  {
    const FileSizeLimit limit(1 << 20);
    error = error_of([&] { ctx.session().download_file("large", directory / "target"); });
  }
  EXPECT_THAT(error, StartsWith("FileTransferError: "));
  EXPECT_EQ(read_file(directory / "target"), "old");
  EXPECT_THAT(names_in(directory), ElementsAre("target"));
}

// FILE-010: A transfer that fails half-way leaves the target as it was …: an upload, too.
void AFailedUploadLeavesTheTarget(CaseContext& ctx) {
  Session& session = ctx.session();
  sh(session, "mkdir d; printf old > d/target");
  write_file(ctx.scratch() / "large", std::string(4 << 20, 'l'));
  std::string error;
  {
    const FileSizeLimit limit(1 << 20);
    error = error_of([&] { session.upload_file(ctx.scratch() / "large", "d/target"); });
  }
  EXPECT_THAT(error, StartsWith("FileTransferError: "));
  EXPECT_EQ(sh(session, "cat d/target; echo; ls -A d").out, "old\ntarget\n");
}

// FILE-010: … who reads meanwhile sees the old file or the new one.
void ReadersSeeOneOfTheFiles(CaseContext& ctx) {
  write_file(ctx.scratch() / "one", "1");
  write_file(ctx.scratch() / "mebi", std::string(1 << 20, 'm'));
  Session& session = ctx.session();
  session.upload_file(ctx.scratch() / "one", "f");
  auto reader = start(session, "echo up; until test -e stop; do wc -c < f; done | sort -n | uniq");
  for (int i = 0; i < 25; ++i) {
    session.upload_file(ctx.scratch() / "mebi", "f");
    session.upload_file(ctx.scratch() / "one", "f");
  }
  sh(session, "touch stop");
  std::vector<std::string> sizes;
  for (const std::string& size : all_lines(reader.process->out())) sizes.push_back(trimmed(size));
  EXPECT_THAT(sizes, testing::AllOf(Not(IsEmpty()), testing::IsSubsetOf({"1", "1048576"})));
}

// FILE-013: Memory stays bounded for a 256 MiB file (streaming) …
void TransfersStream(CaseContext& ctx) {
  constexpr std::uintmax_t kSize = (256U << 20) + 1;
  constexpr std::size_t kBound = 64 << 20;
  write_file(ctx.scratch() / "sparse", "");
  fs::resize_file(ctx.scratch() / "sparse", kSize);
  const std::size_t before = own_memory();
  const std::size_t peak = peak_memory_of([&] {
    ctx.session().upload_file(ctx.scratch() / "sparse", "large");
    ctx.session().download_file("large", ctx.scratch() / "back");
  });
  EXPECT_EQ(fs::file_size(ctx.scratch() / "back"), kSize);
  EXPECT_LT(peak, before + kBound);
}

/// What is wrong with ten transfers of a file there and back; empty when nothing is.
std::string transfers_back(CaseContext& ctx, const std::string& name, const std::string& content) {
  const auto there = ctx.scratch() / name;
  const auto back = ctx.scratch() / (name + "-back");
  write_file(there, content);
  for (int round = 0; round < 10; ++round) {
    std::string error = error_of([&] {
      ctx.session().upload_file(there, name);
      ctx.session().download_file(name, back);
    });
    if (!error.empty()) return error;
    if (read_file(back) != content) return name + " is not what was sent";
  }
  return {};
}

// FILE-015: Transfers run beside running commands and on several threads …
void TransfersRunBesideCommands(CaseContext& ctx) {
  Session& session = ctx.session();
  auto chatty = start(session, "echo up; while :; do echo chat; done");
  std::vector<std::string> wrong(4);
  const bool in_time = finishes_within(
      ctx.bound(2s),
      [&] {
        in_parallel(4, [&](int i) {
          const std::string name = "f" + std::to_string(i);
          const std::string content(64 << 10, static_cast<char>('a' + i));
          wrong[i] = transfers_back(ctx, name, content);
        });
      },
      [&] { chatty.process->kill(); });
  EXPECT_TRUE(in_time) << "transfers wait for a running command";
  EXPECT_THAT(wrong, Each(IsEmpty()));
}

// FILE-015: … they write no command markers to the log.
void TransfersLogNoCommands(CaseContext& ctx) {
  const auto logs = std::make_shared<MemoryLogStore>();
  SandboxSpec spec;
  spec.step = StepContext{
      .run_id = "r", .step_id = "s", .logs = logs, .metadata = nullptr, .settings = std::nullopt};
  const auto sandbox = ctx.make_sandbox(spec);
  const auto session = sandbox->create_session();
  write_file(ctx.scratch() / "f", "x");
  session->upload_file(ctx.scratch() / "f", "f");
  session->download_file("f", ctx.scratch() / "back");
  std::vector<std::string> texts;
  for (const LogRecord& record : logs->records()) texts.push_back(record.text);
  EXPECT_THAT(texts, Each(Not(StartsWith("$ "))));
}

// FILE-016: where the flavor gives no isolation, a remote path or a link that leaves the working
// directory is `InvalidArgumentError`, both ways …
void PathsThatLeaveAreRefused(CaseContext& ctx) {
  Session& session = ctx.session();
  const std::string here = trimmed(sh(session, "pwd -P").out);
  sh(session, "ln -s / escape; ln -s ../.. up; ln -s /etc/hostname host; mkdir a");
  write_file(ctx.scratch() / "f", "x");
  std::vector<std::string> errors;
  for (const std::string& path :
       {std::string("../x"), std::string("a/../../x"), std::string("/etc/hostname"), here + "/../x",
        here + "X/y", std::string("escape/tmp/x"), std::string("up/x"), std::string("host")}) {
    errors.push_back(error_of([&] { session.upload_file(ctx.scratch() / "f", path); }));
    errors.push_back(error_of([&] { session.download_file(path, ctx.scratch() / "t"); }));
  }
  EXPECT_THAT(errors, Each(StartsWith("InvalidArgumentError: ")));
  EXPECT_FALSE(fs::exists(ctx.scratch() / "t"));
}

// FILE-016: … an absolute path inside is allowed.
void PathsInsideAreAllowed(CaseContext& ctx) {
  Session& session = ctx.session();
  const std::string here = trimmed(sh(session, "pwd").out);
  sh(session, "mkdir a; ln -s a l");
  write_file(ctx.scratch() / "f", "x");
  EXPECT_THAT((std::vector{
                  error_of([&] { session.upload_file(ctx.scratch() / "f", here + "/inside"); }),
                  error_of([&] { session.upload_file(ctx.scratch() / "f", "l/../a/f"); }),
                  error_of([&] { session.download_file(here + "/inside", ctx.scratch() / "t"); })}),
              Each(IsEmpty()));
}

// FILE-016: … also when the link is swapped meanwhile …
void ASwappedLinkDoesNotLeave(CaseContext& ctx) {
  Session& session = ctx.session();
  const fs::path outside = ctx.scratch() / "outside";
  fs::create_directory(outside);
  write_file(ctx.scratch() / "f", "x");
  auto swapper = start(session, "echo up; while :; do rm -rf s; mkdir s; rm -rf s; ln -s '" +
                                    outside.string() + "' s; done");
  std::vector<std::string> odd;
  for (int i = 0; i < 300 && fs::is_empty(outside); ++i) {
    const std::string error = error_of([&] { session.upload_file(ctx.scratch() / "f", "s/f"); });
    const bool expected = error.empty() || error.starts_with("InvalidArgumentError") ||
                          error.starts_with("FileTransferError");
    if (!expected) odd.push_back(error);
  }
  swapper.process->kill();
  EXPECT_THAT(odd, IsEmpty());
  EXPECT_THAT(names_in(outside), IsEmpty());
}

// FILE-016: … both ways, also when the link is swapped meanwhile …
void ASwappedLinkIsNotReadThrough(CaseContext& ctx) {
  Session& session = ctx.session();
  const fs::path outside = ctx.scratch() / "outside";
  fs::create_directory(outside);
  write_file(outside / "f", "secret");
  auto swapper =
      start(session, "echo up; while :; do rm -rf s; mkdir s; echo own > s/f; rm -rf s; ln -s '" +
                         outside.string() + "' s; done");
  std::vector<std::string> odd;
  for (int i = 0; i < 300 && odd.empty(); ++i) {
    const std::string error = error_of([&] { session.download_file("s/f", ctx.scratch() / "t"); });
    const bool expected = error.empty() || error.starts_with("InvalidArgumentError") ||
                          error.starts_with("NotFoundError") ||
                          error.starts_with("FileTransferError");
    if (!expected) odd.push_back(error);
    if (error.empty() && read_file(ctx.scratch() / "t") == "secret")
      odd.emplace_back("read outside");
  }
  swapper.process->kill();
  EXPECT_THAT(odd, IsEmpty());
}

// FILE-017: Two uploads to one name at once leave one whole file.
void TwoUploadsLeaveOneWholeFile(CaseContext& ctx) {
  Session& session = ctx.session();
  const std::string a(256 << 10, 'a');
  const std::string b(300 << 10, 'b');
  write_file(ctx.scratch() / "a", a);
  write_file(ctx.scratch() / "b", b);
  std::vector<std::string> odd;
  for (int round = 0; round < 15 && odd.empty(); ++round) {
    in_parallel(2, [&](int i) { session.upload_file(ctx.scratch() / (i == 0 ? "a" : "b"), "f"); });
    session.download_file("f", ctx.scratch() / "back");
    const std::string back = read_file(ctx.scratch() / "back");
    if (back != a && back != b) odd.push_back(digest(back));
  }
  EXPECT_THAT(odd, IsEmpty());
  EXPECT_EQ(sh(session, "ls -A").out, "f\n");
}

}  // namespace

std::vector<Case> file_safe_cases() {
  return {
      {.name = "AFailedDownloadLeavesTheTarget",
       .rules = {"FILE-010"},
       .body = AFailedDownloadLeavesTheTarget},
      {.name = "AFailedUploadLeavesTheTarget",
       .rules = {"FILE-010"},
       .body = AFailedUploadLeavesTheTarget,
       .needs = {Need::kNoIsolation}},
      {.name = "ReadersSeeOneOfTheFiles", .rules = {"FILE-010"}, .body = ReadersSeeOneOfTheFiles},
      {.name = "TransfersStream",
       .rules = {"FILE-013"},
       .body = TransfersStream,
       .limit = std::chrono::seconds(60)},
      {.name = "TransfersRunBesideCommands",
       .rules = {"FILE-015"},
       .body = TransfersRunBesideCommands},
      {.name = "TransfersLogNoCommands", .rules = {"FILE-015"}, .body = TransfersLogNoCommands},
      {.name = "PathsThatLeaveAreRefused", .rules = {"FILE-016"}, .body = PathsThatLeaveAreRefused},
      {.name = "PathsInsideAreAllowed", .rules = {"FILE-016"}, .body = PathsInsideAreAllowed},
      {.name = "ASwappedLinkDoesNotLeave", .rules = {"FILE-016"}, .body = ASwappedLinkDoesNotLeave},
      {.name = "ASwappedLinkIsNotReadThrough",
       .rules = {"FILE-016"},
       .body = ASwappedLinkIsNotReadThrough},
      {.name = "TwoUploadsLeaveOneWholeFile",
       .rules = {"FILE-017"},
       .body = TwoUploadsLeaveOneWholeFile},
  };
}

}  // namespace sandproof::conformance
