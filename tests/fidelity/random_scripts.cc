// SPDX-License-Identifier: Apache-2.0
// A grammar, walked by dice.
#include "tests/fidelity/random_scripts.h"

#include <array>
#include <random>
#include <span>
#include <string_view>

namespace sandproof::fidelity {
namespace {

constexpr int kMaxDepth = 4;

class Script {
 public:
  explicit Script(std::uint64_t seed) : dice_(seed) {}

  std::string text() {
    std::string script;
    if (one_in(4)) script += pick(kPrologues) + "\n";
    const int lines = 2 + number(5);
    for (int line = 0; line < lines; ++line) {
      script += list(0) + (one_in(8) ? " # comment" : "") + "\n";
    }
    return script + "echo \"end $? $# $x|$y|$z\"";
  }

 private:
  static constexpr std::array<std::string_view, 9> kPrologues = {"set -e",
                                                                 "set -u",
                                                                 "set -f",
                                                                 "IFS=:",
                                                                 "IFS=' :'",
                                                                 "IFS=",
                                                                 "set -eu",
                                                                 "trap 'echo t $?' EXIT",
                                                                 "set -- a 'b c' '' d:e"};
  static constexpr std::array<std::string_view, 3> kNames = {"x", "y", "z"};
  static constexpr std::array<std::string_view, 14> kTexts = {
      "a",  "bc", "a:b",   "'a  b'", "\"q r\"", "1",    "0",
      "42", "''", "a\\ b", "-n",     "[ab]*",   "ab.c", "::"};
  static constexpr std::array<std::string_view, 8> kPatterns = {"a*", "?",   "*b",  "[a-c]*",
                                                                "*",  "''*", "*:*", "[!a]*"};
  static constexpr std::array<std::string_view, 12> kOperators = {
      ":-", "-", ":=", "=", ":+", "+", "#", "##", "%", "%%", ":?", "?"};
  static constexpr std::array<std::string_view, 13> kBinary = {
      "+", "-", "*", "/", "%", "<", "==", "&&", "||", "<<", "|", "&", "!="};
  static constexpr std::array<std::string_view, 8> kTests = {"=",   "!=",  "-eq", "-lt",
                                                             "-gt", "-ne", "-a",  "-o"};

  static constexpr std::array<std::string_view, 9> kFormats = {
      "%s", "<%5s>", "%-4s|", "%d", "%05d", "%x", "%b", "%c%%", "%.2s"};

  bool one_in(int count) { return number(count) == 0; }
  int number(int below) { return static_cast<int>(dice_() % static_cast<unsigned>(below)); }
  std::string pick(std::span<const std::string_view> from) {
    return std::string(from[static_cast<std::size_t>(number(static_cast<int>(from.size())))]);
  }
  std::string name() { return pick(kNames); }
  // A function or a loop of its own: nothing calls itself or goes on for ever.
  std::string fresh(char letter) { return letter + std::to_string(++count_); }

  std::string parameter(int depth) {
    switch (number(8)) {
      case 0:
        return "$" + name();
      case 1:
        return pick(std::array<std::string_view, 7>{"$1", "$#", "$?", "$@", "$*", "${2}", "$-"});
      case 2:
        return "${#" + name() + "}";
      case 3: {
        const std::string op = pick(kOperators);
        const bool cuts = op[0] == '#' || op[0] == '%';
        return "${" + name() + op + (cuts ? pick(kPatterns) : word(depth + 1)) + "}";
      }
      case 4:
        return depth < kMaxDepth ? "$(" + list(depth + 2) + ")" : "$y";
      case 5:
        return "$((" + arithmetic(depth) + "))";
      default:
        return "${" + name() + "}";
    }
  }

  std::string arithmetic(int depth) {
    switch (number(depth < kMaxDepth ? 6 : 3)) {
      case 0:
        return std::to_string(number(20));
      case 1:
        return "(x=" + std::to_string(number(9)) + ")";
      case 2:
        return "${#" + name() + "}";
      case 3:
        return "(" + arithmetic(depth + 1) + ")" + pick(kBinary) + arithmetic(depth + 1);
      case 4:
        return "!" + arithmetic(depth + 1);
      default:
        return arithmetic(depth + 1) + "?" + arithmetic(depth + 1) + ":" + arithmetic(depth + 1);
    }
  }

  std::string word(int depth) {
    std::string text;
    const int parts = 1 + number(2);
    for (int part = 0; part < parts; ++part) {
      switch (number(5)) {
        case 0:
        case 1:
          text += pick(kTexts);
          break;
        case 2:
          text += quoted(depth);
          break;
        default:
          text += parameter(depth);
      }
    }
    return text;
  }

  // Not "$@": with what follows it in its word, dash makes a field too many.
  std::string quoted(int depth) {
    const std::string inner = parameter(depth);
    return "\"" + (inner == "$@" ? "$*" : inner) + (one_in(2) ? " z" : "") + "\"";
  }

  std::string words(int depth, int most) {
    std::string text;
    for (int left = 1 + number(most); left > 0; --left) text += " " + word(depth);
    return text;
  }

  std::string simple(int depth) {
    switch (number(20)) {
      case 0:
        return name() + "=" + word(depth);
      case 1:
        return "set --" + words(depth, 3);
      case 2:
        return "printf '<%s>'" + words(depth, 3) + "; echo";
      case 3:
        return "[ " + word(depth) + " " + pick(kTests) + " " + word(depth) + " ]";
      case 4:
        return "case " + word(depth) + " in " + pick(kPatterns) + ") " + simple(depth + 1) +
               ";; *) echo other;; esac";
      case 5:
        return "eval 'echo " + std::to_string(number(9)) + "' " + pick(kTexts);
      case 6:
        return "shift";
      case 7:
        return "unset " + name();
      case 8:
        return "read x y <<E\n" + pick(kTexts) + " " + parameter(depth) + "\nE\n:";
      case 9:
        return "echo " + word(depth) + " | { read " + name() + "; echo \"$x-$y-$z\"; }";
      case 10:
        return pick(std::array<std::string_view, 8>{"true", "false", ":", "return 3", "break",
                                                    "continue", "(exit 4)", "exit 5"});
      case 11:
        return "echo " + word(depth) + " > f; read " + name() + " < f";
      case 12:
        return name() + "=" + pick(kTexts) + " eval 'echo $x$y'";
      case 13:
        return function(depth);
      case 14:
        return "export " + name() + "=" + word(depth);
      case 15:
        return "command echo" + words(depth, 2);
      case 16:
        return "{ echo out; echo err >&2; } " +
               pick(std::array<std::string_view, 4>{"2>&1", ">/dev/null", "2>f", ">&2"});
      case 17:
        return rarer(depth);
      default:
        return "echo" + words(depth, 3);
    }
  }

  std::string rarer(int depth) {
    switch (number(16)) {
      case 0:
        return "printf '" + pick(kFormats) + "\\n'" + words(depth, 2);
      case 1:
        return "OPTIND=1; while getopts " +
               pick(std::array<std::string_view, 4>{"ab:", ":ab:", "x", "n:"}) + " o -a -bc -n" +
               words(depth, 2) + "; do echo \"$o ${OPTARG-no} $OPTIND\"; done";
      case 2:
        // Of a subshell, `$$` is its parent.
        if (depth == 0) return "trap 'echo usr' USR1; kill -USR1 $$; trap - USR1";
        return "trap 'echo trap " + pick(kTexts) + "' " + (one_in(2) ? "EXIT" : "0");
      case 3:
        return "{ " + simple(depth + 1) + "; } & wait $!; echo $?";
      case 4:
        return "until [ \"$" + name() + "\" = u ]; do " + name() + "=u; x=u; y=u; z=u; done";
      case 5:
        return "read -r " + name() + " x <<'E'\n  " + pick(kTexts) + " $x \\a " + pick(kTexts) +
               "  \nE\n:";
      case 6: {
        const std::string function = fresh('l');
        return function + "() { local x=" + word(depth) + " y; y=in; echo \"$x$y\"; " +
               simple(depth + 1) + "; }; " + function + "; echo \"$x$y\"";
      }
      case 7:
        return "set " + pick(std::array<std::string_view, 8>{"-e", "+e", "-u", "+u", "-f", "+f",
                                                             "-C", "+C"});
      case 8:
        return "export -p | while read a b c; do case $b in [xyz]*) echo \"$a $b $c\";; esac; done";
      case 9:
        return "readonly r=" + word(depth) + "; " +
               pick(std::array<std::string_view, 3>{"echo $r", "(r=1; echo no)",
                                                    "(unset r; echo no)"});
      case 10:
        return "case $" + name() + " in " + pick(kPatterns) + " | " + pick(kPatterns) + " ) " +
               simple(depth + 1) + ";; (\"$x\"*) echo second;; esac";
      case 11:
        return "echo $(( " + name() +
               pick(std::array<std::string_view, 6>{"=", "+=", "-=", "*=", "<<=", "|="}) +
               std::to_string(number(9)) + " ))";
      case 12:
        return "echo " + word(depth) + " >> g; while read -r x; do echo \"<$x>\"; done < g";
      case 13:
        return "{ exec 3>&1; { echo a; echo b; } | { read x; echo \"$x\" >&3; }; exec 3>&-; }";
      case 14:
        return pick(std::array<std::string_view, 6>{"type x", "command -v echo", "command -V if",
                                                    "umask 027; umask -S", "nosuch a b",
                                                    "./nosuch"});
      default:
        return "IFS=" + pick(std::array<std::string_view, 5>{":", "' '", "': '", "b", "''"}) +
               "; echo $x $*; unset IFS";
    }
  }

  std::string function(int depth) {
    const std::string function = fresh('f');
    return function + "() { echo f $# \"$1\"; " + simple(depth + 1) + "; }; " + function +
           words(depth, 2);
  }

  std::string loop(int depth) {
    const std::string n = fresh('n');
    return n + "=0; while [ $" + n + " -lt 2 ]; do " + n + "=$((" + n + "+1)); " + list(depth + 1) +
           "; done";
  }

  std::string command(int depth) {
    if (depth >= kMaxDepth) return simple(depth);
    switch (number(14)) {
      case 0:
        return "if " + list(depth + 1) + "; then " + list(depth + 1) + "; else " + list(depth + 1) +
               "; fi";
      case 1:
        return "for " + name() + " in" + words(depth + 1, 3) + "; do " + list(depth + 1) + "; done";
      case 2:
        return loop(depth);
      case 3:
        return "( " + list(depth + 1) + " )";
      case 4:
        return "{ " + list(depth + 1) + "; }";
      case 5:
        return "! " + simple(depth);
      default:
        return simple(depth);
    }
  }

  std::string list(int depth) {
    std::string text = command(depth);
    for (int more = number(3); more > 0; --more) {
      // After a here-document's body nothing may stand in its line.
      const bool open = !text.ends_with("\nE\n:") || one_in(2);
      const char* const joins[] = {" && ", " || ", "; ", "; "};
      text += (open ? joins[number(4)] : "; ") + command(depth + 1);
    }
    return text;
  }

  std::mt19937_64 dice_;
  int count_ = 0;
};

}  // namespace

std::string random_script(std::uint64_t seed) { return Script(seed).text(); }

}  // namespace sandproof::fidelity
