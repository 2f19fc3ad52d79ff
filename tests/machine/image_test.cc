// SPDX-License-Identifier: Apache-2.0
// Images: what each profile has, that boxes share it, and the limits of what a box writes.
#include "fakes/machine/images/image.h"

#include <gtest/gtest.h>

#include "fakes/machine/vfs/tree.h"
#include "tests/machine/world.h"

namespace sandproof::machine {
namespace {

Task<int> image_true(Process&) { co_return 0; }

constexpr std::array kImageRows = {ProgramRow{.name = "sh", .main = image_true},
                                   ProgramRow{.name = "true", .main = image_true}};

struct ImageWorld {
  explicit ImageWorld(std::string_view profile, const ImageBoxLimits& limits = {},
                      const Strings& more = {}) {
    MachineOptions options;
    options.programs = kImageRows;
    machine = std::make_unique<Machine>(clock, options);
    image = make_image(*find_image_profile(profile), kImageRows, more, clock.wall().count());
    box = make_image_box(*machine, image, named("alpha"), limits);
  }
  static BoxOptions named(std::string name) {
    BoxOptions options;
    options.hostname = std::move(name);
    options.init = Init::kReaps;
    return options;
  }
  Errno exec(const ImageBox& where, std::string path) {
    Start start;
    start.argv = {std::move(path)};
    start.credentials = image.user;
    start.cwd = image.cwd;
    const auto launch = machine->start(*where.box, std::move(start));
    machine->run_until_idle();
    return launch.error();
  }
  void run(const ImageBox& where, ProcessBody body) {
    Start start;
    start.argv = {"test"};
    start.body = std::move(body);
    start.credentials = image.user;
    start.cwd = image.cwd;
    const auto launch = machine->start(*where.box, std::move(start));
    EXPECT_TRUE(launch.ok());
    machine->run_until_idle();
    EXPECT_EQ((*launch)->status(), WaitStatus::exited(0));
  }

  ManualClock clock;
  std::unique_ptr<Machine> machine;
  Image image;
  ImageBox box;
};

constexpr OpenOptions kImageWrite = {.flags = {.write = true, .create = true}};

/// The error of writing a file of that many bytes; the count that fitted is left in it.
Task<Errno> image_fill(Process& self, std::string path, std::size_t bytes) {
  const Result<int> fd = co_await self.open(path, kImageWrite);
  if (!fd) co_return fd.error();
  const Result<std::size_t> count = co_await self.write(*fd, std::string(bytes, 'x'));
  (void)self.close(*fd);
  if (!count) co_return count.error();
  co_return *count == bytes ? Errno::kOk : Errno::kNospc;
}

TEST(MachineImage, EveryProfileHasWhatProgramsRelyOn) {
  for (const ImageProfile& profile : image_profiles()) {
    SCOPED_TRACE(profile.name);
    ImageWorld world(profile.name);
    const bool has_programs = !profile.programs_in.empty();
    EXPECT_EQ(world.exec(world.box, "/bin/sh"), has_programs ? Errno::kOk : Errno::kNoent);
    world.run(world.box, [](Process& self) -> Task<int> {
      EXPECT_EQ(self.stat("/tmp")->mode, 01777U);
      EXPECT_EQ(self.stat("/var/tmp")->mode, 01777U);
      EXPECT_EQ(self.stat("/etc/passwd")->type, FileType::kRegular);
      EXPECT_EQ(self.stat("/dev/null")->type, FileType::kCharDevice);
      EXPECT_TRUE(self.stat("/proc/self/stat"));
      const OpenOptions to_read = {.flags = {.read = true}};
      const Result<int> fd = co_await self.open("/etc/hostname", to_read);
      EXPECT_TRUE(fd.ok());
      EXPECT_EQ(co_await read_to_end(self, *fd), "alpha\n");
      EXPECT_EQ(co_await image_fill(self, "/tmp/f", 10), Errno::kOk);
      co_return 0;
    });
  }
  EXPECT_EQ(find_image_profile("nonesuch"), nullptr);
}

TEST(MachineImage, ProfilesDifferInUserInLinksAndInWhatCanBeWritten) {
  ImageWorld plain("busybox");
  ImageWorld merged("coreutils");
  ImageWorld user("nonroot");
  ImageWorld fixed("readonly");
  plain.run(plain.box, [](Process& self) -> Task<int> {
    EXPECT_EQ(self.stat("/bin", Follow::kNo)->type, FileType::kDirectory);
    EXPECT_EQ(co_await image_fill(self, "/new", 1), Errno::kOk);
    co_return 0;
  });
  merged.run(merged.box, [](Process& self) -> Task<int> {
    EXPECT_EQ(self.readlink("/bin").value_or("?"), "usr/bin");
    co_return 0;
  });
  user.run(user.box, [](Process& self) -> Task<int> {
    EXPECT_EQ(self.credentials().uid, 1000U);
    EXPECT_EQ(self.getcwd().value_or("?"), "/home/user");
    EXPECT_EQ(co_await image_fill(self, "mine", 1), Errno::kOk);
    EXPECT_EQ(co_await image_fill(self, "/new", 1), Errno::kAcces);
    co_return 0;
  });
  fixed.run(fixed.box, [](Process& self) -> Task<int> {
    EXPECT_EQ(co_await image_fill(self, "/new", 1), Errno::kRofs);
    EXPECT_EQ(co_await image_fill(self, "/run/pid", 1), Errno::kOk);
    EXPECT_EQ(co_await image_fill(self, "/dev/null", 1), Errno::kOk);
    co_return 0;
  });
}

TEST(MachineImage, AnImageWithoutProgramsCanBeGivenOne) {
  ImageWorld world("distroless", {}, {"true"});
  EXPECT_EQ(world.exec(world.box, "/bin/true"), Errno::kOk);
  EXPECT_EQ(world.exec(world.box, "/bin/sh"), Errno::kNoent);
}

TEST(MachineImage, BoxesOfOneImageDoNotSeeEachOther) {
  ImageWorld world("busybox");
  const ImageBox other = make_image_box(*world.machine, world.image, ImageWorld::named("beta"));
  world.run(world.box, [](Process& self) -> Task<int> {
    EXPECT_EQ(co_await image_fill(self, "/etc/passwd", 3), Errno::kOk);
    EXPECT_TRUE(self.unlink("/bin/sh"));
    co_return 0;
  });
  EXPECT_EQ(world.exec(world.box, "/bin/sh"), Errno::kNoent);
  EXPECT_EQ(world.exec(other, "/bin/sh"), Errno::kOk);
  world.run(other, [](Process& self) -> Task<int> {
    EXPECT_GT(self.stat("/etc/passwd")->size, 3U);
    EXPECT_EQ(self.hostname(), "beta");
    co_return 0;
  });
  // The tree of a box is an image, too.
  Image snapshot = world.image;
  snapshot.root = world.box.root->snapshot();
  const ImageBox restored = make_image_box(*world.machine, snapshot, ImageWorld::named("gamma"));
  EXPECT_EQ(world.exec(restored, "/bin/sh"), Errno::kNoent);
  EXPECT_EQ(world.exec(restored, "/bin/true"), Errno::kOk);
}

TEST(MachineImage, WhatABoxWritesIsLimited) {
  constexpr std::uint64_t kQuota = 1 << 20;
  ImageWorld world("busybox", {.bytes = kQuota, .inodes = 20});
  world.run(world.box, [](Process& self) -> Task<int> {
    EXPECT_EQ(co_await image_fill(self, "/tmp/a", kQuota / 2), Errno::kOk);
    EXPECT_EQ(co_await image_fill(self, "/tmp/b", kQuota), Errno::kNospc);
    EXPECT_TRUE(self.unlink("/tmp/b"));
    EXPECT_EQ(co_await image_fill(self, "/tmp/c", kQuota / 4), Errno::kOk);
    Errno made = Errno::kOk;
    for (int i = 0; i < 30 && made == Errno::kOk; ++i) {
      made = self.mkdir("/tmp/d" + std::to_string(i)).error();
    }
    EXPECT_EQ(made, Errno::kNospc);
    co_return 0;
  });
}

}  // namespace
}  // namespace sandproof::machine
