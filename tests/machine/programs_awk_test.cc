// SPDX-License-Identifier: Apache-2.0
// Programs of awk, beside busybox's.
#include <gtest/gtest.h>

#include "tests/machine/program_box.h"

namespace sandproof::machine {
namespace {

constexpr const char* kAwkInput =
    "alice 30 paris\nbob 25 rome\n\ncarol 35  oslo x\ndave -4 1e3\n0 0x10 +5\nno end";

std::vector<ProgramRun> programs_of(const std::vector<std::string>& texts) {
  std::vector<ProgramRun> rows;
  for (const std::string& text : texts) rows.push_back({.argv = {"awk", text}});
  return rows;
}

TEST(MachinePrograms, AwkReadsRecordsAndFields) {
  expect_alike(programs_of({
                   "{print}",
                   "{print $1, $NF, NF, NR}",
                   "{print $(NF-1)}",
                   "NF",
                   "!NF {print NR}",
                   "/o/",
                   "!/o/",
                   "$2 > 26",
                   "NF > 1 && $2 == 0",  // A field that is not there is also 0, as POSIX has it.
                   "$1 == \"bob\"",
                   "$1 ~ /^[a-c]/ {print $1}",
                   "$3 !~ \"o\" {print NR \": \" $3}",
                   "/bob/,/dave/ {print NR}",
                   "NR==2,NR==3",
                   "NR % 2",
                   "{$2 = \"X\"; print; print NF}",
                   "{$7 = \"7\"; print; print NF}",
                   "{NF = 2; print; $0 = \"a b c\"; print NF, $3}",
                   "BEGIN {OFS = \"-\"; ORS = \"|\\n\"} {$1 = $1; print $1, $2; print}",
                   "BEGIN {FS = \"a\"} {print NF \":\" $2}",
                   "BEGIN {FS = \"[ao]+\"} {print NF \":\" $2}",
                   "BEGIN {FS = \"\"} NR == 1 {print NF, $3}",
                   "BEGIN {RS = \"\"} {print NR \":\" $1 \":\" NF}",
                   "BEGIN {RS = \" \"} {print NR \":\" $0}",
                   "END {print NR, $0}",
                   "{n[NF]++} END {print n[0], n[3], n[4]}",
                   "{s += $2} END {print s, s / NR}",
                   "length > 8",
                   "{print length, length($1)}",
                   "NR == 1 {next} {print \"x\" $1} NR == 3 {exit 4} END {print \"end\"}",
                   "{getline; print} ",
                   "{getline x; print x \"|\" $0}",
                   "NR == 1 {while ((getline line) > 0) n++; print n}",
               }),
               {}, kAwkInput);
}

TEST(MachinePrograms, AwkComputes) {
  expect_alike(
      programs_of({
          "BEGIN {print 1 + 2 * 3 - 4 / 2, 7 % 3, -7 % 3}",
          "BEGIN {print 1 2, 1 \" \" -1, 2 - -2, - - 2, !0 + 1, !\"a\"}",
          "BEGIN {x = 5; print x++ + ++x, x, x--, --x; x += 2; x *= 3; x -= 1; x /= 2; x %= 4; "
          "print x}",
          "BEGIN {print (1 < 2) (2 < 1), (\"a\" < \"b\"), (\"10\" < \"9\"), (10 < 9)}",
          "BEGIN {print 1 == 1.0, \"1\" == 1, \"a\" == 0, x == 0, x == \"\"}",
          "BEGIN {print 1e3, 1e20, 0.1, 1/3, 100000 * 100000, 123456789.5, -0.0001}",
          "BEGIN {OFMT = \"%.2f\"; x = 3.14159; print x, x \"\"}",
          "BEGIN {print length(\"abc\"), substr(\"hello\", 2), substr(\"hello\", 0, 2), "
          "substr(\"hello\", -1, 3), "
          "substr(\"hello\", 4, 9), substr(\"hello\", 1.5, 1)}",
          "BEGIN {print index(\"abc\", \"c\"), index(\"abc\", \"x\"), toupper(\"aB1\"), "
          "tolower(\"aB1\")}",
          "BEGIN {print sprintf(\"%d|%5d|%-5d|%05d|%+d\", 3.9, 42, 42, 42, 42)}",
          "BEGIN {printf \"%s %c %c|%5.1f|%e|%x|%o|%%\\n\", \"s\", \"xyz\", 65, 3.14159, 1234.5, "
          "255, 8}",
          "BEGIN {printf \"%*d|%-*s|%.3s\\n\", 5, 42, 4, \"ab\", \"abcdef\"}",
          "BEGIN {printf \"%d %s\\n\"}",
          "BEGIN {printf \"no newline\"}",
          "BEGIN {s = \"aaa\"; n = gsub(/a/, \"b&\", s); print n, s; sub(\"b\", \"\\\\&\", s); "
          "print s}",
          "BEGIN {s = \"hello\"; print gsub(/l*/, \"-\", s), s}",
          "BEGIN {s = \"abc\"; print sub(/x/, \"y\", s), s, sub(/$/, \"!\", s), s}",
          "BEGIN {print match(\"foobar\", /o+b/), RSTART, RLENGTH; print match(\"a\", \"z\"), "
          "RSTART, RLENGTH}",
          "BEGIN {n = split(\"a b  c\", a); print n, a[1], a[3]; n = split(\"a:b::c\", b, \":\"); "
          "print n, b[3] \"|\" b[4]; "
          "print split(\"\", c), split(\"a1b22c\", d, /[0-9]+/), d[3]}",
          "BEGIN {a[1]; a[\"x\"] = 2; a[1, 2] = 3; print (1 in a), (\"x\" in a), ((1, 2) in a), (3 "
          "in a); delete a[1]; "
          "print (1 in a), length(a); delete a; print length(a)}",
          "BEGIN {a[\"k\"] = \"v\"; for (k in a) print k, a[k]}",
          "BEGIN {for (i = 0; i < 10; i++) {if (i == 2) continue; if (i == 5) break; print i}}",
          "BEGIN {while (i < 3) print i++; do print i--; while (i > 1)}",
          "BEGIN {for (;;) {if (++n > 3) break}; print n}",
          "BEGIN {if (0) print 1; else if (1) print 2; else print 3}",
          "function f(a, b) {b = a * 2; return b} BEGIN {print f(2), f(f(3)), b}",
          "function fill(a, n) {for (i = 1; i <= n; i++) a[i] = i * i} BEGIN {fill(sq, 3); print "
          "sq[3], length(sq)}",
          "function fib(n) {return n < 2 ? n : fib(n - 1) + fib(n - 2)} BEGIN {print fib(12)}",
          "function g() {return} BEGIN {x = g(); print \"<\" x \">\"}",
          "BEGIN {a = b = 3; print (a == b), (a < b), (a >= b), (1 && 0 || 1), (1 && !1)}",
          "BEGIN {print 1 > 2 ? \"a\" : \"b\"}",
          "BEGIN {print (1 > 2) ? \"a\" : \"b\"}",
          "BEGIN {x = 1 > 2 ? \"a\" : \"b\"; print x}",
          "BEGIN {print \"a\\tb\\\\\\\"\\101\"}",
          "BEGIN {print -3 \" \" -3, 2 * -1, 1 - 1}",
          "BEGIN {print 1,\n2; x = 1 +\\\n2; print x}",
          "BEGIN { ; ; print \"x\" ; } # comment",
          "BEGIN {print int(3.9), int(-3.9), int(\"3x\")}",
          "BEGIN {$0 = \"a b c\"; print NF, $2; $5 = \"e\"; print; print NF}",
          "BEGIN {$3 = \"x\"; print NF, $0}",
          "BEGIN {print substr(\"hello\", 2, 3) substr(\"x\", 1)}",
          "BEGIN {print and(12, 10), or(12, 10), xor(12, 10), lshift(1, 4), rshift(16, 2)}",
          "BEGIN {print \"abc\" ~ /b/, \"abc\" ~ \"^b\", \"a.c\" ~ /a\\.c/, \"a/b\" ~ /a\\/b/}",
          "BEGIN {exit} END {print \"end\"}",
          "BEGIN {exit 3; print \"no\"}",
          "BEGIN {print length()}",
          "BEGIN {print 1/0}",
          "BEGIN {print",
          "BEGIN {print 1}}",
          "{",
          "BEGIN {f(1)}",
          "BEGIN {getline x < \"none\"; print (getline y < \"none\")}",
          "BEGIN {while ((getline l < \"f\") > 0) print \"<\" l \">\"; close(\"f\"); getline l < "
          "\"f\"; print l}",
          "BEGIN {print \"a\" > \"out\"; print \"b\" > \"out\"; close(\"out\"); print \"c\" >> "
          "\"out\"}",
          "BEGIN {printf \"%s\", \"x\" > \"out\"}",
      }),
      {{"f", "one\ntwo\n"}});
}

TEST(MachinePrograms, AwkTakesItsWords) {
  expect_alike(
      {{.argv = {"awk", "-F", ":", "{print $2}"}, .input = "a:b:c\n"},
       {.argv = {"awk", "-F", "\\t", "{print $2}"}, .input = "a\tb c\n"},
       {.argv = {"awk", "-F|", "{print $2}"}, .input = "a|b\n"},
       {.argv = {"awk", "-F.", "{print $2}"}, .input = "a.b\n"},
       {.argv = {"awk", "-v", "x=5", "-v", "y=a\\tb", "BEGIN {print x + 1, y}"}},
       {.argv = {"awk", "{print x $0, FILENAME, FNR, NR}", "x=1", "f", "x=2", "g"}},
       {.argv = {"awk", "-f", "p", "f"}},
       {.argv = {"awk", "-f", "none"}},
       {.argv = {"awk", "{print}", "none"}},
       {.argv = {"awk"}},
       {.argv = {"awk", "-Q"}},
       {.argv = {"awk", "BEGIN {for (i = 0; i < ARGC; i++) print i, ARGV[i]}", "a", "b=c"}},
       {.argv = {"awk", "BEGIN {print ENVIRON[\"LC_ALL\"]}"}}},
      {{"f", "1\n2\n"}, {"g", "3\n"}, {"p", "{s += $1}\nEND {print s}\n"}});
}

}  // namespace
}  // namespace sandproof::machine
