// SPDX-License-Identifier: Apache-2.0
// The current record and its fields: each is made of the other when it is asked for. Owned by the
// interpreter.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "fakes/machine/programs/awk/array.h"
#include "fakes/machine/programs/awk/separator.h"
#include "fakes/machine/programs/awk/value.h"

namespace sandproof::machine::programs::awk {

class Record {
 public:
  explicit Record(Memory& memory) : memory_(memory) {}
  Record(const Record&) = delete;
  Record& operator=(const Record&) = delete;

  /// A record that was read, or assigned to $0.
  void set_text(Value text);
  /// $index, unset where there are less. `conversion` is CONVFMT.
  const Value& field(std::size_t index);
  /// Also beyond the last: those between are empty. Throws RunFailure beyond kMaxFields.
  void set_field(std::size_t index, Value value);
  std::size_t count();
  void set_count(std::size_t count);

  /// The record read before is split as it was to be.
  void set_separator(Separator separator);
  void set_split(SplitOptions options);
  /// What stands between fields where the record is made of them.
  void set_output(std::string separator, std::string conversion);

 private:
  void split();
  void join();
  void replace(Value& value, Value with);

  Memory& memory_;
  Separator separator_;
  SplitOptions options_;
  std::string output_ = " ";
  std::string conversion_ = "%.6g";
  Value text_ = Value::input("");
  std::vector<Value> fields_;
  bool is_split_ = false;  // fields_ are those of the record.
  bool is_joined_ = true;  // text_ is the record.
  const Value unset_ = Value::input("");
};

}  // namespace sandproof::machine::programs::awk
