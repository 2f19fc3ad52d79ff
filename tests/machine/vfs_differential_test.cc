// SPDX-License-Identifier: Apache-2.0
// The machine's file system does what the kernel's does: the same random operations, by three
// users, give the same answers and leave the same tree.
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "tests/machine/vfs_play.h"

namespace sandproof::machine::vfs_play {
namespace {

class VfsDifferential : public testing::TestWithParam<std::uint32_t> {
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

TEST_P(VfsDifferential, SameAnswersAndSameTree) {
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

INSTANTIATE_TEST_SUITE_P(Seeds, VfsDifferential, testing::Range(1U, 31U));

}  // namespace
}  // namespace sandproof::machine::vfs_play
