// SPDX-License-Identifier: Apache-2.0
// Upload and download: content, names, targets, and above all what must not be reached.
#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/un.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "flavors/local/descriptor.h"
#include "flavors/local/transfer.h"
#include "sandproof/errors.h"
#include "tests/flavors/local_support.h"

namespace sandproof::local {
namespace {

namespace fs = std::filesystem;
using test::read_file;
using test::ScratchDir;
using test::write_file;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::StartsWith;

enum class Outcome { kDone, kInvalid, kNotFound, kRefused };

class TransferTest : public ::testing::Test {
 protected:
  TransferTest() {
    fs::create_directory(root());
    fs::create_directory(here());
    fs::create_directory(scratch_ / "root.d");
    directory_ = Descriptor(::open(root().c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  }

  fs::path root() const { return scratch_ / "root"; }
  fs::path here() const { return scratch_ / "here"; }
  PathRoot path_root() const { return {directory_.get(), "session local-test"}; }

  Outcome upload(const fs::path& local, const std::string& remote) {
    return outcome([&] { upload_file(path_root(), *ids_, local, remote); });
  }
  Outcome download(const std::string& remote, const fs::path& local) {
    return outcome([&] { download_file(path_root(), *ids_, remote, local); });
  }

  // Up and down again; the content that came back.
  std::string round_trip(const std::string& content, const std::string& remote = "file") {
    write_file(here() / "up", content);
    EXPECT_EQ(upload(here() / "up", remote), Outcome::kDone) << message_;
    EXPECT_EQ(download(remote, here() / "down"), Outcome::kDone) << message_;
    return read_file(here() / "down");
  }

  // Every path under a directory that a transfer may have left half done.
  static std::vector<std::string> asides(const fs::path& directory) {
    std::vector<std::string> names;
    for (const auto& entry : fs::recursive_directory_iterator(directory)) {
      if (entry.path().filename().string().starts_with(".sandproof-")) {
        names.push_back(entry.path().string());
      }
    }
    return names;
  }

  template <typename Call>
  Outcome outcome(const Call& call) {
    message_.clear();
    try {
      call();
      return Outcome::kDone;
    } catch (const InvalidArgumentError& error) {
      message_ = error.what();
      return Outcome::kInvalid;
    } catch (const NotFoundError& error) {
      message_ = error.what();
      return Outcome::kNotFound;
    } catch (const FileTransferError& error) {
      message_ = error.what();
      return Outcome::kRefused;
    }
  }

  ScratchDir scratch_;
  Descriptor directory_;
  std::shared_ptr<IdSource> ids_ = system_id_source();
  std::string message_;
};

TEST_F(TransferTest, BytesArriveExactly) {
  std::string all;
  for (int i = 0; i < 256; ++i) all += static_cast<char>(i);
  std::mt19937 random(1);  // NOLINT: the same bytes each time
  std::string large((std::size_t{1} << 20) + 1, '\0');
  for (char& byte : large) byte = static_cast<char>(random());
  for (const std::string& content :
       {std::string(), std::string("x"), std::string("a\r\nb\r\n"), std::string(3, '\0'), all,
        large, std::string("shorter again")}) {
    EXPECT_TRUE(round_trip(content) == content) << content.size() << " bytes came back different";
  }
  EXPECT_THAT(asides(scratch_.path()), IsEmpty());
}

TEST_F(TransferTest, AFileThatClaimsToBeEmptyIsReadToItsEnd) {
  EXPECT_EQ(upload("/proc/self/status", "status"), Outcome::kDone);
  EXPECT_THAT(read_file(root() / "status"), StartsWith("Name:"));
}

TEST_F(TransferTest, NamesAreNames) {
  for (const std::string name :
       {"a b", "it's", "\"quoted\"", "-dash", "100%", "%2e%2e", "line\nbreak", "é✓", "back\\slash",
        "...", "..a", "a..", "*", "$HOME", "~"}) {
    EXPECT_EQ(round_trip(name, name), name);
    EXPECT_EQ(read_file(root() / name), name);
    EXPECT_EQ(round_trip(name, "dir/" + name + "/" + name), name);
  }
}

TEST_F(TransferTest, MissingDirectoriesAreMadeOnBothSides) {
  write_file(here() / "up", "x");
  EXPECT_EQ(upload(here() / "up", "a/b/c/file"), Outcome::kDone);
  EXPECT_EQ(read_file(root() / "a/b/c/file"), "x");
  EXPECT_EQ(download("a/b/c/file", here() / "d/e/f"), Outcome::kDone);
  EXPECT_EQ(read_file(here() / "d/e/f"), "x");
}

TEST_F(TransferTest, PathsAreFollowedAsTheyAreWritten) {
  write_file(here() / "up", "x");
  EXPECT_EQ(upload(here() / "up", "./a//b/.././file"), Outcome::kDone);
  EXPECT_EQ(read_file(root() / "a/file"), "x");
  EXPECT_FALSE(fs::exists(root() / "a/b")) << "nobody asked for that directory";
}

TEST_F(TransferTest, PermissionBitsTravel) {
  const mode_t before = ::umask(077);
  for (const mode_t mode : {0600U, 0644U, 0755U, 0444U, 0777U}) {
    write_file(here() / "up", "x");
    ASSERT_EQ(::chmod((here() / "up").c_str(), mode), 0);
    ASSERT_EQ(upload(here() / "up", "file"), Outcome::kDone) << message_;
    ASSERT_EQ(download("file", here() / "down"), Outcome::kDone) << message_;
    struct stat status {};
    ASSERT_EQ(::stat((root() / "file").c_str(), &status), 0);
    EXPECT_EQ(status.st_mode & 07777U, mode);
    ASSERT_EQ(::stat((here() / "down").c_str(), &status), 0);
    EXPECT_EQ(status.st_mode & 07777U, mode);
    fs::remove(here() / "up");
  }
  ::umask(before);
}

TEST_F(TransferTest, AMissingSourceIsNotFoundAndNothingIsTouched) {
  EXPECT_EQ(upload(here() / "none", "new/file"), Outcome::kNotFound);
  EXPECT_THAT(message_, HasSubstr("here/none"));
  EXPECT_FALSE(fs::exists(root() / "new"));
  fs::create_symlink("nowhere", here() / "dangling");
  EXPECT_EQ(upload(here() / "dangling", "file"), Outcome::kNotFound);

  write_file(here() / "kept", "old");
  EXPECT_EQ(download("no such/file", here() / "kept"), Outcome::kNotFound);
  EXPECT_THAT(message_, AllOf(HasSubstr("no such/file"), HasSubstr("session local-test")));
  EXPECT_EQ(read_file(here() / "kept"), "old");
  EXPECT_EQ(download("none", here() / "new/file"), Outcome::kNotFound);
  EXPECT_FALSE(fs::exists(here() / "new"));
  fs::create_symlink("nowhere", root() / "dangling");
  EXPECT_EQ(download("dangling", here() / "kept"), Outcome::kNotFound);
}

TEST_F(TransferTest, OnlyFilesAreSources) {
  fs::create_directory(here() / "dir");
  ASSERT_EQ(::mkfifo((here() / "fifo").c_str(), 0600), 0);
  EXPECT_EQ(upload(here() / "dir", "file"), Outcome::kRefused);
  EXPECT_THAT(message_, HasSubstr("directory"));
  EXPECT_EQ(upload(here() / "fifo", "file"), Outcome::kRefused);  // And does not hang.
  EXPECT_EQ(upload("/dev/null", "file"), Outcome::kRefused);
  EXPECT_THAT(message_, HasSubstr("not a regular file"));
  EXPECT_FALSE(fs::exists(root() / "file"));

  fs::create_directory(root() / "dir");
  ASSERT_EQ(::mkfifo((root() / "fifo").c_str(), 0600), 0);
  const Descriptor socket(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
  sockaddr_un address{.sun_family = AF_UNIX, .sun_path = {}};
  (root() / "socket").string().copy(address.sun_path, sizeof address.sun_path - 1);
  ASSERT_EQ(::bind(socket.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address), 0);
  for (const char* const remote : {"dir", "fifo", "socket", ".", "dir/..", "dir/"}) {
    EXPECT_EQ(download(remote, here() / "file"), Outcome::kRefused) << remote;
  }
  write_file(root() / "plain", "x");
  EXPECT_EQ(download("plain/", here() / "file"), Outcome::kRefused);
  EXPECT_FALSE(fs::exists(here() / "file"));
}

TEST_F(TransferTest, OnlyFilesAreReplaced) {
  write_file(here() / "up", "x");
  fs::create_directory(root() / "dir");
  ASSERT_EQ(::mkfifo((root() / "fifo").c_str(), 0600), 0);
  for (const char* const remote : {"dir", "dir/", "new/", "new/.", ".", "./", "dir/..", "fifo"}) {
    EXPECT_EQ(upload(here() / "up", remote), Outcome::kRefused) << remote;
  }
  EXPECT_FALSE(fs::exists(root() / "new"));
  EXPECT_TRUE(fs::is_fifo(root() / "fifo"));

  write_file(root() / "file", "x");
  fs::create_directory(here() / "dir");
  ASSERT_EQ(::mkfifo((here() / "fifo").c_str(), 0600), 0);
  for (const char* const local : {"dir", "dir/", "new/", "fifo"}) {
    EXPECT_EQ(download("file", here() / local), Outcome::kRefused) << local;
  }
  EXPECT_FALSE(fs::exists(here() / "new"));
  EXPECT_THAT(asides(scratch_.path()), IsEmpty());
}

// On a node of its own: the one of the machine is not put at risk by a test.
TEST_F(TransferTest, ADeviceIsNotReplaced) {
  const fs::path null = here() / "null";
  if (::mknod(null.c_str(), S_IFCHR | 0666, ::makedev(1, 3)) != 0) {
    GTEST_SKIP() << "this user may not make device nodes";
  }
  write_file(root() / "file", "x");
  EXPECT_EQ(download("file", null), Outcome::kRefused);
  EXPECT_TRUE(fs::is_character_file(null));
  fs::create_symlink("null", here() / "link");
  EXPECT_EQ(download("file", here() / "link"), Outcome::kRefused);
  EXPECT_TRUE(fs::is_character_file(null));
}

TEST_F(TransferTest, LinksAreFollowedToTheFinalTarget) {
  write_file(here() / "real", "up");
  fs::create_symlink("real", here() / "link");
  fs::create_directory(root() / "dir");
  write_file(root() / "dir/target", "old");
  fs::create_symlink("dir/target", root() / "link");
  fs::create_directory_symlink("dir", root() / "dirlink");
  fs::create_symlink("../dir/target", root() / "dir/up-and-down");
  fs::create_symlink("link", root() / "link-to-link");
  fs::create_symlink("dir/new", root() / "to-be");
  int i = 0;
  for (const char* const remote : {"link", "dirlink/target", "dir/up-and-down", "link-to-link"}) {
    const std::string content = "content " + std::to_string(i++);
    write_file(here() / "real", content);
    EXPECT_EQ(upload(here() / "link", remote), Outcome::kDone) << remote << message_;
    EXPECT_EQ(read_file(root() / "dir/target"), content) << remote;
    EXPECT_EQ(download(remote, here() / "down"), Outcome::kDone) << remote << message_;
    EXPECT_EQ(read_file(here() / "down"), content) << remote;
  }
  EXPECT_TRUE(fs::is_symlink(root() / "link"));
  EXPECT_EQ(upload(here() / "link", "to-be"), Outcome::kDone) << message_;
  EXPECT_TRUE(fs::is_regular_file(fs::symlink_status(root() / "dir/new")));

  fs::create_directory(here() / "sub");
  fs::create_symlink("sub/target", here() / "out");
  EXPECT_EQ(download("link", here() / "out"), Outcome::kDone) << message_;
  EXPECT_TRUE(fs::is_symlink(here() / "out"));
  EXPECT_EQ(read_file(here() / "sub/target"), read_file(root() / "dir/target"));
}

TEST_F(TransferTest, ALinkToItselfIsRefused) {
  write_file(here() / "up", "x");
  fs::create_symlink("loop", root() / "loop");
  fs::create_symlink("loop", here() / "loop");
  EXPECT_EQ(upload(here() / "up", "loop"), Outcome::kRefused);
  EXPECT_EQ(upload(here() / "up", "loop/file"), Outcome::kRefused);
  EXPECT_EQ(download("loop", here() / "file"), Outcome::kRefused);
  write_file(root() / "file", "x");
  EXPECT_EQ(download("file", here() / "loop"), Outcome::kRefused);
  EXPECT_EQ(upload(here() / "loop", "file"), Outcome::kRefused);
}

// BUGS.md #87, #88, #96, #98.
TEST_F(TransferTest, NoPathLeavesTheRoot) {
  write_file(here() / "up", "x");
  write_file(scratch_ / "secret", "secret");
  write_file(scratch_ / "root.d/config", "secret");
  fs::create_directory(root() / "dir");
  fs::create_directory_symlink("/", root() / "escape");
  fs::create_directory_symlink("..", root() / "parent");
  fs::create_symlink("../secret", root() / "filelink");
  fs::create_symlink(scratch_ / "secret", root() / "absolute");
  fs::create_symlink("../root.d/config", root() / "beside");
  fs::create_symlink("../new", root() / "dangling");
  fs::create_symlink("parent/secret", root() / "two-steps");
  // Nothing outside of the scratch directory is named, not even by what must be refused.
  const std::string secret = (scratch_ / "secret").string();
  std::string deep = "dir";
  for (int i = 0; i < 30; ++i) deep += "/..";
  const std::vector<std::string> paths = {"../secret",
                                          "..",
                                          "../",
                                          "dir/../..",
                                          deep + secret,
                                          secret,
                                          "/",
                                          "../root.d/config",
                                          "../rootX",
                                          (scratch_ / "root.d/config").string(),
                                          root().string() + "/../secret",
                                          "escape" + secret,
                                          "parent/secret",
                                          "filelink",
                                          "absolute",
                                          "beside",
                                          "dangling",
                                          "two-steps",
                                          "missing/../../secret",
                                          "../root/dir/file",
                                          "",
                                          std::string("a\0b", 3)};
  for (const std::string& remote : paths) {
    EXPECT_EQ(upload(here() / "up", remote), Outcome::kInvalid) << remote << ": " << message_;
    EXPECT_EQ(download(remote, here() / "got"), Outcome::kInvalid) << remote << ": " << message_;
  }
  EXPECT_EQ(read_file(scratch_ / "secret"), "secret");
  EXPECT_EQ(read_file(scratch_ / "root.d/config"), "secret");
  EXPECT_FALSE(fs::exists(scratch_ / "new"));
  EXPECT_FALSE(fs::exists(here() / "got"));
  EXPECT_FALSE(fs::exists(root() / "missing"));
}

TEST_F(TransferTest, AbsolutePathsInsideAreAllowed) {
  write_file(here() / "up", "x");
  fs::create_directory(root() / "dir");
  fs::create_symlink(root() / "dir/target", root() / "absolute");
  fs::create_directory_symlink(root(), scratch_ / "alias");
  fs::create_directory_symlink(scratch_ / "alias/dir", root() / "through-alias");
  EXPECT_EQ(upload(here() / "up", (root() / "dir/a").string()), Outcome::kDone) << message_;
  EXPECT_EQ(read_file(root() / "dir/a"), "x");
  EXPECT_EQ(upload(here() / "up", "absolute"), Outcome::kDone) << message_;
  EXPECT_EQ(read_file(root() / "dir/target"), "x");
  EXPECT_EQ(upload(here() / "up", (scratch_ / "alias/dir/b").string()), Outcome::kDone) << message_;
  EXPECT_EQ(read_file(root() / "dir/b"), "x");
  EXPECT_EQ(download("through-alias/b", here() / "down"), Outcome::kDone) << message_;
  EXPECT_EQ(upload(here() / "up", root().string()), Outcome::kRefused) << "it is a directory";
  EXPECT_EQ(upload(here() / "up", "//" + root().string() + "//dir/./c"), Outcome::kDone)
      << message_;
  EXPECT_EQ(read_file(root() / "dir/c"), "x");
}

// The root itself is reached through a link: base_dir may be one.
TEST_F(TransferTest, TheRootMayBeReachedThroughALink) {
  fs::create_directory_symlink(root(), scratch_ / "alias");
  directory_ = Descriptor(::open((scratch_ / "alias").c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  write_file(here() / "up", "x");
  EXPECT_EQ(upload(here() / "up", "a"), Outcome::kDone) << message_;
  EXPECT_EQ(upload(here() / "up", (scratch_ / "alias/b").string()), Outcome::kDone) << message_;
  EXPECT_EQ(upload(here() / "up", (root() / "c").string()), Outcome::kDone) << message_;
  for (const char* const name : {"a", "b", "c"}) EXPECT_EQ(read_file(root() / name), "x");
}

// FILE-016: a directory turns into a link to the outside and back all the time.
TEST_F(TransferTest, ALinkThatIsSwappedMeanwhileLeadsNowhere) {
  fs::create_directory(scratch_ / "outside");
  write_file(scratch_ / "outside/file", "secret");
  fs::create_directory(root() / "swap");
  write_file(root() / "swap/file", "inside");
  fs::create_directory_symlink("../outside", root() / "other");
  write_file(here() / "up", "inside");
  std::jthread swapper([this](const std::stop_token& stop) {
    const std::string one = (root() / "swap").string();
    const std::string two = (root() / "other").string();
    while (!stop.stop_requested()) {
      ::renameat2(AT_FDCWD, one.c_str(), AT_FDCWD, two.c_str(), RENAME_EXCHANGE);
    }
  });
  int done = 0;
  int refused = 0;
  for (int i = 0; i < 3000; ++i) {
    const Outcome up = upload(here() / "up", "swap/file");
    EXPECT_TRUE(up == Outcome::kDone || up == Outcome::kInvalid) << message_;
    const Outcome down = download("swap/file", here() / "down");
    EXPECT_TRUE(down == Outcome::kDone || down == Outcome::kInvalid) << message_;
    if (down == Outcome::kDone) {
      EXPECT_EQ(read_file(here() / "down"), "inside");
    }
    for (const Outcome outcome : {up, down}) ++(outcome == Outcome::kDone ? done : refused);
  }
  swapper.request_stop();
  swapper.join();
  EXPECT_EQ(read_file(scratch_ / "outside/file"), "secret");
  EXPECT_GT(done, 0) << "the swapping was never met";
  EXPECT_GT(refused, 0) << "the swapping was never met";
  EXPECT_THAT(asides(scratch_.path()), IsEmpty());
}

// The same with the final name: a file that turns into a link to the outside.
TEST_F(TransferTest, AFileThatIsSwappedForALinkLeadsNowhere) {
  write_file(scratch_ / "secret", "secret");
  write_file(here() / "up", "inside");
  fs::create_symlink("../secret", root() / "link");
  write_file(root() / "plain", "inside");
  std::jthread swapper([this](const std::stop_token& stop) {
    const std::string one = (root() / "link").string();
    const std::string two = (root() / "plain").string();
    while (!stop.stop_requested()) {
      ::renameat2(AT_FDCWD, one.c_str(), AT_FDCWD, two.c_str(), RENAME_EXCHANGE);
    }
  });
  for (int i = 0; i < 2000; ++i) {
    const Outcome down = download("plain", here() / "down");
    EXPECT_TRUE(down == Outcome::kDone || down == Outcome::kInvalid) << message_;
    if (down == Outcome::kDone) {
      EXPECT_EQ(read_file(here() / "down"), "inside");
    }
  }
  swapper.request_stop();
  swapper.join();
  EXPECT_EQ(read_file(scratch_ / "secret"), "secret");
}

// Root may write everywhere: a limit of the size of files is what refuses it too.
TEST_F(TransferTest, ATransferThatFailsHalfWayLeavesTheTarget) {
  write_file(root() / "file", "old");
  write_file(here() / "down", "old");
  write_file(here() / "up", std::string(1'000'000, 'x'));
  write_file(root() / "big", std::string(1'000'000, 'x'));
  rlimit before{};
  ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &before), 0);
  rlimit small = before;
  small.rlim_cur = 500'000;
  const auto handler = std::signal(SIGXFSZ, SIG_IGN);
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &small), 0);
  const Outcome up = upload(here() / "up", "file");
  const std::string why = message_;
  const Outcome down = download("big", here() / "down");
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &before), 0);
  std::signal(SIGXFSZ, handler);
  EXPECT_EQ(up, Outcome::kRefused);
  EXPECT_THAT(why, HasSubstr("File too large"));
  EXPECT_EQ(down, Outcome::kRefused);
  EXPECT_EQ(read_file(root() / "file"), "old");
  EXPECT_EQ(read_file(here() / "down"), "old");
  EXPECT_THAT(asides(scratch_.path()), IsEmpty());
}

TEST_F(TransferTest, WhatTheSystemRefusesIsSaid) {
  write_file(here() / "up", "x");
  write_file(root() / "file", "x");
  EXPECT_EQ(upload(here() / "up", "file/below"), Outcome::kRefused);
  EXPECT_THAT(message_, HasSubstr("Not a directory"));
  EXPECT_EQ(upload(here() / "up", std::string(300, 'n')), Outcome::kRefused);
  EXPECT_THAT(message_, HasSubstr("name too long"));
  EXPECT_EQ(download("file", here() / "up/below"), Outcome::kRefused);
  EXPECT_THAT(message_, HasSubstr("Not a directory"));
  EXPECT_EQ(download("file", "/proc/none/file"), Outcome::kRefused);
}

TEST_F(TransferTest, TwoUploadsToOneNameLeaveOneWholeFile) {
  constexpr std::size_t kSize = 300'000;
  write_file(here() / "a", std::string(kSize, 'a'));
  write_file(here() / "b", std::string(kSize, 'b'));
  for (int i = 0; i < 50; ++i) {
    {
      const std::jthread a([&] { upload_file(path_root(), *ids_, here() / "a", "file"); });
      const std::jthread b([&] { upload_file(path_root(), *ids_, here() / "b", "file"); });
    }
    const std::string content = read_file(root() / "file");
    EXPECT_EQ(content, std::string(kSize, content.at(0)));
  }
  EXPECT_THAT(asides(scratch_.path()), IsEmpty());
}

}  // namespace
}  // namespace sandproof::local
