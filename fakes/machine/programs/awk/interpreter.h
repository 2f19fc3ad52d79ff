// SPDX-License-Identifier: Apache-2.0
// Runs a compiled program of awk: one coroutine with a stack of values, which yields in loops and
// at calls. Failure and RunFailure end it; line() is where. One process uses it.
#pragma once

#include <cstddef>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "fakes/machine/program.h"
#include "fakes/machine/programs/awk/array.h"
#include "fakes/machine/programs/awk/code.h"
#include "fakes/machine/programs/awk/random.h"
#include "fakes/machine/programs/awk/record.h"
#include "fakes/machine/programs/awk/record_reader.h"
#include "fakes/machine/programs/awk/separator.h"
#include "fakes/machine/programs/awk/streams.h"
#include "fakes/machine/programs/support/files.h"
#include "fakes/machine/programs/support/output.h"

namespace sandproof::machine::programs::awk {

class Interpreter {
 public:
  /// `out` is standard output, borrowed.
  Interpreter(Process& self, Output& out, Code code);
  Interpreter(const Interpreter&) = delete;
  Interpreter& operator=(const Interpreter&) = delete;

  /// As by -v: a value from outside, its escapes read. A name that the program does not have
  /// changes nothing.
  void assign(const std::string& name, const std::string& text);
  /// ARGV, with the program's name in front.
  void set_arguments(const Strings& arguments);
  /// BEGIN, the records, END; gives the status.
  Task<int> run();
  /// What was put out before a failure.
  Task<void> flush() { return streams_.flush_all(); }
  /// Of the program's text, of what is or was being executed.
  int line() const { return line_; }

 private:
  struct Cell {
    Value value;
    std::shared_ptr<Array> array;
    Cell* origin = nullptr;  // The caller's variable, which becomes an array with this one.
  };
  struct Item {
    Value value;
    Cell* cell = nullptr;  // Of an argument that is a bare variable.
  };
  struct Frame {
    int back = 0;
    std::size_t locals = 0;
    std::size_t walks = 0;
  };
  struct Walk {
    std::vector<std::string> keys;
    std::size_t next = 0;
  };
  /// A place whose key or number has been taken from the stack.
  struct Target {
    Place place;
    std::string key = {};
    std::size_t field = 0;
  };
  enum class Stop : unsigned char { kDone, kNext, kNextFile, kExit };

  // Control: interpreter.cc.
  Task<Stop> execute(int begin);
  Task<bool> main_records();
  void step(const Instruction& instruction);
  void branch(const Instruction& instruction);
  void walk_step(const Instruction& instruction);
  void enter(const Instruction& instruction);
  void leave();
  void end_walks(std::size_t but);
  void reset();
  void push(Value value, Cell* cell = nullptr);
  Value pop();
  double pop_number() { return pop().to_number(); }
  std::string pop_text() { return pop().to_text(conversion_); }
  std::vector<Value> pop_values(int count);

  // Variables, fields, elements: interpreter_places.cc.
  Cell& cell(const Place& place);
  Array& array(const Place& place);
  std::shared_ptr<Array>& array_of(Cell& cell);
  Target target(const Place& place);
  const Value& load(const Target& target);
  void store(const Target& target, Value value);
  void set(Cell& cell, Value value);
  void set_special(int slot, const Value& value);
  Value& special(Special slot) { return globals_[slot].value; }
  void set_number(Special slot, double number);
  void count_record();

  // Operators: interpreter_operators.cc.
  void place_step(const Instruction& instruction);
  void operate(const Instruction& instruction);
  Value result_of(Operation operation, const Value& left, const Value& right);
  bool compares(Operation operation, const Value& left, const Value& right) const;
  void match_step(const Instruction& instruction);
  void join(int count);
  /// The one of the program, or of the text on the stack. Good until the next one is asked for.
  const Pattern& pattern_at(int which);

  // Functions: interpreter_functions.cc, interpreter_text.cc.
  void builtin(const Instruction& instruction);
  Value number_function(Builtin function, const std::vector<Value>& values);
  Value text_function(Builtin function, const std::vector<Value>& values);
  Value time_function(Builtin function, const std::vector<Value>& values);
  Value length(const Instruction& instruction);
  Value substr(const std::vector<Value>& values) const;
  void match_function(const Instruction& instruction);
  void split_function(const Instruction& instruction);
  void substitute(const Instruction& instruction);

  // Input and output: interpreter_streams.cc.
  std::string print_text(const Instruction& instruction);
  Task<void> print(const Instruction& instruction);
  Task<void> getline(const Instruction& instruction);
  Task<void> stream_function(const Instruction& instruction);
  Task<int> read(RecordReader& reader, RecordReader::Read& into);
  /// The next file of ARGV, after the assignments before it; false where there is none.
  Task<bool> open_next();
  Task<bool> next_record();
  bool assigned(const std::string& operand);

  bool ignores_case() { return special(kIgnorecase).is_true(); }

  Process& self_;
  Output& out_;
  Code code_;
  Memory memory_;
  Streams streams_;
  Record record_;
  PatternCache patterns_;
  Random random_;

  std::vector<Cell> globals_;
  std::deque<Cell> locals_;  // Whose addresses stay.
  std::vector<Item> stack_;
  std::vector<Frame> frames_;
  std::vector<Walk> walks_;
  std::vector<bool> in_range_;
  std::size_t at_ = 0;
  unsigned turns_ = 0;
  int line_ = 1;
  int status_ = 0;

  // What special variables say, ready to be used.
  Separator records_;
  std::string conversion_ = "%.6g";
  std::string output_format_ = "%.6g";
  std::string field_end_ = " ";
  std::string record_end_ = "\n";
  std::string key_separator_ = "\034";

  // The main input.
  std::optional<OwnedFd> file_;
  std::unique_ptr<RecordReader> reader_;
  bool had_file_ = false;
};

}  // namespace sandproof::machine::programs::awk
