// SPDX-License-Identifier: Apache-2.0
// Each part is written with the quotes that it was read with; what was unquoted needs none.
#include "fakes/machine/shell/parse/word_text.h"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "fakes/machine/shell/parse/to_text.h"

namespace sandproof::machine::shell {
namespace {

struct PartPrinter {
  std::string out;
  bool quoted = false;  // In double quotes, arithmetic or a here-document.

  void word(const Word& word) {
    for (const Part& part : word.parts) std::visit(*this, part.value);
  }

  void word(const Word& inner, bool in_quotes) {
    const bool outer = std::exchange(quoted, in_quotes);
    word(inner);
    quoted = outer;
  }

  void operator()(const Text& text) {
    switch (text.quote) {
      case Quote::kNone:
        out += text.text;
        return;
      case Quote::kSingle:
        out += "'" + text.text + "'";
        return;
      case Quote::kBackslash:
        for (const char c : text.text) out.append(1, '\\').append(1, c);
        return;
    }
  }

  void operator()(const DoubleQuoted& node) {
    out += '"';
    word(node.word, true);
    out += '"';
  }

  void operator()(const Tilde& node) { out += "~" + node.user; }

  void operator()(const Parameter& node) {
    out += "${";
    if (node.op == ParameterOperator::kLength) out += '#';
    out += node.name;
    if (node.colon) out += ':';
    out.append(operator_text(node.op)).append(node.bad);
    const bool trims = node.op >= ParameterOperator::kTrimSmallestPrefix &&
                       node.op <= ParameterOperator::kTrimLargestSuffix;
    word(node.word, quoted && !trims);
    out += '}';
  }

  void operator()(const CommandSubstitution& node) {
    const std::string text = to_text(*node.list);
    if (!node.backquoted) {
      // Two parentheses would be arithmetic.
      out += text.starts_with('(') ? "$( " : "$(";
      out += text + ")";
      return;
    }
    out += '`';
    for (const char c : text) {
      if (c == '\\' || c == '`' || c == '$' || (quoted && c == '"')) out += '\\';
      out += c;
    }
    out += '`';
  }

  void operator()(const Arithmetic& node) {
    out += "$((";
    word(node.expression, true);
    out += "))";
  }
};

std::string single_quoted(std::string_view text) {
  std::string out = "'";
  for (const char c : text) {
    if (c == '\'') {
      out += "'\\''";
    } else {
      out += c;
    }
  }
  return out + "'";
}

// A line of the body that reads like the delimiter had a joint in it, and gets one again.
std::string split_lines_like(std::string_view delimiter, std::string body) {
  std::size_t begin = 0;
  while (begin < body.size()) {
    const std::size_t end = std::min(body.find('\n', begin), body.size());
    if (end - begin >= 2 && std::string_view(body).substr(begin, end - begin) == delimiter) {
      body.insert(begin + 1, "\\\n");
      begin += 2;
    }
    begin = end + 1;
  }
  return body;
}

}  // namespace

std::string_view operator_text(ParameterOperator op) {
  using enum ParameterOperator;
  switch (op) {
    case kDefault:
      return "-";
    case kAssign:
      return "=";
    case kError:
      return "?";
    case kAlternative:
      return "+";
    case kTrimSmallestPrefix:
      return "#";
    case kTrimLargestPrefix:
      return "##";
    case kTrimSmallestSuffix:
      return "%";
    case kTrimLargestSuffix:
      return "%%";
    case kNone:
    case kLength:
    case kBad:
      break;
  }
  return "";
}

std::string_view operator_text(RedirectionOperator op) {
  using enum RedirectionOperator;
  switch (op) {
    case kRead:
      return "<";
    case kWrite:
      return ">";
    case kClobber:
      return ">|";
    case kAppend:
      return ">>";
    case kReadWrite:
      return "<>";
    case kDuplicateIn:
      return "<&";
    case kDuplicateOut:
      return ">&";
    case kHereDocument:
      return "<<";
  }
  return "";
}

std::string redirection_text(const Redirection& redirection) {
  std::string out = std::to_string(redirection.fd);
  out += operator_text(redirection.op);
  if (!redirection.here) return out + to_text(redirection.target);
  const HereDocument& here = *redirection.here;
  if (here.strip_tabs) out += '-';
  return out + (here.quoted ? single_quoted(here.delimiter) : here.delimiter);
}

std::string here_document_text(const HereDocument& here) {
  std::string body;
  if (here.quoted) {
    for (const Part& part : here.body.parts) body += std::get<Text>(part.value).text;
  } else {
    PartPrinter printer;
    printer.word(here.body, true);
    body = split_lines_like(here.delimiter, std::move(printer.out));
  }
  // One that the end of the script ended, in the middle of a line, can only end so again.
  if (!body.empty() && body.back() != '\n') return body;
  return body + here.delimiter + "\n";
}

std::string to_text(const Word& word) {
  PartPrinter printer;
  printer.word(word);
  return printer.out;
}

}  // namespace sandproof::machine::shell
