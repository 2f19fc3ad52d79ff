// SPDX-License-Identifier: Apache-2.0
// Programs that look for files, run others, and compute, beside the applets of busybox.
#include <gtest/gtest.h>

#include "tests/machine/program_box.h"

namespace sandproof::machine {
namespace {

using Words = std::vector<std::string>;

std::vector<ProgramRun> rows_of(const std::string& program, const std::vector<Words>& calls) {
  std::vector<ProgramRun> rows;
  for (Words words : calls) {
    words.insert(words.begin(), program);
    rows.push_back({.argv = std::move(words)});
  }
  return rows;
}

const std::map<std::string, std::string> kOneOfEach = {
    {"f", "eff\n"}, {"empty", ""}, {"d/", ""}, {"d/e/", ""}, {"d/e/y", "why\n"}};

TEST(MachinePrograms, FindFiles) {
  expect_alike(rows_of("find", {{"d"},
                                {"f", "d"},
                                {"d", "-type", "f"},
                                {"d", "-type", "d"},
                                {"d", "-name", "y"},
                                {"d", "-iname", "Y", "-print0"},
                                {"d", "-path", "d/e*"},
                                {"d", "-regex", ".*/y"},
                                {"d", "-regex", "y"},
                                {"d", "-maxdepth", "1"},
                                {"d", "-mindepth", "2"},
                                {"d", "-depth"},
                                {"d", "!", "-name", "y"},
                                {"d", "-not", "-type", "d"},
                                {"d", "(", "-name", "y", "-o", "-name", "e", ")", "-print"},
                                {"d", "-name", "e", "-prune", "-o", "-print"},
                                {"d", "-name", "y", "-a", "-type", "f"},
                                {"d", "-name", "y", "-o", "-print"},
                                {"d", "-quit"},
                                {"d", "-print", "-quit"},
                                {"f", "-size", "4c"},
                                {"f", "-size", "+3c"},
                                {"f", "-size", "-1k"},
                                {"f", "-size", "1"},
                                {"f", "empty", "-empty"},
                                {"f", "-perm", "644"},
                                {"f", "-perm", "-600"},
                                {"f", "-perm", "/111"},
                                {"f", "-perm", "-u+r"},
                                {"f", "-newer", "none"},
                                {"f", "-user", "0"},
                                {"f", "-user", "root"},
                                {"f", "-user", "nosuchuser"},
                                {"f", "-group", "nosuchgroup"},
                                {"f", "-links", "1"},
                                {"f", "-links", "+1"},
                                {"f", "-mtime", "-1"},
                                {"f", "-mmin", "+5"},
                                {"f", "-samefile", "f"},
                                {"f", "-executable"},
                                {"f", "-name"},
                                {"f", "-type", "q"},
                                {"f", "-nosuch"},
                                {"f", "-delete"},
                                {"f", "("},
                                {"f", "-name", "f", "-o"},
                                {"f", "!"},
                                {"f", "-maxdepth", "x"},
                                {"f", "-size", "1x"},
                                {"f", "-perm", "zz"},
                                {"f", "-exec", "echo"},
                                {"f", "-exec", "echo", "x{}y", "+"},
                                {"none", "f"}}),
               kOneOfEach);
}

TEST(MachinePrograms, ComputeExpressions) {
  expect_alike(rows_of("expr", {{"1", "+", "2", "*", "3"},
                                {"(", "1", "+", "2", ")", "*", "3"},
                                {"7", "/", "2"},
                                {"-7", "/", "2"},
                                {"-7", "%", "3"},
                                {"1", "/", "0"},
                                {"1", "-", "1"},
                                {"9223372036854775807", "+", "1"},
                                {"a", "+", "1"},
                                {"1", "+"},
                                {"1", "2"},
                                {},
                                {""},
                                {"0"},
                                {"a"},
                                {"a", "|", "b"},
                                {"", "|", "0"},
                                {"0", "|", ""},
                                {"a", "&", ""},
                                {"1", "<", "10"},
                                {"b", "<", "a"},
                                {"a", "==", "a"},
                                {"01", "=", "1"},
                                {"a", "!=", "b", "=", "1"},
                                {"abc", ":", "a\\(.\\)c"},
                                {"abc", ":", "b"},
                                {"abc", ":", "ab*"},
                                {"abc", ":", "\\(x\\)"},
                                {"abc", ":", "\\("},
                                {"match", "abc", "a."},
                                {"length", "hello"},
                                {"index", "hello", "lo"},
                                {"index", "hello", "x"},
                                {"substr", "hello", "2", "3"},
                                {"substr", "hello", "0", "3"},
                                {"substr", "hello", "9", "3"},
                                {"quote", "+"},
                                {"(", "1"},
                                {")"}}));
}

TEST(MachinePrograms, DumpAndSumBytes) {
  const std::string bytes("a\nb\t\0\001\377 Hello, world: 0123456789 and so on\r\n", 44);
  std::vector<ProgramRun> rows = rows_of("od", {{},
                                                {"-c"},
                                                {"-a"},
                                                {"-b"},
                                                {"-d"},
                                                {"-x"},
                                                {"-i"},
                                                {"-l"},
                                                {"-o"},
                                                {"-tx1"},
                                                {"-tu1", "-An"},
                                                {"-td2"},
                                                {"-td4", "-Ax"},
                                                {"-tx8", "-Ad"},
                                                {"-to1"},
                                                {"-txS"},
                                                {"-ta"},
                                                {"-tx1", "-tc"},
                                                {"-N", "5", "-c"},
                                                {"-j", "3", "-c"},
                                                {"-j", "100"},
                                                {"-w4", "-tx1"},
                                                {"-A", "q"},
                                                {"-t", "q"},
                                                {"-N", "x"},
                                                {"none"},
                                                {"z"},
                                                {"-v", "z"},
                                                {"-Q"}});
  for (const char* program : {"md5sum", "sha1sum", "sha256sum"}) {
    for (const ProgramRun& row : rows_of(program, {{},
                                                   {"f", "empty"},
                                                   {"none"},
                                                   {"d"},
                                                   {"-c", "sums"},
                                                   {"-sc", "sums"},
                                                   {"-cw", "f"},
                                                   {"-x"}})) {
      rows.push_back(row);
    }
  }
  for (const ProgramRun& row :
       rows_of("base64",
               {{}, {"-w", "10"}, {"-w", "0"}, {"-w", "x"}, {"-d", "b"}, {"-d", "f"}, {"none"}})) {
    rows.push_back(row);
  }
  for (const ProgramRun& row : rows_of("cmp", {{"f", "f"},
                                               {"f", "empty"},
                                               {"f", "g"},
                                               {"-l", "f", "g"},
                                               {"-s", "f", "g"},
                                               {"f"},
                                               {"f", "-"},
                                               {"-n", "2", "f", "g"},
                                               {"f", "g", "1", "1"},
                                               {"f", "none"},
                                               {"-n", "x", "f", "g"},
                                               {}})) {
    rows.push_back(row);
  }
  expect_alike(rows,
               {{"f", "eff\n"},
                {"g", "efg\nh\n"},
                {"empty", ""},
                {"d/", ""},
                {"z", std::string(70, '\0')},
                {"b", "aGVsbG8=\n"},
                {"sums",
                 "f3f2c9d8ad58ad1d8b0ff6c9a7b2d9b1  f\n"
                 "d41d8cd98f00b204e9800998ecf8427e  empty\n"}},
               bytes);
}

TEST(MachinePrograms, CopyBlocks) {
  expect_alike(rows_of("dd", {{},
                              {"bs=2", "count=2"},
                              {"bs=3", "skip=1"},
                              {"if=f", "of=out", "bs=2"},
                              {"if=f", "of=g", "bs=1", "seek=2", "conv=notrunc"},
                              {"if=f", "of=g", "bs=1", "seek=2"},
                              {"if=f", "ibs=1", "obs=3"},
                              {"if=f", "bs=3", "conv=sync"},
                              {"if=f", "conv=swab"},
                              {"if=f", "iflag=skip_bytes", "skip=2", "status=none"},
                              {"if=f", "iflag=count_bytes", "count=3", "bs=2"},
                              {"if=f", "of=g", "oflag=append", "conv=notrunc"},
                              {"if=none"},
                              {"of=none/x"},
                              {"bs=x"},
                              {"conv=foo"},
                              {"nosuch=1"},
                              {"count=0"}}),
               {{"f", "0123456789"}, {"g", "abcdefgh"}}, "some input\n");
}

TEST(MachinePrograms, TellOfFilesAndTimes) {
  std::vector<ProgramRun> rows =
      rows_of("stat", {{"-c", "%n %s %F %a %A %f %h %u %U %g %G", "f", "d", "empty"},
                       {"-c", "%N %t %T %%%5s|%-5s|%05a|%e", "f"},
                       {"-c", "%B %o"},
                       {"none"},
                       {"-c", "%s", "none"},
                       {}});
  rows.pop_back();
  for (const ProgramRun& row :
       rows_of("date", {{"-u", "-d", "@0"},
                        {"-d", "@1000000000", "+%a %A %b %B %d %e %j %H %I %M %p %S"},
                        {"-d", "@1000000000", "+%y %C %u %w %s %F %T %D %R %% %n %t %Z %z"},
                        {"-d", "2020-02-29 12:34:56", "+%s"},
                        {"-d", "2020-02-29 12:34", "+%s"},
                        {"-d", "2020-02-29", "+%s"},
                        {"-d", "2020.02.29-12:34", "+%s"},
                        {"-d", "202002291234", "+%s"},
                        {"-d", "202002291234.56", "+%s"},
                        {"-d", "2020-02-29 12:34:56 +0130", "+%s"},
                        {"-d", "@-5", "+%F %T"},
                        {"-d", "nonsense"},
                        {"-d", ""},
                        {"-d", "2020-13-01"},
                        {"-d", "@1.5"},
                        {"-R", "-d", "@0"},
                        {"-I", "-d", "@0"},
                        {"-Iseconds", "-d", "@0"},
                        {"-Ihours", "-d", "@0"},
                        {"-Ins", "-d", "@0"},
                        {"-Ifoo"},
                        {"-r", "none"},
                        {"-D", "%Y-%m-%d", "-d", "2020-02-03", "+%F"},
                        {"+"},
                        {"-Z"},
                        {"-d", "@0", "+%F", "+%T"}})) {
    rows.push_back(row);
  }
  for (const ProgramRun& row : rows_of("kill", {{"-l"},
                                                {"-l", "15", "TERM", "sigint", "143"},
                                                {"-l", "NOSUCH"},
                                                {"-NOSUCH", "1"},
                                                {"-s", "x", "1"},
                                                {"x"},
                                                {"-0", "99999999"},
                                                {"99999999"},
                                                {"-TERM"},
                                                {}})) {
    rows.push_back(row);
  }
  for (const ProgramRun& row : rows_of("xargs", {{"-n", "0"},
                                                 {"-n", "x"},
                                                 {"-I"},
                                                 {"-L", "1"},
                                                 {"nosuchprogram"},
                                                 {"-r", "nosuchprogram"}})) {
    rows.push_back(row);
  }
  for (const ProgramRun& row : rows_of("timeout", {{"1"},
                                                   {"x", "true"},
                                                   {"-s", "FOO", "1", "true"},
                                                   {"-k", "x", "1", "true"},
                                                   {"-t", "1", "true"},
                                                   {"1", "nosuchprogram"}})) {
    rows.push_back(row);
  }
  for (const ProgramRun& row : rows_of("du", {{"-b", "f"}, {"none"}, {"-d", "x"}, {"empty"}})) {
    rows.push_back(row);
  }
  expect_alike(rows, kOneOfEach, "a b\n'c d' e\n");
}

TEST(MachinePrograms, RunOthers) {
  // The real ones find coreutils along PATH, whose true, false and echo answer the same.
  std::vector<ProgramRun> rows = rows_of("xargs", {{},
                                                   {"echo", "x"},
                                                   {"-n", "2"},
                                                   {"-n", "1", "echo", "-"},
                                                   {"-I", "X", "echo", "<X-X>"},
                                                   {"-t", "echo"},
                                                   {"-t", "-n1", "true"},
                                                   {"-s", "12", "echo"},
                                                   {"false"},
                                                   {"-n1", "false"},
                                                   {"-E", "c d", "echo"},
                                                   {"-0", "printf", "[%s]"},
                                                   {"-P", "2", "-n", "9", "echo"}});
  for (const ProgramRun& row : rows_of("find", {{"f", "-exec", "echo", "got", "{}-{}", ";"},
                                                {"f", "empty", "-exec", "echo", "{}", "+"},
                                                {"f", "-exec", "false", ";", "-print"},
                                                {"f", "-exec", "true", ";", "-print"},
                                                {"f", "-exec", "nosuchprogram", "{}", ";"},
                                                {"f", "-exec", "false", "{}", "+"}})) {
    rows.push_back(row);
  }
  for (const ProgramRun& row : rows_of("env", {{"-i", "/bin/echo", "a"},
                                               {"A=1", "printenv", "A"},
                                               {"-u", "TZ", "printenv", "TZ"},
                                               {"false"}})) {
    rows.push_back(row);
  }
  for (const ProgramRun& row :
       rows_of("timeout", {{"5", "echo", "hi"}, {"5", "false"}, {"1", "sleep", "5"}})) {
    rows.push_back(row);
  }
  rows.push_back({.argv = {"setsid", "echo", "hi"}});
  rows.push_back({.argv = {"setsid", "nosuchprogram"}});
  expect_alike(rows, kOneOfEach, "a b\n'c d' \"e\" f\\ g\n");
}

TEST(MachinePrograms, PackAndUnpack) {
  expect_alike(rows_of("tar", {{"cf", "t.tar"},
                               {"tf", "none"},
                               {"tf", "f"},
                               {"tf"},
                               {"xf", "empty"},
                               {"f", "x"},
                               {"--exclude", "x"},
                               {"-Q"},
                               {}}),
               kOneOfEach);
  // The bytes of an archive are its packer's; what it unpacks to is not.
  const ProgramEnd packed =
      run_on_machine({.argv = {"tar", "cf", "-", "d", "f"}, .files = kOneOfEach});
  EXPECT_EQ(packed.err, "");
  expect_alike({{.argv = {"tar", "x"}, .input = packed.out},
                {.argv = {"tar", "xv"}, .input = packed.out},
                {.argv = {"tar", "t"}, .input = packed.out},
                {.argv = {"tar", "xO", "f"}, .input = packed.out},
                {.argv = {"tar", "x", "d/e"}, .input = packed.out},
                {.argv = {"tar", "x", "none"}, .input = packed.out},
                {.argv = {"tar", "x", "-C", "d"}, .input = packed.out, .files = {{"d/", ""}}},
                {.argv = {"tar", "x", "-C", "none"}, .input = packed.out},
                {.argv = {"tar", "x", "--strip-components=1"}, .input = packed.out}});
  const ProgramEnd real =
      run_on_busybox({.argv = {"tar", "cf", "-", "d", "f"}, .files = kOneOfEach});
  const ProgramRun unpack = {.argv = {"tar", "xv"}, .input = real.out};
  EXPECT_EQ(run_on_machine(unpack), run_on_busybox(unpack));
}

}  // namespace
}  // namespace sandproof::machine
