// SPDX-License-Identifier: Apache-2.0
// Records, fields, files, commands and options of awk, beside busybox.
#include <gtest/gtest.h>

#include "tests/machine/awk_rows.h"

namespace sandproof::machine {
namespace {

TEST(MachineAwk, SplitsFields) {
  expect_awk_alike(
      {
          "{FS=\":\"; print $1; $0=$0; print $1}",
          "{NF=2; print; $5=\"x\"; print; print NF}",
          "{OFS=\"-\"; print; $1=$1; print; $3=\"\"; print; $0=\"x y\"; print $2, NF}",
          "{ $0 = \"new rec ord\"; print NF; $2 = \"\"; print; print NF }",
          "{ NF = 0; print; print NF }",
          "{ NF = 3; $0 = $0; print NF }",
          "{ print $1, $(NR) , $NF, $(1+1-1)\"x\", $NF-1, $(NF) }",
          "{print NF, $1 \"|\" $2 \"|\" $3}",
          "{ $3 = $3; print; $1 = \"\"; print; print NF; $(1) = \"q r\"; print NF; $0 = $0; print "
          "NF }",
          "{ $2 = 3.14159265; print; print $2 }",
          "{ OFS = \"+\"; $1 = $1; OFS = \"-\"; print; $1 = $1; print }",
      },
      "a b c d\na:b:c\n  lead  trail\t\n\n");
  expect_awk_alike({
      "BEGIN { $3=\"x\"; print; print NF; $0=\"a b c\"; NF=5; print; $7=\"q\"; print NF; print $0 "
      "}",
      "BEGIN { $3 = \"c\"; print NF, $0; $10 = \"\"; print NF; $0 = \"\"; print NF; $1.7 = \"x\"; "
      "print $1.2 }",
      "BEGIN { $1000000 = \"x\"; print NF }",
      "BEGIN { print $(-1) }",
      "BEGIN { NF = -1 }",
      R"(BEGIN { FS=","; $0 = "a,b,,d,"; print NF, $3 "|" $5; FS = "\t"; $0 = "a\tb c"; print NF; FS = "  "; $0 = "a  b c"; print NF })",
      R"(BEGIN { FS="|"; $0="a|b"; print NF; FS="."; $0 = "a.b"; print NF; FS = "\\|"; $0="a|b"; print NF; FS="\\"; $0 = "a\\b"; print NF })",
      R"(BEGIN { FS="^"; $0="a^b"; print NF; FS = "a+"; $0 = "aaxaay"; print NF, $2; FS = " +"; $0 = " a b "; print NF; FS="x*"; $0="abc"; print NF, $1 })",
      R"(BEGIN { $0 = ""; print NF; $0 = "   "; print NF; FS = ","; $0 = ""; print NF; $0 = " "; print NF; FS="[ ]"; $0=""; print NF; FS=""; $0="añb"; print NF })",
      R"(BEGIN{$0="3 4 5"; j=1; print $j++, j; print $++j; ++$1; print $1; $1 += 2; print $1; print $$1})",
      R"(BEGIN{$0="3 4 5"; print $1+1, $1 +1, $1 -1, -$1, !$1, -$1 " " !$1})",
  });
  const std::string input = "a\tb|c\natbtc\naXXbXc\n a b \nabc\na,b;c\n";
  for (const char* separator :
       {"\t", "\\t", "|", "t", "X*", "", " ", "[ ]", "[,;]", "^a", ",", "b|c", "\\|"}) {
    expect_awk_alike({awk_words({"-F", separator, "{print NF, $1, $2; $1=$1; print FS}"}, input)});
  }
}

TEST(MachineAwk, ReadsRecords) {
  const std::string program =
      R"({print NR ":" $0 ":" RT "|" NF "|" $1 "|" $2 "|" $3} END {print NR})";
  struct Row {
    const char* separator;
    const char* input;
  };
  for (const Row row : std::initializer_list<Row>{{"[0-9]", "a1b2c"},
                                                  {"1", "a1b2c\n"},
                                                  {"", "\n\na b\nc\n\n\n\nd e\nf\n\n"},
                                                  {"", "\n\na b\nc\n\n\n\nd e\nf\n"},
                                                  {"", "a\n\nb"},
                                                  {"", "\n\n\n"},
                                                  {"", "\n"},
                                                  {"", ""},
                                                  {"\n\n+", "a\nb\n\n\nc"},
                                                  {" ", "a b c"},
                                                  {"^a", "a\nb\n"},
                                                  {"bb", "aabbaab\n"},
                                                  {"bb", "aabbaabb"},
                                                  {"\\n", "a\nb"},
                                                  {";", "a;b;c\n"},
                                                  {"x|yy", "axbyycyyyd"}}) {
    expect_awk_alike(
        {awk_row(program, row.input, {}, {}),
         awk_words({"-v", std::string("RS=") + row.separator, program}, row.input),
         awk_words({"-F:", "-v", std::string("RS=") + row.separator, program}, row.input),
         awk_words({"-F[ e]", "-v", std::string("RS=") + row.separator, program}, row.input)});
  }
  using std::string_literals::operator""s;
  expect_awk_alike({
      awk_row("{print NR, $0, length($0)}", "a\0b\nc\n"s),
      awk_row("NR==1{RS=\"c\"} {print NR \":\" $0}", "a\nb\nc\n"),
      awk_row("BEGIN{RS=\"\"; FS=\"\\n\"} {print NR \":\" $1 \"|\" $2 \"|\" NF}", "a\n\nb\nc\n\n"),
      awk_row("BEGIN{RS=\"\"; FS=\":\"} {print NF, $2, $3}", "a:b\nc:d\n\ne\nf\n"),
      awk_row("BEGIN{RS=\"x\"; IGNORECASE=1} {print NR \":\" $0}", "aXbxc"),
      awk_row("{print NR, NF, length($0)}", "a\r\n\r\n"),
      awk_words({"-v", "ORS=;", "1"}, "a\nb\nc"),
      awk_row("{n += length($0)} END {print NR, n}",
              std::string(100000, 'x') + "\n" + std::string(5000, '\n') + "y"),
  });
}

TEST(MachineAwk, ReadsFilesAndOperands) {
  expect_awk_alike({
      awk_row("{print FILENAME, FNR, NR, v, ARGIND}", "", {"f1", "v=3", "f2"}),
      awk_row("{print FILENAME, FNR, NR; nextfile}", "", {"f1", "f2"}),
      awk_row("{print FILENAME \"|\" FNR \"|\" ARGIND}", "x\n"),
      awk_row("{print $0, v}", "x\n", {"v=1"}),
      awk_row("{print $0}", "x\n", {"f1", "-", "f2"}),
      awk_row("{print $0}", "", {"none"}),
      awk_row("{print $0} END {print \"end\"}", "", {"f1", "none"}),
      awk_row("{print $0}", "", {"d", "f1"}, {{"d/", ""}}),
      awk_row("BEGIN{ARGV[1]=\"f2\"; ARGV[2]=\"\"; ARGC=3} {print} END{print ARGC, ARGV[0]}", "",
              {"f1", "f1"}),
      awk_row("END{print x}", "", {"x=5"}),
      awk_row("{print x} END {print x}", "", {"x=5", "f1", "x=6\\t."}),
      awk_row("{ print; getline; print } END { print NR }", "", {"f1", "f2"}),
      awk_row("{ getline; print } END { print NR, $0 }", "1\n2\n3\n"),
      awk_row("END { print getline, $0 }", "", {"f1"}),
      awk_row("BEGIN { getline; print; getline; print; print getline, $0, NR, FNR, FILENAME }", "",
              {"f1", "f2"}),
      awk_row("BEGIN { getline x; print x, NR; getline x < \"-\"; print x }", "in\n", {"f1"}),
      awk_row("BEGIN{getline; print \"b\", $0} {print \"m\", $0} END{exit 3}", "1\n2\n"),
      awk_row("BEGIN { while ((getline line < ARGV[1]) > 0) n++; print n }", "", {"f1"}),
      awk_row("BEGIN { NR = 10 } { print NR, FNR }", "", {"f1"}),
      awk_row("{ NR = 10; print NR } END { print NR }", "", {"f1"}),
      awk_row("NR == FNR { a[$1] = 1; next } { print $1, ($1 in a) }", "", {"f1", "f2"}),
      awk_row("FNR == 1 { print FILENAME } END { print NR }", "", {"f1", "f2", "f1"}),
  });
}

TEST(MachineAwk, TakesOptions) {
  expect_awk_alike({
      awk_words({"-v", "a=x\\ty", "-v", "b=010", "BEGIN{print a, b+0, b==8, b==10}"}),
      awk_words({"-vx=1", "BEGIN{print x}"}),
      awk_words({"-v", "1a=x", "BEGIN{print a}"}),
      awk_words({"-v", "x", "BEGIN{print x}"}),
      awk_words({"-v"}),
      awk_words({"-f", "none"}),
      awk_words({"-f", "p", "f1"}, "", {{"p", "{print \"p\", $0}\n"}}),
      awk_words({"-f", "p", "-f", "q"}, "", {{"p", "BEGIN{print 1}"}, {"q", "END{print 2}\n"}}),
      awk_words({"-f", "p", "-f", "q"}, "",
                {{"p", "BEGIN{print f(1)}"}, {"q", "function f(x){return x+1}"}}),
      awk_words({"-f", "p"}, "", {{"p", "BEGIN{\n\nx = = 1}\n"}}),
      awk_words({"-f", "p"}, "", {{"p", "BEGIN{\nprint 1/0}\n"}}),
      awk_words({"-f", "p"}, "", {{"p", "BEGIN{print \"ff\"\n"}}),
      awk_words({"-f", "p"}, "", {{"p", ""}}),
      awk_words({"-f", "-", "f1"}, "{print \"stdin\", $0}"),
      awk_words({"-e", "BEGIN{print 1}", "-e", "BEGIN{print 2}"}),
      awk_words({"-W", "x", "BEGIN{print 1}"}),
      awk_words({"-z"}),
      awk_words({}),
      awk_words({"--", "BEGIN{print \"dd\"}"}),
      awk_words({"BEGIN{print ARGV[1], ARGC}", "-x"}),
      awk_words({"-F", ":", "-v", "OFS=-", "{$1=$1; print}"}, "a:b\n"),
      awk_words({"-v", "NR=5", "{print NR}"}, "a\n"),
      awk_row(
          "BEGIN { print NR, NF, FS \"|\" RS \"|\" OFS \"|\" ORS \"|\" SUBSEP \"|\" CONVFMT \"|\" "
          "OFMT \"|\" FILENAME \"|\" RSTART \"|\" RLENGTH \"|\" RT \"|\" ARGC \"|\" ERRNO }"),
      awk_row("BEGIN { print ENVIRON[\"LC_ALL\"], (\"x\" in ENVIRON), length(ENVIRON) > 0 }"),
      awk_row(""),
  });
}

TEST(MachineAwk, WritesFilesAndCommands) {
  expect_awk_alike(
      {
          R"(BEGIN{print "x" | "cat; exit 3"; print close("cat; exit 3"); print close("nope"); "exit 4" | getline; print close("exit 4"); print "y" > "o"; print close("o")})",
          R"(BEGIN{"kill -9 $$" | getline; print close("kill -9 $$")})",
          R"(BEGIN{print system("exit 3"), system("kill -9 $$"), system("true"), system("")})",
          R"(BEGIN { "echo " "x" | getline z; print z })",
          R"(BEGIN { "echo a b" | getline; print $2, NR, NF; "echo q" | getline v; print v })",
          R"(BEGIN { while (("echo a; echo b" | getline l) > 0) print "got", l; print (getline l < "none") })",
          R"(BEGIN { while ("cat" | getline > 0) print "l", $0 })",
          R"(BEGIN { getline x < "f1"; getline y < "f1"; print x, y; close("f1"); getline x < "f1"; print x, (getline x < "f1"), (getline x < "f1"), x })",
          R"(BEGIN { getline <"f1"; print; print NR, FNR, NF; "echo 7" | getline a[1]; print a[1]; "echo 8" | getline $2; print; print NF })",
          R"(BEGIN { getline line < "f" "1"; print line; x = getline < "f1"; print x, $0 })",
          R"(BEGIN{ print "a" > "/dev/stderr"; print "b" > "/dev/stdout"; print "c" | "cat >&2" })",
          R"(BEGIN{printf("%s %s\n", "a", "b") > "/dev/stdout"; print("a","b"); print ("a")("b"); print("a","b") > "/dev/stdout"})",
          R"(BEGIN { print "x" > "o1"; print "y" > "o1"; close("o1"); while ((getline l < "o1") > 0) print l; print "z" >> "o1"; close("o1"); while ((getline l < "o1") > 0) print l })",
          R"(BEGIN { printf "a" > "o1"; printf "%s" , "b" >> "o1"; close("o1"); print "q" >> "o1" })",
          R"(BEGIN { print "a" "b" > "oo" ".txt"; print 1>2 ? "c" : "d" })",
          R"(BEGIN { print | "cat"; $0 = "zz"; print | "cat" })",
          R"(BEGIN { print "a"; print "b" | "cat"; close("cat"); print "c"; print "d" | "cat"; print "e" })",
          R"(BEGIN { OFS=":"; ORS="!\n"; print 1,2; $0="a b"; $1=$1; print; print $0 })",
          R"(BEGIN { printf "x" ; system(""); print "y" > "/dev/stderr"; print ERRNO; print getline < "none"; print ERRNO })",
          R"(BEGIN { printf "no newline"; system("echo sys2"); print "end" })",
          R"(BEGIN{print > "none/x"})",
          R"(BEGIN{print "out"; print > ""})",
          R"(BEGIN { print(1)(2) > "/dev/stdout"; print (1)+2, 3; print (1) in a; print (1,2) in a })",
          R"(BEGIN { print "a" > "o"; print "b" > "o"; print "c" >> "p"; printf "%d", 3 > "q"; close("q"); print "d" > "q" })",
          R"(BEGIN { print length("x") > "/dev/null"; print fflush() "" ~ /^[0-9]/ })",
          R"(BEGIN { "echo one; echo two" | getline; "echo one; echo two" | getline; print; print NR })",
          R"(BEGIN { system("cat") })",
          R"({ print | "cat" } END { close("cat"); print "end" })",
          R"({ print > ("o" NR) })",
          R"(BEGIN { printf "%s\n", substr("x", 1) > "/dev/stdout" ; print "to err" | "cat >&2"; exit 3 } END { print "end" })",
      },
      "1\n2\n");
}

}  // namespace
}  // namespace sandproof::machine
