// SPDX-License-Identifier: Apache-2.0
// Snapshots of the test flavor `detached`, of a directory that holds more than files: nothing is
// opened that would wait for a process, and what cannot be copied is named.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/un.h>

#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <memory>
#include <string>

#include "flavors/local/descriptor.h"
#include "sandproof/errors.h"
#include "sandproof/flavor.h"
#include "tests/flavors/local_support.h"
#include "tests/support/detached_flavor.h"

namespace sandproof::detached {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

class DetachedSnapshotTest : public ::testing::Test {
 protected:
  DetachedSnapshotTest() {
    SandboxOptions options;
    options.settings.set("base_dir", base_.path().string());
    sandbox_ = make_sandbox(flavor_, options);
    session_ = sandbox_->create_session({}, OnExit::kDestroy);
  }

  /// The working directory of the session.
  fs::path root() const { return base_ / session_->id() / "root"; }

  /// What a script prints in a session that was restored from a snapshot of this one.
  std::string restored(const std::string& script) {
    const auto copy = sandbox_->restore(session_->create_snapshot(), {}, OnExit::kDestroy);
    return copy->exec({"sh", "-c", script})->collect().out;
  }

  const local::test::ScratchDir base_;
  const Flavor flavor_ = detached_flavor();
  std::unique_ptr<Sandbox> sandbox_;
  std::unique_ptr<Session> session_;
};

TEST_F(DetachedSnapshotTest, KeepsFilesFoldersAndLinks) {
  session_->exec({"sh", "-c", "mkdir -p a/b; echo text > a/b/f; chmod 750 a a/b/f; ln -s b a/l"})
      ->collect();
  EXPECT_EQ(restored("cat a/l/f; stat -c %a a a/b/f; readlink a/l"), "text\n750\n750\nb\n");
}

TEST_F(DetachedSnapshotTest, MakesNamedPipesAnew) {
  session_->exec({"sh", "-c", "mkdir a; mkfifo a/gate; chmod 627 a/gate"})->collect();
  // Both ends are opened at once: the restored pipe is one.
  EXPECT_EQ(restored("stat -c '%F %a' a/gate; exec 3<> a/gate; echo through >&3; head -n 1 <&3"),
            "fifo 627\nthrough\n");
}

TEST_F(DetachedSnapshotTest, LeavesSocketsOut) {
  const local::Descriptor socket(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  const std::string path = root() / "socket";
  ASSERT_LT(path.size(), sizeof(address.sun_path));
  std::strcpy(address.sun_path, path.c_str());
  ASSERT_EQ(::bind(socket.get(), reinterpret_cast<const sockaddr*>(&address), sizeof(address)), 0);
  local::test::write_file(root() / "file", "beside");
  EXPECT_EQ(restored("ls -A"), "file\n");
}

TEST_F(DetachedSnapshotTest, RefusesADeviceByName) {
  const fs::path device = root() / "null";
  constexpr unsigned kMemory = 1;
  constexpr unsigned kNull = 3;
  if (::mknod(device.c_str(), S_IFCHR | S_IRUSR, ::makedev(kMemory, kNull)) != 0) {
    GTEST_SKIP() << "only root can make a device, and not everywhere";
  }
  try {
    session_->create_snapshot();
    FAIL() << "a device was copied";
  } catch (const BackendError& error) {
    EXPECT_THAT(error.what(), HasSubstr(device.string() + ": it is neither"));
  }
}

}  // namespace
}  // namespace sandproof::detached
