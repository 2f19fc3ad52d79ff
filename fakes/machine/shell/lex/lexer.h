// SPDX-License-Identifier: Apache-2.0
// The lexer: from characters to tokens, with words taken apart as far as quotes and expansions go,
// and the bodies of here-documents. What stands in a command substitution is for the parser, which
// it calls for it. Splits what dash splits, down to its file descriptors of one digit. One thread.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "fakes/machine/shell/ast.h"
#include "fakes/machine/shell/lex/source.h"
#include "fakes/machine/shell/lex/token.h"

namespace sandproof::machine::shell {

/// Whom the lexer asks for the commands in `$(…)` and backquotes.
class SubstitutionParser {
 public:
  virtual ~SubstitutionParser() = default;
  /// Parses up to and with `)`, or, of backquotes, the text that was pushed.
  virtual std::shared_ptr<const List> parse_substitution(bool backquoted) = 0;
};

/// Counts a level of nesting while it lives. Throws SyntaxError past kMaxNesting.
class NestingGuard {
 public:
  NestingGuard(int& depth, const Source& source);
  ~NestingGuard() { --depth_; }
  NestingGuard(const NestingGuard&) = delete;
  NestingGuard& operator=(const NestingGuard&) = delete;

 private:
  int& depth_;
};

/// All of it throws SyntaxError and NeedMoreInput.
class Lexer {
 public:
  Lexer(Source& source, SubstitutionParser& parser, int& depth)
      : source_(source), parser_(parser), depth_(depth) {}

  /// After an exception, or between commands: nothing is pending or under way.
  void reset();

  /// A word is one even where it reads like a reserved one. After a newline token the pending
  /// here-documents stand next: read_here_documents() is for the caller.
  Token next();

  /// The word after `<<`: nothing in it is expanded.
  Token next_delimiter();

  /// Its body is read with the next read_here_documents(), in the order of the calls.
  void expect_here_document(std::shared_ptr<HereDocument> here);
  void read_here_documents();

  /// The pending here-documents, to be put back after a substitution, whose lines are not theirs.
  using Pending = std::vector<std::shared_ptr<HereDocument>>;
  Pending exchange_pending(Pending other);
  /// Ends the pending here-documents without a body: their line ended with the substitution.
  void end_here_documents() { pending_.clear(); }

 private:
  enum class Syntax { kBase, kDouble, kArithmetic };
  // What the characters mean where a scan is, and what ends it.
  struct Scope {
    Syntax syntax = Syntax::kBase;
    bool in_braces = false;      // Of a parameter: `}` ends it.
    bool closing_quote = false;  // `"` ends it.
    bool braces_around = false;  // `\}` is a `}` in double quotes too.
  };

  Token read_token(bool delimiter);
  Token read_redirection(int c, int fd);
  void skip_comment();
  Word read_word(bool delimiter);
  void scan(const Scope& scope, Word& out);
  bool ends(const Scope& scope, int c, int& parentheses);
  [[noreturn]] void fail_at_end(const Scope& scope) const;
  void read_backslash(const Scope& scope, Word& out);
  void read_single_quoted(Word& out);
  void read_double_quoted(const Scope& scope, Word& out);
  void read_dollar(const Scope& scope, Word& out);
  void read_parameter(int c, Word& out);
  void read_braced_parameter(const Scope& scope, Word& out);
  int read_parameter_name(Parameter& parameter);
  void read_operator(Parameter& parameter, int c);
  void read_arithmetic(Word& out);
  void read_command_substitution(Word& out);
  void read_backquoted(const Scope& scope, Word& out);
  Word read_here_document(const HereDocument& here);
  bool at_here_end();
  static void add_char(Word& out, int c, Quote quote = Quote::kNone);

  Source& source_;
  SubstitutionParser& parser_;
  int& depth_;
  Pending pending_;
  const HereDocument* here_ = nullptr;  // That is being read, where its delimiter may end it.
  bool delimiter_ = false;              // What is read is the word after `<<`.
};

}  // namespace sandproof::machine::shell
