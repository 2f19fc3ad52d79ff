// SPDX-License-Identifier: Apache-2.0
// print, printf, getline in its forms, close, fflush, system, and the files of ARGV.
#include <cctype>
#include <utility>

#include "fakes/machine/programs/awk/failure.h"
#include "fakes/machine/programs/awk/format.h"
#include "fakes/machine/programs/awk/interpreter.h"
#include "fakes/machine/programs/awk/names.h"

namespace sandproof::machine::programs::awk {

std::string Interpreter::print_text(const Instruction& instruction) {
  std::vector<Value> values = pop_values(instruction.b);
  if (instruction.op == Op::kPrintf) {
    if (values.empty()) return "";
    const std::string format = values[0].to_text(conversion_);
    return formatted(format, std::span(std::as_const(values)).subspan(1), conversion_);
  }
  if (values.empty()) values.push_back(record_.field(0));
  std::string text;
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (i > 0) text += field_end_;
    text += std::move(values[i]).to_text(output_format_);
  }
  return text + record_end_;
}

Task<void> Interpreter::print(const Instruction& instruction) {
  const std::string name = pop_text();
  const std::string text = print_text(instruction);
  Output* const out = co_await streams_.writer(name, instruction.redirect);
  if (out == nullptr) co_return;
  (void)co_await out->put(text);
  if (out->fd() == 2) (void)co_await out->flush();
}

Task<int> Interpreter::read(RecordReader& reader, RecordReader::Read& into) {
  for (;;) {
    switch (reader.take(records_, ignores_case(), into)) {
      case RecordReader::Took::kRecord:
        set(globals_[kRt], Value::string(into.terminator));
        co_return 1;
      case RecordReader::Took::kEnd:
        if (reader.error() == Errno::kOk) co_return 0;
        set_number(kErrno, static_cast<int>(reader.error()));
        co_return -1;
      case RecordReader::Took::kNeedsMore:
        co_await reader.fill();
    }
  }
}

Task<void> Interpreter::getline(const Instruction& instruction) {
  RecordReader* reader = nullptr;
  if (instruction.b == 1) {
    Errno error = Errno::kOk;
    const std::string name = pop_text();
    reader = co_await streams_.reader(name, instruction.flag, error);
    if (error != Errno::kOk) set_number(kErrno, static_cast<int>(error));
  } else if (reader_ || co_await open_next()) {
    reader = reader_.get();
  }
  const Target where = target(instruction.place);
  RecordReader::Read got;
  const int result = reader == nullptr ? -1 : co_await read(*reader, got);
  if (result == 1) {
    store(where, Value::input(std::move(got.text)));
    if (instruction.b == 0) count_record();
  }
  push(Value::number(result));
}

Task<void> Interpreter::stream_function(const Instruction& instruction) {
  const bool named = instruction.b == 1;
  const std::string name = named ? pop_text() : "";
  int result = 0;
  switch (instruction.builtin) {
    case Builtin::kClose:
      result = co_await streams_.close(name);
      break;
    case Builtin::kSystem:
      result = co_await streams_.run(name);
      break;
    default:  // kFflush
      if (!named) {
        (void)co_await out_.flush();
      } else if (name.empty()) {
        co_await streams_.flush_all();
      } else {
        co_await streams_.flush(name);
      }
  }
  push(Value::number(result));
}

bool Interpreter::assigned(const std::string& operand) {
  const std::size_t equals = operand.find('=');
  if (equals == operand.npos || !is_variable_name(operand.substr(0, equals))) return false;
  assign(operand.substr(0, equals), operand.substr(equals + 1));
  return true;
}

Task<bool> Interpreter::open_next() {
  std::string name;
  for (;;) {
    const double next = special(kArgind).to_number() + 1;
    if (next >= special(kArgc).to_number()) {
      if (had_file_) co_return false;
      name = "-";
      break;
    }
    set_number(kArgind, next);
    const std::string key = special(kArgind).to_text(conversion_);
    name = array_of(globals_[kArgv])->get(key).to_text(conversion_);
    if (!name.empty() && !assigned(name)) break;
    // A list of nothing but assignments may be long.
    co_await self_.yield_point();
  }
  Result<OwnedFd> file = co_await open_input(self_, name);
  if (!file) throw Failure(name + ": " + std::string(text_of(file.error())));
  had_file_ = true;
  file_.emplace(std::move(*file));
  reader_ = std::make_unique<RecordReader>(self_, file_->get());
  set(globals_[kFilename], Value::string(name));
  set_number(kFnr, 0);
  co_return true;
}

Task<bool> Interpreter::next_record() {
  for (;;) {
    if (!reader_ && !co_await open_next()) co_return false;
    RecordReader::Read got;
    const int result = co_await read(*reader_, got);
    if (result == 1) {
      record_.set_text(Value::input(std::move(got.text)));
      count_record();
      co_return true;
    }
    if (result < 0) throw RunFailure(std::string(text_of(reader_->error())));
    reader_.reset();
    file_.reset();
  }
}

}  // namespace sandproof::machine::programs::awk
