// SPDX-License-Identifier: Apache-2.0
// Names, values and expressions that do not wait; statements.cc has the rest.
#include "fakes/machine/programs/awk/interpreter.h"

#include <algorithm>
#include <cctype>
#include <cmath>

#include "fakes/machine/programs/support/escapes.h"

namespace sandproof::machine::programs::awk {

Interpreter::Interpreter(Tool& tool, Program program)
    : tool_(tool), program_(std::move(program)), streams_(tool) {
  nf_ = global("NF");
  nr_ = global("NR");
  fnr_ = global("FNR");
  fs_ = global("FS");
  ofs_ = global("OFS");
  ors_ = global("ORS");
  rs_ = global("RS");
  filename_ = global("FILENAME");
  rstart_ = global("RSTART");
  rlength_ = global("RLENGTH");
  subsep_ = global("SUBSEP");
  convfmt_ = global("CONVFMT");
  ofmt_ = global("OFMT");
  environ_ = global("ENVIRON");
  argc_ = global("ARGC");
  argv_ = global("ARGV");
  globals_.resize(program_.globals.size());
  in_range_.resize(program_.rules.size());
  set_text("FS", " ");
  set_text("OFS", " ");
  set_text("ORS", "\n");
  set_text("RS", "\n");
  set_text("SUBSEP", "\034");
  set_text("CONVFMT", "%.6g");
  set_text("OFMT", "%.6g");
  Array& variables = globals_[environ_].as_array();
  for (const std::string& entry : tool.self.env()) {
    const std::size_t equals = entry.find('=');
    if (equals != entry.npos) {
      variables[entry.substr(0, equals)] = Value::input(entry.substr(equals + 1));
    }
  }
  record_.set("", Separator(" "), false);
}

std::size_t Interpreter::global(const std::string& name) {
  return program_.globals.try_emplace(name, program_.globals.size()).first->second;
}

void Interpreter::set_text(const std::string& name, std::string value) {
  const std::size_t index = global(name);
  if (index >= globals_.size()) globals_.resize(index + 1);
  globals_[index].value = Value::text(std::move(value));
}

bool Interpreter::assign(const std::string& word) {
  const std::size_t equals = word.find('=');
  if (equals == word.npos || equals == 0) return false;
  for (std::size_t at = 0; at < equals; ++at) {
    const auto letter = static_cast<unsigned char>(word[at]);
    const bool fits =
        std::isalpha(letter) != 0 || letter == '_' || (at > 0 && std::isdigit(letter) != 0);
    if (!fits) return false;
  }
  const std::string value =
      unescape(std::string_view(word).substr(equals + 1), OctalEscape::kThreeDigits, false).text;
  const std::size_t index = global(word.substr(0, equals));
  if (index >= globals_.size()) globals_.resize(index + 1);
  globals_[index].value = Value::input(value);
  return true;
}

std::string Interpreter::convert() {
  const Value& format = globals_[convfmt_].value;
  return format.kind() == Value::Kind::kNumber ? "%.6g" : format.to_text("%.6g");
}

Cell& Interpreter::cell_of(const Node& node) {
  return node.local ? (*frames_.back())[node.index] : globals_[node.index];
}

std::string Interpreter::key_of(std::span<const Value> values) {
  std::string key;
  for (std::size_t at = 0; at < values.size(); ++at) {
    if (at > 0) key += text_of_global(subsep_);
    key += text(values[at]);
  }
  return key;
}

Value Interpreter::load(const Place& place) {
  if (place.array != nullptr) {
    if (place.array->size() >= kMaxElements) throw Failure{"array is too large"};
    return (*place.array)[place.key];
  }
  if (place.field) return record_.field(place.number, text_of_global(ofs_), convert());
  if (place.global == nf_ + 1) return Value::number(static_cast<double>(record_.count()));
  return place.cell->value;
}

Value Interpreter::store(const Place& place, Value value) {
  if (place.array != nullptr) {
    if (place.array->size() >= kMaxElements) throw Failure{"array is too large"};
    (*place.array)[place.key] = value;
  } else if (place.field && place.number == 0) {
    set_record(text(value));
  } else if (place.field) {
    record_.set_field(place.number, value);
  } else {
    place.cell->value = value;
    if (place.global == nf_ + 1) {
      record_.set_count(static_cast<std::size_t>(std::max(0.0, value.to_number())));
    }
  }
  return value;
}

void Interpreter::set_record(std::string value) {
  const std::string fs = text_of_global(fs_);
  if (!separator_ || separator_->text() != fs) separator_.emplace(fs);
  const bool paragraphs = text_of_global(rs_).empty();
  record_.set(std::move(value), *separator_, paragraphs);
}

const Regex& Interpreter::compiled(const std::string& pattern) {
  const auto found = regexes_.find(pattern);
  if (found != regexes_.end()) return found->second;
  if (regexes_.size() >= kMaxRegexes) regexes_.clear();
  std::optional<Regex> regex = Regex::compile(pattern, {.extended = true});
  if (!regex) throw Failure{"bad regex '" + pattern + "'"};
  return regexes_.emplace(pattern, *std::move(regex)).first->second;
}

const Regex& Interpreter::regex_of(const Node& node, const Value& value) {
  return node.kind == Kind::kRegex ? *node.regex : compiled(text(value));
}

Interpreter::Place Interpreter::place_now(const Node& node) {
  Place place;
  if (node.kind == Kind::kVariable) {
    place.cell = &cell_of(node);
    if (!node.local) place.global = node.index + 1;
  } else if (node.kind == Kind::kField) {
    const double number = now(*node.parts[0]).to_number();
    if (number < 0) throw Failure{"Access to negative field", node.line};
    place.field = true;
    place.number = static_cast<std::size_t>(std::min(number, 1e9));
  } else if (node.kind == Kind::kElement) {
    std::vector<Value> values;
    for (const NodePtr& part : node.parts) values.push_back(now(*part));
    Cell& cell = cell_of(node);
    (void)cell.as_array();
    place.array = cell.array;
    place.key = key_of(values);
  } else {
    throw Failure{"Possible syntax error", node.line};
  }
  return place;
}

/// Parts that are no values: names of arrays, regular expressions, what is assigned to.
bool Interpreter::is_evaluated(const Node& node, std::size_t part) {
  const Node& inner = *node.parts[part];
  if (node.kind == Kind::kMatch || node.kind == Kind::kBuiltin) {
    if (inner.kind == Kind::kRegex &&
        (node.kind == Kind::kMatch ? part == 1 : node.text != "length")) {
      return false;
    }
  }
  if (node.kind == Kind::kIn) return false;
  if (node.kind != Kind::kBuiltin) return true;
  if (node.text == "split") return part != 1;
  if (node.text == "length") return inner.kind != Kind::kVariable;
  if (node.text == "sub" || node.text == "gsub") return part < 2;
  return true;
}

Value Interpreter::now(const Node& node) {
  switch (node.kind) {
    case Kind::kNumber:
      return Value::number(node.number);
    case Kind::kText:
      return Value::text(node.text);
    case Kind::kRegex:
      return Value::number(node.regex->matches(text(current_record())) ? 1 : 0);
    case Kind::kVariable:
    case Kind::kField:
    case Kind::kElement:
      return load(place_now(node));
    case Kind::kAssign: {
      // The value first: `$(i++) = i` and the like are the program's own fault.
      Value value = now(*node.parts[1]);
      return assign_to(node, place_now(*node.parts[0]), std::move(value));
    }
    case Kind::kIncrement:
      return increment(node, place_now(*node.parts[0]));
    case Kind::kCondition:
      return now(*node.parts[now(*node.parts[0]).truth() ? 1 : 2]);
    case Kind::kOr:
      return Value::number(now(*node.parts[0]).truth() || now(*node.parts[1]).truth() ? 1 : 0);
    case Kind::kAnd:
      return Value::number(now(*node.parts[0]).truth() && now(*node.parts[1]).truth() ? 1 : 0);
    case Kind::kCall:
    case Kind::kGetline:
      throw Failure{"a function or getline is not supported here", node.line};
    default:
      break;
  }
  std::vector<Value> values(node.parts.size());
  for (std::size_t part = 0; part < values.size(); ++part) {
    if (is_evaluated(node, part)) values[part] = now(*node.parts[part]);
  }
  return apply(node, values);
}

Value Interpreter::apply(const Node& node, std::span<const Value> values) {
  switch (node.kind) {
    case Kind::kConcat: {
      std::string joined = text(values[0]) + text(values[1]);
      if (joined.size() > kMaxHeldBytes) throw Failure{"text is too long", node.line};
      return Value::text(std::move(joined));
    }
    case Kind::kBinary:
      return arithmetic(node, values[0].to_number(), values[1].to_number());
    case Kind::kUnary:
      if (node.text == "!") return Value::number(values[0].truth() ? 0 : 1);
      return Value::number(node.text == "-" ? -values[0].to_number() : values[0].to_number());
    case Kind::kCompare:
      return Value::number(compare(node.text, values[0], values[1]) ? 1 : 0);
    case Kind::kMatch: {
      const bool found = regex_of(*node.parts[1], values[1]).matches(text(values[0]));
      return Value::number(found == (node.text == "~") ? 1 : 0);
    }
    case Kind::kIn: {
      const Node& left = *node.parts[0];
      std::string key;
      if (left.kind == Kind::kGroup) {
        std::vector<Value> subscripts;
        for (const NodePtr& part : left.parts) subscripts.push_back(now(*part));
        key = key_of(subscripts);
      } else {
        key = text(now(left));
      }
      return Value::number(cell_of(*node.parts[1]).as_array().contains(key) ? 1 : 0);
    }
    case Kind::kField: {
      const Place place = place_now(node);
      return load(place);
    }
    case Kind::kGroup:
      return Value::text(key_of(values));
    case Kind::kBuiltin:
      return builtin(node, values);
    default:
      throw Failure{"Possible syntax error", node.line};
  }
}

Value Interpreter::arithmetic(const Node& node, double left, double right) {
  switch (node.text[0]) {
    case '+':
      return Value::number(left + right);
    case '-':
      return Value::number(left - right);
    case '*':
      return Value::number(left * right);
    case '/':
      if (right == 0) throw Failure{"Division by zero", node.line};
      return Value::number(left / right);
    case '%':
      if (right == 0) throw Failure{"Division by zero", node.line};
      return Value::number(std::fmod(left, right));
    default:
      // As Debian's busybox.
      throw Failure{"Math support is not compiled in", node.line};
  }
}

bool Interpreter::compare(const std::string& name, const Value& left, const Value& right) {
  double order = 0;
  if (left.numeric() && right.numeric()) {
    order = left.to_number() - right.to_number();
  } else {
    order = text(left).compare(text(right));
  }
  if (name == "<") return order < 0;
  if (name == "<=") return order <= 0;
  if (name == "==") return order == 0;
  if (name == "!=") return order != 0;
  if (name == ">") return order > 0;
  return order >= 0;
}

Value Interpreter::assign_to(const Node& node, const Place& place, Value value) {
  if (node.text == "=") return store(place, std::move(value));
  Node operation{.kind = Kind::kBinary, .line = node.line, .text = node.text.substr(0, 1)};
  return store(place, arithmetic(operation, load(place).to_number(), value.to_number()));
}

Value Interpreter::increment(const Node& node, const Place& place) {
  const double before = load(place).to_number();
  const double after = node.text == "++" ? before + 1 : before - 1;
  (void)store(place, Value::number(after));
  return Value::number(node.prefix ? after : before);
}

}  // namespace sandproof::machine::programs::awk
