// SPDX-License-Identifier: Apache-2.0
// What the parser makes of scripts: trees, text that reads the same, commands as soon as they are
// complete, aliases, limits.
#include <gtest/gtest.h>

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "fakes/machine/shell/parse/parser.h"
#include "fakes/machine/shell/parse/to_text.h"
#include "tests/machine/shell_scripts.h"

namespace sandproof::machine::shell {
namespace {

struct TreeRow {
  std::string_view script;
  std::string_view tree;
};

constexpr TreeRow kTreeRows[] = {
    {"a b 'c d'", "(run (word |a|) (word |b|) (word 'c d'))"},
    {"a\\ b\"c$d\"''", "(run (word |a| \\ \\ |b| (quoted |c| ($d)) ''))"},
    {"\"\\$\\a\\\"\"", "(run (word (quoted \\$\\ |\\a| \\\"\\)))"},
    {"x=1 y=a\\ b c=d e=f", "(run (x= |1|) (y= |a| \\ \\ |b|) (c= |d|) (e= |f|))"},
    {"x= a y=1", "(run (x=) (word |a|) (word |y=1|))"},
    {"~/a ~b \\~ x~ ~\"c\" ~d/$e",
     "(run (word (tilde ) |/a|) (word (tilde b)) (word \\~\\) (word |x~|) (word |~| (quoted |c|)) "
     "(word (tilde d) |/| ($e)))"},
    {"x=~:a:~b/c:$d:~", "(run (x= (tilde ) |:a:| (tilde b) |/c:| ($d) |:| (tilde )))"},
    {"$x${y}$1$#${10}$-z", "(run (word ($x) ($y) ($1) ($#) ($10) ($-) |z|))"},
    {"${x-a b} ${x:=\"c\"} ${#x} ${#} ${#-y}",
     "(run (word ($x - (word |a b|))) (word ($x := (word (quoted |c|)))) (word ($x length)) "
     "(word ($#)) (word ($# - (word |y|))))"},
    {"\"${x%'}'}${y+'}\"", "(run (word (quoted ($x % (word '}')) ($y + (word |'|)))))"},
    {"${x##*/}${x%%.*}", "(run (word ($x ## (word |*/|)) ($x %% (word |.*|))))"},
    {"${x:1}${}${#x-y}", "(run (word ($x bad:1 (word)) ($ bad (word)) ($#x bad (word |-y|))))"},
    {"a$(b; c)`d \\`e\\``",
     "(run (word |a| (commands (run (word |b|)) (run (word |c|))) (backquotes (run (word |d|) "
     "(word (backquotes (run (word |e|))))))))"},
    {"$((1+$x*(2)))", "(run (word (arithmetic |1+| ($x) |*(2)|)))"},
    {"a >b 2>&1 <c 3>>d 4<>e >|f <&-",
     "(run (word |a|) (1> |b|) (2>& |1|) (0< |c|) (3>> |d|) (4<> |e|) (1>| |f|) (0<& |-|))"},
    {"cat <<E; b\n$x\\$\n'\"\nE\n",
     "(run (word |cat|) (0<< ($x) \\$\\ |\\n'\"\\n|)) (run (word |b|))"},
    {"cat <<-'E' <<\\F\n\t$x\n\tE\n\ty\nF\n",
     "(run (word |cat|) (0<<- quoted '$x\\n') (0<< quoted '\ty\\n'))"},
    {"$(cat <<E\n)\nE\n)", "(run (word (commands (run (word |cat|) (0<< |)\\n|)))))"},
    {"! a | b && c || d &",
     "(background (and-or (not (pipe (run (word |a|)) (run (word |b|)))) && (run (word |c|)) || "
     "(run (word |d|))))"},
    {"{ a; } >x; (b) 2>y",
     "(braces (run (word |a|)) (1> |x|)) (subshell (run (word |b|)) (2> |y|))"},
    {"if a; then b; elif c; then d; else e; fi",
     "(if (condition (run (word |a|))) (then (run (word |b|))) (condition (run (word |c|))) (then "
     "(run (word |d|))) (else (run (word |e|))))"},
    {"for x in a *; do b; done; for y do c; done; for z in; do d; done",
     "(for x in (word |a|) (word |*|) (do (run (word |b|)))) (for y (do (run (word |c|)))) (for z "
     "in (do (run (word |d|))))"},
    {"while a; do b; done; until c; do d; done",
     "(while (condition (run (word |a|))) (do (run (word |b|)))) (until (condition (run (word "
     "|c|))) (do (run (word |d|))))"},
    {"case $x in (a|\"b\"*) c;; d) esac",
     "(case (subject ($x)) (item (pattern |a|) (pattern (quoted |b|) |*|) (do (run (word |c|)))) "
     "(item (pattern |d|) (do)))"},
    {"f() { a; } >x", "(function f (braces (run (word |a|)) (1> |x|)))"},
    {">x if a", "(run (word |if|) (word |a|) (1> |x|))"},
    {"a # b\n# c\n", "(run (word |a|))"},
};

TEST(ShellParse, MakesTheTree) {
  for (const TreeRow& row : kTreeRows) EXPECT_EQ(read_script(row.script).tree, row.tree);
}

TEST(ShellParse, TextIsOneLine) {
  const auto text = [](std::string_view script) { return read_script(script).text; };
  EXPECT_EQ(text("if a\nthen b\nelif c\nthen d\nelse e &\nfi >x"),
            "if a; then b; elif c; then d; else e & fi 1>x");
  EXPECT_EQ(text("for i in a $b; do c; done"), "for i in a ${b}; do c; done");
  EXPECT_EQ(text("case a in b|c) d;; *)\nesac"), "case a in (b | c) d ;; (*)  ;; esac");
  EXPECT_EQ(text("f()\n{ while a & do (b\nc); done\n}"), "f() { while a & do (b; c); done; }");
  EXPECT_EQ(text("a \\  b >\\  c"), "a \\  b c 1>\\ ");
  EXPECT_EQ(text("a <<E | { b; }\n$x\nE\n"), "a 0<<E | { b; }\n${x}\nE\n");
}

TEST(ShellParse, ItsTextReadsTheSame) {
  for (const std::string_view script : shell_scripts()) {
    const ReadScript read = read_script(script);
    const ReadScript again = read_script(read.text);
    EXPECT_EQ(again.error, "") << script << "\n-- as text --\n" << read.text;
    EXPECT_EQ(again.tree, read.tree) << script << "\n-- as text --\n" << read.text;
  }
}

// Fed in pieces, `script` comes to the same commands as at once.
TEST(ShellParse, APieceAtATimeIsTheWhole) {
  for (const std::string_view script : shell_scripts()) {
    const ReadScript whole = read_script(script);
    ReadScript pieces;
    Parser parser;
    std::size_t fed = 0;
    for (bool ended = false; !ended;) {
      const ParseOutcome outcome = parser.next();
      switch (outcome.kind) {
        case ParseOutcome::Kind::kMore:
          if (fed < script.size()) {
            parser.feed(script.substr(fed++, 1));
          } else {
            parser.finish();
          }
          break;
        case ParseOutcome::Kind::kCommand:
          if (!pieces.tree.empty()) pieces.tree += ' ';
          pieces.tree += to_tree(*outcome.list);
          break;
        case ParseOutcome::Kind::kError:
          pieces.error = "sh: " + std::to_string(outcome.line) + ": " + outcome.message;
          ended = true;
          break;
        case ParseOutcome::Kind::kEnd:
          ended = true;
      }
    }
    EXPECT_EQ(pieces.tree, whole.tree) << script;
    EXPECT_EQ(pieces.error, whole.error) << script;
  }
}

TEST(ShellParse, ALineIsThereBeforeTheErrorOfTheNext) {
  Parser parser;
  parser.feed("a; b\nc; fi\nd\n");
  const ParseOutcome first = parser.next();
  ASSERT_EQ(first.kind, ParseOutcome::Kind::kCommand);
  EXPECT_EQ(to_text(*first.list), "a; b");
  const ParseOutcome second = parser.next();
  ASSERT_EQ(second.kind, ParseOutcome::Kind::kError);
  EXPECT_EQ(second.message, "Syntax error: \"fi\" unexpected");
  EXPECT_EQ(second.line, 2);
  // A person's shell goes on with what is typed next.
  EXPECT_EQ(parser.next().kind, ParseOutcome::Kind::kMore);
  parser.feed("e\n");
  EXPECT_EQ(parser.next().kind, ParseOutcome::Kind::kCommand);
}

TEST(ShellParse, SaysWhetherItIsInsideOfACommand) {
  Parser parser;
  EXPECT_EQ(parser.next().kind, ParseOutcome::Kind::kMore);
  for (const std::string_view line : {"if a\n", "then\n", "cat <<E\n", "b\n", "E\n"}) {
    parser.feed(line);
    const ParseOutcome outcome = parser.next();
    EXPECT_EQ(outcome.kind, ParseOutcome::Kind::kMore) << line;
    EXPECT_TRUE(outcome.continued) << line;
  }
  parser.feed("fi\n");
  EXPECT_EQ(parser.next().kind, ParseOutcome::Kind::kCommand);
  const ParseOutcome after = parser.next();
  EXPECT_EQ(after.kind, ParseOutcome::Kind::kMore);
  EXPECT_FALSE(after.continued);
  parser.finish();
  EXPECT_EQ(parser.next().kind, ParseOutcome::Kind::kEnd);
}

TEST(ShellParse, CommandsKnowTheirLines) {
  Parser parser;
  parser.feed("\n\na\nif b\nthen c; fi\n");
  const auto line_of = [](const ParseOutcome& outcome) {
    return outcome.list->items.front().and_or.first.commands.front()->line;
  };
  EXPECT_EQ(line_of(parser.next()), 3);
  EXPECT_EQ(line_of(parser.next()), 4);
}

class Aliases : public AliasTable {
 public:
  explicit Aliases(std::map<std::string, std::string, std::less<>> all) : all_(std::move(all)) {}
  std::optional<std::string_view> find_alias(std::string_view name) const override {
    const auto found = all_.find(name);
    if (found == all_.end()) return std::nullopt;
    return found->second;
  }

 private:
  std::map<std::string, std::string, std::less<>> all_;
};

// As dash 0.5.12 has it, which was asked for the rows whose first word has another alias in it.
TEST(ShellParse, AliasesAreReplacedWhereACommandBegins) {
  const Aliases aliases({{"a", "echo x "},
                         {"b", "y z"},
                         {"c", "c d"},
                         {"i", "if"},
                         {"l", "m"},
                         {"m", "l n"},
                         {"s", "p; q"},
                         {"e", ""}});
  const auto text = [&aliases](std::string_view script) {
    const ReadScript read = read_script(script, &aliases);
    return read.error.empty() ? read.text : read.error;
  };
  EXPECT_EQ(text("a b b"), "echo x y z b");
  EXPECT_EQ(text("c; 'a' \\a x a"), "c d; 'a' \\a x a");
  EXPECT_EQ(text("i b; then c; fi"), "if y z; then c d; fi");
  EXPECT_EQ(text("l"), "l n");
  EXPECT_EQ(text("m"), "m n");
  EXPECT_EQ(text("x=1 c"), "x=1 c d");
  EXPECT_EQ(text("s r | c"), "p; q r | c d");
  EXPECT_EQ(text("e x"), "x");
  EXPECT_EQ(text("$(c)"), "$(c d)");
}

TEST(ShellParse, AliasesThatDoubleAreStopped) {
  std::map<std::string, std::string, std::less<>> all;
  constexpr int kSteps = 40;
  for (int i = 0; i < kSteps; ++i) {
    const std::string next = "a" + std::to_string(i + 1) + " ";
    all["a" + std::to_string(i)] = next + next;
  }
  const Aliases aliases(all);
  EXPECT_EQ(read_script("a0 x", &aliases).error,
            "sh: 1: Syntax error: Aliases of one command too long (limit 1 MiB)");
}

TEST(ShellParse, NestingIsBounded) {
  constexpr std::pair<std::string_view, std::string_view> kNested[] = {{"(", ")"},
                                                                       {"{ ", "; }"},
                                                                       {"$(", ")"},
                                                                       {"${x-", "}"},
                                                                       {"$((", "))"},
                                                                       {"\"${x-", "}\""},
                                                                       {"if ", ";then b;fi"},
                                                                       {"while ", "; do a; done"},
                                                                       {"f() ", ""},
                                                                       {"! { ", "; }"},
                                                                       {"\"$(", ")\""},
                                                                       {"case a in b) ", ";; esac"},
                                                                       {"for x do ", "; done"}};
  for (const auto& [open, close] : kNested) {
    const auto nested = [&open = open, &close = close](int levels) {
      std::string script;
      for (int i = 0; i < levels; ++i) script += open;
      script += "a";
      for (int i = 0; i < levels; ++i) script += close;
      return read_script(script);
    };
    EXPECT_EQ(nested(60).error, "") << open;
    constexpr int kDeep = 100'000;
    EXPECT_EQ(nested(kDeep).error, "sh: 1: Syntax error: Nesting too deep (limit 300)") << open;
  }
}

TEST(ShellParse, LongScriptsAreFlat) {
  constexpr int kMany = 50'000;
  for (const std::string_view link : {";", " | ", " && ", "\n", " ", " >x ", "$x", "`b`", "\\ "}) {
    std::string script = "a";
    for (int i = 0; i < kMany; ++i) script.append(link).append("a");
    EXPECT_EQ(read_script(script).error, "") << link;
  }
}

TEST(ShellParse, ACommandIsBounded) {
  std::string script = "a '";
  script.append(kMaxCommandBytes, 'b').append("'");
  EXPECT_EQ(read_script(script).error, "sh: 1: Syntax error: Command too long (limit 16 MiB)");
}

}  // namespace
}  // namespace sandproof::machine::shell
