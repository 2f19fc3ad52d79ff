// SPDX-License-Identifier: Apache-2.0
// Files to and from an environment in memory.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "sandproof/errors.h"
#include "tests/flavors/local_support.h"
#include "tests/flavors/memory_world.h"

namespace sandproof::memory {
namespace {

namespace fs = std::filesystem;
using local::test::ScratchDir;
using test::MemoryWorld;
using ::testing::HasSubstr;

std::string text_in(const fs::path& path) {
  std::ostringstream all;
  all << std::ifstream(path, std::ios::binary).rdbuf();
  return all.str();
}

class MemoryTransferTest : public testing::Test {
 protected:
  fs::path local(const std::string& name, std::string_view text) const {
    const fs::path path = scratch.path() / name;
    std::ofstream(path, std::ios::binary) << text;
    return path;
  }
  /// In the machine's thread, as user 0.
  machine::Attributes stat_in(const std::string& path) const {
    return world.world->with_box(session->id(), [&](machine::Machine&, Box& box) {
      const machine::NodePtr root = box.parts.files->root();
      const auto node = box.parts.files->lookup({root, path}, machine::Follow::kNo, {});
      return node ? *box.parts.files->stat(**node) : machine::Attributes{};
    });
  }
  void link_in(const std::string& target, const std::string& path) const {
    world.world->with_box(session->id(), [&](machine::Machine&, Box& box) {
      const machine::NodePtr root = box.parts.files->root();
      EXPECT_TRUE(box.parts.files->make_symlink(target, {root, path}, {}));
    });
  }

  MemoryWorld world;
  std::unique_ptr<Sandbox> sandbox = world.sandbox();
  std::unique_ptr<Session> session = sandbox->create_session({}, OnExit::kDestroy);
  ScratchDir scratch;
};

TEST_F(MemoryTransferTest, BytesNamesAndPermissionsTravel) {
  std::string text("\0\r\n\xff", 4);
  while (text.size() < 1'000'001) text += text;
  const fs::path file = local("a file", text);
  fs::permissions(file, fs::perms(0751));
  session->upload_file(file, "new dir/-a 'file'%");
  EXPECT_EQ(stat_in("/workspace/new dir/-a 'file'%").mode, 0751U);
  const fs::path back = scratch.path() / "made" / "back";
  session->download_file("/workspace/new dir/-a 'file'%", back);
  EXPECT_TRUE(text_in(back) == text);
  EXPECT_EQ(fs::status(back).permissions(), fs::perms(0751));
  session->upload_file(local("empty", ""), "new dir/-a 'file'%");
  session->download_file("new dir/-a 'file'%", back);
  EXPECT_EQ(text_in(back), "");
}

TEST_F(MemoryTransferTest, WhatIsNoFileIsRefused) {
  const fs::path file = local("file", "text");
  EXPECT_THROW(session->upload_file(scratch.path() / "missing", "x"), NotFoundError);
  EXPECT_THROW(session->upload_file(scratch.path(), "x"), FileTransferError);
  EXPECT_THROW(session->upload_file("/dev/null", "x"), FileTransferError);
  EXPECT_THROW(session->upload_file(file, "/etc"), FileTransferError);
  EXPECT_THROW(session->upload_file(file, "dir/"), FileTransferError);
  EXPECT_THROW(session->upload_file(file, "/dev/null"), FileTransferError);
  EXPECT_THROW(session->upload_file(file, "/etc/passwd/x"), FileTransferError);
  const fs::path target = local("target", "as it was");
  EXPECT_THROW(session->download_file("missing", target), NotFoundError);
  EXPECT_THROW(session->download_file("/etc", target), FileTransferError);
  EXPECT_THROW(session->download_file("/dev/zero", target), FileTransferError);
  EXPECT_THROW(session->download_file("/etc/passwd", scratch.path()), FileTransferError);
  EXPECT_EQ(text_in(target), "as it was");
  EXPECT_EQ(stat_in("/workspace/x").ino, 0U);
}

TEST_F(MemoryTransferTest, LinksAreFollowedBothWays) {
  link_in("deep/real", "/workspace/link");
  session->upload_file(local("file", "through"), "link");
  EXPECT_EQ(stat_in("/workspace/link").type, machine::FileType::kSymlink);
  EXPECT_EQ(stat_in("/workspace/deep/real").size, 7U);
  fs::create_symlink("real", scratch.path() / "link");
  session->download_file("link", scratch.path() / "link");
  EXPECT_TRUE(fs::is_symlink(scratch.path() / "link"));
  EXPECT_EQ(text_in(scratch.path() / "real"), "through");
  link_in("round", "/workspace/round");
  EXPECT_THROW(session->upload_file(scratch.path() / "real", "round"), FileTransferError);
}

TEST_F(MemoryTransferTest, ZeroesCostNothing) {
  constexpr std::uintmax_t kSparse = (8U << 20U) + 100;
  const fs::path file = local("sparse", "begins");
  fs::resize_file(file, kSparse);
  session->upload_file(file, "sparse");
  EXPECT_EQ(stat_in("/workspace/sparse").size, kSparse);
  EXPECT_LE(stat_in("/workspace/sparse").blocks, 128U);
  session->download_file("sparse", scratch.path() / "back");
  EXPECT_TRUE(text_in(scratch.path() / "back") == text_in(file));
}

TEST_F(MemoryTransferTest, AFileOfProcIsReadToItsEnd) {
  const fs::path target = scratch.path() / "version";
  session->download_file("/proc/version", target);
  EXPECT_THAT(text_in(target), HasSubstr("Linux version"));
}

TEST_F(MemoryTransferTest, AFullDiskLeavesTheTargetAsItWas) {
  session =
      sandbox->create_session(Settings().set("disk", std::int64_t{1} << 20), OnExit::kDestroy);
  session->upload_file(local("small", "as it was"), "file");
  const fs::path big = local("big", std::string(3 << 20, 'x'));
  try {
    session->upload_file(big, "file");
    ADD_FAILURE() << "it fitted";
  } catch (const FileTransferError& error) {
    EXPECT_THAT(error.what(), HasSubstr("No space left on device"));
  }
  EXPECT_EQ(test::run(*session, {"cat", "file"}).out, "as it was");
  session->upload_file(local("half", std::string(1 << 19, 'x')), "other");
}

TEST_F(MemoryTransferTest, TheUserOfTheEnvironmentOwnsAndIsRefused) {
  session =
      sandbox->create_session(Settings().set("image", std::string("nonroot")), OnExit::kDestroy);
  const fs::path file = local("file", "text");
  session->upload_file(file, "mine");
  EXPECT_EQ(stat_in("/workspace/mine").uid, 1000U);
  EXPECT_THROW(session->upload_file(file, "/etc/passwd"), FileTransferError);
  EXPECT_THROW(session->upload_file(file, "/new/dir/file"), FileTransferError);
  session =
      sandbox->create_session(Settings().set("image", std::string("readonly")), OnExit::kDestroy);
  EXPECT_THROW(session->upload_file(file, "/etc/passwd"), FileTransferError);
  session->upload_file(file, "here");
}

}  // namespace
}  // namespace sandproof::memory
