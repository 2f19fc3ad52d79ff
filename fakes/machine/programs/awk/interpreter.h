// SPDX-License-Identifier: Apache-2.0
// Runs a program of awk. What cannot wait is evaluated at once; what can, by coroutines. One
// process uses it; it lives in the frame of the program's main.
#pragma once

#include <span>

#include "fakes/machine/programs/awk/ast.h"
#include "fakes/machine/programs/awk/record.h"
#include "fakes/machine/programs/awk/streams.h"

namespace sandproof::machine::programs::awk {

class Interpreter {
 public:
  Interpreter(Tool& tool, Program program);

  /// "name=value", from the command line; false where it is none.
  bool assign(const std::string& word);
  void set_text(const std::string& name, std::string value);
  /// Gives the status. Throws Failure.
  Task<int> run(const Strings& operands);

 private:
  enum class Flow : unsigned char { kNormal, kBreak, kContinue, kNext, kExit, kReturn };
  using Frame = std::vector<Cell>;
  /// Something that can be assigned to.
  struct Place {
    Cell* cell = nullptr;
    std::size_t global = 0;  // Of a global cell: its index and one.
    bool field = false;
    std::size_t number = 0;
    std::shared_ptr<Array> array;
    std::string key;
  };
  // Functions that call functions … deeper than this are refused: each call costs the host stack.
  static constexpr std::size_t kMaxCalls = 400;
  // Elements of one array: each costs the host a hundred bytes.
  static constexpr std::size_t kMaxElements = 4'000'000;
  // Regular expressions made of texts that are kept compiled.
  static constexpr std::size_t kMaxRegexes = 200;

  // Names.
  std::size_t global(const std::string& name);
  Cell& cell_of(const Node& node);
  std::string text_of_global(std::size_t index) { return text(globals_[index].value); }
  double number_of_global(std::size_t index) { return globals_[index].value.to_number(); }
  Value load(const Place& place);
  Value store(const Place& place, Value value);
  std::string key_of(std::span<const Value> values);

  // Values.
  std::string convert();
  std::string text(const Value& value) { return value.to_text(convert()); }
  const Regex& regex_of(const Node& node, const Value& value);
  const Regex& compiled(const std::string& pattern);
  Value current_record() { return record_.field(0, text_of_global(ofs_), convert()); }
  void set_record(std::string value);

  // Expressions that do not wait.
  Value now(const Node& node);
  Place place_now(const Node& node);
  static bool is_evaluated(const Node& node, std::size_t part);
  Value apply(const Node& node, std::span<const Value> values);
  Value arithmetic(const Node& node, double left, double right);
  bool compare(const std::string& name, const Value& left, const Value& right);
  Value assign_to(const Node& node, const Place& place, Value value);
  Value increment(const Node& node, const Place& place);

  // Built-in functions; builtins.cc.
  Value builtin(const Node& node, std::span<const Value> values);
  Value text_builtin(const Node& node, std::span<const Value> values);
  Value number_builtin(const Node& node, std::span<const Value> values);
  Value length(const Node& node, std::span<const Value> values);
  Value substring(std::span<const Value> values);
  Value split(const Node& node, std::span<const Value> values);
  Value substitute(const Node& node, std::span<const Value> values);
  Value find_match(const Node& node, std::span<const Value> values);
  Value time_text(std::span<const Value> values);

  // Expressions and statements that may wait.
  Task<Value> later(const Node& node);
  Task<Value> call(const Node& node);
  Task<Value> getline(const Node& node);
  Task<Value> waiting_builtin(const Node& node);
  Task<bool> truth(const Node& node);
  Task<Flow> statement(const Node& node);
  Task<Flow> loop(const Node& node);
  Task<Flow> for_in(const Node& node);
  Task<void> print(const Node& node);
  Task<Flow> rules();
  Task<bool> selected(std::size_t which);

  // Input.
  Task<bool> next_record(std::string& record);
  Task<bool> open_next();
  void count_record(bool of_file);

  Tool& tool_;
  Program program_;
  Streams streams_;
  Record record_;
  std::vector<Cell> globals_;
  std::vector<std::unique_ptr<Frame>> frames_;
  std::map<std::string, Regex> regexes_;
  std::optional<Separator> separator_;  // Made of FS as it is.
  std::vector<bool> in_range_;          // Of rules.
  std::unique_ptr<RecordReader> input_;
  std::size_t next_operand_ = 1;
  bool any_input_ = false;
  bool no_more_input_ = false;
  Value returned_;
  int status_ = 0;
  std::uint64_t random_ = 1;
  double seed_ = 0;
  std::size_t nf_, nr_, fnr_, fs_, ofs_, ors_, rs_, filename_, rstart_, rlength_, subsep_, convfmt_,
      ofmt_, environ_, argc_, argv_;
};

}  // namespace sandproof::machine::programs::awk
