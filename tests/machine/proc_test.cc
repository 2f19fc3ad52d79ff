// SPDX-License-Identifier: Apache-2.0
// /proc: what its files say of the table of processes, in the formats of the real ones; who may
// look; and links that lead to what is open.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "fakes/machine/images/image.h"
#include "fakes/machine/pipe.h"
#include "tests/machine/world.h"

namespace sandproof::machine {
namespace {

using testing::AllOf;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsSupersetOf;
using testing::StartsWith;

constexpr OpenOptions kProcRead = {.flags = {.read = true}};

Task<std::string> proc_get(Process& self, std::string path, std::size_t chunk = 4096) {
  const Result<int> fd = co_await self.open(path, kProcRead);
  if (!fd) co_return "<" + std::string(text_of(fd.error())) + ">";
  std::string text = co_await read_to_end(self, *fd, chunk);
  (void)self.close(*fd);
  co_return text;
}

Task<Strings> proc_names(Process& self, std::string path) {
  const OpenOptions directory = {.flags = {.read = true, .directory = true}};
  const Result<int> fd = co_await self.open(path, directory);
  if (!fd) co_return Strings{std::string(text_of(fd.error()))};
  Strings names;
  for (;;) {
    const Result<std::vector<DirEntry>> some = self.readdir(*fd, 3);
    if (!some || some->empty()) break;
    for (const DirEntry& entry : *some) names.push_back(entry.name);
  }
  (void)self.close(*fd);
  co_return names;
}

Task<int> proc_tells(Process& self) {
  for (const std::string path : {"/proc/self/cmdline", "/proc/self/comm"}) {
    (void)co_await self.write(1, co_await proc_get(self, path));
  }
  (void)co_await self.write(1, self.readlink("/proc/self/exe").value_or("?"));
  co_return 0;
}

constexpr std::array kProcRows = {ProgramRow{.name = "telling", .main = proc_tells}};

/// A machine with a box of the default image.
struct ProcWorld {
  explicit ProcWorld(std::string_view profile = "busybox", BoxOptions options = reaping()) {
    MachineOptions machine_options;
    machine_options.programs = kProcRows;
    machine = std::make_unique<Machine>(clock, machine_options);
    image = make_image(*find_image_profile(profile), kProcRows, {}, clock.wall().count());
    box = make_image_box(*machine, image, std::move(options));
  }
  static BoxOptions reaping() {
    BoxOptions options;
    options.init = Init::kReaps;
    return options;
  }
  std::optional<WaitStatus> run(ProcessBody body, std::vector<FilePtr> files = {},
                                Credentials who = {}) {
    Start start;
    start.argv = {"test", "two words"};
    start.env = {"A=1", "B=2"};
    start.body = std::move(body);
    start.files = std::move(files);
    start.credentials = std::move(who);
    const auto launch = machine->start(*box.box, std::move(start));
    EXPECT_TRUE(launch.ok());
    machine->run_until_idle();
    return (*launch)->status();
  }

  ManualClock clock;
  std::unique_ptr<Machine> machine;
  Image image;
  ImageBox box;
};

Strings fields_before_colon(std::istream& text) {
  Strings names;
  for (std::string line; std::getline(text, line);) names.push_back(line.substr(0, line.find(':')));
  return names;
}

std::size_t words_in(std::istream& text) {
  std::size_t count = 0;
  for (std::string word; text >> word;) ++count;
  return count;
}

/// Whether `few` are among `many`, in the same order.
bool in_order_among(const Strings& few, const Strings& many) {
  auto at = many.begin();
  for (const std::string& one : few) {
    at = std::find(at, many.end(), one);
    if (at == many.end()) return false;
  }
  return true;
}

TEST(MachineProc, TheTextsHaveTheFieldsOfTheRealOnes) {
  ProcWorld world;
  EXPECT_EQ(world.run([](Process& self) -> Task<int> {
    for (const std::string name : {"status", "stat", "statm"}) {
      std::istringstream ours(co_await proc_get(self, "/proc/self/" + name));
      std::ifstream real("/proc/self/" + name);
      EXPECT_TRUE(real) << name;
      if (name == "status") {
        const Strings fields = fields_before_colon(ours);
        const Strings real_fields = fields_before_colon(real);
        EXPECT_GT(fields.size(), 20U);
        EXPECT_TRUE(in_order_among(fields, real_fields)) << testing::PrintToString(fields);
      } else {
        EXPECT_EQ(words_in(ours), words_in(real)) << name;
      }
    }
    std::istringstream memory(co_await proc_get(self, "/proc/meminfo"));
    std::ifstream real_memory("/proc/meminfo");
    const Strings real_fields = fields_before_colon(real_memory);
    for (const std::string& field : fields_before_colon(memory)) {
      EXPECT_THAT(real_fields, Contains(field));
    }
    for (const std::string name : {"uptime", "loadavg"}) {
      std::istringstream ours(co_await proc_get(self, "/proc/" + name));
      std::ifstream real("/proc/" + name);
      EXPECT_EQ(words_in(ours), words_in(real)) << name;
    }
    for (const std::string name : {"mountinfo", "mounts", "cgroup", "limits"}) {
      std::istringstream ours(co_await proc_get(self, "/proc/self/" + name));
      std::string line;
      EXPECT_TRUE(std::getline(ours, line)) << name;
      if (name == "mountinfo") {
        EXPECT_EQ(line, "1 0 0:1 / / rw,noatime - overlay overlay rw");
      }
    }
    co_return 0;
  }),
            WaitStatus::exited(0));
}

TEST(MachineProc, AProcessSeesItselfAndOthers) {
  ProcWorld world;
  world.clock.advance(std::chrono::milliseconds(1500));
  EXPECT_EQ(world.run([](Process& self) -> Task<int> {
    const std::string own = "/proc/" + std::to_string(self.pid());
    EXPECT_EQ(self.readlink("/proc/self").value_or("?"), std::to_string(self.pid()));
    EXPECT_EQ(co_await proc_get(self, own + "/cmdline"), std::string("test\0two words\0", 15));
    EXPECT_EQ(co_await proc_get(self, own + "/environ", 1), std::string("A=1\0B=2\0", 8));
    EXPECT_THAT(co_await proc_get(self, own + "/stat", 5),
                StartsWith(std::to_string(self.pid()) + " (test) R 0 "));
    EXPECT_EQ(co_await proc_get(self, "/proc/1/comm"), "init\n");
    EXPECT_THAT(co_await proc_get(self, "/proc/1/status"), HasSubstr("S (sleeping)\n"));
    EXPECT_EQ(co_await proc_get(self, "/proc/77/stat"), "<No such file or directory>");
    EXPECT_EQ(co_await proc_get(self, "/proc/01/stat"), "<No such file or directory>");
    EXPECT_EQ(co_await proc_get(self, "/proc/uptime"), "1.50 1.50\n");
    EXPECT_EQ(co_await proc_get(self, "/proc/sys/kernel/hostname"), "box\n");
    EXPECT_EQ(co_await proc_get(self, "/proc/sys/kernel/pid_max"), "4194304\n");
    EXPECT_THAT(
        co_await proc_get(self, "/proc/mounts"),
        AllOf(StartsWith("overlay / overlay rw"), HasSubstr("\nproc /proc proc ro,noatime 0 0\n")));
    co_return 0;
  }),
            WaitStatus::exited(0));
}

TEST(MachineProc, ProcessesAreListedInOrderAndCarryTheirState) {
  ProcWorld world;
  EXPECT_EQ(world.run([](Process& self) -> Task<int> {
    for (int i = 0; i < 12; ++i) {
      EXPECT_TRUE(self.fork([](Process& child) -> Task<int> {
                        (void)co_await child.pause();
                        co_return 0;
                      })
                      .ok());
    }
    const Result<Pid> ended = self.fork([](Process&) -> Task<int> { co_return 3; });
    EXPECT_TRUE(ended.ok());
    const std::string zombie = "/proc/" + std::to_string(*ended);
    // Each read gives the others a turn; a few hundred of them are enough for all.
    std::string status;
    for (int i = 0; i < 1000 && status.find("Z (zombie)") == status.npos; ++i) {
      status = co_await proc_get(self, zombie + "/status");
    }
    const Strings names = co_await proc_names(self, "/proc");
    EXPECT_THAT(names, IsSupersetOf({"self", "uptime", "version", "sys", "mounts"}));
    std::vector<int> pids;
    for (const std::string& name : names) {
      if (name.find_first_not_of("0123456789") == name.npos) pids.push_back(std::stoi(name));
    }
    EXPECT_EQ(pids.size(), 15U);
    EXPECT_TRUE(std::ranges::is_sorted(pids));
    EXPECT_THAT(status, HasSubstr("State:\tZ (zombie)\n"));
    EXPECT_THAT(co_await proc_get(self, zombie + "/stat"),
                HasSubstr("(test) Z " + std::to_string(self.pid()) + " "));
    EXPECT_EQ(co_await proc_get(self, zombie + "/cmdline"), "");
    EXPECT_EQ(self.readlink(zombie + "/cwd").error(), Errno::kNoent);
    EXPECT_TRUE(co_await self.kill(*ended - 1, Signal::kStop));
    EXPECT_THAT(co_await proc_get(self, "/proc/" + std::to_string(*ended - 1) + "/stat"),
                HasSubstr(" T "));
    const Result<int> stale = co_await self.open(zombie + "/stat", kProcRead);
    EXPECT_TRUE(stale.ok());
    EXPECT_TRUE(co_await self.wait_child({.which = *ended}));
    std::array<std::byte, 8> some{};
    EXPECT_EQ((co_await self.read(*stale, some)).error(), Errno::kSrch);
    co_return 0;
  }),
            WaitStatus::exited(0));
}

TEST(MachineProc, OthersMayNotLookIntoWhatIsPrivate) {
  ProcWorld world;
  EXPECT_EQ(
      world.run(
          [](Process& self) -> Task<int> {
            EXPECT_EQ(co_await proc_get(self, "/proc/1/environ"), "<Permission denied>");
            EXPECT_EQ(co_await proc_get(self, "/proc/1/cmdline"), std::string("init\0", 5));
            EXPECT_EQ(self.readlink("/proc/1/cwd").error(), Errno::kAcces);
            EXPECT_EQ(self.stat("/proc/1/cwd/tmp").error(), Errno::kAcces);
            EXPECT_EQ(self.readlink("/proc/1/ns/pid").error(), Errno::kAcces);
            EXPECT_THAT(co_await proc_names(self, "/proc/1/fd"), ElementsAre("Permission denied"));
            EXPECT_EQ(co_await proc_get(self, "/proc/self/environ"), std::string("A=1\0B=2\0", 8));
            EXPECT_THAT(co_await proc_names(self, "/proc/self/fd"), ElementsAre(".", "..", "0"));
            co_return 0;
          },
          {}, {.uid = 1000, .gid = 1000}),
      WaitStatus::exited(0));
}

TEST(MachineProc, LinksOfDescriptorsLeadToWhatIsOpen) {
  ProcWorld world;
  auto [read_end, write_end] = make_pipe(64, 7);
  const auto out = std::make_shared<Capture>();
  EXPECT_EQ(
      world.run(
          [](Process& self) -> Task<int> {
            EXPECT_EQ(self.readlink("/proc/self/fd/0").value_or("?"), "pipe:[7]");
            EXPECT_EQ(self.stat("/dev/stdin")->type, FileType::kFifo);
            EXPECT_EQ(self.stat("/dev/stdin", Follow::kNo)->type, FileType::kSymlink);
            EXPECT_EQ(self.stat("/dev/stdin")->mode, 0600U);
            // Another end of the same pipe: it is what the test wrote.
            const Result<int> again = co_await self.open("/dev/stdin", kProcRead);
            EXPECT_TRUE(again.ok());
            std::array<std::byte, 4> some{};
            EXPECT_EQ(*co_await self.read(*again, some), 4U);
            const OpenOptions to_write = {
                .flags = {.write = true, .create = true, .truncate = true}};
            const Result<int> out_again = co_await self.open("/dev/stdout", to_write);
            EXPECT_TRUE(out_again.ok());
            EXPECT_TRUE(co_await self.write(*out_again, "through /dev/stdout"));
            // A file opened anew has an offset of its own, also without its name.
            const OpenOptions to_make = {.flags = {.read = true, .write = true, .create = true}};
            const Result<int> file = co_await self.open("/tmp/a file", to_make);
            EXPECT_TRUE(co_await self.write(*file, "text"));
            const std::string link = "/proc/self/fd/" + std::to_string(*file);
            EXPECT_EQ(self.readlink(link).value_or("?"), "/tmp/a file");
            EXPECT_EQ(co_await proc_get(self, link), "text");
            EXPECT_TRUE(self.rename("/tmp/a file", "/tmp/b"));
            EXPECT_EQ(self.readlink(link).value_or("?"), "/tmp/a file (deleted)");
            EXPECT_TRUE(self.unlink("/tmp/b"));
            EXPECT_EQ(co_await proc_get(self, link), "text");
            EXPECT_EQ(self.stat("/proc/self/fd/99").error(), Errno::kNoent);
            co_return 0;
          },
          {read_end, out,
           [&write = write_end] {
             (void)write->try_write(bytes_of("abcdefgh"));
             return open_null();
           }()}),
      WaitStatus::exited(0));
  EXPECT_EQ(out->text(), "through /dev/stdout");
}

TEST(MachineProc, DevicesAreOpenedAgainThroughTheirLinks) {
  ProcWorld world;
  const auto expected = WaitStatus::exited(0);
  EXPECT_EQ(world.run(
                [](Process& self) -> Task<int> {
                  EXPECT_EQ(self.readlink("/proc/self/fd/0").value_or("?"), "/dev/null");
                  EXPECT_EQ(self.readlink("/dev/fd").value_or("?"), "/proc/self/fd");
                  EXPECT_EQ(co_await proc_get(self, "/dev/fd/0"), "");
                  EXPECT_EQ(self.stat("/dev/stdin")->type, FileType::kCharDevice);
                  const OpenOptions to_write = {.flags = {.write = true}};
                  const Result<int> full = co_await self.open("/dev/full", to_write);
                  EXPECT_EQ((co_await self.write(*full, "x")).error(), Errno::kNospc);
                  const Result<int> random = co_await self.open("/dev/urandom", kProcRead);
                  std::array<std::byte, 16> one{};
                  std::array<std::byte, 16> two{};
                  EXPECT_EQ(*co_await self.read(*random, one), 16U);
                  EXPECT_EQ(*co_await self.read(*random, two), 16U);
                  EXPECT_NE(one, two);
                  co_return 0;
                },
                {open_null()}),
            expected);
}

TEST(MachineProc, TheWorkingDirectoryAndTheProgramAreLinksToThemselves) {
  ProcWorld world;
  EXPECT_EQ(world.run([](Process& self) -> Task<int> {
    EXPECT_TRUE(self.mkdir("/tmp/work"));
    EXPECT_TRUE(self.chdir("/tmp/work"));
    EXPECT_EQ(self.readlink("/proc/self/cwd").value_or("?"), "/tmp/work");
    EXPECT_TRUE(self.mkdir("/proc/self/cwd/below"));
    EXPECT_TRUE(self.stat("/tmp/work/below"));
    EXPECT_TRUE(self.rmdir("below"));
    EXPECT_TRUE(self.rmdir("/tmp/work"));
    EXPECT_EQ(self.readlink("/proc/self/cwd").value_or("?"), "/tmp/work (deleted)");
    EXPECT_EQ(self.readlink("/proc/self/root").value_or("?"), "/");
    EXPECT_EQ(self.readlink("/proc/self/exe").error(), Errno::kNoent);
    EXPECT_THAT(self.readlink("/proc/self/ns/pid").value_or("?"), StartsWith("pid:[40"));
    EXPECT_EQ(self.readlink("/proc/self/ns/pid").value_or("?"),
              self.readlink("/proc/1/ns/pid").value_or("!"));
    co_return 0;
  }),
            WaitStatus::exited(0));
  const auto out = std::make_shared<Capture>();
  Start start;
  start.argv = {"/bin/telling", "x"};
  start.files = {open_null(), out};
  ASSERT_TRUE(world.machine->start(*world.box.box, std::move(start)).ok());
  world.machine->run_until_idle();
  EXPECT_EQ(out->text(), std::string("/bin/telling\0x\0telling\n/bin/telling", 35));
}

TEST(MachineProc, NothingInItCanBeChanged) {
  ProcWorld world;
  EXPECT_EQ(world.run([](Process& self) -> Task<int> {
    const OpenOptions to_write = {.flags = {.write = true, .create = true}};
    EXPECT_EQ((co_await self.open("/proc/new", to_write)).error(), Errno::kRofs);
    EXPECT_EQ((co_await self.open("/proc/self/comm", to_write)).error(), Errno::kRofs);
    EXPECT_EQ(self.mkdir("/proc/d").error(), Errno::kRofs);
    EXPECT_EQ(self.unlink("/proc/uptime").error(), Errno::kRofs);
    EXPECT_EQ(self.rmdir("/proc").error(), Errno::kBusy);
    EXPECT_EQ((co_await self.open("/proc/self/fd/../../self/fd/x", kProcRead)).error(),
              Errno::kNoent);
    co_return 0;
  }),
            WaitStatus::exited(0));
  // Held beyond its box, it is empty.
  const std::shared_ptr<Vfs> files = world.box.files;
  world.machine->remove_box(*world.box.box);
  EXPECT_EQ(files->lookup({files->root(), "/proc/1/stat"}, Follow::kYes, {}).error(),
            Errno::kNoent);
  EXPECT_EQ(files->lookup({files->root(), "/proc/mounts/x"}, Follow::kYes, {}).error(),
            Errno::kNoent);
}

}  // namespace
}  // namespace sandproof::machine
