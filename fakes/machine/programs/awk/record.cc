// SPDX-License-Identifier: Apache-2.0
// Records and fields.
#include "fakes/machine/programs/awk/record.h"

#include <utility>

#include "fakes/machine/programs/awk/failure.h"
#include "fakes/machine/programs/awk/limits.h"

namespace sandproof::machine::programs::awk {

void Record::replace(Value& value, Value with) {
  const std::size_t before = value.bytes();
  value = std::move(with);
  memory_.add(value.bytes());
  memory_.remove(before);
}

void Record::set_text(Value text) {
  // $0 is what it was assigned, as a text from outside.
  if (text.is_number()) text = Value::input(std::move(text).to_text(conversion_));
  replace(text_, std::move(text));
  is_split_ = false;
  is_joined_ = true;
}

void Record::split() {
  if (is_split_) return;
  is_split_ = true;
  for (const Value& field : fields_) memory_.remove(sizeof(Value) + field.bytes());
  fields_.clear();
  for (std::string& field : split_text(text_.to_text(conversion_), separator_, options_)) {
    memory_.add(sizeof(Value) + field.size());
    fields_.push_back(Value::input(std::move(field)));
  }
}

void Record::join() {
  if (is_joined_) return;
  is_joined_ = true;
  std::string text;
  for (std::size_t i = 0; i < fields_.size(); ++i) {
    if (i > 0) text += output_;
    text += fields_[i].to_text(conversion_);
    if (text.size() > kMaxTextBytes) throw RunFailure("A record is longer than awk may make one");
  }
  replace(text_, Value::input(std::move(text)));
}

const Value& Record::field(std::size_t index) {
  if (index == 0) {
    join();
    return text_;
  }
  split();
  return index <= fields_.size() ? fields_[index - 1] : unset_;
}

void Record::set_field(std::size_t index, Value value) {
  if (index == 0) return set_text(std::move(value));
  split();
  if (index > fields_.size()) set_count(index);
  replace(fields_[index - 1], std::move(value));
  is_joined_ = false;
}

std::size_t Record::count() {
  split();
  return fields_.size();
}

void Record::set_count(std::size_t count) {
  split();
  if (count > kMaxFields) {
    throw RunFailure("A record of more than " + std::to_string(kMaxFields) +
                     " fields is not supported");
  }
  for (std::size_t i = count; i < fields_.size(); ++i) memory_.remove(fields_[i].bytes());
  memory_.add(count * sizeof(Value));
  memory_.remove(fields_.size() * sizeof(Value));
  fields_.resize(count, unset_);
  is_joined_ = false;
}

void Record::set_separator(Separator separator) {
  split();
  separator_ = std::move(separator);
}

void Record::set_split(SplitOptions options) {
  split();
  options_ = options;
}

void Record::set_output(std::string separator, std::string conversion) {
  join();
  output_ = std::move(separator);
  conversion_ = std::move(conversion);
}

}  // namespace sandproof::machine::programs::awk
