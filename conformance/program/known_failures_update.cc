// SPDX-License-Identifier: Apache-2.0
// Rewriting the known-failures file; see known_failures_update.h.
#include "conformance/program/known_failures_update.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <optional>
#include <utility>

#include "conformance/program/failure_fragment.h"
#include "conformance/program/program_error.h"
#include "conformance/report/known_failures_text.h"

namespace sandproof::conformance {
namespace {

constexpr const char* kHeader =
    "# Known failures: what may fail, why, and until when. `sandproof run --known-failures` fails "
    "on\n"
    "# every other failure, and on an entry that no longer holds.\n";

/// Of an entry, in lines of the file from 0: its comment, its first line, the one after its last.
struct Block {
  std::size_t comment = 0;
  std::size_t begin = 0;
  std::size_t end = 0;
};

/// With their line ends.
std::vector<std::string> whole_lines(const std::string& text) {
  std::vector<std::string> lines;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t newline = text.find('\n', at);
    const std::size_t end = newline == std::string::npos ? text.size() : newline + 1;
    lines.push_back(text.substr(at, end - at));
    at = end;
  }
  return lines;
}

bool is_blank(const std::string& line) {
  return line.find_first_not_of(" \t\r\n") == std::string::npos;
}

/// A deeper one belongs to the entry that it stands in, or is a part of its text.
bool is_comment(const std::string& line, std::size_t indent) {
  const std::size_t first = line.find_first_not_of(" \t");
  return first != std::string::npos && line[first] == '#' && first <= indent;
}

std::vector<Block> blocks_of(const KnownFailuresFile& file, const std::vector<std::string>& lines) {
  std::vector<Block> blocks;
  for (const KnownFailure& entry : file.entries) {
    Block block;
    block.begin = std::min(static_cast<std::size_t>(entry.line - 1), lines.size() - 1);
    const auto starts = [&](std::size_t line) {
      return lines[line].size() > file.indent && lines[line][file.indent] == '-' &&
             lines[line].find_first_not_of(' ') == file.indent;
    };
    while (block.begin > 0 && !starts(block.begin)) --block.begin;
    blocks.push_back(block);
  }
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    const std::size_t floor = i == 0 ? 0 : blocks[i - 1].begin + 1;
    blocks[i].comment = blocks[i].begin;
    while (blocks[i].comment > floor && is_comment(lines[blocks[i].comment - 1], file.indent)) {
      --blocks[i].comment;
    }
    // What the file begins with speaks of all entries.
    if (blocks[i].comment == 0) blocks[i].comment = blocks[i].begin;
    blocks[i].end = i + 1 < blocks.size() ? blocks[i + 1].begin : lines.size();
    while (
        blocks[i].end > blocks[i].begin + 1 &&
        (is_blank(lines[blocks[i].end - 1]) || is_comment(lines[blocks[i].end - 1], file.indent))) {
      --blocks[i].end;
    }
  }
  return blocks;
}

std::string days_later(const std::string& date, int days) {
  const auto number = [&date](std::size_t at, std::size_t size) {
    return std::stoi(date.substr(at, size));
  };
  const std::chrono::sys_days day = std::chrono::year_month_day(
      std::chrono::year(number(0, 4)), std::chrono::month(static_cast<unsigned>(number(5, 2))),
      std::chrono::day(static_cast<unsigned>(number(8, 2))));
  const std::chrono::year_month_day later(day + std::chrono::days(days));
  return fmt::format("{:04}-{:02}-{:02}", static_cast<int>(later.year()),
                     static_cast<unsigned>(later.month()), static_cast<unsigned>(later.day()));
}

const CaseResult* find_case(const RunModel& model, const ListedCase& listed) {
  for (const FlavorResult& flavor : model.flavors) {
    if (flavor.name != listed.flavor) continue;
    for (const CaseResult& result : flavor.cases) {
      if (result.name == listed.name) return &result;
    }
  }
  return nullptr;
}

/// A name as a pattern that matches it alone.
std::string as_pattern(const std::string& name) {
  std::string pattern;
  for (const char c : name) {
    if (c == '*' || c == '?' || c == '[' || c == '\\') pattern += '\\';
    pattern += c;
  }
  return pattern;
}

/// An entry for a failure that nobody knew.
KnownFailure entry_for(const RunModel& model, const ListedCase& listed) {
  KnownFailure entry;
  entry.flavor = as_pattern(listed.flavor);
  entry.reason = kNoReasonYet;
  entry.expires = days_later(model.started_at, kNewEntryDays);
  const CaseResult* const result = find_case(model, listed);
  if (result == nullptr) {
    entry.rule = "CAP-002";
    entry.message = stable_fragment({listed.refusal_text});
    return entry;
  }
  entry.test_case = as_pattern(result->name);
  if (result->outcome == Outcome::kTimeout || result->outcome == Outcome::kCrashed) {
    entry.outcome = to_string(result->outcome);
  }
  entry.message = result->outcome == Outcome::kCrashed && !result->status.empty()
                      ? result->status
                      : stable_fragment(failure_texts(*result));
  return entry;
}

class Update {
 public:
  Update(const KnownFailuresFile& file, const RunModel& model)
      : file_(file),
        model_(model),
        known_(*model.known_failures),
        lines_(whole_lines(file.text)),
        blocks_(blocks_of(file, lines_)) {}

  KnownFailuresUpdate make();

 private:
  void take_entry(std::size_t index);
  void keep(std::size_t index);
  void copy_until(std::size_t line);
  void write(KnownFailure entry);
  std::vector<KnownFailure> narrowed(const KnownFailureResult& result) const;
  void append(const ListedCase& listed);
  void check() const;

  const KnownFailuresFile& file_;
  const RunModel& model_;
  const KnownFailuresResult& known_;
  std::vector<std::string> lines_;
  std::vector<Block> blocks_;
  /// Of lines_, what is copied or left out.
  std::size_t done_ = 0;
  KnownFailuresUpdate result_;
  /// What the new text has to say.
  std::vector<KnownFailure> wanted_;
  std::vector<std::size_t> still_expired_;
};

void Update::copy_until(std::size_t line) {
  for (; done_ < line; ++done_) result_.text += lines_[done_];
}

void Update::keep(std::size_t index) {
  copy_until(blocks_[index].end);
  wanted_.push_back(file_.entries[index]);
  ++result_.kept;
}

void Update::write(KnownFailure entry) {
  if (!result_.text.empty() && !result_.text.ends_with('\n')) result_.text += '\n';
  result_.text += entry_text(entry, file_.indent);
  wanted_.push_back(std::move(entry));
}

/// An entry for each case that still fails as it says, and for each flavor that was not looked at.
std::vector<KnownFailure> Update::narrowed(const KnownFailureResult& result) const {
  std::vector<KnownFailure> entries;
  const auto add = [&](const std::string& flavor, const ListedCase* listed) {
    KnownFailure entry = file_.entries[static_cast<std::size_t>(&result - known_.entries.data())];
    entry.flavor = as_pattern(flavor);
    if (listed != nullptr && find_case(model_, *listed) != nullptr) {
      entry.rule.clear();
      entry.test_case = as_pattern(listed->name);
    }
    entries.push_back(std::move(entry));
  };
  for (const ListedCase& listed : result.cases) {
    if (listed.fit == Fit::kAsListed) add(listed.flavor, &listed);
  }
  for (const std::string& flavor : result.entry.flavors) {
    const bool in_run = std::any_of(model_.flavors.begin(), model_.flavors.end(),
                                    [&flavor](const FlavorResult& f) { return f.name == flavor; });
    if (!in_run) add(flavor, nullptr);
  }
  return entries;
}

void Update::take_entry(std::size_t index) {
  const KnownFailureResult& result = known_.entries[index];
  const Block& block = blocks_[index];
  const bool fails = result.has(Fit::kAsListed);
  if (!is_problem(result.state)) return keep(index);
  if (result.state == EntryState::kExpired && fails) {
    still_expired_.push_back(wanted_.size());
    return keep(index);
  }
  // What fails otherwise gets an entry of its own, which explains it.
  if (result.state == EntryState::kOtherFailure && fails) return keep(index);
  const std::vector<KnownFailure> rest =
      result.state == EntryState::kStale ? std::vector<KnownFailure>{} : narrowed(result);
  copy_until(rest.empty() ? block.comment : block.begin);
  for (const KnownFailure& entry : rest) write(entry);
  done_ = block.end;
  if (!rest.empty()) {
    ++result_.narrowed;
    return;
  }
  ++result_.removed;
  while (done_ < lines_.size() && is_blank(lines_[done_])) ++done_;
}

void Update::append(const ListedCase& listed) {
  KnownFailure entry = entry_for(model_, listed);
  // Several refusals may fail alike.
  if (std::any_of(wanted_.begin(), wanted_.end(),
                  [&entry](const KnownFailure& other) { return says_the_same(entry, other); })) {
    return;
  }
  const bool blank_before = result_.text.empty() || result_.text.ends_with("\n\n");
  if (!result_.text.empty() && !result_.text.ends_with('\n')) result_.text += '\n';
  if (!blank_before) result_.text += '\n';
  write(std::move(entry));
  ++result_.added;
}

/// Lines are not YAML: what comes out is read again, and has to be what was meant.
void Update::check() const {
  const auto fail = [this](const std::string& why) {
    throw usage_error(
        fmt::format("the known-failures file {} cannot be changed without loss ({}); it is left as "
                    "it is: write "
                    "each entry as a list item of its own, without anchors, and try again",
                    file_.name, why));
  };
  std::vector<KnownFailure> found;
  try {
    found = parse_known_failures(result_.text, file_.name).entries;
  } catch (const ProgramError& error) {
    fail(error.what());
  }
  const auto text_of = [](const KnownFailure& entry) { return entry_text(entry, 0); };
  if (!std::equal(found.begin(), found.end(), wanted_.begin(), wanted_.end(),
                  [&text_of](const KnownFailure& a, const KnownFailure& b) {
                    return text_of(a) == text_of(b);
                  })) {
    fail("its entries would read differently");
  }
}

KnownFailuresUpdate Update::make() {
  for (std::size_t i = 0; i < file_.entries.size(); ++i) take_entry(i);
  copy_until(lines_.size());
  std::vector<ListedCase> missing = known_.unlisted;
  for (const KnownFailureResult& result : known_.entries) {
    for (const ListedCase& listed : result.cases) {
      const auto same = [&listed](const ListedCase& other) {
        return other.flavor == listed.flavor && other.name == listed.name;
      };
      const bool excused = std::any_of(
          known_.entries.begin(), known_.entries.end(), [&same](const KnownFailureResult& other) {
            return std::any_of(other.cases.begin(), other.cases.end(), [&](const ListedCase& c) {
              return same(c) && c.fit == Fit::kAsListed;
            });
          });
      if (listed.fit != Fit::kOtherwise || excused) continue;
      if (std::none_of(missing.begin(), missing.end(), same)) missing.push_back(listed);
    }
  }
  if (file_.text.empty() && !missing.empty()) result_.text = kHeader;
  for (const ListedCase& listed : missing) append(listed);
  check();
  const KnownFailuresFile written = parse_known_failures(result_.text, file_.name);
  for (const std::size_t index : still_expired_) {
    result_.expired.push_back(written.entries[index].line);
  }
  return std::move(result_);
}

}  // namespace

KnownFailuresUpdate update_known_failures(const KnownFailuresFile& file, const RunModel& model) {
  check_in_lines(file);
  return Update(file, model).make();
}

std::string sentence_of(const KnownFailuresUpdate& update) {
  std::vector<std::string> parts;
  const auto add = [&parts](std::size_t count, std::string_view what) {
    if (count > 0) {
      parts.push_back(parts.empty()
                          ? fmt::format("{} {}", count_text(count, "entry", "entries"), what)
                          : fmt::format("{} {}", count, what));
    }
  };
  add(update.added, "added");
  add(update.narrowed, "narrowed");
  add(update.removed, "removed");
  std::string text =
      parts.empty() ? std::string("nothing to change") : fmt::format("{}", fmt::join(parts, ", "));
  if (update.added > 0) {
    text += fmt::format("; say why instead of {}, and look at the days", kNoReasonYet);
  }
  if (!update.expired.empty()) {
    text +=
        fmt::format("; expired, and failing still: {} {}, which only a person prolongs",
                    update.expired.size() == 1 ? "line" : "lines", fmt::join(update.expired, ", "));
  }
  return text;
}

}  // namespace sandproof::conformance
