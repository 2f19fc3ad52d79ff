// SPDX-License-Identifier: Apache-2.0
// The working directory, and the removal of what commands leave in it.
#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <filesystem>
#include <string>
#include <thread>

#include "flavors/local/descriptor.h"
#include "flavors/local/remove_tree.h"
#include "flavors/local/workdir.h"
#include "sandproof/errors.h"
#include "tests/flavors/local_support.h"

namespace sandproof::local {
namespace {

namespace fs = std::filesystem;
using test::ScratchDir;
using ::testing::AllOf;
using ::testing::HasSubstr;

class RemoveTreeTest : public ::testing::Test {
 protected:
  void remove(const std::string& name = "tree") { remove_tree(parent_.get(), name); }
  bool exists(const std::string& name = "tree") const {
    return fs::exists(fs::symlink_status(scratch_ / name));
  }

  ScratchDir scratch_;
  Descriptor parent_{::open(scratch_.path().c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC)};
};

TEST_F(RemoveTreeTest, RemovesFilesDirectoriesLinksAndFifos) {
  fs::create_directories(scratch_ / "tree/a/b");
  test::write_file(scratch_ / "tree/a/file with\nnewline", "x");
  test::write_file(scratch_ / "tree/-dash", "x");
  fs::create_symlink("nowhere", scratch_ / "tree/dangling");
  ASSERT_EQ(::mkfifo((scratch_ / "tree/fifo").c_str(), 0600), 0);
  remove();
  EXPECT_FALSE(exists());
}

TEST_F(RemoveTreeTest, WhatDoesNotExistIsRemovedAlready) { remove("nothing"); }

TEST_F(RemoveTreeTest, FollowsNoLink) {
  fs::create_directories(scratch_ / "outside");
  test::write_file(scratch_ / "outside/file", "kept");
  fs::create_directories(scratch_ / "tree");
  fs::create_directory_symlink(scratch_ / "outside", scratch_ / "tree/link");
  fs::create_symlink(scratch_ / "outside/file", scratch_ / "tree/link2");
  remove();
  EXPECT_FALSE(exists());
  EXPECT_EQ(test::read_file(scratch_ / "outside/file"), "kept");
  fs::create_directory_symlink(scratch_ / "outside", scratch_ / "tree");
  remove();
  EXPECT_FALSE(exists());
  EXPECT_EQ(test::read_file(scratch_ / "outside/file"), "kept");
}

// For root, permissions are no obstacle; for everybody else this is the whole point.
TEST_F(RemoveTreeTest, OpensDirectoriesWithoutPermissions) {
  fs::create_directories(scratch_ / "tree/a/b/c");
  test::write_file(scratch_ / "tree/a/b/file", "x");
  ASSERT_EQ(::chmod((scratch_ / "tree/a/b").c_str(), 0), 0);
  ASSERT_EQ(::chmod((scratch_ / "tree/a").c_str(), 0500), 0);
  ASSERT_EQ(::chmod((scratch_ / "tree").c_str(), 0), 0);
  remove();
  EXPECT_FALSE(exists());
}

TEST_F(RemoveTreeTest, NoDepthIsTooDeep) {
  fs::create_directories(scratch_ / "tree");
  Descriptor at(::open((scratch_ / "tree").c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  constexpr int kLevels = 1000;  // Longer than PATH_MAX.
  for (int i = 0; i < kLevels; ++i) {
    ASSERT_EQ(::mkdirat(at.get(), "deep", 0700), 0);
    at = Descriptor(::openat(at.get(), "deep", O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    ASSERT_TRUE(at.valid());
  }
  rlimit before{};
  ASSERT_EQ(::getrlimit(RLIMIT_NOFILE, &before), 0);
  rlimit few = before;
  few.rlim_cur = static_cast<rlim_t>(at.get()) + 100;
  ASSERT_EQ(::setrlimit(RLIMIT_NOFILE, &few), 0);
  remove();
  ASSERT_EQ(::setrlimit(RLIMIT_NOFILE, &before), 0);
  EXPECT_FALSE(exists());
}

TEST_F(RemoveTreeTest, WhatAppearsMeanwhileIsRemovedToo) {
  for (int round = 0; round < 5; ++round) {
    fs::create_directories(scratch_ / "tree/d");
    std::atomic<bool> writing = false;
    std::jthread writer([&] {
      // A bounded number: a dying process, not an endless one.
      for (int i = 0; i < 50; ++i) {
        std::error_code ignored;
        fs::create_directory(scratch_ / ("tree/d/" + std::to_string(i)), ignored);
        writing = true;
      }
    });
    while (!writing) std::this_thread::yield();
    try {
      remove();
    } catch (const std::system_error&) {
      writer.join();
      remove();
    }
    if (writer.joinable()) writer.join();
    EXPECT_FALSE(exists());
  }
}

TEST_F(RemoveTreeTest, DoesNotEnterWhatIsMountedInside) {
  fs::create_directories(scratch_ / "outside");
  test::write_file(scratch_ / "outside/file", "kept");
  fs::create_directories(scratch_ / "tree/mounted");
  const std::string target = (scratch_ / "tree/mounted").string();
  if (::mount((scratch_ / "outside").c_str(), target.c_str(), nullptr, MS_BIND, nullptr) != 0) {
    GTEST_SKIP() << "this user may not mount anything";
  }
  try {
    remove();
    ADD_FAILURE() << "a mount point was removed";
  } catch (const std::system_error& error) {
    EXPECT_THAT(error.what(), HasSubstr("tree/mounted"));
  }
  ASSERT_EQ(::umount(target.c_str()), 0);
  EXPECT_EQ(test::read_file(scratch_ / "outside/file"), "kept");
  remove();
  EXPECT_FALSE(exists());
}

TEST(WorkdirTest, IsForThisUserAlone) {
  const ScratchDir base;
  const mode_t before = ::umask(0777);
  const Workdir workdir(base.path().string(), "local-1");
  ::umask(before);
  EXPECT_EQ(workdir.path(), base / "sandproof-local-1");
  struct stat status {};
  ASSERT_EQ(::stat(workdir.path().c_str(), &status), 0);
  EXPECT_EQ(status.st_mode, static_cast<mode_t>(S_IFDIR | 0700));
}

TEST(WorkdirTest, IsRemovedOnceAndWithTheObject) {
  const ScratchDir base;
  {
    Workdir workdir(base.path().string(), "local-1");
    test::write_file(workdir.path() / "file", "x");
    workdir.remove();
    EXPECT_FALSE(fs::exists(workdir.path()));
    fs::create_directory(workdir.path());  // Somebody else's by now.
    workdir.remove();
  }
  EXPECT_TRUE(fs::exists(base / "sandproof-local-1"));
  { const Workdir workdir(base.path().string(), "local-2"); }
  EXPECT_FALSE(fs::exists(base / "sandproof-local-2"));
}

TEST(WorkdirTest, WhatCannotBeMadeIsNamed) {
  const ScratchDir base;
  test::write_file(base / "file", "");
  const auto why = [](const fs::path& path) {
    try {
      const Workdir workdir(path.string(), "local-1");
    } catch (const BackendError& error) {
      return std::string(error.what());
    }
    return std::string("it was made");
  };
  EXPECT_THAT(why(base / "none"), AllOf(HasSubstr("none/sandproof-local-1"), HasSubstr("No such")));
  EXPECT_THAT(why(base / "file"), HasSubstr("Not a directory"));
  fs::create_directory(base / "sandproof-local-1");
  EXPECT_THAT(why(base.path()), HasSubstr("File exists"));
  EXPECT_TRUE(fs::exists(base / "sandproof-local-1")) << "it is not ours to remove";
}

TEST(WorkdirTest, TheDefaultIsTheTemporaryDirectory) {
  const char* const before = std::getenv("TMPDIR");
  const std::string old = before == nullptr ? "" : before;
  ::setenv("TMPDIR", "/some/where", 1);
  EXPECT_EQ(session_workdir("", "s"), "/some/where/sandproof-s");
  ::unsetenv("TMPDIR");
  EXPECT_EQ(session_workdir("", "s"), "/tmp/sandproof-s");
  EXPECT_EQ(session_workdir("/given", "s"), "/given/sandproof-s");
  EXPECT_TRUE(session_workdir("given", "s").is_absolute());
  if (before != nullptr) ::setenv("TMPDIR", old.c_str(), 1);
}

}  // namespace
}  // namespace sandproof::local
