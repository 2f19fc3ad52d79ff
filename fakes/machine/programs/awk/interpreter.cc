// SPDX-License-Identifier: Apache-2.0
// The loop over instructions: the stack, jumps, calls, walks of arrays, and the order of BEGIN,
// records and END.
#include "fakes/machine/programs/awk/interpreter.h"

#include <utility>

#include "fakes/machine/programs/awk/failure.h"
#include "fakes/machine/programs/awk/limits.h"

namespace sandproof::machine::programs::awk {
namespace {

// Jumps back and calls between two points where others may run.
constexpr unsigned kTurnsPerYield = 32;

}  // namespace

Interpreter::Interpreter(Process& self, Output& out, Code code)
    : self_(self),
      out_(out),
      code_(std::move(code)),
      streams_(self, out),
      record_(memory_),
      globals_(code_.globals.size()),
      in_range_(code_.ranges) {
  const auto set_text = [this](Special slot, const char* text) {
    store({.place = {.kind = Place::Kind::kVariable, .slot = slot}}, Value::string(text));
  };
  set_text(kConvfmt, "%.6g");
  set_text(kOfmt, "%.6g");
  set_text(kFs, " ");
  set_text(kOfs, " ");
  set_text(kOrs, "\n");
  set_text(kRs, "\n");
  set_text(kRt, "");
  set_text(kFilename, "");
  set_text(kSubsep, "\034");
  for (const Special slot : {kArgind, kArgc, kErrno, kFnr, kNr, kIgnorecase}) set_number(slot, 0);
  Array& environment = *array_of(globals_[kEnviron]);
  for (const std::string& entry : self.env()) {
    const std::size_t equals = entry.find('=');
    if (equals == entry.npos) continue;
    environment.set(entry.substr(0, equals), Value::input(entry.substr(equals + 1)));
  }
}

void Interpreter::push(Value value, Cell* cell) {
  memory_.add(sizeof(Item) + value.bytes());
  stack_.push_back({.value = std::move(value), .cell = cell});
}

Value Interpreter::pop() {
  Value value = std::move(stack_.back().value);
  stack_.pop_back();
  memory_.remove(sizeof(Item) + value.bytes());
  return value;
}

std::vector<Value> Interpreter::pop_values(int count) {
  std::vector<Value> values(static_cast<std::size_t>(count));
  for (auto value = values.rbegin(); value != values.rend(); ++value) *value = pop();
  return values;
}

void Interpreter::reset() {
  while (!stack_.empty()) (void)pop();
  while (!frames_.empty()) leave();
  end_walks(0);
}

Task<Interpreter::Stop> Interpreter::execute(int begin) {
  at_ = static_cast<std::size_t>(begin);
  for (;;) {
    const Instruction& instruction = code_.instructions[at_++];
    line_ = instruction.line;
    switch (instruction.op) {
      case Op::kJump:
      case Op::kCall:
        if (instruction.op == Op::kCall) {
          enter(instruction);
        } else {
          at_ = static_cast<std::size_t>(instruction.a);
        }
        if (++turns_ % kTurnsPerYield == 0) co_await self_.yield_point();
        break;
      case Op::kPrint:
      case Op::kPrintf:
        if (instruction.redirect == Redirect::kNone) {
          const std::string text = print_text(instruction);
          (void)co_await out_.put(text);
        } else {
          co_await print(instruction);
        }
        break;
      case Op::kGetline:
        co_await getline(instruction);
        break;
      case Op::kBuiltin:
        if (instruction.builtin == Builtin::kClose || instruction.builtin == Builtin::kSystem ||
            instruction.builtin == Builtin::kFflush) {
          co_await stream_function(instruction);
        } else {
          builtin(instruction);
        }
        break;
      case Op::kNext:
      case Op::kNextFile:
        co_return instruction.op == Op::kNext ? Stop::kNext : Stop::kNextFile;
      case Op::kExit:
        if (instruction.flag) status_ = to_int(pop_number());
        co_return Stop::kExit;
      case Op::kEnd:
        co_return Stop::kDone;
      default:
        step(instruction);
    }
  }
}

void Interpreter::step(const Instruction& instruction) {
  switch (instruction.op) {
    case Op::kConstant:
      push(code_.constants[static_cast<std::size_t>(instruction.a)]);
      return;
    case Op::kPop:
      (void)pop();
      return;
    case Op::kJumpIfFalse:
    case Op::kJumpIfTrue:
    case Op::kJumpInRange:
    case Op::kSetRange:
      return branch(instruction);
    case Op::kForBegin:
    case Op::kForNext:
    case Op::kForEnd:
      return walk_step(instruction);
    case Op::kReturn: {
      Value value = pop();
      leave();
      push(std::move(value));
      return;
    }
    case Op::kOperate:
    case Op::kNegate:
    case Op::kPlus:
    case Op::kNot:
    case Op::kTruth:
      return operate(instruction);
    case Op::kMatch:
    case Op::kMatchRecord:
      return match_step(instruction);
    case Op::kJoin:
      return join(instruction.a);
    default:
      return place_step(instruction);
  }
}

void Interpreter::branch(const Instruction& instruction) {
  const auto range = static_cast<std::size_t>(instruction.b);
  bool jumps = false;
  switch (instruction.op) {
    case Op::kJumpIfFalse:
      jumps = !pop().is_true();
      break;
    case Op::kJumpIfTrue:
      jumps = pop().is_true();
      break;
    case Op::kJumpInRange:
      jumps = in_range_[range];
      break;
    default:
      in_range_[range] = instruction.flag;
  }
  if (jumps) at_ = static_cast<std::size_t>(instruction.a);
}

void Interpreter::walk_step(const Instruction& instruction) {
  if (instruction.op == Op::kForBegin) {
    walks_.push_back({.keys = array(instruction.place).keys()});
    for (const std::string& key : walks_.back().keys) memory_.add(sizeof(key) + key.size());
    return;
  }
  if (instruction.op == Op::kForEnd) {
    end_walks(walks_.size() - 1);
    return;
  }
  const Target where = target(instruction.place);
  Walk& walk = walks_.back();
  if (walk.next == walk.keys.size()) {
    at_ = static_cast<std::size_t>(instruction.a);
    return;
  }
  std::string key = walk.keys[walk.next++];
  store(where, Value::input(std::move(key)));
}

void Interpreter::end_walks(std::size_t but) {
  for (; walks_.size() > but; walks_.pop_back()) {
    for (const std::string& key : walks_.back().keys) memory_.remove(sizeof(key) + key.size());
  }
}

void Interpreter::enter(const Instruction& instruction) {
  const CodeFunction& function = code_.functions[static_cast<std::size_t>(instruction.a)];
  if (function.begin < 0) throw RunFailure("Call to undefined function");
  if (frames_.size() >= kMaxCallDepth) {
    throw RunFailure("Function " + function.name + " is called more than " +
                     std::to_string(kMaxCallDepth) + " deep; end its recursion");
  }
  const std::size_t base = locals_.size();
  memory_.add(function.parameters * sizeof(Cell));
  locals_.resize(base + function.parameters);
  const std::size_t first = stack_.size() - static_cast<std::size_t>(instruction.b);
  for (std::size_t i = 0; first + i < stack_.size(); ++i) {
    Item& item = stack_[first + i];
    Cell& local = locals_[base + i];
    // The memory of its text goes from the stack to the variable.
    local.value = std::move(item.value);
    if (item.cell == nullptr) continue;
    if (item.cell->array != nullptr) {
      local.array = item.cell->array;
    } else if (local.value.is_unset()) {
      local.origin = item.cell;
    }
  }
  memory_.remove((stack_.size() - first) * sizeof(Item));
  stack_.resize(first);
  frames_.push_back({.back = static_cast<int>(at_), .locals = base, .walks = walks_.size()});
  at_ = static_cast<std::size_t>(function.begin);
}

void Interpreter::leave() {
  const Frame frame = frames_.back();
  frames_.pop_back();
  while (locals_.size() > frame.locals) {
    memory_.remove(sizeof(Cell) + locals_.back().value.bytes());
    locals_.pop_back();
  }
  end_walks(frame.walks);
  at_ = static_cast<std::size_t>(frame.back);
}

Task<bool> Interpreter::main_records() {
  while (co_await next_record()) {
    const Stop stop = co_await execute(code_.main);
    reset();
    if (stop == Stop::kExit) co_return false;
    if (stop == Stop::kNextFile) {
      reader_.reset();
      file_.reset();
    }
  }
  co_return true;
}

Task<int> Interpreter::run() {
  bool goes_on = co_await execute(code_.begin) != Stop::kExit;
  reset();
  if (goes_on && (code_.has_main || code_.has_end)) goes_on = co_await main_records();
  (void)co_await execute(code_.end);
  reset();
  co_await streams_.close_all();
  co_return static_cast<int>(static_cast<unsigned>(status_) & 0xffU);
}

}  // namespace sandproof::machine::programs::awk
