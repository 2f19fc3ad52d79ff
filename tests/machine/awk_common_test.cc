// SPDX-License-Identifier: Apache-2.0
// What people write in awk in their scripts, beside busybox.
#include <gtest/gtest.h>

#include "tests/machine/awk_rows.h"

namespace sandproof::machine {
namespace {

const std::string kPasswd =
    "root:x:0:0:root:/root:/bin/sh\nnobody:x:65534:65534:nobody:/:/usr/sbin/nologin\n"
    "user:x:1000:1000:A User,,,:/home/user:/bin/bash\n";
const std::string kTable =
    "PID   USER     TIME  COMMAND\n    1 root      0:00 sh -c sleep 1\n   12 user      1:23 awk\n";
const std::string kCsv = "name,count,price\napple,3,1.25\npear,10,0.5\n\"quoted\",2,3\n";
const std::string kConfig =
    "# comment\nkey = value\n\n[section]\n  other=1 # trailing\nlast = a = b\r\n";

TEST(MachineAwk, RunsWhatPeopleWrite) {
  expect_awk_alike({
      awk_words({"-F:", "$3 >= 1000 && $3 < 65000 {print $1}"}, kPasswd),
      awk_words({"-F:", "-v", "u=user", "$1 == u {print $6; found = 1} END {exit !found}"},
                kPasswd),
      awk_words({"-F:", "-v", "u=none", "$1 == u {found = 1} END {exit !found}"}, kPasswd),
      awk_words({"BEGIN {FS = OFS = \":\"} $7 ~ /sh$/ {$2 = \"*\"; print}"}, kPasswd),
      awk_words({"-F:", "{printf \"%-10s %6d %s\\n\", $1, $3, $NF}"}, kPasswd),
      awk_words(
          {"-F:",
           "{n = split($5, g, \",\"); print n, g[1]; sh[$7]++} END {for (s in sh) print s, sh[s]}"},
          kPasswd),
      awk_row("NR > 1 {print $1}", kTable),
      awk_row("/awk/ && !/grep/ {print $1; exit}", kTable),
      awk_row("NR == 1 {for (i = 1; i <= NF; i++) col[$i] = i; next} {print $col[\"USER\"]}",
              kTable),
      awk_row("{$1 = $2 = \"\"; sub(/^ +/, \"\"); print}", kTable),
      awk_row("{if (length($0) > max) {max = length($0); line = $0}} END {print max \": \" line}",
              kTable),
      awk_row("{a[NR] = $0} END {for (i = NR; i >= 1; i--) print a[i]}", kTable),
      awk_row("{split($3, t, \":\"); s += t[1] * 60 + t[2]} END {printf \"%02d:%02d\\n\", s / 60, "
              "s % 60}",
              kTable),
      awk_words({"-F,", "NR > 1 {t += $2 * $3} END {printf \"%.2f\\n\", t}"}, kCsv),
      awk_words({"-F,", "-v", "OFS=\\t", "{$1 = $1; gsub(/\"/, \"\"); print toupper($0)}"}, kCsv),
      awk_words({"-F,", "NR == 1 {next} $3 > m {m = $3; n = $1} END {print n, m}"}, kCsv),
      awk_words(
          {"-F,", "{for (i = NF; i > 0; i--) printf \"%s%s\", $i, (i > 1 ? \",\" : \"\\n\")}"},
          kCsv),
      awk_words({"-F,",
                 "{c[NF \" fields\"]++; if (!($1 in seen)) seen[$1] = NR} END {for (k in c) print "
                 "k, c[k]; print seen[\"pear\"]}"},
                kCsv),
      awk_row("{sub(/#.*/, \"\"); sub(/\\r$/, \"\")} !NF {next} /^\\[/ {gsub(/[][]/, \"\"); s = "
              "$0; next}"
              " {i = index($0, \"=\"); k = substr($0, 1, i - 1); v = substr($0, i + 1);"
              " gsub(/^[ \\t]+|[ \\t]+$/, \"\", k); gsub(/^[ \\t]+|[ \\t]+$/, \"\", v);"
              " print s \".\" k \"=[\" v \"]\"}",
              kConfig),
      awk_row("/^#/ || /^$/ {next} {print NR \": \" $0}", kConfig),
      awk_row("function join(a, n, s,   i, r) {for (i = 1; i <= n; i++) r = r (i > 1 ? s : \"\") "
              "a[i]; return r}"
              " {n = split($0, w, /[^a-z]+/); print join(w, n, \"-\")}",
              kConfig),
      awk_row("function sort(a, n,   i, j, t) {for (i = 2; i <= n; i++) {t = a[i]; for (j = i - 1; "
              "j > 0 && a[j] > t; j--)"
              " a[j + 1] = a[j]; a[j + 1] = t}} {for (i = 1; i <= NF; i++) v[++n] = $i} END "
              "{sort(v, n);"
              " for (i = 1; i <= n; i++) printf \"%s \", v[i]; print \"\"}",
              kTable),
      awk_row("BEGIN {while ((getline line < \"f1\") > 0) lines[++n] = line; close(\"f1\"); for (i "
              "= 1; i <= n; i++) print i, lines[i]}"),
      awk_row(
          "FNR == NR {map[$1] = NR; next} $1 in map {print \"in\", $1; next} {print \"new\", $1}",
          "", {"f1", "f2", "f1"}),
      awk_row("BEGIN {for (i = 1; i <= 15; i++) print i % 15 == 0 ? \"FizzBuzz\" : i % 5 == 0 ? "
              "\"Buzz\" : i % 3 == 0 ? \"Fizz\" : i}"),
      awk_row("BEGIN {for (n = 2; n < 50; n++) {p = 1; for (d = 2; d * d <= n; d++) if (n % d == "
              "0) {p = 0; break}; if (p) printf \"%d \", n}; print \"\"}"),
      awk_row("BEGIN {s = \"hello\"; for (i = length(s); i > 0; i--) r = r substr(s, i, 1); print "
              "r; printf \"%s\\n\", r r}"),
      awk_row("BEGIN {hex = \"0123456789abcdef\"; n = 48879; while (n > 0) {out = substr(hex, n % "
              "16 + 1, 1) out; n = int(n / 16)}; print out}"),
      awk_row("NR % 2 {printf \"%s \", $0; next} {print}", "1\n2\n3\n4\n5\n"),
      awk_row("{t += $1; if (min == \"\" || $1 < min) min = $1; if ($1 > max) max = $1} END {print "
              "t / NR, min, max, NR}",
              "10\n9.5\n100\n-3\n"),
      awk_row("$0 !~ /^[[:space:]]*$/ {print $1 | \"cat\"} END {close(\"cat\"); print \"done\"}",
              kTable),
      awk_row(
          "BEGIN {RS = \"\"; FS = \"\\n\"} {print $1; for (i = 2; i <= NF; i++) print \"  \" $i}",
          "a\nb\n\nc\nd\ne\n"),
      awk_row("BEGIN {printf \"%s\", \"\" > \"made\"; print \"{\\\"k\\\": \\\"\" \"v\" \"\\\"}\" > "
              "\"made\"}"),
      awk_row("/start/,/end/ {if (!/start|end/) print}", "x\nstart\ny\nz\nend\nw\nstart\nq\n"),
      awk_row("!($0 in a) {a[$0]; print}", "b\na\nb\nc\na\n"),
      awk_row("{print substr($0, index($0, $3))}", "one two three four\n"),
      awk_row("{$NF = \"\"; print NF, $0; NF--; print NF, $0}", "a b c\n"),
  });
}

}  // namespace
}  // namespace sandproof::machine
