// SPDX-License-Identifier: Apache-2.0
// The scripts, one a line, and the parser run over one of them.
#include "tests/machine/shell_scripts.h"

#include "fakes/machine/shell/parse/to_text.h"

namespace sandproof::machine::shell {
namespace {

// clang-format off
constexpr std::string_view kShellScripts[] = {
    "fi", "echo a; fi", "echo a\nfi", "{ }", "{ { a; } > x }", "{ { a; } > x\n}", "echo ${x:}",
    "echo ${x:}}", "echo ${x!}", "echo ${}", "echo \"a", "echo \"a\n\nb", "x\necho ${x", "\"${x",
    "\"${x%a", "$((1", "$((1)", "$(( ${x", "$((`", "`a", "`if`", "\n `if`", "\n$(if)", "$(if",
    "`a ) b`", "`a ;; b`", "case a in b c) d;; esac", "case a in b) c", "case a in b) c;; ",
    "case a", "case a b", "case", "for", "for 1 in a; do b; done", "for a b; do c; done",
    "for a in b\ndo c\ndone", "for a in b; c", "for a in b & do c; done", "for a; do b; done",
    "for a\ndo b; done", "for a\n; do b; done", "for a ;; do b; done", "for \"a\" in b; do c; done",
    "for a in; do b; done", "for a in\ndo b; done", "while a; b", "while a; do b",
    "while; do a; done", "while a\nb\ndo c\ndone", "until a; do b; done", "if a; then b; else c",
    "if a; then b; elif c; d; fi", "if a; then b; elif c; then d; else e; fi",
    "if a\nb\nthen\nc\nelse\nd\nfi", "if a; then fi", "if a; then b; else fi", "if; then a; fi",
    "if a; b; c; then d; fi", "a()", "a(", "a( b", "a() b", "1a() b", "set() { a; }", "export() a",
    "\"a\"() b", "a b() c", "x=1 a() b", ">x a() b", "a$x() b", "a-b() c", "a.b() c", "a() (b)",
    "a() while b; do c; done", "a(){ b;}", "a() b() c", "a() ; b", "a() &", "a ", "a | b",
    "a | | b", "a |\n\nb", "a | ! b", "! a | b | c", "a &&", "a && && b", "&& a", "a &&\n#c\nb",
    "a ||\nb", "a && b || c && ! d", "a && b &", "a & b & c", "; a", "a;", "! ! a", "! a", "!",
    "! | a", "a !", "!\na", "(a", "(a))", "()", "( )", "(\n)", "(", ")", "(a;b)", "(a\nb\n)",
    "((a);(b))", "(a)(b)", "(a) b", "(a) >x <y", "(a) 2>&1 | b", "{ a; } 2>&1", "{ a\n}", "{ a }",
    "{ a & }", "{a; }", "{ a;}", "{\na\n}", "{ \n }", "a >", "a > &", "a > ; b", "a >& ", "a <&foo",
    "a >&1x", "a >&-", "a <&-", "a 3<&0 4>&1", "10>x", "a 2>&1", "a &>x", "a 2>x1>y", ">x", ">x <y",
    "<x a >y b", "a>b>c", "a 2>", "x", "a 2>|x", "a <>x", "a 3<>x", "a >>x", "a >> >x",
    "a >\"b c\"", "a >$x", "a >\nb", "a x>y", "a \"2\">y", "a \\2>y", "a 2 >y", "a 22>y", "a $1>y",
    "a <<<b", "a <( b)", "a > >b", "a >!b", ">a if", "<a {", "if >x; then a; fi", "a &; b",
    "a ;; b", "a ; ; b", "do", "done", "esac", "}", "in", "then", "elif", "else", "{a", "{ a",
    "{ a; } b", "{ a; }; }", "a } b", "if a; then b; fi c", "if a; then b; fi; c",
    "if a; then b; fi & c", "if a; then b; fi && c", "a fi", "a do", "a in then",
    "echo if then else fi for do done", "$x fi", "\"if\" a", "\\if a", "i\"f\" a", "'if' a; fi",
    "if\\\n a; then b; fi", "i\\\nf a; then b; fi", "x=if", "x= if a; then b; fi", "if=1",
    "if x=1; then y=2; fi", "cat <<E", "cat <<E\na", "cat <<E\n${x\nE", "cat <<E\n${x\n}\nE",
    "cat <<E\n\"${x\"}\"\nE", "cat << \na", "cat <<E <<F; a\ne\nE\nf\nF",
    "cat <<\"E\"F\n${ $( \nEF", "$(cat <<E\na\nE\n)", "$(cat <<E)\na\nE", "`cat <<E\na\nE\n`",
    "a <<E && (\nx\nE\nb)", "cat <<E$x\na\nE$x", "cat <<`E`\na\n`E`", "cat <<$(E)\na\n$(E)",
    "cat <<E\n$(a\nb)\nE", "cat <<E\n$(a\nE", "cat <<E\n`a\nE", "cat <<E\n$((1\nE",
    "cat <<E\n$((1\n+ 2))\nE", "cat <<'E'\n$(\n`\n${\nE", "cat <<\\E\n\"\nE", "cat <<-E\n\ta\n\tE",
    "cat <<-E\n\t$a\n\t\tb\n\tE\nc", "cat <<- \"E\"\n\ta\n\tE", "cat <<E\n E\nE", "cat <<E\nE ",
    "cat <<E\n\\$a \\` \\\" \\\\ \\x\nE", "cat <<E\na\\\nE\nE", "cat <<E\n\\\nE\nfi",
    "cat <<EF\nE\\\nF\nEF", "cat <<E\n${x:-\"a}b\"}\nE", "cat <<E\n${x:-'}\nE",
    "cat <<E\n${x%'}\nE", "cat <<E\n${x%'}'}\nE", "cat <<E\n'\"`a`\"'\nE", "cat <<E\n${x-\nE\n}",
    "cat <<E | b\na\nE", "if cat <<E; then\na\nE\nb; fi", "while cat <<E\na\nE\ndo b; done",
    "case <<E", "cat <<E;fi\na\nE", "cat <<E\na\nE\nfi", "cat <<E\n$(cat <<F\nx\nF\n)\nE",
    "cat <<E <<E\n1\nE\n2\nE", "f() { cat <<E\na\nE\n}", "(cat <<E)\na\nE", "{ cat <<E; }\na\nE",
    "a <<E;{\nx\nE\nb;}", "a <<E||\nx\nE\nb", "case a in b) c <<E;;\nx\nE\nesac", "cat <<E\"\n",
    "cat <<''\na\n\nb", "cat 3<<E\na\nE", "<<E\na\nE", "<<E cat\na\nE", "cat <<E 2>&1 >x\na\nE",
    "cat <<E <\na\nE", "cat <<&", "cat <<E#\na\nE#", "cat << E\na\nE", "cat <<\tE\na\nE",
    "echo \"$(cat <<E\n\"\nE\n)\"", "echo ${x-$(cat <<E\n}\nE\n)}", "$((1+(2))", "$((a)b))",
    "$((a);b)", "$( (a);b)", "\"$((1+\"2\"))\"", "$(('1'))", "$((1+2))", "$((1 + $x * ${y}))",
    "$(($(a)))", "$((`a`))", "$(( (1+2)*3 ))", "$((1\n+2))", "$((}))", "$((#))", "$(())", "$((",
    "$(()", "$((1))2", "\"$((1))\"", "$((x=1,y))", "$((a[1]))", "$((1) )", "$((\\)))", "$((\"))",
    "$((1)))", "$ ((1))", "$(((1)))", "$((((1))))", "$((((1)))", "$((a <<E))", "$((a>b))",
    "$((a;b))", "${#}", "${#x}", "${#-}", "${##}", "${#x-y}", "${#:-x}", "${#-x}", "${#%}",
    "${#%%x}", "${###}", "${#?}", "${#!}", "${#1}", "${#10}", "${#x}y", "${x:-a\nb}",
    "${x:-a b;c|d}", "\"${x:-'a}\"", "${x:-'a}", "${x:-'a}'}", "${x:-\"a}\"}", "${x:-\"a}",
    "${x-\\}}", "${x-`a`}", "${x-`}", "${x-$(a)}", "${x-$(}", "${x-$((1))}", "${x-${y-${z-a}}}",
    "${x-${y-a}", "${x#a}", "${x##a}", "${x%a}", "${x%%a}", "${x%%}", "${x#}", "${x:#a}", "${x:%a}",
    "${x:a}", "${x:1:2}", "${x/a/b}", "${x^}", "${x,}", "${x@Q}", "${x[0]}", "${!x}", "${x x}",
    "${ x}", "${x }", "${1a}", "${10}", "${1-a}", "${@}", "${*}", "${@-a}", "${?}", "${$}", "${!}",
    "${-}", "${--a}", "${-a}", "${_}", "${_x1}", "${x=a}", "${x:=a}", "${x?a}", "${x:?a}", "${x?}",
    "${x+a}", "${x:+a}", "${\"x\"}", "${'x'}", "${x\"}", "${x'}", "${x(}", "${(}", "${)}", "${&}",
    "${;}", "${x;}", "${x\n}", "${\n}", "${x-a#b}", "${x-#b}", "${x-~}", "${x-*}", "$x", "$1",
    "$10", "$x-y", "$@ $* $# $? $- $$ $! $0", "$", "a$", "\"$\"", "$ a", "$\"a\"", "$'a'", "$%",
    "$.", "$(", "$()", "$( )", "$(\n)", "$({ a; })", "$(a", "$(a\n)", "$(a;)", "$(a &)", "$(a))",
    "$(a;;)", "$(;)", "$(#a\n)", "$(a #)", "$(a #)\n)", "$(case a in b) c;; esac)",
    "$(case a in (b) c;; esac)", "$(a $(b $(c)))", "\"$(a \"$(b \"c\")\")\"", "\"$(a \")\")\"",
    "$(a ')')", "$(echo \"", "\"$(", "\"$(a)", "$(a) b", "$(a)$(b)", "x$(a)y",
    "$(if a; then b; fi)", "$(fi)", "\"$(fi)\"", "$( (a) )", "$((a) )", "`a`", "``", "` `",
    "`a\nb`", "`a \\`b\\` c`", "\"`a \"b\"`\"", "\"`a \\\"b\\\"`\"", "`a '`'`", "`a \"`\"`", "`#a`",
    "`a #`", "`a;`", "`a &`", "`;`", "`fi`", "`\\`", "`\\\\`", "`\\`a", "`(`", "`)`", "`a`b`c`",
    "`$(a)`", "`$(`", "$(`a`)", "$(`)", "`\"`", "`'`", "`case a in b) c;; esac`", "`cat <<E\na`",
    "`${x`", "`${x}`", "\"a\"", "'a'", "\"a'b\"", "'a\"b'", "\"a\\\"b\"", "\"a\\", "'a\\'",
    "'a\\'b", "'a\\'b'", "a\\ b", "a\\\"b", "a\\'b", "\\a", "a\\", "\\", "\\\\", "\\\n", "\\\na",
    "a\\\nb", "a \\\nb", "a \\\n b", "\"a\\\nb\"", "'a\\\nb'", "\"a\nb\"", "'a\nb'", "a\"b", "a'b",
    "\"\"", "''", "\"\"''", "a\"\"b", "\"$x\"", "\"${x}\"", "\"${x-\"a\"}\"", "\"${x-\"a}\"",
    "\"a${x-\"}\"}\"", "\"${x-'}'}\"", "\"${x#'}'}\"", "\"${x%\"}\"}\"", "\"${x%\\}}\"",
    "\"${x-\\}}\"", "\"\\}\"", "\"${x-\"${y-\"a\"}\"}\"", "\"${x-\"${y-\"}\"}\"}\"", "\"$(a)\"",
    "\"`a`\"", "\"\\$x\"", "\"\\`a\"", "\"\\\\\"", "\"\\a\"", "'", "\"", "\"'", "'\"",
    "a\"b\"c'd'e", "\"a\"\"b\"", "\"#\"", "#", "#a", "#a\nfi", "a#b", "a #b", "a;#b", "a|#b",
    "a|#b\nc", "a&#b", "(#a\nb)", "{ #a\nb;}", "{ a; # }\n}", "# a\\\nb\nc", "# a\\\nfi", "$#",
    "a\\#b", "a$(#\n)", "~", "~/a", "~a", "~a/b", "a~", "~\"a\"", "\\~", "x=~", "x=~:~a:b",
    "x=a:~/b", "a=~b c=~", "~$x", "~:~", "x=$y:~", "x=:~", "x=", "x=1", "x=1 y=2", "x=1 a",
    "x=1 y=2 a b=3", "a x=1", "x=$(a)", "x=`a`", "x=\"a b\" c", "x='a'", "x=a\\ b c", "1x=2",
    "x-y=1", "x+=1", "x =1", "x= 1", "\"x\"=1", "x\"=\"1", "\\x=1", "$x=1", "x=1 >y", ">y x=1",
    "x=1 >y a", "x=(a)", "x=1;y=2", "x=1&y=2", "_=1", "x=y=z", "x==", "x[1]=2", "x=#a", "x=a#b",
    "case a in esac", "case a in\nesac", "case a in b) c;; esac", "case a in (b) c;; esac",
    "case a in (b) c;; (d) e; esac", "case a in (esac) b;; esac", "case a in esac) b;; esac",
    "case a in b) ;; esac", "case a in b) esac", "case a in b", "c) d; esac",
    "case a in b|c|d) e;; f) esac", "case a in\nb)\nc\n;;\n\nesac", "case a in |b) c;; esac",
    "case a in b|) c;; esac", "case a in b) c;& esac", "case a in b) c;; d) e",
    "case a in b) c; d;; e) f & ;; esac", "case a in b) c ;;;; esac", "case a in b) c;; ;; esac",
    "case $x in \"a b\") c;; *) d;; esac", "case a\nin\nb) c;; esac", "case a\n\nin b) c;; esac",
    "case a b in c) d;; esac", "case in in in) a;; esac", "case if in if) a;; esac",
    "case \"a\" in 'b') c;; esac", "case a in [a-z]*) b;; ?) c;; esac", "case a in (b;; esac",
    "case a in b c;; esac", "case a in ) b;; esac", "case a in () b;; esac",
    "case a in b) (c;; esac", "case a in b) if c; then d; fi;; esac",
    "case a in b) case c in d) e;; esac;; esac", "case a in b) c;; esac >x",
    "case a in b) c;; esac | d", "case a in b) c;; esac d", "case a in b) c;; esac; d",
    "case ; in esac", "case a in #b\nc) d;; #e\nesac", "case a in b)#c\nd;; esac",
    "case a in do) b;; done) c;; esac", "case $(a) in `b`) c;; esac",
    "case a in \"b\"|$c) d;; esac", "case a in ~) b;; esac", "case a in b) ! c;; esac",
    "for in in in; do in; done", "for if in a; do b; done", "for do in a; do b; done",
    "for x in do done; do a; done", "for x in a b c\n\ndo\nd\ndone", "for x do a; done",
    "for x; do a; done >y", "for x in \"$@\" `a` $(b); do c; done", "for x in a; do; done",
    "for x in a; do\ndone", "for x in a; done", "for x in a do b; done", "for x in a; do b; done c",
    "for x in (a); do b; done", "for x-y in a; do b; done", "for x in a; { b; }",
    "for x in >y; do a; done", "for $x in a; do b; done", "for x=1 in a; do b; done",
    "for ((;;)); do a; done", "for x in #a\ndo b; done", "for x #a\nin b; do c; done",
    "for x\nin a; do b; done", "for x\n\n\nin a; do b; done", "for _ in a; do b; done",
    "for x in ~ *; do b; done", "while a; do b; done; c", "while a; do b; done & c",
    "while a; do b; done | c", "while a & do b; done", "while ! a; do b; done",
    "while a && b; do c; done", "while (a); do b; done", "while { a; } do b; done",
    "while { a; }; do b; done", "while a do b; done", "while a; do; b; done", "while a; do b done",
    "until a\ndo\nb\ndone <x", "while a; do b; done; done",
    "while a; do if b; then break; fi; done", "while while a; do b; done; do c; done",
    "while :; do case a in b) break;; esac; done", "function a { b; }", "a=(b)", "[[ a ]] && b",
    "a|&b", "((a))", "( (a) )", "a ( b )", "a(b)", "a b (c)", "$x ()", "$x () a", "() a",
    "f () { a; }", "f ( ) { a; }", "f() a | b", "f()\n{ a; }", "f()\n\n#c\n{ a; }", "f() { a; } >x",
    "f() { a; }; g() { f; }; g", "f() { g() { a; }; }", "f() if a; then b; fi",
    "f() case a in b) c;; esac", "f() for x in a; do b; done", "if() { a; }", "do() a", "in() a",
    "f()() a", "f(a) b", "f(; b", "f()) a", "f() }", "f() { }", "f() { a; } b", "f() ! a", "f()a",
    "_() a", ":() { a; }", ".() a", "[() a", "echo() a", "cd() a", "f() >x", "f() >x { a; }",
    "f() x=1", "f() &", "f() && a", "select x in a; do b; done", "time a", "coproc a", "a <<< b",
    "echo {a,b}", "echo }", "echo {", "echo { }", "{;a;}", "{ a;};", "{ a; }\nb", "{ a; }{ b; }",
    "{ (a) }", "{ (a); }", "{ if a; then b; fi }", "( { a; } )", "({ a; })", "({ a })", "(a;)",
    "(a &)", "(;)", "(a |)", "(a\n| b)", "a\n| b", "a\n&& b", "a\n; b", "a;\nb", "a &\nb",
    "a & && b", "a ; && b", "a ;& b", "a && ; b", "a | ; b", "a | & b", "a && ) ", "a | )",
    "a &&\n", "a |\n", "!(a)", "! (a)", "!a", "! { a; }", "!\n", "{ ! a; }", "if ! a; then b; fi",
    "! if a; then b; fi", "a | if b; then c; fi", "a | while b; do c; done | d",
    "a && if b; then c; fi || { d; }", "a=1 if b; then c; fi", ">x if a; then b; fi",
    "if if a; then b; fi; then c; fi", "a >x{", "if a then b; fi", "if a; then b fi",
    "if (a) then b; fi", "if { a; } then b; fi", "if a;then b;fi;fi",
    "if a; then b; else if c; then d; fi; fi", "if a; then b; else; c; fi",
    "if a; then b; elif; then c; fi", "if a; then b; else c; elif d; then e; fi",
    "if a; then b; else c; else d; fi", "then a", "if a; fi", "if a; else b; fi",
    "if a\nthen b\nelif c\nthen d\nfi\n\n\ne\nfi",
};
// clang-format on

}  // namespace

std::span<const std::string_view> shell_scripts() { return kShellScripts; }

ReadScript read_script(std::string_view script, const AliasTable* aliases) {
  ReadScript read;
  Parser parser(aliases);
  parser.feed(script);
  parser.finish();
  for (;;) {
    const ParseOutcome outcome = parser.next();
    if (outcome.kind == ParseOutcome::Kind::kError) {
      read.error = "sh: " + std::to_string(outcome.line) + ": " + outcome.message;
    }
    if (outcome.kind != ParseOutcome::Kind::kCommand) return read;
    if (!read.tree.empty()) read.tree += ' ';
    read.tree += to_tree(*outcome.list);
    if (!read.text.empty() && !read.text.ends_with('\n')) read.text += '\n';
    read.text += to_text(*outcome.list);
  }
}

}  // namespace sandproof::machine::shell
