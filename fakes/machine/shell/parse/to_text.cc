// SPDX-License-Identifier: Apache-2.0
// Shell text from commands, on one line, since the bodies of its here-documents stand after that
// one: the last of them may have no end but that of the script. Words are of word_text.cc.
#include "fakes/machine/shell/parse/to_text.h"

#include <cstddef>
#include <string_view>
#include <vector>

#include "fakes/machine/shell/lex/token.h"
#include "fakes/machine/shell/parse/word_text.h"

namespace sandproof::machine::shell {
namespace {

class CommandPrinter {
 public:
  std::string take() {
    if (!pending_.empty()) out_ += '\n';
    for (const HereDocument* here : pending_) {
      out_ += here_document_text(*here);
      if (out_.back() != '\n') break;  // The script ended in it: those after it are empty.
    }
    return std::move(out_);
  }

  void list(const List& list) {
    for (std::size_t i = 0; i < list.items.size(); ++i) {
      const List::Item& item = list.items[i];
      and_or(item.and_or);
      if (item.background) out_ += " &";
      if (i + 1 < list.items.size()) out_ += item.background ? " " : "; ";
    }
  }

  void command(const Command& command) {
    std::visit([&](const auto& node) { print(node, command); }, command.node);
    if (!std::holds_alternative<SimpleCommand>(command.node)) redirections(command.redirections, 0);
  }

 private:
  // Between the words of a command that begins at `begin`. A word may itself end in a blank.
  void space(std::size_t begin) {
    if (out_.size() > begin) out_ += ' ';
  }

  // A list, ended, between two words.
  void block(std::string_view begin, const List& body, std::string_view end) {
    out_.append(begin).append(" ");
    list(body);
    const bool ended = body.items.empty() || body.items.back().background;
    out_.append(ended ? " " : "; ").append(end);
  }

  void and_or(const AndOr& and_or) {
    pipeline(and_or.first);
    for (const AndOr::Next& next : and_or.rest) {
      out_ += next.on_success ? " && " : " || ";
      pipeline(next.pipeline);
    }
  }

  void pipeline(const Pipeline& pipeline) {
    if (pipeline.negated) out_ += "! ";
    bool first = true;
    for (const auto& one : pipeline.commands) {
      if (!first) out_ += " | ";
      first = false;
      command(*one);
    }
  }

  void redirections(const std::vector<Redirection>& all, std::size_t begin) {
    for (const Redirection& to : all) {
      space(begin);
      out_ += redirection_text(to);
      if (to.here) pending_.push_back(to.here.get());
    }
  }

  void print(const SimpleCommand& simple, const Command& command) {
    const std::size_t begin = out_.size();
    for (const Assignment& one : simple.assignments) {
      space(begin);
      out_ += one.name + "=" + to_text(one.value);
    }
    // A word that would be a reserved one in the first place stands behind the redirections.
    const bool later = simple.assignments.empty() && !simple.words.empty() &&
                       reserved_word(plain_text(simple.words.front()).value_or("")).has_value();
    if (later) redirections(command.redirections, begin);
    for (const Word& word : simple.words) {
      space(begin);
      out_ += to_text(word);
    }
    if (!later) redirections(command.redirections, begin);
  }

  void print(const Subshell& node, const Command&) {
    out_ += '(';
    list(*node.list);
    out_ += ')';
  }

  void print(const BraceGroup& node, const Command&) { block("{", *node.list, "}"); }

  void print(const If& node, const Command&) {
    std::string_view begin = "if";
    for (const If::Arm& arm : node.arms) {
      block(begin, *arm.condition, "then");
      begin = "elif";
      const bool last = &arm == &node.arms.back();
      block("", *arm.body, !last ? "" : node.otherwise ? "else" : "fi");
    }
    if (node.otherwise) block("", *node.otherwise, "fi");
  }

  void print(const For& node, const Command&) {
    out_ += "for " + node.variable;
    if (node.has_words) out_ += " in";
    for (const Word& word : node.words) out_ += " " + to_text(word);
    block("; do", *node.body, "done");
  }

  void print(const While& node, const Command&) {
    block(node.until ? "until" : "while", *node.condition, "do");
    block("", *node.body, "done");
  }

  void print(const Case& node, const Command&) {
    out_ += "case " + to_text(node.subject) + " in ";
    for (const Case::Item& item : node.items) {
      out_ += '(';
      for (std::size_t i = 0; i < item.patterns.size(); ++i) {
        if (i > 0) out_ += " | ";
        out_ += to_text(item.patterns[i]);
      }
      out_ += ") ";
      list(*item.body);
      out_ += " ;; ";
    }
    out_ += "esac";
  }

  void print(const FunctionDefinition& node, const Command&) {
    out_ += node.name + "() ";
    command(*node.body);
  }

  std::string out_;
  std::vector<const HereDocument*> pending_;
};

}  // namespace

std::string to_text(const List& list) {
  CommandPrinter printer;
  printer.list(list);
  return printer.take();
}

std::string to_text(const Command& command) {
  CommandPrinter printer;
  printer.command(command);
  return printer.take();
}

}  // namespace sandproof::machine::shell
