// SPDX-License-Identifier: Apache-2.0
// Programs that make, change and name files, beside the applets of busybox.
#include <gtest/gtest.h>

#include "tests/machine/program_box.h"

namespace sandproof::machine {
namespace {

const std::map<std::string, std::string> kTree = {
    {"f", "eff\n"}, {"g", "gee\n"}, {"d/", ""}, {"d/x", "ex\n"}, {"d/e/", ""}, {"d/e/y", "why\n"}};

TEST(MachinePrograms, MakeAndRemoveDirectories) {
  expect_alike(
      {
          {.argv = {"mkdir", "a", "d", "b"}},
          {.argv = {"mkdir", "-p", "a/b/c", "d/e"}},
          {.argv = {"mkdir", "-pv", "a/b"}},
          {.argv = {"mkdir", "-p", "f/a"}},
          {.argv = {"mkdir", "-p", "f"}},
          {.argv = {"mkdir", "a/b"}},
          {.argv = {"mkdir", "-m", "9", "a"}},
          {.argv = {"mkdir"}},
          {.argv = {"rmdir", "d"}},
          {.argv = {"rmdir", "-p", "a/b"}, .files = {{"a/", ""}, {"a/b/", ""}}},
          {.argv = {"rmdir", "none", "f"}},
          {.argv = {"rmdir", "--ignore-fail-on-non-empty", "d"}},
          {.argv = {"rm", "f", "none", "g"}},
          {.argv = {"rm", "-f", "none", "f"}},
          {.argv = {"rm", "d"}},
          {.argv = {"rm", "-r", "d", "f"}},
          {.argv = {"rm", "-rv", "d/e"}},
          {.argv = {"rm", "-ri", "d/e"}, .input = "y\ny\nn\n"},
          {.argv = {"rm", "-ri", "d/e"}, .input = "y\nn\ny\n"},
          {.argv = {"rm", "-i", "f"}, .input = "n\n"},
          {.argv = {"rm", "."}},
          {.argv = {"rm", "d/..", "f"}},
          {.argv = {"rm"}},
          {.argv = {"rm", "--recursive", "--force", "d"}},
          {.argv = {"rm", "--rec", "--nothing", "d"}},
          {.argv = {"touch", "new", "f"}},
          {.argv = {"touch", "-c", "new"}},
          {.argv = {"touch", "no/such"}},
          {.argv = {"touch", "-d", "x", "f"}},
          {.argv = {"touch", "-t", "99", "f"}},
          {.argv = {"touch", "-r", "none", "f"}},
          {.argv = {"mkfifo", "f"}},
      },
      kTree);
}

TEST(MachinePrograms, CopyMoveAndLink) {
  expect_alike(
      {
          {.argv = {"cp", "f", "new"}},
          {.argv = {"cp", "f", "d"}},
          {.argv = {"cp", "f", "g"}},
          {.argv = {"cp", "f", "g", "d"}},
          {.argv = {"cp", "f", "g", "none"}},
          {.argv = {"cp", "-t", "d", "f", "g"}},
          {.argv = {"cp", "f", "f"}},
          {.argv = {"cp", "d", "new"}},
          {.argv = {"cp", "-r", "d", "new"}},
          {.argv = {"cp", "-a", "d", "new"}},
          {.argv = {"cp", "-r", "d", "d/e"}},
          {.argv = {"cp", "-r", "d", "f"}},
          {.argv = {"cp", "-v", "f", "g", "d"}},
          {.argv = {"cp", "d", "f"}},
          {.argv = {"cp", "-rT", "d", "new"}},
          {.argv = {"cp", "-i", "f", "g"}, .input = "n\n"},
          {.argv = {"cp", "-n", "f", "g"}},
          {.argv = {"cp", "-s", "f", "new"}},
          {.argv = {"cp", "-l", "f", "new"}},
          {.argv = {"cp", "-T", "f", "d"}},
          {.argv = {"cp", "none", "new"}},
          {.argv = {"cp", "f"}},
          {.argv = {"cp", "-Q", "f", "g"}},
          {.argv = {"mv", "f", "new"}},
          {.argv = {"mv", "f", "g", "d"}},
          {.argv = {"mv", "-v", "f", "d"}},
          {.argv = {"mv", "d", "new"}},
          {.argv = {"mv", "d", "f"}},
          {.argv = {"mv", "d", "d/e"}},
          {.argv = {"mv", "-n", "f", "g"}},
          {.argv = {"mv", "-i", "f", "g"}, .input = "y\n"},
          {.argv = {"mv", "none", "f"}},
          {.argv = {"mv", "f", "none/x"}},
          {.argv = {"mv", "-T", "f", "d"}},
          {.argv = {"mv", "f"}},
          {.argv = {"ln", "f", "new"}},
          {.argv = {"ln", "-s", "f", "new"}},
          {.argv = {"ln", "f", "g"}},
          {.argv = {"ln", "-f", "f", "g"}},
          {.argv = {"ln", "-sv", "f", "new"}},
          {.argv = {"ln", "-b", "f", "g"}},
          {.argv = {"ln", "-bS", ".old", "f", "g"}},
          {.argv = {"ln", "d/x"}},
          {.argv = {"ln", "f", "g", "d"}},
          {.argv = {"ln", "d", "new"}},
          {.argv = {"ln", "none", "new"}},
          {.argv = {"ln", "-T", "f", "d"}},
          {.argv = {"ln"}},
      },
      kTree);
}

TEST(MachinePrograms, ChangeModesAndOwners) {
  std::vector<ProgramRun> rows;
  for (const char* mode :
       {"644", "7777", "u+x", "a=r", "+x",   "u=rwx,g=u,o=g", "ug+s", "+t",  "o-r",   "=",
        "u=g", "X",    "9",   "u~x", "u+x,", "a+X",           "+w",   "go=", "u+s-s", "ug=rw"}) {
    rows.push_back({.argv = {"chmod", "-v", mode, "f", "d"}});
  }
  rows.push_back({.argv = {"chmod", "-R", "-v", "700", "d/e"}});
  rows.push_back({.argv = {"chmod", "-v", "-x", "f"}});
  rows.push_back({.argv = {"chmod", "-c", "644", "f"}});
  rows.push_back({.argv = {"chmod", "-f", "644", "none"}});
  rows.push_back({.argv = {"chmod", "644", "none"}});
  rows.push_back({.argv = {"chmod", "644"}});
  rows.push_back({.argv = {"chown", "-v", "1:2", "f"}});
  rows.push_back({.argv = {"chown", "-v", "1", "f"}});
  rows.push_back({.argv = {"chown", "-c", "0:0", "f"}});
  rows.push_back({.argv = {"chown", "-R", "-v", ":3", "d/e"}});
  rows.push_back({.argv = {"chown", "-v", "root:", "f"}});
  rows.push_back({.argv = {"chown", "nosuchuser", "f"}});
  rows.push_back({.argv = {"chown", ":nosuchgroup", "f"}});
  rows.push_back({.argv = {"chown", "0", "none"}});
  rows.push_back({.argv = {"chgrp", "-v", "root", "f"}});
  rows.push_back({.argv = {"chgrp", "nosuchgroup", "f"}});
  expect_alike(rows, kTree);
}

TEST(MachinePrograms, ListNames) {
  const std::map<std::string, std::string> files = {
      {"b.c", "12345"}, {"a.h", "1"}, {"Z", ""},     {".hid", "x"}, {"a10", ""},
      {"a9", "123"},    {"d/", ""},   {"d/in", "x"}, {"e/", ""},    {"odd\tname", ""}};
  std::vector<ProgramRun> rows;
  for (const char* letters : {"-1", "-a", "-A", "-r", "-S", "-X", "-v", "-F", "-p", "-d", "-R",
                              "-C", "-x", "-CF", "-Sr", "-m"}) {
    rows.push_back({.argv = {"ls", letters}});
  }
  rows.push_back({.argv = {"ls"}});
  rows.push_back({.argv = {"ls", "-w", "20", "-C"}});
  rows.push_back({.argv = {"ls", "d", "Z", "none", "e"}});
  rows.push_back({.argv = {"ls", "d"}});
  rows.push_back({.argv = {"ls", "-d", "d", "Z"}});
  rows.push_back({.argv = {"ls", "--group-directories-first"}});
  rows.push_back({.argv = {"ls", "--colour"}});
  rows.push_back({.argv = {"ls", "--color=auto", "e"}});
  rows.push_back({.argv = {"ls", "-l", "e"}});
  rows.push_back({.argv = {"ls", "-lh", "e"}});
  expect_alike(rows, files);
}

TEST(MachinePrograms, NamePathsAndWho) {
  std::vector<ProgramRun> rows;
  for (const char* path :
       {"/a/b/c", "a", "/", "//", "a/", "a/b//", "", ".", "/a", "a.c", "..", "///a///b"}) {
    rows.push_back({.argv = {"basename", path}});
    rows.push_back({.argv = {"basename", path, ".c"}});
    rows.push_back({.argv = {"dirname", path}});
  }
  rows.push_back({.argv = {"basename", "-a", "a/b", "c/d"}});
  rows.push_back({.argv = {"basename", "-s", ".c", "a/b.c", "c/d.c"}});
  rows.push_back({.argv = {"basename"}});
  rows.push_back({.argv = {"dirname"}});
  rows.push_back({.argv = {"readlink", "f"}});
  rows.push_back({.argv = {"readlink", "-v", "f"}});
  rows.push_back({.argv = {"readlink", "-f", "/tmp/../tmp/./"}});
  rows.push_back({.argv = {"realpath", "none/x", "/tmp/.."}});
  rows.push_back({.argv = {"realpath"}});
  rows.push_back({.argv = {"id", "-u"}});
  rows.push_back({.argv = {"id", "-un"}});
  rows.push_back({.argv = {"id", "-g", "nobody"}});
  rows.push_back({.argv = {"id", "root"}});
  rows.push_back({.argv = {"id", "nosuchuser"}});
  rows.push_back({.argv = {"id", "-n"}});
  rows.push_back({.argv = {"whoami"}});
  rows.push_back({.argv = {"whoami", "x"}});
  rows.push_back({.argv = {"uname"}});
  rows.push_back({.argv = {"uname", "-om"}});
  rows.push_back({.argv = {"uname", "-x"}});
  rows.push_back({.argv = {"tty"}});
  rows.push_back({.argv = {"tty", "-s"}});
  rows.push_back({.argv = {"sync"}});
  rows.push_back({.argv = {"which", "nosuchprogram"}});
  rows.push_back({.argv = {"mktemp", "abc"}});
  rows.push_back({.argv = {"mktemp", "-q", "abc"}});
  rows.push_back({.argv = {"mktemp", "none/aXXXXXX"}});
  expect_alike(rows, kTree);
}

TEST(MachinePrograms, JudgeExpressions) {
  std::vector<ProgramRun> rows;
  const std::vector<std::vector<std::string>> expressions = {
      {},
      {""},
      {"a"},
      {"!"},
      {"!", ""},
      {"-f"},
      {"-f", "f"},
      {"-d", "f"},
      {"-s", "f"},
      {"-e", "none"},
      {"-n", ""},
      {"-z", ""},
      {"a", "=", "a"},
      {"a", "==", "b"},
      {"a", "!=", "b"},
      {"a", "<", "b"},
      {"1", "-eq", "01"},
      {"1", "-lt", "x"},
      {"2", "-gt", " 1 "},
      {"99999999999999999999", "-gt", "1"},
      {"1", "-lt"},
      {"a", "b"},
      {"a", "b", "c"},
      {"(", "a", ")"},
      {"(", "a"},
      {"a", "=", "a", "-a", "b", "=", "c"},
      {"a", "=", "a", "-o", "b", "=", "c"},
      {"!", "-f", "f", "-o", "-d", "d"},
      {"!", "(", "a", "=", "b", ")"},
      {"-f", "f", "-a"},
      {"-a", "-a", "-a"},
      {"f", "-ef", "f"},
      {"f", "-nt", "none"},
      {"-x", "d"},
      {"-t", "0"},
      {"-t", "x"},
  };
  for (std::vector<std::string> words : expressions) {
    words.insert(words.begin(), "test");
    rows.push_back({.argv = words});
    words.front() = "[";
    words.emplace_back("]");
    rows.push_back({.argv = words});
  }
  rows.push_back({.argv = {"[", "a"}});
  rows.push_back({.argv = {"["}});
  expect_alike(rows, kTree);
}

TEST(MachinePrograms, PrintByFormats) {
  expect_alike({
      {.argv = {"printf", "%s-%d\\n", "a", "5"}},
      {.argv = {"printf", "%s\\n", "a", "b", "c"}},
      {.argv = {"printf", "%d %d\\n", "5"}},
      {.argv = {"printf", "%d\\n", "12x"}},
      {.argv = {"printf", "%d\\n", "x"}},
      {.argv = {"printf", "%q\\n", "x"}},
      {.argv = {"printf", "%5s|%-5s|%.1s|%05d|%+d|% d\\n", "ab", "ab", "ab", "42", "42", "42"}},
      {.argv = {"printf", "%x %X %o %u %i\\n", "255", "255", "8", "-1", "0x1f"}},
      {.argv = {"printf", "%e %.2f %g\\n", "1.5", "1.005", "1e10"}},
      {.argv = {"printf", "%f\\n", "x"}},
      {.argv = {"printf", "%c%c\\n", "abc", "d"}},
      {.argv = {"printf", "%b|", "a\\tb\\0101\\101", "c\\cd", "e"}},
      {.argv = {"printf", "a\\101\\x41\\e\\q\\\\n\\n"}},
      {.argv = {"printf", "a\\cb"}},
      {.argv = {"printf", "%*d|%.*f\\n", "5", "3", "1", "2.55"}},
      {.argv = {"printf", "%d\\n", "'a"}},
      {.argv = {"printf", "%%|%5%|\\n"}},
      {.argv = {"printf", "no words\\n", "x", "y"}},
      {.argv = {"printf", "--", "%s\\n", "x"}},
      {.argv = {"printf", "-x"}},
      {.argv = {"printf", "%ld %lld %hd\\n", "1", "2", "3"}},
      {.argv = {"printf"}},
      {.argv = {"env", "-i", "A=1", "B=2"}},
      {.argv = {"env", "-i", "-0", "A=1"}},
      {.argv = {"env", "-u", "PATH", "-u", "TZ"}},
      {.argv = {"env", "-Z"}},
      {.argv = {"env", "nosuchprogram"}},
      {.argv = {"env", "./f"}, .files = {{"f", "x"}}},
  });
}

}  // namespace
}  // namespace sandproof::machine
