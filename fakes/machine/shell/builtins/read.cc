// SPDX-License-Identifier: Apache-2.0
// `read`: a line, byte by byte, in fields.
#include "fakes/machine/shell/builtins/builtin.h"
#include "fakes/machine/shell/lex/token.h"

namespace sandproof::machine::shell {
// Not unnamed: frames of coroutines have members of these types, and frames have linkage.
namespace read_detail {

// What was read: the bytes, and which of them a backslash quoted.
struct ReadLine {
  std::string text;
  std::string quoted;  // '1' for each byte that was.
  bool complete = false;

  void add(char byte, bool is_quoted) {
    text += byte;
    quoted += is_quoted ? '1' : '0';
  }
};

}  // namespace read_detail

namespace {

using read_detail::ReadLine;

Task<ReadLine> read_line(Shell& shell, bool raw) {
  ReadLine line;
  bool backslash = false;
  for (;;) {
    std::byte byte{};
    const Result<std::size_t> count = co_await shell.process.read(0, std::span(&byte, 1));
    if (count.error() == Errno::kIntr) {
      if (shell.pending_trap()) co_return line;
      continue;
    }
    if (!count || *count == 0) co_return line;
    const char c = static_cast<char>(byte);
    if (c == '\0') continue;
    if (backslash) {
      backslash = false;
      if (c != '\n') line.add(c, true);
      continue;
    }
    if (!raw && c == '\\') {
      backslash = true;
    } else if (c == '\n') {
      line.complete = true;
      co_return line;
    } else if (line.text.size() < kMaxExpansionBytes) {
      line.add(c, false);
    }
  }
}

}  // namespace

// Not unnamed: frames of coroutines have members of these types, and frames have linkage.
namespace read_fields_detail {

// The fields of a line, one after the other.
class LineFields {
 public:
  LineFields(const ReadLine& line, std::string_view ifs) : line_(line), ifs_(ifs) { skip_blanks(); }

  std::string next() {
    std::string field = take_field();
    skip_delimiter();
    return field;
  }

  // All that is left, unless that is one field and its delimiter.
  std::string last() {
    const std::size_t begin = at_;
    std::string field = next();
    if (at_ >= line_.text.size()) return field;
    std::size_t end = line_.text.size();
    while (end > begin && is_blank(end - 1)) --end;
    return line_.text.substr(begin, end - begin);
  }

 private:
  bool is_delimiter(std::size_t at) const {
    return line_.quoted[at] == '0' && ifs_.find(line_.text[at]) != std::string_view::npos;
  }
  bool is_blank(std::size_t at) const {
    return is_delimiter(at) &&
           std::string_view(" \t\n").find(line_.text[at]) != std::string_view::npos;
  }
  void skip_blanks() {
    while (at_ < line_.text.size() && is_blank(at_)) ++at_;
  }
  std::string take_field() {
    const std::size_t begin = at_;
    while (at_ < line_.text.size() && !is_delimiter(at_)) ++at_;
    return line_.text.substr(begin, at_ - begin);
  }
  void skip_delimiter() {
    skip_blanks();
    if (at_ >= line_.text.size() || !is_delimiter(at_)) return;
    ++at_;
    skip_blanks();
  }

  const ReadLine& line_;
  std::string_view ifs_;
  std::size_t at_ = 0;
};

}  // namespace read_fields_detail

namespace {

using read_fields_detail::LineFields;

}  // namespace

Task<int> read_builtin(Shell& shell, Strings words) {
  OptionReader options(words, "p:r");
  bool raw = false;
  while (const char letter = co_await options.next(shell)) {
    if (letter == 'r') raw = true;
    if (letter == 'p' && shell.has(ShellOption::kInteractive)) {
      co_await shell.put_error(options.argument());
    }
  }
  std::size_t at = options.operand();
  if (at == words.size()) co_await shell.fail("arg count");
  const ReadLine line = co_await read_line(shell, raw);
  if (!line.complete) {
    if (const auto signal = shell.pending_trap()) {
      co_return kStatusSignal + static_cast<int>(*signal);
    }
  }
  const std::string* const ifs = shell.state.variables.get("IFS");
  const std::string delimiters = ifs == nullptr ? " \t\n" : *ifs;
  LineFields fields(line, delimiters);
  for (; at < words.size(); ++at) {
    if (!is_name(words[at])) co_await shell.fail(words[at] + ": bad variable name");
    std::string field = at + 1 == words.size() ? fields.last() : fields.next();
    co_await shell.assign(words[at], std::move(field));
  }
  co_return line.complete ? 0 : 1;
}

}  // namespace sandproof::machine::shell
