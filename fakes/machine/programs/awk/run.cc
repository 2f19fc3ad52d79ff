// SPDX-License-Identifier: Apache-2.0
// A program of awk from its beginning to its end: its rules over the records of its operands.
#include "fakes/machine/programs/awk/interpreter.h"

namespace sandproof::machine::programs::awk {

void Interpreter::count_record(bool of_file) {
  globals_[nr_].value = Value::number(number_of_global(nr_) + 1);
  if (of_file) globals_[fnr_].value = Value::number(number_of_global(fnr_) + 1);
}

/// The next operand that is a file; standard input where none is. False at their end.
Task<bool> Interpreter::open_next() {
  Array& operands = globals_[argv_].as_array();
  while (static_cast<double>(next_operand_) < number_of_global(argc_)) {
    const auto found = operands.find(std::to_string(next_operand_++));
    const std::string word = found == operands.end() ? "" : text(found->second);
    if (word.empty() || assign(word)) continue;
    any_input_ = true;
    Result<OwnedFd> file = co_await open_input(tool_.self, word);
    if (!file) {
      std::string why = word + ": ";
      why += text_of(file.error());
      throw Failure{why, 0};
    }
    globals_[filename_].value = Value::text(word);
    globals_[fnr_].value = Value::number(0);
    input_ = std::make_unique<RecordReader>(tool_.self, *std::move(file));
    co_return true;
  }
  if (any_input_) co_return false;
  any_input_ = true;
  globals_[fnr_].value = Value::number(0);
  input_ = std::make_unique<RecordReader>(tool_.self, OwnedFd(tool_.self, 0));
  co_return true;
}

Task<bool> Interpreter::next_record(std::string& record) {
  while (!no_more_input_) {
    if (input_ == nullptr) {
      const bool opened = co_await open_next();
      if (!opened) break;
    }
    const std::string separator = text_of_global(rs_);
    const bool got = co_await input_->next(record, separator);
    if (got) co_return true;
    input_.reset();
  }
  no_more_input_ = true;
  co_return false;
}

Task<bool> Interpreter::selected(std::size_t which) {
  const Rule& rule = program_.rules[which];
  if (rule.first == nullptr) co_return true;
  if (rule.last == nullptr) co_return co_await truth(*rule.first);
  if (!in_range_[which]) {
    const bool begins = co_await truth(*rule.first);
    if (!begins) co_return false;
    in_range_[which] = true;
  }
  const bool ends = co_await truth(*rule.last);
  if (ends) in_range_[which] = false;
  co_return true;
}

Task<Interpreter::Flow> Interpreter::rules() {
  for (std::size_t which = 0; which < program_.rules.size(); ++which) {
    const bool chosen = co_await selected(which);
    if (!chosen) continue;
    const Rule& rule = program_.rules[which];
    Flow flow = Flow::kNormal;
    if (rule.body == nullptr) {
      const Node whole{.kind = Kind::kPrint};
      co_await print(whole);
    } else {
      flow = co_await statement(*rule.body);
    }
    if (flow == Flow::kExit || flow == Flow::kNext) co_return flow;
  }
  co_return Flow::kNormal;
}

Task<int> Interpreter::run(const Strings& operands) {
  Array& words = globals_[argv_].as_array();
  words["0"] = Value::text("awk");
  for (std::size_t at = 0; at < operands.size(); ++at) {
    words[std::to_string(at + 1)] = Value::input(operands[at]);
  }
  globals_[argc_].value = Value::number(static_cast<double>(operands.size() + 1));
  bool exits = false;
  // 0: BEGIN, 1: the records, 2: END. `exit` in the first two goes to the third.
  for (int phase = 0; phase < 3; ++phase) {
    if (exits && phase == 1) continue;
    if (phase == 1 && program_.rules.empty() && program_.end.empty()) break;
    const std::vector<NodePtr>& blocks = phase == 0 ? program_.begin : program_.end;
    try {
      if (phase == 1) {
        std::string record;
        while (!exits) {
          const bool got = co_await next_record(record);
          if (!got) break;
          count_record(true);
          set_record(record);
          Flow flow = Flow::kNormal;
          try {
            flow = co_await rules();
          } catch (const Flow& thrown) {
            frames_.clear();
            flow = thrown;
          }
          exits = flow == Flow::kExit || tool_.out.error() != Errno::kOk;
        }
        continue;
      }
      for (const NodePtr& block : blocks) {
        const Flow flow = co_await statement(*block);
        exits = flow == Flow::kExit;
        if (exits) break;
      }
    } catch (const Flow& thrown) {
      frames_.clear();
      exits = thrown == Flow::kExit;
    }
    if (tool_.out.error() != Errno::kOk) break;
  }
  co_await streams_.close_all();
  co_return status_;
}

}  // namespace sandproof::machine::programs::awk
