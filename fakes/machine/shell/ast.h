// SPDX-License-Identifier: Apache-2.0
// What a shell script means before anything of it is expanded: words as the parts that they are
// written in, commands as the grammar of POSIX (XCU 2.10) joins them. Values that nothing changes
// after the parse; commands are shared, since a function outlives the line that defined it.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <variant>
#include <vector>

namespace sandproof::machine::shell {

struct Part;
struct List;
struct Command;

/// A word: its parts stand side by side. A here-document's body is one too.
struct Word {
  std::vector<Part> parts;
};

/// How a text was quoted by itself. Inside of DoubleQuoted, a here-document or an Arithmetic, text
/// that says kNone is quoted by what is around it.
enum class Quote : std::uint8_t { kNone, kBackslash, kSingle };

/// Text that stands for itself. Where nothing quotes it, `*`, `?` and `[` in it are patterns.
struct Text {
  std::string text;
  Quote quote = Quote::kNone;
};

struct DoubleQuoted {
  Word word;
};

/// `~` and `~user` where a shell looks for it: before anything else of a word, and in an assignment
/// also after its `=` and each `:`. Empty for the one without a name.
struct Tilde {
  std::string user;
};

enum class ParameterOperator : std::uint8_t {
  kNone,
  kLength,              // ${#x}
  kDefault,             // ${x-w}
  kAssign,              // ${x=w}
  kError,               // ${x?w}
  kAlternative,         // ${x+w}
  kTrimSmallestPrefix,  // ${x#w}
  kTrimLargestPrefix,   // ${x##w}
  kTrimSmallestSuffix,  // ${x%w}
  kTrimLargestSuffix,   // ${x%%w}
  kBad,                 // Anything else in braces: an error when it is expanded, not before.
};

/// `word` is quoted as what is around the parameter, but for the four trims: a pattern, always
/// unquoted. kBad: `name` and `bad` are what stood before the word, for messages.
struct Parameter {
  std::string name;
  ParameterOperator op = ParameterOperator::kNone;
  bool colon = false;  // Empty counts as unset: the operators from kDefault to kAlternative.
  std::string bad;
  Word word;
};

struct CommandSubstitution {
  std::shared_ptr<const List> list;  // Never null.
  bool backquoted = false;
};

struct Arithmetic {
  Word expression;
};

struct Part {
  std::variant<Text, DoubleQuoted, Tilde, Parameter, CommandSubstitution, Arithmetic> value;
};

enum class RedirectionOperator : std::uint8_t {
  kRead,          // <
  kWrite,         // >
  kClobber,       // >|
  kAppend,        // >>
  kReadWrite,     // <>
  kDuplicateIn,   // <&
  kDuplicateOut,  // >&
  kHereDocument,  // << and <<-
};

/// `body` is filled in when the line of the operator has ended. With a quoted delimiter nothing in
/// it is expanded: it is one text then.
struct HereDocument {
  std::string delimiter;
  bool quoted = false;
  bool strip_tabs = false;
  Word body;
};

struct Redirection {
  int fd = 0;
  RedirectionOperator op = RedirectionOperator::kRead;
  Word target;  // A digit or `-`, or what expands to it, for the two &.
  std::shared_ptr<const HereDocument> here;  // kHereDocument alone.
};

struct Assignment {
  std::string name;
  Word value;
};

/// May be empty of words (assignments or redirections alone), never of everything.
struct SimpleCommand {
  std::vector<Assignment> assignments;
  std::vector<Word> words;
};

struct Subshell {
  std::shared_ptr<const List> list;
};

struct BraceGroup {
  std::shared_ptr<const List> list;
};

/// One arm per `if` and `elif`; `otherwise` is null without `else`.
struct If {
  struct Arm {
    std::shared_ptr<const List> condition;
    std::shared_ptr<const List> body;
  };
  std::vector<Arm> arms;
  std::shared_ptr<const List> otherwise;
};

/// Without `in`, over "$@".
struct For {
  std::string variable;
  bool has_words = false;
  std::vector<Word> words;
  std::shared_ptr<const List> body;
};

struct While {
  bool until = false;
  std::shared_ptr<const List> condition;
  std::shared_ptr<const List> body;
};

struct Case {
  struct Item {
    std::vector<Word> patterns;
    std::shared_ptr<const List> body;  // Never null; may have no items.
  };
  Word subject;
  std::vector<Item> items;
};

struct FunctionDefinition {
  std::string name;
  std::shared_ptr<const Command> body;
};

/// `line` is where it begins, from 1: what LINENO gives. A compound command's redirections hold for
/// all of it; those of a function belong to its body.
struct Command {
  int line = 1;
  std::variant<SimpleCommand, Subshell, BraceGroup, If, For, While, Case, FunctionDefinition> node;
  std::vector<Redirection> redirections;
};

struct Pipeline {
  bool negated = false;
  std::vector<std::shared_ptr<const Command>> commands;  // One at least.
};

/// `first`, then each of `rest` if the status so far allows: zero for &&, another for ||.
struct AndOr {
  struct Next {
    bool on_success = true;
    Pipeline pipeline;
  };
  Pipeline first;
  std::vector<Next> rest;
};

struct List {
  struct Item {
    AndOr and_or;
    bool background = false;
  };
  std::vector<Item> items;
};

}  // namespace sandproof::machine::shell
