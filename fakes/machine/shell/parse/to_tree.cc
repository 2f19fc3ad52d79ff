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

  void enter_node(std::string_view name) {
    if (!out.empty() && out.back() != '(') out += ' ';
    out.append("(").append(name);
  }
  void leave_node() { out += ')'; }
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
    enter_node(name);
    for (const Part& part : word.parts) std::visit(*this, part.value);
    leave_node();
  }

  void operator()(const Text& text) {
    constexpr std::string_view kMarks = "|\\'";
    literal(kMarks[static_cast<std::size_t>(text.quote)], text.text);
  }
  void operator()(const DoubleQuoted& node) { word("quoted", node.word); }
  void operator()(const Tilde& node) { enter_node("tilde " + node.user), leave_node(); }
  void operator()(const Parameter& node) {
    using enum ParameterOperator;
    enter_node("$" + node.name);
    if (node.op == kLength) atom("length");
    if (node.op == kBad) atom("bad" + node.bad);
    const std::string_view op = operator_text(node.op);
    if (!op.empty()) atom((node.colon ? ":" : "") + std::string(op));
    if (node.op != kNone && node.op != kLength) word("word", node.word);
    leave_node();
  }
  void operator()(const CommandSubstitution& node) {
    enter_node(node.backquoted ? "backquotes" : "commands");
    list(*node.list);
    leave_node();
  }
  void operator()(const Arithmetic& node) { word("arithmetic", node.expression); }

  void list(const List& list) {
    for (const List::Item& item : list.items) {
      if (item.background) enter_node("background");
      and_or(item.and_or);
      if (item.background) leave_node();
    }
  }
  void body(std::string_view name, const List& body) {
    enter_node(name);
    list(body);
    leave_node();
  }

  void and_or(const AndOr& node) {
    if (node.rest.empty()) return pipeline(node.first);
    enter_node("and-or");
    pipeline(node.first);
    for (const AndOr::Next& next : node.rest) {
      atom(next.on_success ? "&&" : "||");
      pipeline(next.pipeline);
    }
    leave_node();
  }

  void pipeline(const Pipeline& node) {
    if (node.negated) enter_node("not");
    if (node.commands.size() > 1) enter_node("pipe");
    for (const auto& one : node.commands) command(*one);
    if (node.commands.size() > 1) leave_node();
    if (node.negated) leave_node();
  }

  void command(const Command& command) {
    std::visit([this](const auto& node) { enter(node); }, command.node);
    for (const Redirection& to : command.redirections) redirection(to);
    leave_node();
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
    enter_node("run");
    for (const Assignment& one : node.assignments) word(one.name + "=", one.value);
    for (const Word& one : node.words) word("word", one);
  }
  void enter(const Subshell& node) { enter_node("subshell"), list(*node.list); }
  void enter(const BraceGroup& node) { enter_node("braces"), list(*node.list); }
  void enter(const If& node) {
    enter_node("if");
    for (const If::Arm& arm : node.arms) {
      body("condition", *arm.condition);
      body("then", *arm.body);
    }
    if (node.otherwise) body("else", *node.otherwise);
  }
  void enter(const For& node) {
    enter_node("for " + node.variable + (node.has_words ? " in" : ""));
    for (const Word& one : node.words) word("word", one);
    body("do", *node.body);
  }
  void enter(const While& node) {
    enter_node(node.until ? "until" : "while");
    body("condition", *node.condition);
    body("do", *node.body);
  }
  void enter(const Case& node) {
    enter_node("case");
    word("subject", node.subject);
    for (const Case::Item& item : node.items) {
      enter_node("item");
      for (const Word& one : item.patterns) word("pattern", one);
      body("do", *item.body);
      leave_node();
    }
  }
  void enter(const FunctionDefinition& node) {
    enter_node("function " + node.name), command(*node.body);
  }
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
