// SPDX-License-Identifier: Apache-2.0
// FILE: what arrives, and what is refused. Transfers that run at once, fail half-way or would leave
// the environment are in file_safe.cc. Cases; each used by one worker thread.
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "conformance/cases/areas.h"
#include "conformance/cases/support.h"
#include "sandproof/conformance/assertions.h"

namespace sandproof::conformance {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::Each;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::StartsWith;

/// Uploads `content` under `name` and downloads it again.
std::string round_trip(CaseContext& ctx, const std::string& content, const std::string& name) {
  const fs::path source = ctx.scratch() / "source";
  const fs::path back = ctx.scratch() / "back";
  write_file(source, content);
  fs::remove(back);
  return error_or([&] {
    ctx.session().upload_file(source, name);
    ctx.session().download_file(name, back);
    return read_file(back);
  });
}

// FILE-001: Bytes round-trip exactly: empty, 1 B, CRLF, NUL, all 256 values, 1 MiB + 1, 64 MiB.
void BytesRoundTrip(CaseContext& ctx) {
  std::vector<std::string> wrong;
  for (const std::string& content :
       {std::string(), std::string("x"), std::string("a\r\nb\r\n"), std::string("\0a\0", 3),
        random_bytes(ctx.random(), 256), random_bytes(ctx.random(), (1 << 20) + 1)}) {
    const std::string back = round_trip(ctx, content, "f");
    const std::string size = trimmed(sh(ctx.session(), "wc -c < f").out);
    if (back != content || std::stoul("0" + size) != content.size()) {
      wrong.push_back(digest(content) + " came back as " + digest(back) + ", wc says " + size);
    }
  }
  EXPECT_THAT(wrong, IsEmpty());
}

// FILE-001: … 64 MiB.
void SixtyFourMebibytesRoundTrip(CaseContext& ctx) {
  const std::string content = random_bytes(ctx.random(), 64 << 20);
  EXPECT_EQ(digest(round_trip(ctx, content, "large")), digest(content));
}

// FILE-002: Names with spaces, quotes, a leading dash, `%`, newline and non-ASCII work.
void OddNamesWork(CaseContext& ctx) {
  std::vector<std::string> wrong;
  for (const std::string& name :
       {std::string("a b"), std::string(" a"), std::string("it's"), std::string("\"q\""),
        std::string("-n"), std::string("%41"), std::string("a\nb"), std::string("grün ☃"),
        std::string("a:b"), std::string("*"), std::string("$HOME"), std::string("~"),
        std::string(101, 'x'), std::string(255, 'a')}) {
    const std::string back = round_trip(ctx, "content of " + name, name);
    const std::string seen = run(ctx.session(), {"cat", "./" + name}).out;
    if (back != "content of " + name || seen != back) wrong.push_back(name + " gave " + back);
  }
  EXPECT_THAT(wrong, IsEmpty());
}

// FILE-003: Missing parent directories are made, remote on upload and local on download.
void ParentsAreMade(CaseContext& ctx) {
  write_file(ctx.scratch() / "source", "x");
  const fs::path target = ctx.scratch() / "m1" / "m2" / "f";
  EXPECT_EQ(error_of([&] { ctx.session().upload_file(ctx.scratch() / "source", "n1/n2/f"); }), "");
  EXPECT_EQ(sh(ctx.session(), "cat n1/n2/f").out, "x");
  EXPECT_EQ(error_of([&] { ctx.session().download_file("n1/n2/f", target); }), "");
  EXPECT_EQ(error_or([&] { return read_file(target); }), "x");
}

// FILE-004: Overwriting replaces the whole content.
void OverwritingReplacesEverything(CaseContext& ctx) {
  round_trip(ctx, std::string(1000, 'l'), "f");
  const fs::path back = ctx.scratch() / "kept";
  write_file(back, std::string(1000, 'k'));
  write_file(ctx.scratch() / "short", "abc");
  ctx.session().upload_file(ctx.scratch() / "short", "f");
  ctx.session().download_file("f", back);
  EXPECT_THAT((std::vector{sh(ctx.session(), "cat f").out, read_file(back)}), Each("abc"));
}

// FILE-005: A relative remote path is relative to the directory that `exec` uses by default.
void ARelativePathIsWhereExecIs(CaseContext& ctx) {
  write_file(ctx.scratch() / "source", "up");
  write_file(ctx.scratch() / "made", "");
  ctx.session().upload_file(ctx.scratch() / "source", "rel");
  sh(ctx.session(), "printf down > made; mkdir elsewhere");
  ExecOptions elsewhere;
  elsewhere.cwd = "elsewhere";
  ctx.session().exec({"true"}, elsewhere)->wait();
  const std::string error =
      error_of([&] { ctx.session().download_file("made", ctx.scratch() / "made"); });
  EXPECT_THAT((std::vector{sh(ctx.session(), "cat \"$(pwd)/rel\"").out, error,
                           read_file(ctx.scratch() / "made")}),
              ElementsAre("up", "", "down"));
}

// FILE-006: A missing local source is `NotFoundError`, and nothing was sent.
void AMissingLocalSourceIsNotFound(CaseContext& ctx) {
  sh(ctx.session(), "printf old > target");
  const fs::path missing = ctx.scratch() / "missing";
  EXPECT_THAT(error_of([&] { ctx.session().upload_file(missing, "target"); }),
              AllOf(StartsWith("NotFoundError: "), HasSubstr("missing")));
  EXPECT_EQ(sh(ctx.session(), "cat target").out, "old");
}

// FILE-007: A missing remote source is `NotFoundError` that names it; the local target is left as
// it was.
void AMissingRemoteSourceIsNotFound(CaseContext& ctx) {
  const fs::path old = ctx.scratch() / "old";
  const fs::path fresh = ctx.scratch() / "fresh";
  write_file(old, "old");
  EXPECT_THAT(error_of([&] { ctx.session().download_file("no-such-file", old); }),
              AllOf(StartsWith("NotFoundError: "), HasSubstr("no-such-file")));
  EXPECT_THAT(error_of([&] { ctx.session().download_file("no/such/file", fresh); }),
              StartsWith("NotFoundError: "));
  EXPECT_THAT((std::vector{read_file(old), fs::exists(fresh) ? std::string("made") : ""}),
              ElementsAre("old", ""));
}

// FILE-008: A directory or device as source, or an existing directory or a path ending in `/` as
// target, is `FileTransferError` that says so, both ways.
void OddSourcesAreRefused(CaseContext& ctx) {
  sh(ctx.session(), "mkdir d; mkfifo p");
  fs::create_directory(ctx.scratch() / "d");
  const fs::path target = ctx.scratch() / "t";
  Session& session = ctx.session();
  EXPECT_THAT((std::vector{error_of([&] { session.upload_file(ctx.scratch() / "d", "t"); }),
                           error_of([&] { session.upload_file("/dev/null", "t"); }),
                           error_of([&] { session.download_file("d", target); }),
                           error_of([&] { session.download_file("p", target); })}),
              Each(StartsWith("FileTransferError: ")));
  EXPECT_EQ(sh(session, "ls").out + (fs::exists(target) ? "t" : ""), "d\np\n");
}

// FILE-008: … or an existing directory or a path ending in `/` as target …
void DirectoriesAreNoTargets(CaseContext& ctx) {
  sh(ctx.session(), "mkdir d; echo x > f");
  fs::create_directory(ctx.scratch() / "d");
  write_file(ctx.scratch() / "f", "x");
  Session& session = ctx.session();
  EXPECT_THAT(
      (std::vector{error_of([&] { session.upload_file(ctx.scratch() / "f", "d"); }),
                   error_of([&] { session.upload_file(ctx.scratch() / "f", "new/"); }),
                   error_of([&] { session.download_file("f", ctx.scratch() / "d"); }),
                   error_of([&] { session.download_file("f", ctx.scratch() / "n" / ""); })}),
      Each(StartsWith("FileTransferError: ")));
  EXPECT_EQ(sh(session, "ls -A d; ls").out, "d\nf\n");
}

// FILE-008: … is `FileTransferError` that says so, both ways.
void RefusalsSayWhatIsWrong(CaseContext& ctx) {
  Session& session = ctx.session();
  sh(session, "mkdir d; mkfifo p; echo x > f");
  const fs::path here = ctx.scratch();
  fs::create_directory(here / "d");
  write_file(here / "f", "x");
  EXPECT_THAT((std::vector{error_of([&] { session.upload_file(here / "d", "t"); }),
                           error_of([&] { session.download_file("d", here / "t"); }),
                           error_of([&] { session.upload_file(here / "f", "d"); }),
                           error_of([&] { session.upload_file(here / "f", "new/"); }),
                           error_of([&] { session.download_file("f", here / "d"); }),
                           error_of([&] { session.download_file("f", here / "n" / ""); })}),
              Each(HasSubstr("directory")));
  EXPECT_THAT((std::vector{error_of([&] { session.upload_file("/dev/null", "t"); }),
                           error_of([&] { session.download_file("p", here / "t"); })}),
              Each(testing::ContainsRegex("regular file|device|fifo|pipe|special")));
}

// FILE-009: Symlinks are followed, both ways …
void LinksAreFollowed(CaseContext& ctx) {
  Session& session = ctx.session();
  sh(session, "echo old > real; ln -s real l; mkdir d");
  write_file(ctx.scratch() / "target", "new\n");
  fs::create_symlink("target", ctx.scratch() / "link");
  write_file(ctx.scratch() / "back", "");
  write_file(ctx.scratch() / "goal", "before");
  fs::create_symlink("goal", ctx.scratch() / "goal-link");
  const std::string error = error_of([&] {
    session.upload_file(ctx.scratch() / "link", "l");
    session.download_file("l", ctx.scratch() / "back");
    session.download_file("l", ctx.scratch() / "goal-link");
  });
  EXPECT_THAT((std::vector{error, sh(session, "cat real; test -L l && echo link").out,
                           read_file(ctx.scratch() / "back"), read_file(ctx.scratch() / "goal")}),
              ElementsAre("", "new\nlink\n", "new\n", "new\n"));
  EXPECT_TRUE(fs::is_symlink(ctx.scratch() / "goal-link"));
}

// FILE-009: … the final target is resolved first, and what is written aside lies beside it.
void NothingIsLeftBesideALink(CaseContext& ctx) {
  sh(ctx.session(), "mkdir d; ln -s d/real l");
  write_file(ctx.scratch() / "f", "x");
  ctx.session().upload_file(ctx.scratch() / "f", "l");
  EXPECT_EQ(sh(ctx.session(), "ls -A d; ls -A").out, "real\nd\nl\n");
}

// FILE-011: Permission bits travel; the file belongs to the environment's user.
void PermissionBitsTravel(CaseContext& ctx) {
  std::vector<std::string> seen;
  for (const unsigned mode : {0755U, 0600U, 0444U}) {
    const fs::path source = ctx.scratch() / "source";
    const fs::path back = ctx.scratch() / "back";
    fs::remove(source);
    write_file(source, "x");
    fs::permissions(source, static_cast<fs::perms>(mode));
    ctx.session().upload_file(source, "f");
    ctx.session().download_file("f", back);
    const auto bits = static_cast<unsigned>(fs::status(back).permissions()) & 07777U;
    seen.push_back(sh(ctx.session(), "stat -c %a f; test -O f && echo own").out +
                   (bits == mode ? "back" : "lost"));
  }
  EXPECT_THAT(seen, ElementsAre("755\nown\nback", "600\nown\nback", "444\nown\nback"));
}

// FILE-012: A write that the environment refuses (read-only, no permission, no space) is
// `FileTransferError` with its text.
void ARefusedWriteIsATransferError(CaseContext& ctx) {
  sh(ctx.session(), "touch plain");
  write_file(ctx.scratch() / "f", "x");
  Session& session = ctx.session();
  const std::string below = error_of([&] { session.upload_file(ctx.scratch() / "f", "plain/x"); });
  const std::string longer =
      error_of([&] { session.upload_file(ctx.scratch() / "f", std::string(256, 'n')); });
  EXPECT_THAT(below, AllOf(StartsWith("FileTransferError: "), HasSubstr("plain"),
                           testing::ContainsRegex("[Nn]ot a directory")));
  EXPECT_THAT(longer, AllOf(StartsWith("FileTransferError: "), HasSubstr("too long")));
  EXPECT_EQ(sh(session, "ls -A").out, "plain\n");
}

}  // namespace

std::vector<Case> file_cases() {
  std::vector<Case> cases = {
      {.name = "BytesRoundTrip", .rules = {"FILE-001"}, .body = BytesRoundTrip},
      {.name = "SixtyFourMebibytesRoundTrip",
       .rules = {"FILE-001"},
       .body = SixtyFourMebibytesRoundTrip,
       .limit = std::chrono::seconds(60)},
      {.name = "OddNamesWork", .rules = {"FILE-002"}, .body = OddNamesWork},
      {.name = "ParentsAreMade", .rules = {"FILE-003"}, .body = ParentsAreMade},
      {.name = "OverwritingReplacesEverything",
       .rules = {"FILE-004"},
       .body = OverwritingReplacesEverything},
      {.name = "ARelativePathIsWhereExecIs",
       .rules = {"FILE-005"},
       .body = ARelativePathIsWhereExecIs},
      {.name = "AMissingLocalSourceIsNotFound",
       .rules = {"FILE-006"},
       .body = AMissingLocalSourceIsNotFound},
      {.name = "AMissingRemoteSourceIsNotFound",
       .rules = {"FILE-007"},
       .body = AMissingRemoteSourceIsNotFound},
      {.name = "OddSourcesAreRefused", .rules = {"FILE-008"}, .body = OddSourcesAreRefused},
      {.name = "DirectoriesAreNoTargets", .rules = {"FILE-008"}, .body = DirectoriesAreNoTargets},
      {.name = "RefusalsSayWhatIsWrong", .rules = {"FILE-008"}, .body = RefusalsSayWhatIsWrong},
      {.name = "LinksAreFollowed", .rules = {"FILE-009"}, .body = LinksAreFollowed},
      {.name = "NothingIsLeftBesideALink", .rules = {"FILE-009"}, .body = NothingIsLeftBesideALink},
      {.name = "PermissionBitsTravel", .rules = {"FILE-011"}, .body = PermissionBitsTravel},
      {.name = "ARefusedWriteIsATransferError",
       .rules = {"FILE-012"},
       .body = ARefusedWriteIsATransferError},
  };
  for (Case& row : file_safe_cases()) cases.push_back(std::move(row));
  return cases;
}

}  // namespace sandproof::conformance
