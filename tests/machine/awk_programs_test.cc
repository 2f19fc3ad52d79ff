// SPDX-License-Identifier: Apache-2.0
// Rules, statements, functions of the program and arrays of awk, beside busybox.
#include <gtest/gtest.h>

#include "tests/machine/awk_rows.h"

namespace sandproof::machine {
namespace {

TEST(MachineAwk, TakesRules) {
  expect_awk_alike(
      {
          "NR==2,NR==4",
          R"(/2/,/2/{print "r", $0} /4/,/nope/)",
          "NR==1, NR==2 { next } { print }",
          "$1 == 3, 0",
          R"("3" == $1)",
          "1",
          "0",
          R"("0")",
          R"("")",
          R"($1 ~ "^[23]$" && NR < 3 || 0)",
          "{getline; print; next; print \"no\"} END{print NR, $0}",
          R"(NR==1{while ((getline l) > 0) print "l", l} END{print NR, $0})",
          "END{print NR, $0, NF}",
          R"({print}; {print "x"}; END{print "e"})",
          "BEGIN{print 1;}\n;\nEND{print 2}",
          "\nBEGIN { print 1 }\n\n{ print }\n\n# c\n",
          "BEGIN{print 1} BEGIN{print 2} END{print 3} END{print 4}",
          "{exit 4} END{print \"end\"}",
          "BEGIN{exit 4} END{print \"end\"; exit}",
          "BEGIN{exit} END{print \"end\"}",
          "BEGIN{exit \"3x\"}",
          "BEGIN{exit -1}",
          "BEGIN{exit 256+7}",
          "function f() { exit 3 } BEGIN { f(); print \"no\" } END { print \"end\" }",
          "BEGIN { return 1 }",
          "function f() { next } { f(); print }",
          "BEGIN\n{print 1}",
          "END\n{print 2}",
          "{ print",
          "BEGIN{",
          "BEGIN{\n",
          "BEGIN{print 1",
          "BEGIN{print 1\n",
          "{ a[NR] = $0 } END { for (i = NR; i > 0; i--) print a[i] }",
          "{ s += $1 } END { print s, s / NR }",
          "!/3/ ; NR == 2 { print \"two\" }",
      },
      "1\n2\n3\n4\n5\n");
}

TEST(MachineAwk, RunsStatements) {
  expect_awk_alike({
      "BEGIN { do { i++; if (i==3) break } while (i<10); print i }",
      "BEGIN { for(;;) { if (++j>4) break; continue }; print j; while(j-->0); print j }",
      "BEGIN { print 1,\n 2; a = 1 &&\n 0; print a; if (a)\n print \"x\"\n else\n print \"y\" ; }\n"
      " # comment\n END { }",
      R"(BEGIN { if (1) print "a"; else print "b"; if (0) ; else print "c" })",
      "BEGIN { if (1) { print 1 } else { print 2 } while (i++ < 2) print i; do print i; while (i++ "
      "< 3) }",
      "BEGIN { for (;;) if (i++ > 2) break; print i }",
      "BEGIN { while (i < 3) { i++; if (i == 2) continue; print i } }",
      "BEGIN { while (1) { if (++i > 3) break; else continue }; do ; while (0); print i }",
      "BEGIN { for (i = 0; i < 3; i++) for (j = 0; j < 3; j++) { if (j == 1) continue; if (i == 1) "
      "break; print i, j } }",
      "BEGIN { if (1)\n\nprint \"nl\"\n\nelse\n\nprint \"no\"; for (;;)\n  break\nwhile (0)\n  x\n"
      "do\n  x\nwhile (0)\nprint \"a\" ,\n  \"b\"\ny = 1 ; print y, \\\n  \"cont\"\n"
      "{ { print \"nested\" } }\nif (1) { } else { }\n;\n}",
      "BEGIN { print \"x\" # trail\n}\nBEGIN { print 1 ; # c\n  print 2 } # end",
      "BEGIN{print 1;; print 2}",
      "BEGIN { break }",
      "BEGIN { continue }",
      "BEGIN { if (1) }",
      "BEGIN { if (1) print 1 else print 2 }",
      "BEGIN { switch (1) { case 1: print 1 } }",
      "BEGIN {\n  x = 1\n  y = @\n}",
      "\nfunction f(x) {\n  return x / 0\n}\nBEGIN {\n  print 1\n  f(2)\n}",
      "BEGIN { getline = 1 }",
      "BEGIN { print length\n }",
  });
}

TEST(MachineAwk, CallsFunctions) {
  expect_awk_alike({
      "function f(x)\n{ return x+1 }\nBEGIN { print f(1) }",
      "func f(x) { return x+1 } BEGIN { print f(1) }",
      R"(function f(x) { return } BEGIN { print f(1) "|"; f(2); x = f(1); print x+1 })",
      "function f() { return 5 } BEGIN { print f() + f() }",
      "function f() {} BEGIN{f(); print 1}",
      "function f(n) { return n <= 1 ? 1 : n * f(n - 1) } BEGIN { print f(10), f(20) }",
      "function f(n) { if (n == 0) return 0; return 1 + f(n-1) } BEGIN { print f(5000) }",
      "function f(n) {return n<2 ? n : f(n-1)+f(n-2)} BEGIN {print f(15)}",
      "function f(a,b) { a = b; b = 3; return a } BEGIN { x=1; y=2; print f(x,y), x, y }",
      "function g(a){return h(a)} function h(a){return a*2} BEGIN{print g(4), g()}",
      "function g(a){return a} BEGIN{print g(4,5)}",
      "function f(f){return 1} BEGIN{print f(1)}",
      "function f(x,x) {return x} BEGIN { print f(1,2) }",
      "function f(x) {return x} function f(x) {return 2} BEGIN { print f(1) }",
      "function length(x) {return 1} BEGIN { print 2 }",
      R"(function f(x) { $0 = x; return $2 } BEGIN { print f("a b c"), $3 })",
      "BEGIN{print 1; f()}",
      "BEGIN { f = 1; print f } function f() {}",
      "BEGIN { f() = 2 } function f() {}",
      "function max(a, b) { return a > b ? a : b }\nBEGIN { print max(3, 10), max(\"3\", \"10\") }",
      R"(function p(x) { print "<" x ">"; return x } BEGIN { x[p(1)] = p(2); y = p(3) + p(4) * p(5) })",
      R"(function p(x) { print "<" x ">"; return x } BEGIN { z = p(0) && p(8); z = p(1) || p(9) })",
      R"(function p(x) { print "<" x ">"; return x } BEGIN { p(1) ? p("t") : p("f"); p(6) (p(7)) })",
      "BEGIN{print substr(\"x\")}",
      "BEGIN{print index(\"x\")}",
      "BEGIN{print toupper()}",
      "BEGIN{print toupper(\"a\", \"b\")}",
  });
}

TEST(MachineAwk, KeepsArrays) {
  expect_awk_alike({
      "BEGIN{for(i=1;i<=30;i++) a[i]; for(k in a) printf \"%s \", k; print \"\"}",
      "BEGIN{for(i=1;i<=700;i++) a[i]; for(k in a) {printf \"%s \", k; if (++n>300) exit} }",
      "BEGIN{for(i=1;i<=3000;i++) a[i \"-\" i*i]; for(k in a) {printf \"%s \", k; if (++n>300) "
      "exit} }",
      R"(BEGIN{a["foo"];a["bar"];a["hello world"];a["\377x"];a["\200"]; for(k in a) printf "%s ", k})",
      R"(BEGIN { x["a"]; if ("a" in x) print "y"; if (x["b"] == 0) print "zero"; print length(x) })",
      "BEGIN { print (1,2) in a, !(3 in a); a[1,2]=3; print ((1,2) in a); for (k in a) { split(k, "
      "p, SUBSEP); print p[1], p[2] } }",
      R"(BEGIN { SUBSEP=":"; a[1,2]; for (k in a) print k; print ("1:2" in a), ((1,2) in a) })",
      "BEGIN { print length(a); a[1]; a[2]; print length(a); delete a; print length(a) }",
      "BEGIN { x[\"a\"] = 1; delete x[\"a\"]; print length(x); delete x[\"zz\"]; print length(x) }",
      R"(BEGIN { a["x"]; for ((k) in a) print k; for (k in a) delete a[k]; print length(a) })",
      R"(BEGIN { a["x"] = 1; a["y"] = 2; for (k in a) delete a; print length(a) })",
      "BEGIN { a[1]=1; for (k in a) { a[k+1]=1; if (++n > 5) break }; print n }",
      R"(BEGIN { a[1]; a[01]; a["1"]; a[1.0]; a["01"]; a[0.1+0.2]; for (k in a) print k })",
      R"(BEGIN { a[1e6]; a[1000000.5]; a[-1]; a[""]; for (k in a) print k; if ("" in a) print "e" })",
      "BEGIN { i = 1; a[i++] = i; for (k in a) print k, a[k]; a[i] += i++; print a[1], a[2], a[3] "
      "}",
      "function f(a){a[1]=5} BEGIN{f(x); print x[1]; f(y); print y}",
      "function f(a, b){b[1]++; return a>0 ? f(a-1) : b[1]} BEGIN{print f(3)}",
      "function f(a,  i) { for (i in a) s += a[i]; return s } BEGIN { x[1]=1; x[2]=2; print f(x) }",
      "function f(a) { delete a[1] } BEGIN { x[1]=1; x[2]=2; f(x); print length(x) }",
      "function f(x) { x[1] = 1; return g(x) } function g(y) { y[2] = 2; return y[1] + y[2] } "
      "BEGIN { print f(z), length(z) }",
      "BEGIN { x[\"a\"] = 1; f(x); print x[\"a\"], x[\"b\"] } function f(y,   z) { y[\"b\"] = 2; "
      "z[\"c\"] = 3; y[\"a\"] = length(z) }",
      "function f(a) { a[\"k\"] = 1 } BEGIN { f(u); f(u); for (k in u) print k, u[k]; f(5); "
      "f(v[\"x\"]); print length(v) }",
      "function f(a, k) { for (k in a) if (a[k] == 2) return k } BEGIN { x[\"p\"]=1; x[\"q\"]=2; "
      "print f(x), f(x) }",
      "BEGIN{a[1]=1; a=2; print a, a[1]}",
      "BEGIN{a=1; for (k in a) print k; print a}",
      "BEGIN { print 1, (2, 3), 4; print (1, 2)(3) }",
      "BEGIN { if (x in a) print \"y\"; else print \"n\"; print length(a) }",
  });
  expect_awk_alike(
      {"{c[$1]++} END {for (k in c) print k, c[k]}",
       "{for (i=1;i<=NF;i++) w[$i]++} END {for (k in w) print k, w[k]}", "!seen[$0]++",
       "{a[$1]=a[$1] \" \" $2} END {for (k in a) print k a[k]}",
       "{split($0, p, \"\"); for (i in p) c[p[i]]++} END {for (k in c) print k, c[k]}"},
      "a 1\nb 2\na 3\nc 4\nb 2\nlonger words here\n");
}

}  // namespace
}  // namespace sandproof::machine
