// SPDX-License-Identifier: Apache-2.0
// Trees in parentheses. Adjacent texts of one quoting are one text, and the lines are left out:
// what differs in a tree differs in what it does.
#include <string>
#include <string_view>

#include "fakes/machine/shell/parse/to_text.h"
#include "fakes/machine/shell/parse/word_text.h"

namespace sandproof::machine::shell {
namespace {

struct TreePrinter {
  std::string out;

  void open(std::string_view name) {
    if (!out.empty() && out.back() != '(') out += ' ';
    out.append("(").append(name);
  }
  void close() { out += ')'; }
  void atom(std::string_view text) {
    out += ' ';
    out += text;
  }

  void literal(char mark, std::string_view text) {
    if (!out.empty() && out.back() != '(') out += ' ';
    out += mark;
    for (const char c : text) {
      if (c == '\n') {
        out += "\\n";
      } else {
        out += c;
      }
    }
    out += mark;
  }

  void word(std::string_view name, const Word& word) {
    open(name);
    for (const Part& part : word.parts) std::visit(*this, part.value);
    close();
  }

  void operator()(const Text& text) {
    constexpr std::string_view kMarks = "|\\'";
    literal(kMarks[static_cast<std::size_t>(text.quote)], text.text);
  }
  void operator()(const DoubleQuoted& node) { word("quoted", node.word); }
  void operator()(const Tilde& node) { open("tilde " + node.user), close(); }
  void operator()(const Parameter& node) {
    using enum ParameterOperator;
    open("$" + node.name);
    if (node.op == kLength) atom("length");
    if (node.op == kBad) atom("bad" + node.bad);
    const std::string_view op = operator_text(node.op);
    if (!op.empty()) atom((node.colon ? ":" : "") + std::string(op));
    if (node.op != kNone && node.op != kLength) word("word", node.word);
    close();
  }
  void operator()(const CommandSubstitution& node) {
    open(node.backquoted ? "backquotes" : "commands");
    list(*node.list);
    close();
  }
  void operator()(const Arithmetic& node) { word("arithmetic", node.expression); }

  void list(const List& list) {
    for (const List::Item& item : list.items) {
      if (item.background) open("background");
      and_or(item.and_or);
      if (item.background) close();
    }
  }
  void body(std::string_view name, const List& body) {
    open(name);
    list(body);
    close();
  }

  void and_or(const AndOr& node) {
    if (node.rest.empty()) return pipeline(node.first);
    open("and-or");
    pipeline(node.first);
    for (const AndOr::Next& next : node.rest) {
      atom(next.on_success ? "&&" : "||");
      pipeline(next.pipeline);
    }
    close();
  }

  void pipeline(const Pipeline& node) {
    if (node.negated) open("not");
    if (node.commands.size() > 1) open("pipe");
    for (const auto& one : node.commands) command(*one);
    if (node.commands.size() > 1) close();
    if (node.negated) close();
  }

  void command(const Command& command) {
    std::visit([this](const auto& node) { enter(node); }, command.node);
    for (const Redirection& to : command.redirections) redirection(to);
    close();
  }

  void redirection(const Redirection& to) {
    std::string name = std::to_string(to.fd) + std::string(operator_text(to.op));
    if (to.here) {
      if (to.here->strip_tabs) name += '-';
      if (to.here->quoted) name += " quoted";
    }
    word(name, to.here ? to.here->body : to.target);
  }

  void enter(const SimpleCommand& node) {
    open("run");
    for (const Assignment& one : node.assignments) word(one.name + "=", one.value);
    for (const Word& one : node.words) word("word", one);
  }
  void enter(const Subshell& node) { open("subshell"), list(*node.list); }
  void enter(const BraceGroup& node) { open("braces"), list(*node.list); }
  void enter(const If& node) {
    open("if");
    for (const If::Arm& arm : node.arms) {
      body("condition", *arm.condition);
      body("then", *arm.body);
    }
    if (node.otherwise) body("else", *node.otherwise);
  }
  void enter(const For& node) {
    open("for " + node.variable + (node.has_words ? " in" : ""));
    for (const Word& one : node.words) word("word", one);
    body("do", *node.body);
  }
  void enter(const While& node) {
    open(node.until ? "until" : "while");
    body("condition", *node.condition);
    body("do", *node.body);
  }
  void enter(const Case& node) {
    open("case");
    word("subject", node.subject);
    for (const Case::Item& item : node.items) {
      open("item");
      for (const Word& one : item.patterns) word("pattern", one);
      body("do", *item.body);
      close();
    }
  }
  void enter(const FunctionDefinition& node) { open("function " + node.name), command(*node.body); }
};

}  // namespace

std::string to_tree(const List& list) {
  TreePrinter printer;
  printer.list(list);
  return printer.out;
}

std::string to_tree(const Word& word) {
  TreePrinter printer;
  printer.word("word", word);
  return printer.out;
}

}  // namespace sandproof::machine::shell
