// SPDX-License-Identifier: Apache-2.0
// Where values are kept, and what happens besides when a special variable is set.
#include <utility>

#include "fakes/machine/programs/awk/failure.h"
#include "fakes/machine/programs/awk/interpreter.h"
#include "fakes/machine/programs/awk/lexer.h"
#include "fakes/machine/programs/awk/limits.h"

namespace sandproof::machine::programs::awk {

Interpreter::Cell& Interpreter::cell(const Place& place) {
  const auto slot = static_cast<std::size_t>(place.slot);
  return place.local ? locals_[frames_.back().locals + slot] : globals_[slot];
}

std::shared_ptr<Array>& Interpreter::array_of(Cell& cell) {
  // From the variable of the outermost caller on.
  std::vector<Cell*> chain;
  for (Cell* one = &cell; one != nullptr && one->array == nullptr; one = one->origin) {
    chain.push_back(one);
  }
  if (chain.empty()) return cell.array;
  Cell* const last = chain.back();
  std::shared_ptr<Array> made = last->origin != nullptr ? last->origin->array : nullptr;
  if (made == nullptr) made = std::make_shared<Array>(memory_);
  for (Cell* const one : chain) one->array = made;
  return cell.array;
}

Array& Interpreter::array(const Place& place) { return *array_of(cell(place)); }

Interpreter::Target Interpreter::target(const Place& place) {
  Target target;
  target.place = place;
  if (place.kind == Place::Kind::kElement) {
    target.key = pop_text();
  } else if (place.kind == Place::Kind::kField) {
    const int index = to_int(pop_number());
    if (index < 0) throw RunFailure("Access to negative field");
    target.field = static_cast<std::size_t>(index);
  } else if (place.kind == Place::Kind::kNone) {
    target.place.kind = Place::Kind::kField;
  }
  return target;
}

const Value& Interpreter::load(const Target& target) {
  switch (target.place.kind) {
    case Place::Kind::kElement:
      return array(target.place).get(target.key);
    case Place::Kind::kVariable: {
      Cell& from = cell(target.place);
      if (!target.place.local && target.place.slot == kNf) {
        set(from, Value::number(static_cast<double>(record_.count())));
      }
      return from.value;
    }
    default:
      return record_.field(target.field);
  }
}

void Interpreter::set(Cell& cell, Value value) {
  const std::size_t before = cell.value.bytes();
  cell.value = std::move(value);
  memory_.add(cell.value.bytes());
  memory_.remove(before);
}

void Interpreter::set_number(Special slot, double number) {
  set(globals_[slot], Value::number(number));
}

void Interpreter::store(const Target& target, Value value) {
  switch (target.place.kind) {
    case Place::Kind::kElement:
      array(target.place).set(target.key, std::move(value));
      return;
    case Place::Kind::kVariable: {
      Cell& into = cell(target.place);
      set(into, std::move(value));
      if (!target.place.local && target.place.slot < kSpecials) {
        set_special(target.place.slot, into.value);
      }
      return;
    }
    default:
      record_.set_field(target.field, std::move(value));
  }
}

void Interpreter::set_special(int slot, const Value& value) {
  switch (slot) {
    case kNf: {
      const int count = to_int(value.to_number());
      if (count < 0) throw RunFailure("NF set to negative value");
      record_.set_count(static_cast<std::size_t>(count));
      return;
    }
    case kFs:
      record_.set_separator(Separator::of_fields(value.to_text(conversion_)));
      return;
    case kRs:
    case kIgnorecase:
      records_ = Separator::of_records(special(kRs).to_text(conversion_));
      record_.set_split(
          {.ignore_case = ignores_case(), .lines = records_.kind == Separator::Kind::kEvery});
      return;
    case kOfs:
    case kConvfmt:
      if (slot == kOfs) field_end_ = value.to_text(conversion_);
      if (slot == kConvfmt) conversion_ = value.to_text(conversion_);
      record_.set_output(field_end_, conversion_);
      return;
    case kOfmt:
      output_format_ = value.to_text(conversion_);
      return;
    case kOrs:
      record_end_ = value.to_text(conversion_);
      return;
    case kSubsep:
      key_separator_ = value.to_text(conversion_);
      return;
    default:
      return;
  }
}

void Interpreter::count_record() {
  set_number(kNr, special(kNr).to_number() + 1);
  set_number(kFnr, special(kFnr).to_number() + 1);
}

void Interpreter::assign(const std::string& name, const std::string& text) {
  for (std::size_t slot = 0; slot < globals_.size(); ++slot) {
    if (code_.globals[slot] != name) continue;
    store({.place = {.kind = Place::Kind::kVariable, .slot = static_cast<int>(slot)}},
          Value::input(with_escapes_read(text)));
    return;
  }
}

void Interpreter::set_arguments(const Strings& arguments) {
  Array& values = *array_of(globals_[kArgv]);
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    values.set(std::to_string(i), Value::input(arguments[i]));
  }
  set_number(kArgc, static_cast<double>(arguments.size()));
}

}  // namespace sandproof::machine::programs::awk
