// SPDX-License-Identifier: Apache-2.0
// Snapshots share and do not leak, files live as long as somebody holds them, and space is counted.
#include <gtest/gtest.h>

#include <optional>
#include <string>

#include "tests/machine/vfs_box.h"

namespace sandproof::machine {
namespace {

std::uint64_t blocks_used(const VfsBox& box) {
  const VolumeFigures figures = box.tree->figures();
  return figures.blocks - figures.blocks_free;
}

std::uint64_t inodes_used(const VfsBox& box) {
  const VolumeFigures figures = box.tree->figures();
  return figures.inodes - figures.inodes_free;
}

TEST(VfsLayers, ASnapshotStaysAsItWas) {
  VfsBox box;
  for (int i = 0; i < 500; ++i) {
    ASSERT_EQ(box.put("/f" + std::to_string(i), "first " + std::to_string(i)), Errno::kOk);
  }
  const TreeSnapshot snapshot = box.tree->snapshot();
  ASSERT_EQ(box.put("/f7", "second"), Errno::kOk);
  ASSERT_EQ(box.unlink("/f8"), Errno::kOk);
  ASSERT_EQ(box.rename("/f9", "/g9"), Errno::kOk);
  ASSERT_EQ(box.mkdir("/new"), Errno::kOk);

  VfsBox restored(snapshot);
  for (int i = 0; i < 500; ++i) {
    EXPECT_EQ(restored.get("/f" + std::to_string(i)), "first " + std::to_string(i));
  }
  EXPECT_EQ(restored.stat("/new").ino, 0U);
  EXPECT_EQ(box.get("/f7"), "second");
  EXPECT_EQ(box.get("/g9"), "first 9");
}

TEST(VfsLayers, BoxesOfOneImageDoNotSeeEachOther) {
  VfsBox image;
  ASSERT_EQ(image.mkdir("/d"), Errno::kOk);
  ASSERT_EQ(image.put("/d/f", "image"), Errno::kOk);
  const TreeSnapshot snapshot = image.tree->snapshot();
  VfsBox one(snapshot);
  VfsBox two(snapshot);
  ASSERT_EQ(one.put("/d/f", "one"), Errno::kOk);
  ASSERT_EQ(two.put("/d/g", "two"), Errno::kOk);
  VfsBox grandchild(one.tree->snapshot());
  ASSERT_EQ(grandchild.unlink("/d/f"), Errno::kOk);
  EXPECT_EQ(image.get("/d/f"), "image");
  EXPECT_EQ(one.get("/d/f"), "one");
  EXPECT_EQ(two.get("/d/f"), "image");
  EXPECT_EQ(one.stat("/d/g").ino, 0U);
}

TEST(VfsLayers, AFileLivesOnWhileItIsOpen) {
  VfsBox box;
  ASSERT_EQ(box.put("/f", std::string(10'000, 'x')), Errno::kOk);
  const std::uint64_t inodes = inodes_used(box);
  std::optional<Result<NodePtr>> open = box.open("/f", {.read = true, .write = true});
  ASSERT_TRUE(open->ok());
  ASSERT_EQ(box.unlink("/f"), Errno::kOk);
  EXPECT_EQ(box.get("/f"), "<error 2>");
  EXPECT_EQ(box.read(***open).size(), 10'000U);
  EXPECT_EQ(box.files.stat(***open)->links, 0U);
  EXPECT_EQ(blocks_used(box), 3U);
  // A tree made of a snapshot of now has no such file, and no such space.
  VfsBox restored(box.tree->snapshot());
  EXPECT_EQ(blocks_used(restored), 0U);
  open.reset();
  EXPECT_EQ(blocks_used(box), 0U);
  EXPECT_EQ(inodes_used(box), inodes - 1);
  EXPECT_EQ(inodes_used(restored), inodes - 1);
}

TEST(VfsLayers, SpaceEndsWithEnospcAndComesBack) {
  VfsBox box({.bytes = 10 * kBlockBytes, .inodes = 4});
  ASSERT_EQ(box.put("/a", std::string(8 * kBlockBytes, 'a')), Errno::kOk);
  EXPECT_EQ(box.put("/b", std::string(3 * kBlockBytes, 'b')), Errno::kNospc);
  EXPECT_EQ(box.stat("/b").size, 2 * kBlockBytes);
  EXPECT_EQ(box.put("/c", "c"), Errno::kNospc);
  EXPECT_EQ(box.mkdir("/d"), Errno::kNospc);  // The fourth inode is /c.
  ASSERT_EQ(box.unlink("/a"), Errno::kOk);
  EXPECT_EQ(box.put("/c", "c"), Errno::kOk);
  EXPECT_EQ(box.mkdir("/d"), Errno::kOk);
  EXPECT_EQ(blocks_used(box), 3U);
}

TEST(VfsLayers, ChurnLeavesNothingBehind) {
  VfsBox box;
  for (int i = 0; i < 20'000; ++i) {
    ASSERT_EQ(box.put("/f", "x"), Errno::kOk);
    ASSERT_EQ(box.unlink("/f"), Errno::kOk);
  }
  EXPECT_EQ(inodes_used(box), 1U);
  EXPECT_EQ(blocks_used(box), 0U);
}

TEST(VfsLayers, ATableOfFewInodesIsSmallWhateverTheirNumbers) {
  InodeTable table;
  constexpr Ino kMany = 50'000;
  for (Ino ino = 1; ino <= kMany; ++ino) {
    table.insert(ino, {});
    if (ino > 1) table.erase(ino - 1);
  }
  EXPECT_NE(table.find(kMany), nullptr);
  EXPECT_EQ(table.find(kMany - 1), nullptr);
  // 16 to the power of 4 is more than kMany: the way to the one inode has four branches.
  EXPECT_EQ(table.branches(), 4U);
  const InodeTable copy = table;
  table.erase(kMany);
  EXPECT_EQ(table.branches(), 0U);
  EXPECT_EQ(copy.branches(), 4U);
}

TEST(VfsLayers, TimesAreThoseOfTheCalls) {
  VfsBox box;
  box.caller.now = 100;
  ASSERT_EQ(box.put("/f", "x"), Errno::kOk);
  box.caller.now = 200;
  ASSERT_EQ(box.put("/f", "y"), Errno::kOk);
  EXPECT_EQ(box.stat("/f").modified, 200);
  EXPECT_EQ(box.stat("/f").accessed, 100);
  EXPECT_EQ(box.stat("/").modified, 100);
  box.caller.now = 300;
  ASSERT_EQ(box.link("/f", "/g"), Errno::kOk);
  EXPECT_EQ(box.stat("/f").modified, 200);
  EXPECT_EQ(box.stat("/f").changed, 300);
  EXPECT_EQ(box.stat("/").modified, 300);
  box.caller.now = 400;
  const Result<NodePtr> node = box.open("/f", {.read = true});
  ASSERT_TRUE(node.ok());
  NewTimes times;
  times.modified = 5;
  ASSERT_TRUE(box.files.set_times(**node, times, box.caller).ok());
  EXPECT_EQ(box.stat("/g").modified, 5);
  EXPECT_EQ(box.stat("/g").accessed, 100);
  EXPECT_EQ(box.stat("/g").changed, 400);
  // By somebody else: now, if the file may be written; never another time.
  box.caller.uid = 1001;
  EXPECT_EQ(box.files.set_times(**node, times, box.caller).error(), Errno::kPerm);
  times.to_now = true;
  EXPECT_EQ(box.files.set_times(**node, times, box.caller).error(), Errno::kAcces);
}

}  // namespace
}  // namespace sandproof::machine
