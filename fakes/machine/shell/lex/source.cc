// SPDX-License-Identifier: Apache-2.0
// The frames over the fed text; lines are counted as characters are read and given back.
#include "fakes/machine/shell/lex/source.h"

#include <algorithm>
#include <utility>

namespace sandproof::machine::shell {

void Source::feed(std::string_view text) { fed_.append(text); }

void Source::forget_aliases() {
  frames_.clear();
  ended_names_.clear();
  alias_bytes_ = 0;
  blank_alias_end_ = false;
}

void Source::commit() {
  forget_aliases();
  begin_line_ = line_;
  begin_ = position_;
  // What was read goes when it is the larger half: each byte is moved once at most on average.
  if (begin_ > fed_.size() / 2) {
    fed_.erase(0, begin_);
    begin_ = position_ = 0;
  }
}

void Source::rewind() {
  forget_aliases();
  line_ = begin_line_;
  position_ = begin_;
}

void Source::drop() {
  position_ = fed_.size();
  commit();
}

int Source::get_fed() {
  if (position_ == fed_.size()) {
    if (!finished_) throw NeedMoreInput{};
    return kEof;
  }
  if (position_ - begin_ >= kMaxCommandBytes) {
    throw SyntaxError{"Command too long (limit 16 MiB)", line_};
  }
  const auto c = static_cast<unsigned char>(fed_[position_++]);
  if (c == '\n') ++line_;
  return c;
}

int Source::get() {
  ended_names_.clear();
  pop_ended_aliases();
  if (frames_.empty()) return get_fed();
  Frame& top = frames_.back();
  if (top.position == top.text.size()) return kEof;
  const auto c = static_cast<unsigned char>(top.text[top.position++]);
  if (c == '\n') ++top.line;
  return c;
}

int Source::get_joined() {
  for (;;) {
    const int c = get();
    if (c != '\\') return c;
    // Only within one text: the two would have to be given back to two texts otherwise.
    if (frames_.empty() && position_ == fed_.size() && !finished_) throw NeedMoreInput{};
    const std::string& text = frames_.empty() ? fed_ : frames_.back().text;
    const std::size_t next = frames_.empty() ? position_ : frames_.back().position;
    if (next == text.size() || text[next] != '\n') return c;
    get();
  }
}

void Source::unget(int c) {
  if (c == kEof) return;
  if (frames_.empty()) {
    --position_;
    if (c == '\n') --line_;
    return;
  }
  Frame& top = frames_.back();
  --top.position;
  if (c == '\n') --top.line;
}

std::string_view Source::rest(std::size_t at_least) {
  pop_ended_aliases();
  if (!frames_.empty())
    return std::string_view(frames_.back().text).substr(frames_.back().position);
  const std::string_view left = std::string_view(fed_).substr(position_);
  if (left.size() < at_least && !finished_) throw NeedMoreInput{};
  return left;
}

void Source::skip(std::size_t count) {
  for (; count > 0; --count) get();
}

int Source::line() const {
  for (auto frame = frames_.rbegin(); frame != frames_.rend(); ++frame) {
    if (!frame->alias) return frame->line;
  }
  return line_;
}

void Source::adjust_line(int by) {
  for (auto frame = frames_.rbegin(); frame != frames_.rend(); ++frame) {
    if (frame->alias) continue;
    frame->line += by;
    return;
  }
  line_ += by;
}

void Source::push_text(std::string text) {
  frames_.push_back(Frame{.text = std::move(text), .names = {}});
}

void Source::pop_text() {
  while (frames_.back().alias) frames_.pop_back();
  frames_.pop_back();
}

void Source::push_alias(std::string name, std::string text) {
  alias_bytes_ += text.size();
  if (alias_bytes_ > kMaxAliasBytes) {
    throw SyntaxError{"Aliases of one command too long (limit 1 MiB)", line()};
  }
  ended_names_.push_back(std::move(name));
  frames_.push_back(
      Frame{.text = std::move(text), .alias = true, .names = std::exchange(ended_names_, {})});
}

bool Source::in_alias(std::string_view name) const {
  for (const Frame& frame : frames_) {
    if (std::find(frame.names.begin(), frame.names.end(), name) != frame.names.end()) return true;
  }
  return std::find(ended_names_.begin(), ended_names_.end(), name) != ended_names_.end();
}

bool Source::take_blank_alias_end() { return std::exchange(blank_alias_end_, false); }

void Source::pop_ended_aliases() {
  while (!frames_.empty() && frames_.back().alias &&
         frames_.back().position == frames_.back().text.size()) {
    const std::string& text = frames_.back().text;
    if (!text.empty() && (text.back() == ' ' || text.back() == '\t')) blank_alias_end_ = true;
    ended_names_.insert(ended_names_.end(), frames_.back().names.begin(),
                        frames_.back().names.end());
    frames_.pop_back();
  }
}

}  // namespace sandproof::machine::shell
