// SPDX-License-Identifier: Apache-2.0
// Functions of awk on texts and numbers, and printf, beside busybox.
#include <gtest/gtest.h>

#include "tests/machine/awk_rows.h"

namespace sandproof::machine {
namespace {

TEST(MachineAwk, HasFunctionsOfTexts) {
  expect_awk_alike({
      R"(BEGIN{print substr("hello",0,3) "|" substr("hello",-1,3) "|" substr("hello",2)})",
      R"(BEGIN{print substr("hello",1.5,2) "|" substr("hello",4,100) "|" substr("hello",6) "|"})",
      R"(BEGIN{print substr("hello",2,-1) "|" substr("hello", 0) "|" substr("hello",1.4,1.5)})",
      R"(BEGIN{print substr("abcdef", 2.7, 2.2), substr("abcdef", 2.2, 2.7), substr("abcdef",2,0.5) "|"})",
      R"(BEGIN{print substr("hello", "x"), substr("hello", 2, 1e10), substr(12345, 2, 3), substr("", 1) "|"})",
      R"(BEGIN{print substr(x, 1) "|" substr("hello", "2", "2") "|" substr("hello", -5, 7)})",
      R"(BEGIN{print substr("abc", 2)substr("x",1); print index ( "a" , "a" ) ; print int (3.5)})",
      R"(BEGIN{print index("abc","c"), index("abc",""), index("","a"), index("foobar", "bar"), index(12345, 34)})",
      R"(BEGIN{print length(), length, length "x", length(12345), length 1, length(1/4), length("")})",
      R"(BEGIN{print toupper(1e3) tolower("ABC"), toupper(substr("abc", 2)), tolower("ÀB")})",
      R"(BEGIN{print length("a","b")})",
      R"(BEGIN{print split("a b  c", x), x[3]; print split("", x), length(x); print split("a,b", x, ","), x[1]})",
      R"(BEGIN{print split("abc", x, ""), x[2]; print split("a1b22c", x, /[0-9]+/), x[3]})",
      R"(BEGIN{print split("aTbtc",x,"t"), x[1]; print split(" a b ",x,/ /), x[1] "|" x[2]; print split("a.b",x,".")})",
      R"(BEGIN{FS=","; print split("a,b c", x), x[2]; x[9]; print split("q", x), length(x); print split("aab", x, /^a/)})",
      R"(BEGIN{x[1]="p q r"; print split(x[1], x), x[1], x[3]; print split("a:b", x, ":"), x[1] < x[2]})",
      R"(BEGIN{IGNORECASE=1; print split("aXbxc", q, "x"), q[2]; $0 = "fooBARbar"; print gsub(/bar/, "-"); print})",
      R"(BEGIN{print match("xabcx","abc"), RSTART, RLENGTH; print match("x",/^/), RSTART, RLENGTH; print match("abc", /z/), RSTART, RLENGTH})",
      R"(BEGIN{print match("aaa", /a+$/), RSTART, RLENGTH; if (match("foobar", "o+b")) print substr("foobar", RSTART, RLENGTH); print match("abc", "")})",
  });
}

TEST(MachineAwk, Substitutes) {
  expect_awk_alike({
      R"(BEGIN{s="aaa"; print gsub(/a/,"b&\\&\\\\&",s), s})",
      R"(BEGIN{s="abc"; gsub(//,"-",s); print s; s="abc"; gsub(/x*/,"-",s); print s})",
      R"(BEGIN{s="hello"; gsub(/l+/, "[&]", s); print s; s="aaa"; gsub(/^a/,"x",s); print s})",
      R"(BEGIN{s="abab"; gsub(/b$/,"x",s); print s; s="foo"; print sub("o", "0", s) s})",
      R"(BEGIN{$0="a b"; sub(/a/,"c"); print $1, $0; gsub(/./, "z", $2); print})",
      R"(BEGIN{s="a.b.c"; gsub(".", "x", s); print s; s="a.b.c"; gsub("\\.", "x", s); print s; s="a.b.c"; gsub(/[.]/, "x", s); print s})",
      R"(BEGIN{s="aaa"; print gsub(/aa/, "b", s) s; s="abc"; gsub(/$/, "X", s); print s; s="abc"; gsub(/^/, "X", s); print s})",
      R"(BEGIN{s="abc"; gsub(/b*/, "X", s); print s; s="ab"; gsub(/b*/,"X",s); print s; s="a b c"; gsub(/ /, "", s); print s})",
      R"(BEGIN{s="hello world"; gsub(/o\>/, "0", s); print s})",
      R"(BEGIN{s="x"; gsub(/x/, "\\&", s); print s; s="x"; gsub(/x/, "\\\\&", s); print s; s="x"; sub(/x/, "a\\b", s); print s})",
      R"(BEGIN{s="x"; sub(/x/, "a\\\\b", s); print s; s="x"; sub(/x/,"\\\\\\&",s); print s; s="x"; sub(/x/,"a\\",s); print s; s="x"; sub(/x/,"\\\\q",s); print s})",
      R"(BEGIN{s="aXbX"; n=gsub("X", "&&", s); print n, s; print gsub(/q/, "r", s); a[1]="foo"; sub(/o/, "0", a[1]); print a[1]})",
      R"(BEGIN{$0="foo bar"; print sub(/o+/, ""), $0, $1; print sub(/a/, "b", "literal"); s="abc"; print gsub("", "-", s), s})",
      R"(BEGIN{s="abcabc"; sub(/(b)(c)/, "\\2\\1", s); print s; print gensub(/(b)(c)/, "\\2\\1", "g", "abcabc")})",
      R"(BEGIN{print gensub(/a/,"b",2,"aaa"), gensub(/a/,"b","x","aaa"), gensub(/(a)(b)?/,"<\\0\\1\\2&>","g","aab"), gensub(/x/,"y","g") "|"})",
      R"(BEGIN{$0="aaa"; print gensub(/a/, "b", 3); print; print gensub(/a/, "b", 9, "aa"), gensub("a", "\\\\1", 1, "a")})",
      R"(BEGIN{x="a"; sub("a", "b", x y); print x; sub(/a/, "&&&", x); print x, sub(/a/,"b",1+1)})",
      R"(BEGIN{s = "path/to/file"; sub(/.*\//, "", s); print s; s = "  trim  "; gsub(/^ +| +$/, "", s); print "[" s "]"})",
      R"(BEGIN{i=1; a[1]="xx"; a[2]="xx"; sub(/x/, "y", a[i++]); print a[1], a[2], i})",
  });
}

TEST(MachineAwk, Formats) {
  expect_awk_alike({
      R"(BEGIN{printf "%d %d %x %u %o %i\n", 2000000000*4, -3.9, -1, -1, -1, "12abc"})",
      R"(BEGIN{printf "%c%c%c|%5c|%-5c|\n", 65, "hello", "", "x", 256+66})",
      R"(BEGIN{printf "%5.2f|%-8s|%08d|%+d|% d|%e|%G|%%|\n", 3.14159,"ab",42,42,42,1234.5,1e-10})",
      R"(BEGIN{printf "%5%|"})",
      R"(BEGIN{printf "%"})",
      R"(BEGIN{printf "%5"})",
      R"(BEGIN{printf "%-"})",
      R"(BEGIN{printf "%hd"})",
      R"(BEGIN{printf "%z\n", 1})",
      R"(BEGIN{printf "%n"})",
      R"(BEGIN{printf "%p"})",
      R"(BEGIN{printf "%ld\n", 1})",
      R"(BEGIN{printf "a\n%*d", 6, 42})",
      R"(BEGIN{printf "%#x %#o|%.3s|%a\n", 255, 8, "abcdef", 1})",
      R"(BEGIN{printf "%F %E %X %.0f %.10g %5s %-5s| %05s %+s\n", 1.5, 1.5, 255, 2.5, 3.14159265358979, "ab", "ab", "ab", "ab"})",
      R"(BEGIN{printf "%d %d %d %d\n", 9223372036854775807, 1e30, "0x10", "inf"})",
      R"(BEGIN{printf "%c", 300; printf "%c", "1"; printf "%c", 1+0; printf "%.2c|%c\n", "abc"})",
      R"(BEGIN{printf "%s %s\n", 3.0, 1e100; printf "%s\n", 3.1234567; printf "%d%%\n", "5"; printf "%i\n", 5.9})",
      R"(BEGIN{printf "%-+5d|% 05d|%-05d|%+.3d|%5.d|%.d\n", 5,5,5,5,0,0})",
      R"(BEGIN{printf "%1$s\n", "a"})",
      R"(BEGIN{printf "%5 d|\n", 3})",
      R"(BEGIN{printf "%s\n", "a", "b"; printf "%s %s %s\n", "a", "b"; printf "%d %s|%s\n"})",
      R"(BEGIN{print sprintf("%d-%s", 1, "x"), sprintf("abc"), sprintf() "|", length(sprintf("a%cb", 0))})",
      R"(BEGIN{printf "%s %s %s\n", 1e6, 1e-6, 123456789.123; printf "%d %d\n", "1e3", "0x1f"})",
      R"(BEGIN{printf "%i|%5.1f|%-10s|%+.2e\n", 3.99, 2.25, "left", 12345.678; printf "%G %g %g\n", 1e-7, 1e10, 123456})",
      R"(BEGIN{printf "%s" , "a" "b" , "c"; print ""; printf("%s\n", "paren"); printf "\\ \" \/ \101\n"})",
      R"(BEGIN{printf "%s\n" "x", 1; printf ("%s\n"), 2; printf "100%%\n"; printf "%s%%%s\n", 1, 2})",
      R"(BEGIN{printf "%s|%5s|%-5s|%.1s|%c\n", "é", "é", "é", "é", "é"})",
      R"(BEGIN{printf "%s"; printf; printf "x\n"})",
  });
}

TEST(MachineAwk, HasFunctionsOfNumbersAndTimes) {
  expect_awk_alike({
      R"(BEGIN{print and(6,3), or(6,3), xor(6,3), compl(0), lshift(1,4), rshift(16,2), and(-1, 255), compl(1)})",
      R"(BEGIN{print rand(), rand(), rand(); print srand(5), srand(7); print rand(), srand("x"), rand()})",
      R"(BEGIN{srand(1); print rand(); srand(-1); print rand(), srand()})",
      R"(BEGIN{print strftime("%Y-%m-%d %H:%M:%S", 0), mktime("1970 01 02 00 00 00"), strftime("%H:%M", 3600, 1), mktime("x")})",
      R"(BEGIN{print mktime("2000 13 32 25 61 61"), strftime("%a %b %e %j %Z", 1e9), strftime("%s", -1)})",
      R"(BEGIN{print (systime() > 1000), (length(strftime()) > 10)})",
  });
}

}  // namespace
}  // namespace sandproof::machine
