// SPDX-License-Identifier: Apache-2.0
// Files as processes see them: open, FIFOs and devices, working directories, executables.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "fakes/machine/vfs/devices.h"
#include "fakes/machine/vfs/program_file.h"
#include "fakes/machine/vfs/tree.h"
#include "fakes/machine/vfs/vfs.h"
#include "tests/machine/world.h"

namespace sandproof::machine {
namespace {

Task<int> tells_its_words(Process& self) {
  std::string text;
  for (const std::string& word : self.argv()) text += word + "|";
  (void)co_await self.write(1, text);
  co_return 3;
}

constexpr std::array kFileRows = {ProgramRow{.name = "tell", .main = tells_its_words}};
constexpr OpenOptions kToRead = {.flags = {.read = true}};
constexpr OpenOptions kToMake = {.flags = {.write = true, .create = true, .truncate = true}};

BoxOptions box_with_files() {
  BoxOptions options;
  options.init = Init::kReaps;
  options.files = std::make_shared<Vfs>(std::make_shared<Tree>(1, TreeLimits{}, 0755, 0));
  return options;
}

MachineOptions options_with_tell() {
  MachineOptions options;
  options.programs = kFileRows;
  return options;
}

Task<Errno> put(Process& self, std::string_view path, std::string_view text, unsigned mode = 0666) {
  OpenOptions options = kToMake;
  options.mode = mode;
  const Result<int> fd = co_await self.open(path, options);
  if (!fd) co_return fd.error();
  const Result<std::size_t> count = co_await self.write(*fd, text);
  (void)self.close(*fd);
  co_return count.error();
}

Task<std::string> get(Process& self, std::string_view path) {
  const Result<int> fd = co_await self.open(path, kToRead);
  if (!fd) co_return std::string(text_of(fd.error()));
  std::string text = co_await read_to_end(self, *fd, 3);
  (void)self.close(*fd);
  co_return text;
}

TEST(MachineFiles, AFileIsWrittenReadAppendedAndSeekedIn) {
  World world({}, box_with_files());
  EXPECT_EQ(world.run([](Process& self) -> Task<int> {
    EXPECT_EQ(co_await put(self, "/a", "hello"), Errno::kOk);
    EXPECT_EQ(co_await get(self, "/a"), "hello");
    EXPECT_EQ(self.stat("/a")->mode, 0644U);
    OpenOptions append = {.flags = {.read = true, .write = true}, .append = true};
    const int fd = (co_await self.open("a", append)).value();
    (void)co_await self.write(fd, " there");
    EXPECT_EQ(self.seek(fd, -5, Whence::kEnd).value_or(0), 6U);
    EXPECT_EQ(co_await read_to_end(self, fd), "there");
    EXPECT_EQ(self.seek(fd, -1, Whence::kStart).error(), Errno::kInval);
    // What is unlinked lives on where it is open.
    EXPECT_TRUE(self.unlink("a").ok());
    EXPECT_EQ(self.stat("/a").error(), Errno::kNoent);
    EXPECT_EQ(self.stat_fd(fd)->size, 11U);
    EXPECT_EQ(self.readdir(fd).error(), Errno::kNotdir);
    co_return 0;
  }),
            WaitStatus::exited(0));
}

TEST(MachineFiles, AChildSharesTheOffsetAndHasADirectoryOfItsOwn) {
  World world({}, box_with_files());
  const auto out = std::make_shared<Capture>();
  EXPECT_EQ(world.run([](Process& self) -> Task<int> {
    (void)co_await put(self, "/a", "abcdef");
    (void)self.mkdir("/d");
    const int fd = (co_await self.open("/a", kToRead)).value();
    (void)self.fork([fd](Process& child) -> Task<int> {
      std::array<std::byte, 2> two;
      (void)co_await child.read(fd, two);
      EXPECT_TRUE(child.chdir("d").ok());
      EXPECT_EQ(child.getcwd().value_or(""), "/d");
      co_return 0;
    });
    (void)co_await self.wait_child();
    EXPECT_EQ(co_await read_to_end(self, fd), "cdef");
    EXPECT_EQ(self.getcwd().value_or(""), "/");
    EXPECT_EQ(self.chdir("/a").error(), Errno::kNotdir);
    const int directory = (co_await self.open("/", {.flags = {.read = true}})).value();
    std::string names;
    for (;;) {
      const auto entries = self.readdir(directory, 1);
      if (!entries || entries->empty()) break;
      names += entries->front().name + " ";
    }
    EXPECT_EQ(names, ". .. a d ");
    co_return 0;
  }),
            WaitStatus::exited(0));
}

TEST(MachineFiles, AFifoWaitsForItsOtherSide) {
  World world({}, box_with_files());
  std::string got;
  const auto reader = world.start([&got](Process& self) -> Task<int> {
    EXPECT_TRUE(self.mkfifo("/f").ok());
    OpenOptions write = {.flags = {.write = true}, .nonblocking = true};
    EXPECT_EQ((co_await self.open("/f", write)).error(), Errno::kNxio);
    got = co_await get(self, "/f");
    co_return 0;
  });
  world.machine.run_until_idle();
  EXPECT_EQ(reader->status(), std::nullopt);
  // It opens, writes and closes before the reader has its turn.
  EXPECT_EQ(world.run([](Process& self) -> Task<int> {
    co_return static_cast<int>(co_await put(self, "/f", "through"));
  }),
            WaitStatus::exited(0));
  EXPECT_EQ(reader->status(), WaitStatus::exited(0));
  EXPECT_EQ(got, "through");
}

TEST(MachineFiles, DevicesOpenByTheirNodes) {
  BoxOptions options = box_with_files();
  auto& files = static_cast<Vfs&>(*options.files);
  const NodePtr root = files.root();
  ASSERT_TRUE(files.make_directory({.at = root, .path = "/dev"}, 0755, {}).ok());
  ASSERT_TRUE(make_devices(files, "/dev", 0).ok());
  World world({}, options);
  EXPECT_EQ(world.run([](Process& self) -> Task<int> {
    EXPECT_EQ(co_await put(self, "/dev/null", "x"), Errno::kOk);
    EXPECT_EQ(co_await put(self, "/dev/full", "x"), Errno::kNospc);
    EXPECT_EQ(co_await get(self, "/dev/null"), "");
    EXPECT_EQ((co_await self.open("/dev/tty", kToRead)).error(), Errno::kNxio);
    const int zero = (co_await self.open("/dev/zero", kToRead)).value();
    std::array<std::byte, 4> four = {std::byte{1}};
    EXPECT_EQ((co_await self.read(zero, four)).value_or(0), 4U);
    EXPECT_EQ(four, (std::array<std::byte, 4>{}));
    co_return 0;
  }),
            WaitStatus::exited(0));
}

/// What exec gives for a path: what the program wrote, or the error.
std::string told_by(World& world, const std::string& path, Strings argv) {
  const auto out = std::make_shared<Capture>();
  const auto end = world.run(
      [&](Process& self) -> Task<int> {
        const Strings env;
        const Result<void> failed = co_await self.exec(path, argv, env);
        (void)co_await self.write(1, text_of(failed.error()));
        co_return 1;
      },
      {nullptr, out});
  EXPECT_TRUE(end.has_value());
  return out->text();
}

TEST(MachineFiles, ExecFindsProgramsScriptsAndForeignBinaries) {
  World world(options_with_tell(), box_with_files());
  EXPECT_EQ(world.run([](Process& self) -> Task<int> {
    (void)self.mkdir("/bin");
    (void)co_await put(self, "/bin/named", program_image("tell"), 0755);
    (void)co_await put(self, "/bin/tell",
                       "\x7f"
                       "ELF foreign",
                       0755);
    (void)co_await put(self, "/bin/other",
                       "\x7f"
                       "ELF foreign",
                       0755);
    (void)co_await put(self, "/bin/script", "#! /bin/named  -x y \nrest", 0755);
    (void)co_await put(self, "/bin/nested", "#!/bin/script", 0755);
    (void)co_await put(self, "/bin/loop", "#!/bin/loop\n", 0755);
    (void)co_await put(self, "/bin/text", "text", 0755);
    (void)co_await put(self, "/bin/plain", program_image("tell"), 0644);
    co_return 0;
  }),
            WaitStatus::exited(0));
  EXPECT_EQ(told_by(world, "/bin/named", {"n", "a"}), "n|a|");
  EXPECT_EQ(told_by(world, "bin/tell", {"t"}), "t|");
  EXPECT_EQ(told_by(world, "/bin/other", {"o"}), "Exec format error");
  EXPECT_EQ(told_by(world, "/bin/script", {"s", "a"}), "/bin/named|-x y|/bin/script|a|");
  EXPECT_EQ(told_by(world, "/bin/nested", {"s"}), "/bin/named|-x y|/bin/script|/bin/nested|");
  EXPECT_EQ(told_by(world, "/bin/loop", {"l"}), "Too many levels of symbolic links");
  EXPECT_EQ(told_by(world, "/bin/text", {"t"}), "Exec format error");
  EXPECT_EQ(told_by(world, "/bin/plain", {"p"}), "Permission denied");
  EXPECT_EQ(told_by(world, "/bin", {"p"}), "Permission denied");
  EXPECT_EQ(told_by(world, "/bin/none", {"p"}), "No such file or directory");
}

TEST(MachineFiles, AStartThatFailsLeavesNothing) {
  World world(options_with_tell(), box_with_files());
  Start start;
  start.argv = {"/bin/none"};
  EXPECT_EQ(world.machine.start(world.box, start).error(), Errno::kNoent);
  start.cwd = "/none";
  EXPECT_EQ(world.machine.start(world.box, start).error(), Errno::kNoent);
  EXPECT_EQ(world.machine.processes(world.box).size(), 1U);
}

TEST(MachineFiles, ABoxWithoutFilesRefusesPaths) {
  World world;
  EXPECT_EQ(world.run([](Process& self) -> Task<int> {
    EXPECT_EQ((co_await self.open("/a", kToRead)).error(), Errno::kNosys);
    EXPECT_EQ(self.stat("/a").error(), Errno::kNosys);
    EXPECT_EQ(self.getcwd().error(), Errno::kNosys);
    co_return 0;
  }),
            WaitStatus::exited(0));
}

}  // namespace
}  // namespace sandproof::machine
