// SPDX-License-Identifier: Apache-2.0
// Mounts: what is seen where, what a read-only one refuses, and what a mount point protects.
// Devices and executables, which are inodes of a kind.
#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "fakes/machine/vfs/devices.h"
#include "fakes/machine/vfs/program_file.h"
#include "tests/machine/vfs_box.h"

namespace sandproof::machine {
namespace {

std::shared_ptr<Tree> tmpfs(std::uint64_t bytes = 1 << 20) {
  return std::make_shared<Tree>(2, TreeLimits{.bytes = bytes, .inodes = 100}, 01777, 0);
}

TEST(VfsMount, ATmpfsCoversItsPointAndHasItsOwnSpace) {
  VfsBox box;
  ASSERT_EQ(box.mkdir("/tmp"), Errno::kOk);
  ASSERT_EQ(box.put("/tmp/below", "x"), Errno::kOk);
  ASSERT_TRUE(box.files.mount({"/tmp", tmpfs(kBlockBytes)}).ok());
  EXPECT_EQ(box.get("/tmp/below"), "<error 2>");
  EXPECT_EQ(box.put("/tmp/f", std::string(kBlockBytes, 'f')), Errno::kOk);
  EXPECT_EQ(box.put("/tmp/g", "g"), Errno::kNospc);
  EXPECT_EQ(box.put("/g", "g"), Errno::kOk);
  EXPECT_EQ(box.stat("/tmp").volume, 2U);
  EXPECT_EQ(box.stat("/tmp").mode, 01777U);
  EXPECT_EQ(box.get("/tmp/../g"), "g");
  EXPECT_EQ(box.rename("/tmp/f", "/f"), Errno::kXdev);
  EXPECT_EQ(box.link("/tmp/f", "/f"), Errno::kXdev);
  EXPECT_EQ(box.rename("/tmp", "/t"), Errno::kBusy);
  EXPECT_EQ(box.files.remove_directory({box.files.root(), "/tmp"}, {}).error(), Errno::kBusy);
  const Result<NodePtr> inside = box.files.change_directory({box.files.root(), "/tmp"}, {});
  ASSERT_TRUE(inside.ok());
  EXPECT_EQ(box.files.path_of(**inside).value(), "/tmp");
  EXPECT_EQ(box.files.figures(**inside)->blocks, 1U);
}

TEST(VfsMount, AReadOnlyRootRefusesWithErofs) {
  VfsBox maker;
  ASSERT_EQ(maker.mkdir("/d"), Errno::kOk);
  ASSERT_EQ(maker.mkdir("/tmp"), Errno::kOk);
  ASSERT_EQ(maker.put("/f", "f"), Errno::kOk);
  ASSERT_TRUE(make_devices(maker.files, "/d", 0).ok());
  VfsBox box;
  box.files = Vfs(maker.tree, true);
  ASSERT_TRUE(box.files.mount({"/tmp", tmpfs()}).ok());
  EXPECT_EQ(box.get("/f"), "f");
  EXPECT_EQ(box.put("/f", "g"), Errno::kRofs);
  EXPECT_EQ(box.put("/new", "g"), Errno::kRofs);
  EXPECT_EQ(box.mkdir("/f"), Errno::kExist);
  EXPECT_EQ(box.mkdir("/new"), Errno::kRofs);
  EXPECT_EQ(box.unlink("/f"), Errno::kRofs);
  EXPECT_EQ(box.unlink("/missing"), Errno::kRofs);
  EXPECT_EQ(box.rename("/f", "/g"), Errno::kRofs);
  EXPECT_EQ(box.symlink("/f", "/g"), Errno::kRofs);
  EXPECT_EQ(box.open("/f", {.write = true}).error(), Errno::kRofs);
  EXPECT_TRUE(box.open("/d/null", {.write = true}).ok());
  const Result<NodePtr> node = box.open("/f", {.read = true});
  ASSERT_TRUE(node.ok());
  EXPECT_EQ(box.files.change_mode(**node, 0600, {}).error(), Errno::kRofs);
  EXPECT_EQ(box.files.change_owner(**node, {1, 1}, {}).error(), Errno::kRofs);
  EXPECT_EQ(box.files.access({box.files.root(), "/f"}, {.write = true}, {}).error(), Errno::kRofs);
  EXPECT_TRUE(box.files.figures(**node)->read_only);
  EXPECT_EQ(box.put("/tmp/f", "writable"), Errno::kOk);
}

TEST(VfsMount, ABindShowsTheSameFilesAndCanBeReadOnly) {
  VfsBox box;
  for (const char* name : {"/data", "/data/sub", "/view", "/file"}) {
    if (std::string(name) == "/file") {
      ASSERT_EQ(box.put(name, "covered"), Errno::kOk);
    } else {
      ASSERT_EQ(box.mkdir(name), Errno::kOk);
    }
  }
  ASSERT_EQ(box.put("/data/f", "one"), Errno::kOk);
  ASSERT_TRUE(box.files.bind({"/data", "/view", true}).ok());
  ASSERT_TRUE(box.files.bind({"/data/f", "/file", false}).ok());
  EXPECT_EQ(box.files.bind({"/data/f", "/view", false}).error(), Errno::kInval);
  EXPECT_EQ(box.files.bind({"/data", "/file", false}).error(), Errno::kNotdir);
  EXPECT_EQ(box.get("/view/f"), "one");
  EXPECT_EQ(box.put("/view/f", "two"), Errno::kRofs);
  EXPECT_EQ(box.put("/data/f", "two"), Errno::kOk);
  EXPECT_EQ(box.get("/view/f"), "two");
  EXPECT_EQ(box.put("/file", "three"), Errno::kOk);
  EXPECT_EQ(box.get("/data/f"), "three");
  EXPECT_EQ(box.unlink("/file"), Errno::kBusy);
  EXPECT_EQ(box.stat("/view/f").ino, box.stat("/data/f").ino);
  EXPECT_EQ(box.stat("/view/..").ino, box.stat("/").ino);
  const Result<NodePtr> inside = box.files.change_directory({box.files.root(), "/view/sub"}, {});
  ASSERT_TRUE(inside.ok());
  EXPECT_EQ(box.files.path_of(**inside).value(), "/view/sub");
}

TEST(VfsMount, DevicesAreWhatTheTableSays) {
  VfsBox box;
  ASSERT_EQ(box.mkdir("/dev"), Errno::kOk);
  ASSERT_TRUE(make_devices(box.files, "/dev", 0).ok());
  for (const DeviceRow& row : devices()) {
    const Attributes file = box.stat("/dev/" + std::string(row.name));
    EXPECT_EQ(file.type, FileType::kCharDevice) << row.name;
    EXPECT_EQ(file.device, row.kind) << row.name;
    EXPECT_EQ(file.mode, row.mode) << row.name;
    EXPECT_EQ(device_of(row.major, row.minor), row.kind) << row.name;
  }
  EXPECT_EQ(device_of(8, 0), std::nullopt);
  EXPECT_EQ(*box.files.read_link({box.files.root(), "/dev/stdin"}, {}), "/proc/self/fd/0");
  box.caller.uid = 1001;
  ASSERT_EQ(box.files.make_special({box.files.root(), "/n"}, {}, box.caller).error(),
            Errno::kAcces);
  VfsBox open_root;
  ASSERT_TRUE(open_root.files.change_mode(*open_root.files.root(), 0777, {}).ok());
  const NewSpecial null{FileType::kCharDevice, DeviceKind::kNull, 0666};
  EXPECT_EQ(open_root.files.make_special({open_root.files.root(), "/n"}, null, box.caller).error(),
            Errno::kPerm);
}

TEST(VfsMount, AnExecutableIsItsContentsAlsoAfterACopy) {
  VfsBox box;
  ASSERT_EQ(box.put("/ls", program_image("ls"), 0755), Errno::kOk);
  ASSERT_EQ(box.put("/copy", box.get("/ls"), 0755), Errno::kOk);
  ASSERT_EQ(box.put("/script", "#!/bin/sh\n", 0755), Errno::kOk);
  ASSERT_EQ(box.put("/cut", program_image("ls").substr(0, 36), 0755), Errno::kOk);
  const auto program = [&box](std::string_view path) {
    return box.files.program_of(**box.open(path, {.read = true}));
  };
  EXPECT_EQ(program("/ls"), "ls");
  EXPECT_EQ(program("/copy"), "ls");
  EXPECT_EQ(program("/script"), std::nullopt);
  EXPECT_EQ(program("/cut"), std::nullopt);
}

}  // namespace
}  // namespace sandproof::machine
