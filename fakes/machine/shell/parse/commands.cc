// SPDX-License-Identifier: Apache-2.0
// The commands of the grammar, each as dash reads it: where a reserved word may stand decides what
// is accepted and what the message says.
#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "fakes/machine/shell/parse/parser.h"
#include "fakes/machine/shell/parse/tilde.h"

namespace sandproof::machine::shell {
namespace {

// What no function may be called.
constexpr std::array<std::string_view, 13> kSpecialBuiltins{
    "break",  "continue", "eval",  "exec",  "exit", "export", "readonly",
    "return", "set",      "shift", "times", "trap", "unset"};

bool names_function(std::string_view name) {
  return is_name(name) && std::find(kSpecialBuiltins.begin(), kSpecialBuiltins.end(), name) ==
                              kSpecialBuiltins.end();
}

void append_text(const Word& word, std::string& text) {
  for (const Part& part : word.parts) {
    if (const auto* plain = std::get_if<Text>(&part.value)) text += plain->text;
    if (const auto* quoted = std::get_if<DoubleQuoted>(&part.value)) {
      append_text(quoted->word, text);
    }
  }
}

bool is_quoted(const Word& word) {
  return std::any_of(word.parts.begin(), word.parts.end(), [](const Part& part) {
    const auto* text = std::get_if<Text>(&part.value);
    return text == nullptr || text->quote != Quote::kNone;
  });
}

Word tilded(Word word) {
  mark_tildes(word, TildeRule::kWord);
  return word;
}

}  // namespace

std::shared_ptr<const Command> Parser::parse_command() {
  const NestingGuard guard(depth_, source_);
  const TokenKind kind = read(kNothing);
  put_back();
  if (kind == TokenKind::kWord || kind == TokenKind::kRedirection) return parse_simple();
  auto command = std::make_shared<Command>();
  command->line = source_.line();
  parse_compound(*command);
  parse_redirections(*command);
  return command;
}

void Parser::parse_compound(Command& command) {
  switch (read(kNothing)) {
    case TokenKind::kIf:
      command.node = parse_if();
      break;
    case TokenKind::kWhile:
    case TokenKind::kUntil:
      command.node = parse_while();
      break;
    case TokenKind::kFor:
      command.node = parse_for();
      break;
    case TokenKind::kCase:
      command.node = parse_case();
      break;
    case TokenKind::kOpen:
      command.node = Subshell{parse_body()};
      expect(TokenKind::kClose);
      break;
    case TokenKind::kOpenBrace:
      command.node = BraceGroup{parse_body()};
      expect(TokenKind::kCloseBrace);
      break;
    default:
      fail_unexpected();
  }
}

// Only what follows the command at once may be a reserved word: after a redirection no more.
void Parser::parse_redirections(Command& command) {
  unsigned expected = kCommandStart;
  while (read(expected) == TokenKind::kRedirection) {
    command.redirections.push_back(parse_redirection());
    expected = kNothing;
  }
  put_back();
}

Redirection Parser::parse_redirection() {
  Redirection to = std::move(token_.redirection);
  if (to.op != RedirectionOperator::kHereDocument) {
    if (read(kNothing) != TokenKind::kWord) fail_unexpected();
    to.target = tilded(std::move(token_.word));
    return to;
  }
  token_ = lexer_.next_delimiter();
  if (token_.kind != TokenKind::kWord) fail_unexpected();
  auto here = std::make_shared<HereDocument>(*to.here);
  append_text(token_.word, here->delimiter);
  here->quoted = is_quoted(token_.word);
  to.here = here;
  lexer_.expect_here_document(std::move(here));
  return to;
}

// The word just read, as an assignment if it is one.
bool Parser::take_assignment(SimpleCommand& simple) {
  if (token_.word.parts.empty()) return false;
  auto* text = std::get_if<Text>(&token_.word.parts.front().value);
  if (text == nullptr || text->quote != Quote::kNone) return false;
  const std::size_t equals = text->text.find('=');
  if (equals == std::string::npos || !is_name(text->text.substr(0, equals))) return false;
  Assignment assignment{.name = text->text.substr(0, equals), .value = {}};
  text->text.erase(0, equals + 1);
  if (text->text.empty()) token_.word.parts.erase(token_.word.parts.begin());
  assignment.value = std::move(token_.word);
  mark_tildes(assignment.value, TildeRule::kAssignment);
  simple.assignments.push_back(std::move(assignment));
  return true;
}

std::shared_ptr<const Command> Parser::parse_simple() {
  auto command = std::make_shared<Command>();
  command->line = source_.line();
  SimpleCommand simple;
  unsigned expected = kAliases;
  for (;;) {
    const TokenKind kind = read(expected);
    if (kind == TokenKind::kRedirection) {
      command->redirections.push_back(parse_redirection());
      continue;
    }
    if (kind == TokenKind::kWord) {
      if (expected == kAliases && take_assignment(simple)) continue;
      simple.words.push_back(std::move(token_.word));
      expected = kNothing;
      continue;
    }
    const bool one_word = simple.words.size() == 1 && simple.assignments.empty();
    if (kind == TokenKind::kOpen && one_word && command->redirections.empty()) {
      command->node = parse_function(simple);
      return command;
    }
    put_back();
    break;
  }
  for (Word& word : simple.words) mark_tildes(word, TildeRule::kWord);
  command->node = std::move(simple);
  return command;
}

FunctionDefinition Parser::parse_function(const SimpleCommand& simple) {
  expect(TokenKind::kClose);
  const std::optional<std::string_view> name = plain_text(simple.words.front());
  if (!name || !names_function(*name)) fail("Bad function name");
  FunctionDefinition function{.name = std::string(*name), .body = nullptr};
  read(kAnyCommandStart);
  put_back();
  function.body = parse_command();
  return function;
}

If Parser::parse_if() {
  If node;
  do {
    If::Arm arm;
    arm.condition = parse_body();
    expect(TokenKind::kThen);
    arm.body = parse_body();
    node.arms.push_back(std::move(arm));
  } while (read(kNothing) == TokenKind::kElif);
  if (token_.kind == TokenKind::kElse) {
    node.otherwise = parse_body();
  } else {
    put_back();
  }
  expect(TokenKind::kFi);
  return node;
}

While Parser::parse_while() {
  While node;
  node.until = token_.kind == TokenKind::kUntil;
  node.condition = parse_body();
  expect(TokenKind::kDo);
  node.body = parse_body();
  expect(TokenKind::kDone);
  return node;
}

For Parser::parse_for() {
  For node;
  const bool word = read(kNothing) == TokenKind::kWord;
  const std::optional<std::string_view> name = plain_text(token_.word);
  if (!word || !name || !is_name(*name)) fail("Bad for loop variable");
  node.variable = *name;
  if (read(kAnyCommandStart) == TokenKind::kIn) {
    node.has_words = true;
    while (read(kNothing) == TokenKind::kWord) {
      node.words.push_back(tilded(std::move(token_.word)));
    }
    if (token_.kind != TokenKind::kNewline && token_.kind != TokenKind::kSemicolon) {
      fail_unexpected();
    }
    if (token_.kind == TokenKind::kNewline) lexer_.read_here_documents();
  } else if (token_.kind != TokenKind::kSemicolon) {
    put_back();
  }
  if (read(kAnyCommandStart) != TokenKind::kDo) fail_unexpected(TokenKind::kDo);
  node.body = parse_body();
  expect(TokenKind::kDone);
  return node;
}

Case Parser::parse_case() {
  Case node;
  expect(TokenKind::kWord);
  node.subject = tilded(std::move(token_.word));
  if (read(kAnyCommandStart) != TokenKind::kIn) fail_unexpected(TokenKind::kIn);
  while (read(kNewlines | kReserved) != TokenKind::kEsac) {
    node.items.push_back(parse_case_item());
    const TokenKind after = read(kNewlines | kReserved);
    if (after == TokenKind::kEsac) break;
    if (after != TokenKind::kCaseEnd) fail_unexpected(TokenKind::kCaseEnd);
  }
  return node;
}

// From its first token, which was read. A reserved word is a pattern like others, but for `esac`,
// which is none where no parenthesis stands before it.
Case::Item Parser::parse_case_item() {
  Case::Item item;
  if (token_.kind == TokenKind::kOpen) read(kNothing);
  std::optional<TokenKind> no_word;
  for (;;) {
    if (token_.kind < TokenKind::kWord) no_word = token_.kind;
    item.patterns.push_back(tilded(std::move(token_.word)));
    if (read(kNothing) != TokenKind::kPipe) break;
    read(kNothing);
  }
  if (token_.kind != TokenKind::kClose) fail_unexpected(TokenKind::kClose);
  if (no_word) fail(std::string(name_of(*no_word)) + " unexpected (expecting word)");
  item.body = std::make_shared<const List>(parse_list(ListKind::kMaybeEmpty));
  return item;
}

}  // namespace sandproof::machine::shell
