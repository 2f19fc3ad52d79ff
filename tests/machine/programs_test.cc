// SPDX-License-Identifier: Apache-2.0
// The programs of the machine beside the applets of busybox: the same words, input and files must
// give the same output, messages, status and files. Rows that need a shell are in tests/fidelity.
#include "fakes/machine/programs/programs.h"

#include <gtest/gtest.h>

#include "tests/machine/program_box.h"
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

}  // namespace
}  // namespace sandproof::machine
