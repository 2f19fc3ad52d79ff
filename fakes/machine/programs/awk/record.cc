// SPDX-License-Identifier: Apache-2.0
// Splitting and joining records.
#include "fakes/machine/programs/awk/record.h"

#include <algorithm>
#include <cctype>

#include "fakes/machine/programs/awk/ast.h"

namespace sandproof::machine::programs::awk {
namespace {

std::vector<std::string> split_at_blanks(std::string_view text) {
  std::vector<std::string> fields;
  std::size_t at = 0;
  const auto blank = [&] { return std::isspace(static_cast<unsigned char>(text[at])) != 0; };
  for (;;) {
    while (at < text.size() && blank()) ++at;
    if (at == text.size()) return fields;
    const std::size_t begin = at;
    while (at < text.size() && !blank()) ++at;
    fields.emplace_back(text.substr(begin, at - begin));
  }
}

}  // namespace

Separator::Separator(std::string text) : text_(std::move(text)) {
  if (text_.size() < 2 && text_ != "\\") return;
  regex_ = Regex::compile(text_, {.extended = true});
  if (!regex_) throw Failure{"bad regex '" + text_ + "'"};
}

std::vector<std::string> Separator::split(std::string_view record) const {
  std::vector<std::string> fields;
  if (record.empty()) return fields;
  if (!regex_ && text_ == " ") return split_at_blanks(record);
  if (!regex_ && text_.empty()) {
    for (const char letter : record) fields.emplace_back(1, letter);
    return fields;
  }
  std::size_t at = 0;
  std::size_t from = 0;
  Regex::Match match;
  for (;;) {
    std::size_t begin = record.npos;
    std::size_t end = record.npos;
    if (!regex_) {
      begin = record.find(text_[0], from);
      if (begin != record.npos) end = begin + 1;
    } else if (from <= record.size() && regex_->search(record, from, match)) {
      begin = match[0].begin;
      end = match[0].end;
    }
    if (begin == record.npos) break;
    if (begin == end) {
      // What matches nothing separates nothing.
      from = end + 1;
      continue;
    }
    fields.emplace_back(record.substr(at, begin - at));
    at = from = end;
  }
  fields.emplace_back(record.substr(at));
  return fields;
}

void Record::set(std::string text, const Separator& separator, bool newline_too) {
  text_ = std::move(text);
  separator_ = separator;
  newline_too_ = newline_too;
  fields_.clear();
  split_done_ = false;
  stale_ = false;
}

void Record::split() {
  if (split_done_) return;
  split_done_ = true;
  std::vector<std::string> parts;
  if (newline_too_ && separator_->text() != " ") {
    const Separator lines("\n");
    for (const std::string& line : lines.split(text_)) {
      for (std::string& part : separator_->split(line)) parts.push_back(std::move(part));
    }
  } else {
    parts = separator_->split(text_);
  }
  for (std::string& part : parts) fields_.push_back(Value::input(std::move(part)));
}

std::string Record::text(const std::string& joiner, const std::string& convert) {
  if (stale_) {
    text_.clear();
    for (std::size_t at = 0; at < fields_.size(); ++at) {
      if (at > 0) text_ += joiner;
      text_ += fields_[at].to_text(convert);
    }
    stale_ = false;
  }
  return text_;
}

Value Record::field(std::size_t number, const std::string& joiner, const std::string& convert) {
  if (number == 0) return Value::input(text(joiner, convert));
  split();
  // A field that is not there is an empty text, as in busybox, not nothing.
  return number <= fields_.size() ? fields_[number - 1] : Value::input("");
}

void Record::set_field(std::size_t number, Value value) {
  split();
  if (number > kMaxFields) throw Failure{"field number is too large"};
  if (number > fields_.size()) fields_.resize(number);
  fields_[number - 1] = std::move(value);
  stale_ = true;
}

std::size_t Record::count() {
  split();
  return fields_.size();
}

void Record::set_count(std::size_t count) {
  split();
  if (count > kMaxFields) throw Failure{"field number is too large"};
  fields_.resize(count);
  stale_ = true;
}

}  // namespace sandproof::machine::programs::awk
