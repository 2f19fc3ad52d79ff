// SPDX-License-Identifier: Apache-2.0
// The current record and its fields, each made of the other when it is asked for. Values.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "fakes/machine/programs/awk/value.h"
#include "fakes/machine/programs/support/regex.h"

namespace sandproof::machine::programs::awk {

/// How FS and the third word of split() split: " " is runs of blanks, one byte is itself, "" is
/// every byte, all else a regular expression.
class Separator {
 public:
  /// Throws Failure for a bad regular expression.
  explicit Separator(std::string text);
  explicit Separator(Regex regex) : regex_(std::move(regex)) {}
  const std::string& text() const { return text_; }
  std::vector<std::string> split(std::string_view record) const;

 private:
  std::string text_;
  std::optional<Regex> regex_;
};

class Record {
 public:
  /// More fields than this are refused with Failure: "$1000000000 = 1" must not take the host's
  /// memory.
  static constexpr std::size_t kMaxFields = 1'000'000;

  /// `separator` is FS; `newline_too` where newlines separate fields besides, as RS="" has it.
  void set(std::string text, const Separator& separator, bool newline_too);
  std::string text(const std::string& joiner, const std::string& convert);
  Value field(std::size_t number, const std::string& joiner, const std::string& convert);
  void set_field(std::size_t number, Value value);
  std::size_t count();
  void set_count(std::size_t count);

 private:
  void split();

  std::string text_;
  std::vector<Value> fields_;
  std::optional<Separator> separator_;  // What it will be split by.
  bool newline_too_ = false;
  bool split_done_ = true;
  bool stale_ = false;  // text_ is to be made of the fields.
};

}  // namespace sandproof::machine::programs::awk
