// SPDX-License-Identifier: Apache-2.0
// Constants, operators, conversions and comparisons of awk, beside busybox.
#include <gtest/gtest.h>

#include "tests/machine/awk_rows.h"

namespace sandproof::machine {
namespace {

TEST(MachineAwk, ReadsAndWritesNumbers) {
  expect_awk_alike({
      R"(BEGIN{print 010, 0x1F, 1e3, .5, 1., 1e, 0x})",
      R"(BEGIN{print -0, 0*-1, 1e300*1e300, 9007199254740992+1, 1e18, 1e19, 0.1, 1e-5, 123456.789})",
      R"(BEGIN{print 9223372036854775807, -9223372036854775808, 1234567.89, 1e5+.5, 100000})",
      R"(BEGIN{print 1e300*1e300 - 1e300*1e300, 1e400, -1e400, 0x7fffffffffffffff})",
      R"(BEGIN{print 100000 * 100000, 2147483648, 1e15 + 0.5, 3.10, "3.10" + 0, 17 / 4, 1 / 3})",
      R"(BEGIN{print "0x11" + 0, "011" + 0, "1e2" + 0, ".5." + 0, "+-3" + 0, " 12 " + 0, "- 3" + 0})",
      R"(BEGIN{print int(-3.9), int("12x"), int(1e18), int("inf"), int("nan"), int(-0.5)})",
      R"(BEGIN{OFMT="%.2f"; CONVFMT="%.3f"; x=3.14159; print x, x ""; a[x]; for (k in a) print k})",
      R"(BEGIN{OFMT="%.2f"; print 1e6, 1e20, 123456789, 0.1+0.2, 1e20 ""})",
      R"(BEGIN{CONVFMT="%d"; x=3.7; print x ""; OFMT="%s"; print x})",
      R"(BEGIN{CONVFMT = "%.2g"; a = 3.14159; print a ""; x[a]; print (3.1 in x), 12345678.5 "", 17 ""})",
      R"(BEGIN{print 1e3 "", 1e15 "", 123456789012 "", 0.1 "", 1/3 "", -1/3 "", 1e-10 "", 100 / 3})",
      R"(BEGIN{print 1.2.3})",
      R"(BEGIN{print 08})",
  });
}

TEST(MachineAwk, ReadsStrings) {
  expect_awk_alike({
      R"(BEGIN{print "a\qb", "\/", "\"", "\101", "\x41g"})",
      R"(BEGIN{print "a\tb\\n\a\b\v\f\r|\1\12\123\0123\x4|\e\/\z\&"})",
      "BEGIN{print \"a\\\nb\"}",
      "BEGIN{print \"a\nb\"}",
      R"(BEGIN{print length("a\0b"), "a\0b"})",
      R"(BEGIN{print "unterminated})",
      R"(BEGIN{print "é", length("é"), toupper("é")})",
      R"(BEGIN{print "a" "b" "c", "a""b", 1""2, 1 " " 2})",
  });
}

TEST(MachineAwk, BindsOperators) {
  expect_awk_alike({
      R"(BEGIN{print 1 " " -1; print 1 -1; print 2 " " 3*4})",
      R"(BEGIN{print -"3x", +"a", !"a", !"", !0, !"0", - -3, !-1, -!1, !x, -x, +x})",
      R"(BEGIN{x = 3; print x -1, x - 1, x" "-1, x++ - 1, x-- -1; y = x " " x++ " " x; print y})",
      R"(BEGIN{print 1 2 + 3 4, (1)(2), 1 (2), "a" (1 < 2) "b", 10 % 3 "x" 2 * 3})",
      R"(BEGIN{print "x" "y" == "xy", 1 == 1 ? 2 : 3, 1 ? 2 ? 3 : 4 : 5, (0 ? 1 : 2) "x"})",
      R"(BEGIN{print !"a" ~ "b", ! 1 == 0, !x y, -1 ~ 1, 1 - 1 "x"})",
      R"(BEGIN{print "ab" ~ "a" "b", "ab" ~ /a/ && 1, !"ab" ~ /a/, "a" ~ "b" ~ 0, 1 ~ 1 == 1})",
      R"(BEGIN{print 1 < 2 < 3; print 2 == 2 == 1; print 1 == 1 ~ 1, 1 < 2 == 1})",
      R"(BEGIN{print 2 - - 2; print 2 - -2, - - 1, 1 - -1, 1 + + 1, ! ! x, 2 - -x++})",
      R"(BEGIN{print 1--1})",
      R"(BEGIN{i = 5; print i++ + ++i, i-- - --i, i})",
      R"(BEGIN{ a = b = 3; a += b -= 1; a *= 2; a /= 3; a %= 3; print a, b})",
      R"(BEGIN{x = 1; print x == 1 ? "one" : x == 2 ? "two" : "many" })",
      R"(BEGIN{print 3 % 2 * 2, 7 % -3, -7 % 3, 5.5 % 2, -3 % 2, 2 * 3 / 4, 7 - 2 - 1, 8 / 2 / 2})",
      R"(BEGIN{print 1 + 1 " " 2 + 2, "x" ~ "x" "y", 1 in a, "a" "b" in a, 1 + 0 in a, !"x" in a})",
      R"(BEGIN{print (1 > 2) ? "a" : "b"; print (1 || 0), (0 || 0), (x && y), ("a" && "0")})",
      R"(BEGIN{ print 1 !x, 2 !x; print 1 -x; print "a" ++y "b" y++ "c" })",
      R"(BEGIN{ print (x = 2) x; print x++ y; print x+++y; (x) = 7; print x })",
      R"(BEGIN{ print a = 5, a; if (b = 1) print "set"; print length(c = "xyz"), c })",
      R"(BEGIN{ print length("x" 1 + 1), 1 + 1 "x", "x" 1 + 1, 2 * 3 "y" 4 - 1 })",
      R"(BEGIN{print 1/0})",
      R"(BEGIN{print 1%0})",
      R"(BEGIN{x /= 0})",
      R"(BEGIN { 1 = 2 })",
      R"(BEGIN{print 1 2 +})",
      R"(BEGIN{x = })",
      R"(BEGIN{print @})",
      R"(BEGIN{a["n"] += 5; a["n"]++; print a["n"]--, a["n"], --a["n"], !a["q"]++, !a["q"]++})",
  });
}

TEST(MachineAwk, Compares) {
  expect_awk_alike({
      R"(BEGIN{print 1==1, 1<2, "a"<"b", "10"<"9", 10<9, "A" < "a", 2 < 10, "2" < "10", 2 < "10"})",
      R"(BEGIN{print 1 == 1.0, "1" == 1, "1.0" == 1, "a" == 0, x == 0, x == "", 1 == "1 ", "abc" < 1})",
      R"(BEGIN{print (x == 0), (x == ""), length(x), -x, x + 0, x "", !x})",
      R"(BEGIN{inf = 1e300*1e300; nan = inf - inf; print (inf == inf), (nan == nan), (nan < 1), (nan != 1)})",
      R"(BEGIN{IGNORECASE=1; print ("A" == "a"), ("A" ~ /a/), index("ABC", "b"), match("ABC", "b")})",
      R"(BEGIN{"echo 10" | getline n; print (n < 9), (n == 10.0), (n < "9")})",
  });
  expect_awk_alike(
      {R"({for(i=1;i<=NF;i++) print $i, $i+0, ($i==$i+0)})",
       R"(NF>1{print ($1<$2), ($2==$4), ($1==$5), ($3>$1), ($6==0), ($1<"10")})",
       R"({if ($1 - 2) print "t"; else print "f"; x = $7; if (x) print "t"; else print "f"})",
       R"({split("0 1 x", a); print (a[1] ? "t" : "f"), (a[1] == 0), (a[2] < a[3])})",
       R"({print !$99, length($99), $99 + 1, $99 == ""})"},
      "2 10 abc 1e1 +2 0x 0 010 0x1F .5 inf nan 0x1p3 -0 1e 1.0\n 0 \n\n");
}

TEST(MachineAwk, MatchesRegularExpressions) {
  std::vector<std::string> programs;
  for (const char* test : {R"("a\tb" ~ /a\tb/)",
                           R"("+" ~ /\+/)",
                           R"("a" ~ /\141/)",
                           R"("a]b" ~ /[]]/)",
                           R"("\\" ~ /[\\]/)",
                           R"("\\" ~ /\\/)",
                           R"("aab" ~ /a{2}b/)",
                           R"("foo bar" ~ /\bbar/)",
                           R"("x1" ~ /[[:alpha:]][[:digit:]]/)",
                           R"("a" ~ /\x61/)",
                           R"("d" ~ /\d/)",
                           R"("w" ~ /\w/)",
                           R"(" " ~ /\s/)",
                           R"("a{" ~ "a{")",
                           R"("]" ~ /[\]]/)",
                           R"("\\]" ~ /^[\]]$/)",
                           R"("-" ~ /[a\-z]/)",
                           R"("&" ~ /\&/)",
                           R"("a\nb" ~ /a.b/)",
                           R"("a\nb" ~ /^b/)",
                           R"("y" ~ /\y/)",
                           R"("\t" ~ /[\t]/)",
                           R"("t" ~ /[\t]/)",
                           R"("." ~ /[\.]/)",
                           R"("\b" ~ /^\b$/)",
                           R"("bb" ~ /(b)\1/)",
                           R"("/" ~ "\/")",
                           R"("a|b" ~ /^a\|b$/)",
                           R"("$" ~ /^\$$/)",
                           R"("\f\r" ~ /\f\r/)",
                           R"("e" ~ /\e/)",
                           R"("\14z" ~ /\14z/)",
                           R"("a.b" ~ "a\\.b")",
                           R"("axb" ~ "a\\.b")",
                           R"("t" ~ "\\t")",
                           R"("a" ~ "\\141")",
                           R"("\"" ~ /\"/)",
                           R"("a" ~ "(")",
                           R"("a" ~ "[")",
                           R"("+" ~ "+")",
                           R"("a" ~ "*a")",
                           R"("a" ~ "a{2,1}")",
                           R"("a/b" ~ /a\/b/)",
                           R"("" ~ //)",
                           R"("abc" !~ /b/)",
                           R"("abc" ~ "^a")",
                           R"(5 ~ 5)",
                           R"("a" ~ "")",
                           R"("x" ~ y)"}) {
    programs.push_back("BEGIN{print (" + std::string(test) + ")}");
  }
  programs.emplace_back(R"(BEGIN{if ("a" ~ /(/) print 1})");
  programs.emplace_back(R"(BEGIN{print /unterminated})");
  programs.emplace_back(
      R"(BEGIN{print /a/ ? "y" : "n"; $0="a"; print /a/ + 1; x = /a/; print x, !/b/})");
  programs.emplace_back(R"(BEGIN{r = "^[0-9]+$"; print "123" ~ r, "12a" ~ r, !("x" ~ r)})");
  expect_awk_alike(programs);
}

// Debian's busybox has no powers, and does not take these where POSIX does.
TEST(MachineAwk, HasWhatDebiansBusyboxLacks) {
  expect_awk_as_mawk({
      R"(BEGIN{print -2^2, 2^3^2, 2^-1, 2^0.5, -2^-2, 2^2*3, 3*2^2, !2^0})",
      R"(BEGIN{x = 3; x ^= 2; print x, x^x^0})",
      R"(BEGIN{print sin(1), cos(1), atan2(1, 2), exp(1), log(10), sqrt(2), exp(0), int(sqrt(16))})",
      R"(BEGIN{print 0 || "0", 1 && 0 || 1, "x" in a || 1, 1 || 0})",
      R"(BEGIN{$0 = "3 4"; print $1++ + $2; print $1, $1-- - 1; print; $2 ^= 2; print})",
      R"(BEGIN{$0 = "3 4"; $2++; x = $1++ - 1; print x, $0})",
  });
}

}  // namespace
}  // namespace sandproof::machine
