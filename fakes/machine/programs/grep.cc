// SPDX-License-Identifier: Apache-2.0
// grep, egrep and fgrep: the lines that match.
#include <algorithm>
#include <cctype>
#include <deque>

#include "fakes/machine/programs/mains.h"
#include "fakes/machine/programs/support/files.h"
#include "fakes/machine/programs/support/line_reader.h"
#include "fakes/machine/programs/support/numbers.h"
#include "fakes/machine/programs/support/options.h"
#include "fakes/machine/programs/support/paths.h"
#include "fakes/machine/programs/support/text_patterns.h"

namespace sandproof::machine::programs {
namespace {

constexpr Usage kGrepUsage = {
    .text =
        "[-HhnlLoqvsrRiwFEz] [-m N] [-A|B|C N] { PATTERN | -e PATTERN... | -f FILE... } "
        "[FILE]...",
    .letters = "lnqvscFiHhe:f:LorRm:wxA:B:C:Ez",
    .failure = 2};

struct GrepPlan {
  std::uint64_t before = 0;
  std::uint64_t after = 0;
  std::uint64_t most = UINT64_MAX;
};

class Grep {
 public:
  Grep(Tool& tool, const Options& options, TextPatterns patterns, GrepPlan plan)
      : tool_(tool), options_(options), patterns_(std::move(patterns)), plan_(plan) {
    end_ = options.has('z') ? '\0' : '\n';
    quiet_ = options.has('q');
    only_names_ = options.has_any("lL");
    counts_ = options.has('c') && !only_names_;
    recursive_ = options.has_any("rR");
    with_names_ = (options.operands.size() > 1 || recursive_) && !options.has('h');
    if (options.has('H')) with_names_ = true;
  }

  /// False where nothing more is to be looked at.
  Task<bool> path(std::string path, bool top) {
    if (recursive_ && path != "-") {
      const bool follow = top || options_.has('R');
      const Result<Attributes> found = tool_.self.stat(path, follow ? Follow::kYes : Follow::kNo);
      if (found && found->type == FileType::kDirectory) co_return co_await below(path);
      if (found && !top && found->type == FileType::kFifo) co_return true;
    }
    const Result<OwnedFd> input = co_await open_input(tool_.self, path);
    if (!input) {
      co_await cannot(path, input.error());
      co_return true;
    }
    std::string name = path;
    if (path == "-") name = "(standard input)";
    co_await lines(input->get(), std::move(name));
    co_return !(quiet_ && any_) && tool_.out.error() == Errno::kOk;
  }

  int status() const {
    if (failed_ && !(quiet_ && any_)) return 2;
    return any_ ? 0 : 1;
  }

 private:
  Task<void> cannot(std::string path, Errno error) {
    failed_ = true;
    if (options_.has('s')) co_return;
    co_await tool_.fail(std::move(path), error);
  }

  Task<bool> below(std::string folder) {
    const Result<Strings> names = co_await list_names(tool_.self, folder);
    if (!names) co_await cannot(folder, names.error());
    if (!names) co_return true;
    for (const std::string& name : *names) {
      if (!co_await path(join_path(folder, name), false)) co_return false;
    }
    co_return true;
  }

  Task<void> lines(int fd, std::string name) {
    LineReader reader(tool_.self, fd, end_);
    std::string line;
    std::uint64_t number = 0;
    std::uint64_t count = 0;
    std::uint64_t shown = 0;  // The last line that was.
    std::uint64_t after = 0;  // Lines that are still to be shown behind a match.
    std::deque<std::string> before;
    while (count < plan_.most && co_await reader.next(line)) {
      co_await tool_.self.yield_point();
      ++number;
      const bool hit = patterns_.matches(line) != options_.has('v');
      if (hit) ++count;
      if (hit && (quiet_ || only_names_)) break;
      if (counts_) continue;
      if (hit) {
        const std::uint64_t first = number - before.size();
        const bool gap = shown > 0 ? first > shown + 1 : any_shown_;
        if (gap && plan_.before + plan_.after > 0) {
          (void)co_await tool_.out.put("--\n");
        }
        for (std::uint64_t at = first; at < number; ++at) {
          co_await show(name, at, before[at - first], '-');
        }
        before.clear();
        co_await show(name, number, line, ':');
        shown = number;
        any_shown_ = true;
        after = plan_.after;
      } else if (after > 0) {
        --after;
        co_await show(name, number, line, '-');
        shown = number;
      } else if (plan_.before > 0) {
        before.push_back(line);
        if (before.size() > plan_.before) before.pop_front();
      }
      if (tool_.out.error() != Errno::kOk) co_return;
    }
    // What follows the last of so many is shown, too.
    while (count >= plan_.most && after > 0 && co_await reader.next(line)) {
      --after;
      ++number;
      co_await show(name, number, line, '-');
    }
    co_await sum_up(name, count);
  }

  Task<void> sum_up(std::string name, std::uint64_t count) {
    const bool lists_misses = options_.has('L');
    if (lists_misses ? count == 0 : count > 0) any_ = true;
    if (quiet_) co_return;
    if (counts_) {
      std::string line = with_names_ ? name + ":" : "";
      line += std::to_string(count) + "\n";
      (void)co_await tool_.out.put(line);
    }
    if (lists_misses ? count == 0 : options_.has('l') && count > 0) {
      (void)co_await tool_.out.put(name + "\n");
    }
  }

  Task<void> show(std::string name, std::uint64_t number, std::string line, char mark) {
    std::string prefix;
    if (with_names_) prefix = name + mark;
    if (options_.has('n')) prefix += std::to_string(number) + mark;
    if (!options_.has('o')) {
      (void)co_await tool_.out.put(prefix + line + end_);
      co_return;
    }
    if (mark != ':' || options_.has('v')) co_return;
    std::size_t at = 0;
    while (at <= line.size()) {
      const TextPatterns::Found found = patterns_.find(line, at);
      if (!found.matched()) break;
      if (found.length() > 0) {
        const std::string text = prefix + line.substr(found.begin, found.length()) + end_;
        if (!co_await tool_.out.put(text)) co_return;
      }
      at = found.length() > 0 ? found.end : found.end + 1;
    }
  }

  Tool& tool_;
  const Options& options_;
  TextPatterns patterns_;
  GrepPlan plan_;
  char end_ = '\n';
  bool quiet_ = false;
  bool only_names_ = false;
  bool counts_ = false;
  bool any_shown_ = false;  // In this file or one before.
  bool recursive_ = false;
  bool with_names_ = false;
  bool any_ = false;
  bool failed_ = false;
};

void add_lines(Strings& patterns, const std::string& text) {
  for (std::size_t at = 0;;) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    patterns.push_back(text.substr(at, end - at));
    if (end == text.size()) return;
    at = end + 1;
  }
}

/// Nothing after a complaint, and the tool's status is the program's.
Task<std::optional<Strings>> grep_patterns(Tool& tool, Options& options) {
  Strings patterns;
  for (const Options::Given& given : options.given) {
    if (given.letter == 'e') add_lines(patterns, given.value.value_or(""));
    if (given.letter != 'f') continue;
    const Result<std::string> file = co_await read_file(tool.self, given.value.value_or(""));
    if (!file) {
      co_await tool.fail(given.value.value_or(""), file.error());
      co_return std::nullopt;
    }
    std::string text = *file;
    if (text.ends_with('\n')) text.pop_back();
    if (!file->empty()) add_lines(patterns, text);
  }
  if (!options.has_any("ef")) {
    if (options.operands.empty()) {
      tool.status = co_await tool.misuse();
      co_return std::nullopt;
    }
    add_lines(patterns, options.operands.front());
    options.operands.erase(options.operands.begin());
  }
  co_return patterns;
}

/// The word that is no number, or nothing.
std::optional<std::string> grep_plan(const Options& options, GrepPlan& plan) {
  for (const Options::Given& given : options.given) {
    if (std::string_view("ABCm").find(given.letter) == std::string_view::npos) continue;
    const auto number = read_unsigned(*given.value);
    if (!number) return given.value;
    if (given.letter == 'A' || given.letter == 'C') plan.after = *number;
    if (given.letter == 'B' || given.letter == 'C') plan.before = *number;
    if (given.letter == 'm') plan.most = *number;
  }
  return std::nullopt;
}

Task<int> run_grep(Process& self) {
  Tool tool(self, kGrepUsage);
  std::optional<Options> options = co_await read_options(tool);
  if (!options) co_return tool.status;
  GrepPlan plan;
  if (const auto bad = grep_plan(*options, plan)) {
    const std::string why = "invalid number '" + *bad + "'";
    co_await tool.fail(why);
    co_return tool.status;
  }
  const std::optional<Strings> words = co_await grep_patterns(tool, *options);
  if (!words) co_return tool.status;
  TextPatternOptions how;
  how.fixed = options->has('F') || tool.name == "fgrep";
  how.extended = options->has('E') || tool.name == "egrep";
  how.ignore_case = options->has('i');
  how.whole_words = options->has('w');
  how.whole_lines = options->has('x');
  TextPatterns patterns(how);
  for (const std::string& word : *words) {
    if (patterns.add(word)) continue;
    const std::string why = "bad regex '" + word + "'";
    co_await tool.fail(why);
    co_return tool.status;
  }
  if (options->operands.empty()) {
    options->operands.emplace_back(options->has_any("rR") ? "." : "-");
  }
  Grep grep(tool, *options, std::move(patterns), plan);
  for (const std::string& path : options->operands) {
    if (!co_await grep.path(path, true)) break;
  }
  co_return co_await tool.finish(grep.status());
}

}  // namespace

Task<int> grep_main(Process& self) { return run_grep(self); }

}  // namespace sandproof::machine::programs
