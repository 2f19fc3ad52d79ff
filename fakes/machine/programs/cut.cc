// SPDX-License-Identifier: Apache-2.0
// cut: parts of lines, by bytes or by fields.
#include <algorithm>

#include "fakes/machine/programs/mains.h"
#include "fakes/machine/programs/support/files.h"
#include "fakes/machine/programs/support/line_reader.h"
#include "fakes/machine/programs/support/numbers.h"
#include "fakes/machine/programs/support/options.h"
#include "fakes/machine/programs/support/regex.h"

namespace sandproof::machine::programs {
namespace {

constexpr Usage kCutUsage = {.text = "[OPTIONS] [FILE]...", .letters = "b:c:f:d:O:sDF:n"};

/// From 1 on, both within it.
struct CutRange {
  std::uint64_t first = 1;
  std::uint64_t last = UINT64_MAX;
};

/// Ranges in the order of their begins, unless `as_given`; `bad` is the word that is no number.
std::vector<CutRange> cut_list(const std::string& text, bool as_given, std::string& bad) {
  std::vector<CutRange> list;
  for (std::size_t at = 0; at <= text.size() && bad.empty();) {
    const std::size_t comma = std::min(text.find(',', at), text.size());
    const std::string word = text.substr(at, comma - at);
    at = comma + 1;
    const std::size_t dash = std::min(word.find('-'), word.size());
    CutRange range;
    const auto number = [&](const std::string& digits, std::uint64_t otherwise) {
      if (digits.empty() && dash < word.size()) return otherwise;
      const auto value = read_unsigned(digits);
      if (!value) bad = digits.empty() ? word : digits;
      return std::max<std::uint64_t>(value.value_or(1), 1);
    };
    range.first = number(word.substr(0, dash), 1);
    range.last = dash < word.size() ? number(word.substr(dash + 1), UINT64_MAX) : range.first;
    list.push_back(range);
  }
  if (!as_given) {
    std::stable_sort(list.begin(), list.end(),
                     [](const CutRange& a, const CutRange& b) { return a.first < b.first; });
  }
  return list;
}

class Cut {
 public:
  Cut(const Options& options, std::vector<CutRange> list)
      : list_(std::move(list)), only_delimited_(options.has('s')), raw_(options.has('D')) {
    by_bytes_ = options.has_any("bc");
    if (options.has('F')) {
      separator_regex_ =
          Regex::compile(options.value('d').value_or("[[:space:]]+"), {.extended = true});
      joiner_ = " ";
    } else {
      separator_ = options.value('d').value_or("\t");
      joiner_ = separator_.substr(0, 1);
    }
    if (const auto joiner = options.value('O')) joiner_ = *joiner;
  }
  bool valid() const { return by_bytes_ || separator_regex_ || !separator_.empty(); }

  /// Nothing where the line is left out.
  std::optional<std::string> line(const std::string& text) const {
    if (by_bytes_) return bytes(text);
    const Strings fields = split(text);
    if (fields.size() == 1 && !raw_ && !text.empty()) {
      if (only_delimited_) return std::nullopt;
      return text;
    }
    std::string cut;
    bool any = false;
    std::uint64_t next = 1;  // No field is given twice.
    for (const CutRange& range : list_) {
      const std::uint64_t last = std::min<std::uint64_t>(range.last, fields.size());
      std::uint64_t field = raw_ ? range.first : std::max(range.first, next);
      // A range behind the last field is an empty one.
      if (field > fields.size() && fields.size() > 1) {
        if (any) cut += joiner_;
        any = true;
      }
      for (; field <= last; ++field) {
        if (any) cut += joiner_;
        any = true;
        cut += fields[field - 1];
        next = field + 1;
      }
    }
    return cut;
  }

 private:
  std::string bytes(const std::string& text) const {
    std::string cut;
    std::uint64_t next = 1;
    for (const CutRange& range : list_) {
      const std::uint64_t first = raw_ ? range.first : std::max(range.first, next);
      const std::uint64_t last = std::max(range.first, range.last);
      if (first > text.size() || last < first) continue;
      cut += text.substr(first - 1, last - first + 1);
      next = std::max(next, last + 1);
    }
    return cut;
  }

  Strings split(const std::string& text) const {
    Strings fields;
    std::size_t at = 0;
    Regex::Match match;
    for (;;) {
      std::size_t begin = text.npos;
      std::size_t length = 1;
      if (!separator_regex_) {
        begin = text.find(separator_[0], at);
      } else if (separator_regex_->search(text, at, match) && match[0].length() > 0) {
        begin = match[0].begin;
        length = match[0].length();
      }
      if (begin == text.npos) break;
      fields.push_back(text.substr(at, begin - at));
      at = begin + length;
    }
    fields.push_back(text.substr(at));
    return fields;
  }

  std::vector<CutRange> list_;
  bool by_bytes_ = false;
  bool only_delimited_;
  bool raw_;
  std::string separator_;
  std::optional<Regex> separator_regex_;
  std::string joiner_;
};

Task<void> cut_file(Tool& tool, const Cut& cut, std::string path) {
  const Result<OwnedFd> input = co_await open_input(tool.self, path);
  if (!input) {
    co_await tool.fail(path, input.error());
    co_return;
  }
  LineReader reader(tool.self, input->get());
  std::string line;
  while (co_await reader.next(line)) {
    const std::optional<std::string> part = cut.line(line);
    if (part && !co_await tool.out.put(*part + "\n")) co_return;
  }
  if (reader.error() != Errno::kOk) co_await tool.fail(path, reader.error());
}

Task<int> run_cut(Process& self) {
  Tool tool(self, kCutUsage);
  std::optional<Options> options = co_await read_options(tool);
  if (!options) co_return tool.status;
  const int kinds = options->has('b') + options->has('c') + options->has('f') + options->has('F');
  if (kinds > 1) co_return co_await tool.misuse();
  std::string why;
  if (kinds == 0) why = "expected a list of bytes, characters, or fields";
  if (options->has_any("bc") && options->has('d')) {
    why = "a delimiter may be specified only when operating on fields";
  }
  if (options->has_any("bc") && options->has('s')) {
    why = "suppressing non-delimited lines makes sense only when operating on fields";
  }
  std::string bad;
  std::vector<CutRange> list;
  if (why.empty()) {
    list = cut_list(*options->value(options->last_of("bcfF")), options->has('D'), bad);
    if (!bad.empty()) why = "invalid number '" + bad + "'";
  }
  const Cut cut(*options, std::move(list));
  if (why.empty() && !cut.valid()) why = "bad regex '" + options->value('d').value_or("") + "'";
  if (!why.empty()) {
    co_await tool.fail(why);
    co_return tool.status;
  }
  if (options->operands.empty()) options->operands.emplace_back("-");
  for (const std::string& path : options->operands) co_await cut_file(tool, cut, path);
  co_return co_await tool.finish();
}

}  // namespace

Task<int> cut_main(Process& self) { return run_cut(self); }

}  // namespace sandproof::machine::programs
