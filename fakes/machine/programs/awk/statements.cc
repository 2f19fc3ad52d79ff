// SPDX-License-Identifier: Apache-2.0
// Statements, and expressions that may wait.
#include <algorithm>

#include "fakes/machine/programs/awk/format.h"
#include "fakes/machine/programs/awk/interpreter.h"

namespace sandproof::machine::programs::awk {

Task<bool> Interpreter::truth(const Node& node) {
  if (!node.waits) co_return now(node).truth();
  const Value value = co_await later(node);
  co_return value.truth();
}

Task<Value> Interpreter::later(const Node& node) {
  if (!node.waits) co_return now(node);
  switch (node.kind) {
    case Kind::kAssign: {
      Value value = co_await later(*node.parts[1]);
      co_return assign_to(node, place_now(*node.parts[0]), std::move(value));
    }
    case Kind::kCondition: {
      const bool so = co_await truth(*node.parts[0]);
      co_return co_await later(*node.parts[so ? 1 : 2]);
    }
    case Kind::kOr:
    case Kind::kAnd: {
      const bool left = co_await truth(*node.parts[0]);
      if (left == (node.kind == Kind::kOr)) co_return Value::number(left ? 1 : 0);
      const bool right = co_await truth(*node.parts[1]);
      co_return Value::number(right ? 1 : 0);
    }
    case Kind::kCall:
      co_return co_await call(node);
    case Kind::kGetline:
      co_return co_await getline(node);
    case Kind::kField: {
      const Value number = co_await later(*node.parts[0]);
      co_return record_.field(static_cast<std::size_t>(std::max(0.0, number.to_number())),
                              text_of_global(ofs_), convert());
    }
    case Kind::kElement: {
      std::vector<Value> values;
      for (const NodePtr& part : node.parts) values.push_back(co_await later(*part));
      co_return cell_of(node).as_array()[key_of(values)];
    }
    case Kind::kIncrement:
      co_return increment(node, place_now(*node.parts[0]));
    case Kind::kBuiltin:
      for (const char* name : {"system", "close", "fflush"}) {
        if (node.text == name) co_return co_await waiting_builtin(node);
      }
      break;
    default:
      break;
  }
  std::vector<Value> values(node.parts.size());
  for (std::size_t part = 0; part < values.size(); ++part) {
    if (is_evaluated(node, part)) values[part] = co_await later(*node.parts[part]);
  }
  co_return apply(node, values);
}

Task<Value> Interpreter::waiting_builtin(const Node& node) {
  std::string name;
  if (!node.parts.empty()) {
    const Value value = co_await later(*node.parts[0]);
    name = text(value);
  }
  double result = 0;
  if (node.text == "system") {
    result = co_await streams_.system(name);
  } else if (node.text == "close") {
    result = co_await streams_.close(name);
  } else if (node.parts.empty() || name.empty()) {
    co_await streams_.flush_all();
  } else {
    const bool flushed = co_await streams_.flush(name);
    result = flushed ? 0 : -1;
  }
  co_return Value::number(result);
}

Task<Value> Interpreter::call(const Node& node) {
  const Function& function = program_.functions[node.index];
  if (frames_.size() >= kMaxCalls) throw Failure{"function calls nested too deep", node.line};
  if (node.parts.size() > function.parameters) throw Failure{"Too many arguments", node.line};
  auto frame = std::make_unique<Frame>(function.parameters);
  for (std::size_t part = 0; part < node.parts.size(); ++part) {
    const Node& argument = *node.parts[part];
    Cell& parameter = (*frame)[part];
    if (argument.kind == Kind::kVariable && !argument.grouped) {
      Cell& cell = cell_of(argument);
      // What is nothing yet may become an array in there.
      if (cell.value.nothing()) (void)cell.as_array();
      parameter.array = cell.array;
      parameter.value = now(argument);
    } else {
      parameter.value = co_await later(argument);
    }
  }
  frames_.push_back(std::move(frame));
  returned_ = Value();
  const Flow flow = co_await statement(*function.body);
  frames_.pop_back();
  // An exit in a function ends the program.
  if (flow == Flow::kExit) throw flow;
  if (flow == Flow::kNext) throw flow;
  co_return std::exchange(returned_, {});
}

Task<Value> Interpreter::getline(const Node& node) {
  std::string record;
  bool got = false;
  if (node.text.empty()) {
    got = co_await next_record(record);
  } else {
    const Value name = co_await later(*node.parts[1]);
    RecordReader* const reader = co_await streams_.input(node.text, text(name));
    if (reader == nullptr) co_return Value::number(-1);
    const std::string separator = text_of_global(rs_);
    got = co_await reader->next(record, separator);
  }
  if (!got) co_return Value::number(0);
  if (node.text != "<") count_record(node.text.empty());
  if (node.parts[0] != nullptr) {
    (void)store(place_now(*node.parts[0]), Value::input(std::move(record)));
  } else {
    set_record(std::move(record));
  }
  co_return Value::number(1);
}

Task<void> Interpreter::print(const Node& node) {
  const std::size_t count = node.parts.size() - (node.text.empty() ? 0 : 1);
  std::vector<Value> values;
  for (std::size_t part = 0; part < count; ++part) {
    values.push_back(co_await later(*node.parts[part]));
  }
  std::string line;
  if (node.kind == Kind::kPrintf) {
    if (values.empty()) throw Failure{"Possible syntax error", node.line};
    line = format_values(text(values[0]), std::span(values).subspan(1), convert());
  } else {
    const std::string format = text_of_global(ofmt_);
    for (std::size_t at = 0; at < values.size(); ++at) {
      if (at > 0) line += text_of_global(ofs_);
      line += values[at].to_text(format);
    }
    if (values.empty()) line = text(current_record());
    line += text_of_global(ors_);
  }
  Output* out = &tool_.out;
  if (!node.text.empty()) {
    const Value name = co_await later(*node.parts.back());
    out = co_await streams_.output(node.text, text(name));
    if (out == nullptr) {
      status_ = 1;
      throw Flow::kExit;
    }
  }
  if (co_await out->put(line)) co_return;
  // Nobody can take it, or there is no room.
  status_ = 1;
  if (out == &tool_.out) throw Flow::kExit;
}

Task<Interpreter::Flow> Interpreter::loop(const Node& node) {
  const bool is_for = node.kind == Kind::kFor;
  const Node* const test = node.parts[is_for ? 1 : 0].get();
  const Node& body = *node.parts[is_for ? 3 : 1];
  if (is_for && node.parts[0] != nullptr) (void)co_await statement(*node.parts[0]);
  bool first = node.kind == Kind::kDo;
  for (;;) {
    co_await tool_.self.yield_point();
    if (!first && test != nullptr) {
      const bool again = co_await truth(*test);
      if (!again) break;
    }
    first = false;
    const Flow flow = co_await statement(body);
    if (flow == Flow::kBreak) break;
    if (flow != Flow::kNormal && flow != Flow::kContinue) co_return flow;
    if (is_for && node.parts[2] != nullptr) (void)co_await statement(*node.parts[2]);
  }
  co_return Flow::kNormal;
}

Task<Interpreter::Flow> Interpreter::for_in(const Node& node) {
  // The keys as they are before the loop: its body may change the array.
  std::vector<std::string> keys;
  for (const auto& [key, value] : cell_of(*node.parts[1]).as_array()) keys.push_back(key);
  for (std::string& key : keys) {
    co_await tool_.self.yield_point();
    (void)store(place_now(*node.parts[0]), Value::input(std::move(key)));
    const Flow flow = co_await statement(*node.parts[2]);
    if (flow == Flow::kBreak) break;
    if (flow != Flow::kNormal && flow != Flow::kContinue) co_return flow;
  }
  co_return Flow::kNormal;
}

Task<Interpreter::Flow> Interpreter::statement(const Node& node) {
  switch (node.kind) {
    case Kind::kExpression:
      if (node.waits) {
        (void)co_await later(*node.parts[0]);
      } else {
        (void)now(*node.parts[0]);
      }
      co_return Flow::kNormal;
    case Kind::kPrint:
    case Kind::kPrintf:
      co_await print(node);
      co_return Flow::kNormal;
    case Kind::kBlock:
      for (const NodePtr& part : node.parts) {
        const Flow flow = co_await statement(*part);
        if (flow != Flow::kNormal) co_return flow;
      }
      co_return Flow::kNormal;
    case Kind::kIf: {
      const bool so = co_await truth(*node.parts[0]);
      if (so) co_return co_await statement(*node.parts[1]);
      if (node.parts.size() > 2) co_return co_await statement(*node.parts[2]);
      co_return Flow::kNormal;
    }
    case Kind::kWhile:
    case Kind::kDo:
    case Kind::kFor:
      co_return co_await loop(node);
    case Kind::kForIn:
      co_return co_await for_in(node);
    case Kind::kBreak:
      co_return Flow::kBreak;
    case Kind::kContinue:
      co_return Flow::kContinue;
    case Kind::kNext:
      co_return Flow::kNext;
    case Kind::kExit:
      if (!node.parts.empty()) {
        const Value value = co_await later(*node.parts[0]);
        status_ = static_cast<int>(value.to_number());
      }
      co_return Flow::kExit;
    case Kind::kReturn:
      if (!node.parts.empty()) {
        Value value = co_await later(*node.parts[0]);
        returned_ = std::move(value);
      }
      co_return Flow::kReturn;
    case Kind::kDelete: {
      const Node& what = *node.parts[0];
      if (what.kind == Kind::kVariable) {
        cell_of(what).as_array().clear();
      } else {
        const Place place = place_now(what);
        place.array->erase(place.key);
      }
      co_return Flow::kNormal;
    }
    default:
      throw Failure{"Possible syntax error", node.line};
  }
}

}  // namespace sandproof::machine::programs::awk
