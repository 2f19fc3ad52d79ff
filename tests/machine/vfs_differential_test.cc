// SPDX-License-Identifier: Apache-2.0
// The machine's file system does what the kernel's does: the same random operations, by three
// users, give the same answers and leave the same tree.
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>

#include "tests/machine/vfs_play.h"

namespace sandproof::machine::vfs_play {
namespace {

class VfsDifferential : public testing::Test {
 protected:
  void SetUp() override {
    if (geteuid() != 0) GTEST_SKIP() << "needs user 0: it changes owners, users and the root";
    std::string made = (std::filesystem::temp_directory_path() / "vfs-play-XXXXXX").string();
    ASSERT_NE(mkdtemp(made.data()), nullptr);
    root_ = made;
    std::filesystem::permissions(root_, std::filesystem::perms(0755));
  }
  void TearDown() override {
    std::error_code ignored;
    if (!root_.empty()) std::filesystem::remove_all(root_, ignored);
  }

  static bool links_guarded() {
    int value = 0;
    std::ifstream("/proc/sys/fs/protected_hardlinks") >> value;
    return value == 1;
  }

  std::string root_;
};

class VfsDifferentialSeeds : public VfsDifferential,
                             public testing::WithParamInterface<std::uint32_t> {};

TEST_P(VfsDifferentialSeeds, SameAnswersAndSameTree) {
  constexpr int kOps = 3000;
  const std::vector<Op> ops = random_ops(GetParam(), kOps, links_guarded());
  const std::vector<std::string> expected = play_in_kernel(ops, root_);
  const std::vector<std::string> actual = play_in_machine(ops);
  ASSERT_GE(expected.size(), ops.size() + 1) << expected.back();
  int succeeded = 0;
  for (std::size_t i = 0; i < ops.size(); ++i) {
    ASSERT_EQ(expected[i], actual[i]) << "operation " << i << ": " << text_of_op(ops[i]);
    if (!expected[i].starts_with("error") && expected[i] != "closed") ++succeeded;
  }
  // Random paths that never lead anywhere would compare nothing.
  EXPECT_GE(succeeded, kOps / 12);
  EXPECT_EQ(expected, actual);
}

// What random paths do not come to.
TEST_F(VfsDifferential, TheSameCountOfLinksIsFollowed) {
  std::vector<Op> ops = {{.call = Call::kMkdir, .a = "/l0", .mode = 0755}};
  for (int i = 1; i <= 42; ++i) {
    const std::string name = "/l" + std::to_string(i);
    ops.push_back({.call = Call::kSymlink, .a = "l" + std::to_string(i - 1), .b = name});
    ops.push_back({.call = Call::kStat, .a = name});
    ops.push_back({.call = Call::kStat, .a = name + "/../l1/."});
    ops.push_back({.call = Call::kLstat, .a = name});
  }
  const std::vector<std::string> expected = play_in_kernel(ops, root_);
  EXPECT_EQ(expected, play_in_machine(ops));
  EXPECT_NE(std::ranges::find(expected, "error 40"), expected.end());
}

INSTANTIATE_TEST_SUITE_P(Many, VfsDifferentialSeeds, testing::Range(1U, 31U));

}  // namespace
}  // namespace sandproof::machine::vfs_play
