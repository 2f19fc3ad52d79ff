// SPDX-License-Identifier: Apache-2.0
// The programs of the machine beside the applets of busybox: the same words, input and files must
// give the same output, messages, status and files. Rows that need a shell are in tests/fidelity.
#include "fakes/machine/programs/programs.h"

#include <gtest/gtest.h>

#include "fakes/machine/vfs/program_file.h"
#include "tests/machine/program_box.h"
#include "tests/machine/vfs_box.h"
#include "tests/machine/world.h"

namespace sandproof::machine {
namespace {

const std::string kText = "one\ntwo words\n\n\tthree\x01\xff\nno end";

TEST(MachinePrograms, AreInTheOrderOfTheirNames) {
  const auto rows = programs::programs();
  EXPECT_TRUE(
      std::is_sorted(rows.begin(), rows.end(),
                     [](const ProgramRow& a, const ProgramRow& b) { return a.name < b.name; }));
}

TEST(MachinePrograms, WriteWhatTheyAreTold) {
  expect_alike({
      {.argv = {"true"}},
      {.argv = {"false"}},
      {.argv = {"echo", "a", "b"}},
      {.argv = {"echo", "-n", "a"}},
      {.argv = {"echo", "-ne", "a\\tb\\x41\\0101\\101\\q\\"}},
      {.argv = {"echo", "-e", "a\\cb", "c"}},
      {.argv = {"echo", "-nx", "-n"}},
      {.argv = {"echo", "-eE", "a\\tb"}},
      {.argv = {"seq", "3"}},
      {.argv = {"seq", "5", "-2", "0"}},
      {.argv = {"seq", "-w", "8", "11"}},
      {.argv = {"seq", "-w", "1", "0.5", "2"}},
      {.argv = {"seq", "1", "0.3", "2"}},
      {.argv = {"seq", "-s", ", ", "3"}},
      {.argv = {"seq", "x"}},
      {.argv = {"seq", "-f", "%g", "1"}},
      {.argv = {"sleep", "0.01"}},
      {.argv = {"sleep", "x"}},
      {.argv = {"sleep"}},
  });
}

TEST(MachinePrograms, ReadFilesAndInput) {
  const std::map<std::string, std::string> files = {
      {"f", kText}, {"g", "1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n11\n12\n"}, {"d/", ""}, {"empty", ""}};
  expect_alike(
      {
          {.argv = {"cat"}},
          {.argv = {"cat", "f", "-", "g"}},
          {.argv = {"cat", "-n", "f", "f"}},
          {.argv = {"cat", "-b", "f"}},
          {.argv = {"cat", "-A", "f"}},
          {.argv = {"cat", "-vn", "f"}},
          {.argv = {"cat", "-e", "f"}},
          {.argv = {"cat", "-t", "f"}},
          {.argv = {"cat", "none", "d", "f"}},
          {.argv = {"cat", "-Z"}},
          {.argv = {"cat", "--", "f"}},
          {.argv = {"head", "g"}},
          {.argv = {"head", "-3", "g", "f"}},
          {.argv = {"head", "-n", "-3", "g"}},
          {.argv = {"head", "-c", "7", "g"}},
          {.argv = {"head", "-c", "-7", "g"}},
          {.argv = {"head", "-qn1", "g", "none", "f"}},
          {.argv = {"head", "-v"}},
          {.argv = {"head", "-n", "1x", "g"}},
          {.argv = {"head", "-n"}},
          {.argv = {"wc"}},
          {.argv = {"wc", "f", "g", "d", "none"}},
          {.argv = {"wc", "-lw", "f"}},
          {.argv = {"wc", "-L", "f"}},
          {.argv = {"wc", "-c", "empty"}},
          {.argv = {"wc", "-x"}},
      },
      files, "input\nof two lines");
}

TEST(MachinePrograms, EndWhereNobodyReads) {
  MachineOptions options;
  options.programs = programs::programs();
  for (const Strings& argv : {Strings{"yes"}, Strings{"seq", "1", "0", "2"}, Strings{"cat", "-"}}) {
    World world(options);
    WaitStatus end = WaitStatus::exited(0);
    EXPECT_EQ(world.run(
                  [&](Process& self) -> Task<int> {
                    const PipeFds pipe = self.pipe().value();
                    const PipeFds input = self.pipe().value();
                    const Result<Pid> child = self.fork([&](Process& born) -> Task<int> {
                      (void)born.dup2(pipe.write, 1);
                      (void)born.dup2(input.read, 0);
                      for (const int fd : {pipe.read, pipe.write, input.read, input.write})
                        (void)born.close(fd);
                      const Strings env;
                      const std::string name = argv.front();
                      (void)co_await born.exec(name, argv, env);
                      co_return 99;
                    });
                    EXPECT_TRUE(child.ok());
                    (void)self.close(pipe.write);
                    (void)co_await self.write(input.write, "text");
                    std::array<std::byte, 10> some;
                    EXPECT_GT((co_await self.read(pipe.read, some)).value_or(0), 0U);
                    (void)self.close(pipe.read);
                    (void)co_await self.write(input.write, "text");
                    end = (co_await self.wait_child())->status;
                    co_return 0;
                  },
                  {open_null(), open_null(), open_null()}),
              WaitStatus::exited(0));
    EXPECT_EQ(end, WaitStatus::signaled(Signal::kPipe)) << argv.front();
  }
}

TEST(MachinePrograms, KnowWhoTheyAre) {
  // As user 0 of the box, which the real thing need not be.
  EXPECT_EQ(run_on_machine({.argv = {"su", "-s", "/bin/id", "nobody"}}).out,
            "uid=65534(nobody) gid=65534(nogroup) groups=65534(nogroup)\n");
  EXPECT_EQ(run_on_machine({.argv = {"su", "nosuchuser"}}).err, "su: unknown user nosuchuser\n");
  EXPECT_EQ(run_on_machine({.argv = {"su", "-s", "/bin/env", "-", "root"}}).out,
            "PATH=/sbin:/usr/sbin:/bin:/usr/bin\nHOME=/root\nSHELL=/bin/env\nUSER=root\n"
            "LOGNAME=root\n");
}

/// /proc as a kernel would show it.
std::map<std::string, std::string> some_processes() {
  const std::string rest =
      " 0 -1 4194560 1 0 0 0 3 4 0 0 20 0 1 0 77 2097152 256 18446744073709551615\n";
  return {{"/proc/1/stat", "1 (init) S 0 1 1" + rest},
          {"/proc/1/cmdline", std::string("/sbin/init\0-x\0", 14)},
          {"/proc/10/stat", "10 (odd) name) R 1 10 1" + rest},
          {"/proc/10/cmdline", std::string("/bin/odd\0a b\0", 13)},
          {"/proc/9/stat", "9 (gone) Z 1 9 1" + rest},
          {"/proc/9/cmdline", ""},
          {"/proc/self/stat", "no number"},
          {"/proc/meminfo",
           "MemTotal:        8000 kB\nMemFree:         3000 kB\nMemAvailable:    6000 kB\n"
           "Buffers:          500 kB\nCached:          1500 kB\nShmem:             10 kB\n"}};
}

TEST(MachinePrograms, ListProcessesOfProc) {
  const auto out_of = [](std::vector<std::string> argv) {
    const ProgramEnd end = run_on_machine({.argv = std::move(argv), .outside = some_processes()});
    return end.out + end.err + end.status;
  };
  EXPECT_EQ(out_of({"ps"}),
            "PID   USER     COMMAND\n    1 root     /sbin/init -x\n    9 root     [gone]\n"
            "   10 root     /bin/odd a b\n0");
  EXPECT_EQ(out_of({"ps", "-o", "pid=,ppid,stat,comm=X"}),
            "      PPID  STAT X\n    1     0 S    init\n    9     1 Z    gone\n"
            "   10     1 R    odd) name\n0");
  EXPECT_EQ(out_of({"ps", "-o", "vsz,rss"}), "VSZ  RSS\n2048 1024\n2048 1024\n2048 1024\n0");
  EXPECT_EQ(out_of({"pgrep", "o"}), "9\n10\n0");
  EXPECT_EQ(out_of({"pgrep", "-x", "o"}), "1");
  EXPECT_EQ(out_of({"pgrep", "-f", "-a", "a b$"}), "10 /bin/odd a b\n0");
  EXPECT_EQ(out_of({"pgrep", "-P", "1", "-l", "-d", ","}), "9 gone,10 odd) name\n0");
  EXPECT_EQ(out_of({"pgrep", "-c", "init"}), "1\n0");
  EXPECT_EQ(out_of({"pgrep", "("}), "pgrep: bad regex '('\n2");
  EXPECT_EQ(out_of({"pgrep"}),
            "pgrep: no matching criteria specified\n"
            "Try `pgrep --help' for more information.\n2");
  EXPECT_EQ(out_of({"killall", "none"}), "killall: none: no process killed\n1");
  EXPECT_EQ(out_of({"killall", "-q", "none"}), "1");
  EXPECT_EQ(out_of({"killall", "-0", "init"}), "0");
  EXPECT_EQ(out_of({"pkill", "-0", "init"}), "0");
  EXPECT_EQ(out_of({"pkill", "none"}), "1");
  EXPECT_EQ(out_of({"free"}),
            "              total        used        free      shared  buff/cache   available\n"
            "Mem:           8000        3000        3000          10        2000        6000\n"
            "Swap:             0           0           0\n0");
  EXPECT_TRUE(out_of({"top", "-bn1"})
                  .starts_with("Mem: 5000K used, 3000K free, 10K shrd, 500K buff, 1500K cached\n"));
  EXPECT_EQ(run_on_machine({.argv = {"ps"}}).err,
            "ps: can't open '/proc': No such file or directory\n");
}

TEST(MachinePrograms, TellOfRoom) {
  const ProgramEnd end = run_on_machine({.argv = {"df", "-P", "."}});
  EXPECT_TRUE(end.out.starts_with(
      "Filesystem           1024-blocks    Used Available Capacity Mounted on\noverlay "));
  EXPECT_EQ(end.status, "0");
  const ProgramRun du = {.argv = {"du", "-a"},
                         .files = {{"d/", ""}, {"d/f", std::string(5000, 'x')}}};
  EXPECT_EQ(run_on_machine(du).out, "8\t./d/f\n8\t./d\n8\t.\n");
}

TEST(MachinePrograms, FollowAFileThatGrows) {
  MachineOptions options;
  options.programs = programs::programs();
  VfsBox files;
  EXPECT_EQ(files.put("/f", "one\n"), Errno::kOk);
  BoxOptions box;
  box.init = Init::kReaps;
  box.files = std::shared_ptr<FileSystem>(std::shared_ptr<void>(), &files.files);
  World world(options, box);
  EXPECT_EQ(files.put("/tail", program_image("tail"), 0755), Errno::kOk);
  const auto out = std::make_shared<Capture>();
  Start start;
  start.argv = {"/tail", "-f", "/f"};
  start.files = {open_null(), out, out};
  const auto launch = world.machine.start(world.box, std::move(start));
  ASSERT_TRUE(launch.ok());
  world.machine.run_until_idle();
  EXPECT_EQ(out->text(), "one\n");
  EXPECT_EQ(files.put("/f", "one\ntwo\n"), Errno::kOk);
  world.clock.advance(std::chrono::seconds(1));
  world.machine.run_until_idle();
  EXPECT_EQ(out->text(), "one\ntwo\n");
  EXPECT_FALSE((*launch)->status().has_value());
  EXPECT_TRUE(world.machine.kill(world.box, (*launch)->pid(), Signal::kTerm).ok());
  world.machine.run_until_idle();
  EXPECT_EQ((*launch)->status(), WaitStatus::signaled(Signal::kTerm));
}

TEST(MachinePrograms, RefuseWhatWouldTakeTheHostsMemory) {
  const auto err_of = [](std::vector<std::string> argv) {
    return run_on_machine({.argv = argv}).err;
  };
  EXPECT_EQ(err_of({"awk", "BEGIN {s = \"x\"; for (;;) s = s s}"}),
            "awk: cmd. line:1: A string is longer than awk may make one\n");
  EXPECT_EQ(err_of({"awk", "BEGIN {$100000000 = 1}"}),
            "awk: cmd. line:1: A record of more than 2097152 fields is not supported\n");
  EXPECT_EQ(err_of({"awk", "function f() {return f()} BEGIN {f()}"}),
            "awk: cmd. line:1: Function f is called more than 10000 deep; end its recursion\n");
  EXPECT_EQ(err_of({"grep", "\\(a\\{200\\}\\)\\{200\\}"}),
            "grep: bad regex '\\(a\\{200\\}\\)\\{200\\}'\n");
  EXPECT_EQ(err_of({"dd", "if=/dev/zero", "bs=1G", "count=1"}),
            "dd: number 1G is not in 1..67108864 range\n");
}

TEST(MachinePrograms, SayThatTheirOutputCannotBeWritten) {
  std::string many;
  for (int line = 0; line < 3000; ++line) many += std::to_string(line) + " a line\n";
  std::vector<ProgramRun> rows;
  for (const Strings& argv :
       {Strings{"echo", "a"}, Strings{"cat", "f"}, Strings{"cat", "many"}, Strings{"wc", "f"},
        Strings{"head", "f"}, Strings{"sort", "f"}, Strings{"sort", "many"},
        Strings{"cut", "-c1", "f"}, Strings{"uniq", "f"}, Strings{"uniq", "many"},
        Strings{"tr", "a", "b"}, Strings{"env", "-i", "A=1"}, Strings{"base64", "f"},
        Strings{"expr", "1"}, Strings{"id", "-u"}}) {
    rows.push_back({.argv = argv, .full = true});
  }
  expect_alike(rows, {{"f", "text\n"}, {"many", many}}, "input\n");
}

}  // namespace
}  // namespace sandproof::machine
