// SPDX-License-Identifier: Apache-2.0
// Programs that read and change text, beside the applets of busybox.
#include <gtest/gtest.h>

#include "tests/machine/program_box.h"

namespace sandproof::machine {
namespace {

std::string lines_to(int last) {
  std::string text;
  for (int line = 1; line <= last; ++line) text += std::to_string(line) + "\n";
  return text;
}

TEST(MachinePrograms, TakeTheEnds) {
  expect_alike(
      {
          {.argv = {"tail"}},
          {.argv = {"tail", "-n", "3", "f"}},
          {.argv = {"tail", "-3", "f", "g"}},
          {.argv = {"tail", "-n", "+10", "f"}},
          {.argv = {"tail", "+11", "f"}},
          {.argv = {"tail", "-n", "+0", "g"}},
          {.argv = {"tail", "-c", "4", "f"}},
          {.argv = {"tail", "-c", "+20", "f"}},
          {.argv = {"tail", "-n", "0", "f"}},
          {.argv = {"tail", "-qn1", "f", "g"}},
          {.argv = {"tail", "-v", "g"}},
          {.argv = {"tail", "none", "g"}},
          {.argv = {"tail", "none"}},
          {.argv = {"tail", "-n", "x"}},
          {.argv = {"tee"}},
          {.argv = {"tee", "f", "new"}},
          {.argv = {"tee", "-a", "f"}},
          {.argv = {"tee", "none/x", "new"}},
          {.argv = {"tee", "-x"}},
      },
      {{"f", lines_to(12)}, {"g", "a\nno end"}}, "in 1\nin 2\n");
}

TEST(MachinePrograms, SortAndJoinLines) {
  const std::string text =
      "b 10 x\na 9 y\nB 9 a\n\n  c 1 z\na 9 y\nA,b\n-3\n2\nMar\njan\nv1.10\nv1.9\n1e3\nno end";
  std::vector<ProgramRun> rows;
  for (const char* letters : {"-n", "-r", "-u", "-f", "-fu", "-nr", "-g", "-M", "-V", "-b", "-d",
                              "-i", "-s", "-nu", "-rs", "-df", "-c", "-cu", "-h"}) {
    rows.push_back({.argv = {"sort", letters}});
  }
  for (const char* key : {"2", "2,2", "2n", "2,2n", "1.2", "1.1,1.1", "2b", "3r", "2x", "0", "1,1f",
                          "2.2n", "1b,1", "3,3"}) {
    rows.push_back({.argv = {"sort", "-k", key}});
    rows.push_back({.argv = {"sort", "-s", "-k", key}});
    rows.push_back({.argv = {"sort", "-u", "-k", key}});
    rows.push_back({.argv = {"sort", "-t", " ", "-k", key}});
  }
  rows.push_back({.argv = {"sort"}});
  rows.push_back({.argv = {"sort", "-k2,2n", "-k1,1r"}});
  rows.push_back({.argv = {"sort", "-t", "ab"}});
  rows.push_back({.argv = {"sort", "-o", "f", "f"}});
  rows.push_back({.argv = {"sort", "f", "none"}});
  rows.push_back({.argv = {"sort", "-z"}});
  rows.push_back({.argv = {"uniq"}});
  for (const char* letters : {"-c", "-d", "-u", "-i", "-ic", "-du"}) {
    rows.push_back({.argv = {"uniq", letters, "u"}});
  }
  rows.push_back({.argv = {"uniq", "-f", "1", "u"}});
  rows.push_back({.argv = {"uniq", "-s", "1", "u"}});
  rows.push_back({.argv = {"uniq", "-w", "1", "u", "out"}});
  rows.push_back({.argv = {"uniq", "-w", "x", "u"}});
  rows.push_back({.argv = {"uniq", "none"}});
  expect_alike(rows, {{"f", "z\ny\nx"}, {"u", "a a\na a\nb a\nB a\nbb b\nno end"}}, text);
}

TEST(MachinePrograms, CutAndTranslate) {
  std::vector<ProgramRun> rows;
  for (const char* list :
       {"1", "2-3", "-2", "3-", "1,3", "3,1", "1-3,2-4", "0", "x", "2-1", "1-", "-"}) {
    rows.push_back({.argv = {"cut", "-c", list}});
    rows.push_back({.argv = {"cut", "-d", ":", "-f", list}});
    rows.push_back({.argv = {"cut", "-s", "-d", ":", "-f", list}});
  }
  rows.push_back({.argv = {"cut", "-f", "2"}});
  rows.push_back({.argv = {"cut", "-d:", "-f1,3", "-O="}});
  rows.push_back({.argv = {"cut"}});
  rows.push_back({.argv = {"cut", "-b1", "-f1"}});
  rows.push_back({.argv = {"cut", "-b1", "-d:"}});
  rows.push_back({.argv = {"cut", "-f1", "none"}});
  rows.push_back({.argv = {"tr", "a-c", "A-C"}});
  rows.push_back({.argv = {"tr", "a-c", "x"}});
  rows.push_back({.argv = {"tr", "-d", "a:"}});
  rows.push_back({.argv = {"tr", "-s", "b"}});
  rows.push_back({.argv = {"tr", "-s", "ab", "xy"}});
  rows.push_back({.argv = {"tr", "-cd", "[:alpha:]"}});
  rows.push_back({.argv = {"tr", "-c", "a-z\\n", "_"}});
  rows.push_back({.argv = {"tr", "[:lower:]", "[:upper:]"}});
  rows.push_back({.argv = {"tr", "[:digit:][:space:]", "#"}});
  rows.push_back({.argv = {"tr", "\\n\\t:", "\\t\\n\\101"}});
  rows.push_back({.argv = {"tr", "[a-c]", "[x-z]"}});
  rows.push_back({.argv = {"tr", "[=a=]", "x"}});
  rows.push_back({.argv = {"tr", "[:foo:]", "x"}});
  rows.push_back({.argv = {"tr", "\\q\\\\", "xy"}});
  rows.push_back({.argv = {"tr", "a", ""}});
  rows.push_back({.argv = {"tr", "a"}});
  rows.push_back({.argv = {"tr"}});
  expect_alike(rows, {}, "abbc:de\tf:[1]\nnone here\n\na:b:c:d\\q\nlast:one");
}

TEST(MachinePrograms, EditStreams) {
  std::vector<ProgramRun> rows;
  for (const char* script : {"p",
                             "2d",
                             "2,3d",
                             "$d",
                             "/b/d",
                             "/b/,/d/d",
                             "2!d",
                             "s/b/X/",
                             "s/./X/2",
                             "s/./X/g",
                             "s/x*/-/g",
                             "s/b*$/X/",
                             "s/\\(.\\)b/[\\1]/",
                             "s/./&&/2",
                             "s,a,/,",
                             "s,a\\,b,x,",
                             "s/[/]/x/",
                             "s/A/x/I",
                             "s/a/x/p",
                             "s/a",
                             "s/a/x",
                             "s/a/b/Q",
                             "k",
                             "2q",
                             "q5",
                             "5",
                             "=",
                             "a x",
                             "a\\\nx\\\ny\np",
                             "i x",
                             "c x",
                             "2,3c x",
                             "$!N;c x",
                             "2!c x",
                             "1,2a x",
                             "a  \\  x",
                             "a x\\ny",
                             "y/abc/xyz/",
                             "n;d",
                             "N;P;D",
                             "$!N;s/\\n/-/",
                             "N;N;s/\\n/+/g",
                             "1!G;h;$!d",
                             "x;p;x",
                             "H;$!d;x",
                             ":a;s/^.\\{1,3\\}$/ &/;ta",
                             ":a;N;$!ba;s/\\n/,/g",
                             "/b/{s/b/x/;s/x/y/}",
                             "2{p",
                             "}",
                             "b x",
                             "t;t",
                             "1~2p",
                             "/a/,+1d",
                             "2,1p",
                             "0,/a/p",
                             "1s/a/x/;1s//y/",
                             "/b/s//[&]/",
                             "s/a\\|b/x/g",
                             "s/a/\\\n/",
                             "s/b/x\\ty/",
                             "l",
                             "w out",
                             "s/a/x/w out",
                             "r f",
                             "/c/r f",
                             "r none",
                             "#comment\np",
                             "#n\np",
                             "p;p ; p",
                             "$!{h;d};x;G",
                             "\\,a,p",
                             "1,p",
                             "s/\\(/x/",
                             "s/a/x/m",
                             "/a",
                             "/b/b e;s/./z/;:e",
                             "T;s/a/b/",
                             "s/ab*/<&>/g",
                             "s/[^,]*/(&)/2",
                             "s/a/x/;ta;s/b/y/;:a",
                             "2,4{=;d}",
                             "/a/!s/b/x/",
                             "1d;n;d",
                             "p;",
                             "N",
                             "$=",
                             "s/.*/\"&\"/",
                             "s/\\./,/",
                             "s/a\\{2\\}/x/",
                             "s/^/> /;s/$/ </",
                             "y/ab/c"}) {
    rows.push_back({.argv = {"sed", script}});
    rows.push_back({.argv = {"sed", "-n", script, "f", "g"}});
  }
  for (const char* script : {"s/(a)(b)?/[\\1\\2]/", "s/a+|b/x/g", "s/(/x/", "/^(a|b)/d"}) {
    rows.push_back({.argv = {"sed", "-E", script}});
  }
  rows.push_back({.argv = {"sed", "-e", "a\\", "-e", "foo"}});
  rows.push_back({.argv = {"sed", "-e", "s/a/b/", "-e", "s/b/c/"}});
  rows.push_back({.argv = {"sed", "-f", "s", "f"}});
  rows.push_back({.argv = {"sed", "-f", "none", "f"}});
  rows.push_back({.argv = {"sed", "-i", "s/a/x/;$d", "f", "g"}});
  rows.push_back({.argv = {"sed", "-i.bak", "s/a/x/", "f", "none"}});
  rows.push_back({.argv = {"sed", "-i", "p"}});
  rows.push_back({.argv = {"sed"}});
  rows.push_back({.argv = {"sed", "p", "none", "f"}});
  rows.push_back({.argv = {"sed", "--version"}});
  expect_alike(rows, {{"f", "aab\nb.c\n"}, {"g", "a,b,c\nno end"}, {"s", "s/a/1/\n2p\n"}},
               "a\nab\nabc\nd b\ncab");
}

TEST(MachinePrograms, FindLines) {
  std::vector<ProgramRun> rows;
  for (const char* letters :
       {"-v",  "-i",   "-c",   "-n",    "-o",  "-w",  "-x",  "-l", "-L",  "-q",  "-h",
        "-H",  "-F",   "-E",   "-on",   "-cv", "-nv", "-s",  "-z", "-m1", "-A1", "-B1",
        "-C1", "-nC1", "-cA1", "-m1A1", "-Fx", "-Fi", "-iw", "-J", "-A",  "-mx"}) {
    for (const char* pattern : {"b", "a.c", "^$", "[0-9]*"}) {
      rows.push_back({.argv = {"grep", letters, pattern, "f"}});
      rows.push_back({.argv = {"grep", letters, pattern, "f", "none", "g"}});
    }
  }
  for (const char* pattern : {"", "a\\|b", "\\(a\\)\\1", "a\\{2\\}", "[", "\\(", "^a", "c$",
                              "[[:upper:]]", "a\nb", "b\\b", "\\<b", ".*", "x*"}) {
    rows.push_back({.argv = {"grep", pattern}});
    rows.push_back({.argv = {"grep", "-o", pattern}});
    rows.push_back({.argv = {"grep", "-x", pattern, "f"}});
    rows.push_back({.argv = {"grep", "-w", pattern, "f"}});
  }
  for (const char* pattern : {"a|b", "(a)\\1", "a{2}", "(", "a+", "^(a|b)$"}) {
    rows.push_back({.argv = {"grep", "-E", pattern}});
  }
  rows.push_back({.argv = {"grep"}});
  rows.push_back({.argv = {"grep", "-e", "a", "-e", "B", "f"}});
  rows.push_back({.argv = {"grep", "-f", "p", "f"}});
  rows.push_back({.argv = {"grep", "-f", "none", "f"}});
  rows.push_back({.argv = {"grep", "-f", "/dev/null", "f"}});
  rows.push_back({.argv = {"grep", "-r", "in", "d"}});
  rows.push_back({.argv = {"grep", "-rh", "in", "d"}});
  rows.push_back({.argv = {"grep", "-rl", "in", "d", "f"}});
  rows.push_back({.argv = {"grep", "a", "d"}});
  rows.push_back({.argv = {"grep", "-H", "a"}});
  rows.push_back({.argv = {"grep", "-q", "a", "none", "f"}});
  rows.push_back({.argv = {"egrep", "a+b", "f"}});
  rows.push_back({.argv = {"fgrep", "a.c", "f"}});
  expect_alike(rows,
               {{"f", "abc\na.c\n\nB b\nfoo_b bar\naab\n1 2\nx\nno b end"},
                {"g", "b\n"},
                {"p", "x\n1\n"},
                {"d/", ""},
                {"d/in", "inside\n"}},
               "a\nb\naa\nABC\nc b");
}

}  // namespace
}  // namespace sandproof::machine
