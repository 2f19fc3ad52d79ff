// SPDX-License-Identifier: Apache-2.0
// head: the first lines or bytes of files, or all but the last.
#include <deque>

#include "fakes/machine/programs/mains.h"
#include "fakes/machine/programs/support/files.h"
#include "fakes/machine/programs/support/line_reader.h"
#include "fakes/machine/programs/support/numbers.h"
#include "fakes/machine/programs/support/options.h"

namespace sandproof::machine::programs {
namespace {

constexpr Usage kHeadUsage = {.text = "[OPTIONS] [FILE]...", .letters = "n:c:qv", .no_longs = true};
constexpr std::uint64_t kHeadLines = 10;

struct HeadPlan {
  std::uint64_t count = kHeadLines;
  bool bytes = false;
  bool from_end = false;
};

Task<void> head_lines(Tool& tool, int fd, HeadPlan plan) {
  LineReader reader(tool.self, fd);
  std::string line;
  std::deque<std::string> held;
  std::size_t bytes = 0;
  std::uint64_t done = 0;
  while ((plan.from_end || done < plan.count) && co_await reader.next(line)) {
    ++done;
    if (reader.ended()) line += '\n';
    if (!plan.from_end) {
      if (!co_await tool.out.put(line)) co_return;
      continue;
    }
    bytes += line.size();
    held.push_back(line);
    if (bytes > kMaxHeldBytes) {
      co_await tool.fail("read error", Errno::kNomem);
      co_return;
    }
    if (held.size() <= plan.count) continue;
    if (!co_await tool.out.put(held.front())) co_return;
    bytes -= held.front().size();
    held.pop_front();
  }
}

Task<void> head_bytes(Tool& tool, int fd, HeadPlan plan) {
  if (!co_await tool.out.flush()) co_return;
  if (!plan.from_end) {
    const CopyEnd end = co_await copy_bytes(tool.self, fd, 1, plan.count);
    if (end.write != Errno::kOk) {
      // As finish() says it: busybox looks at its output at the end, and does not fail for it.
      const std::string why = "standard output: " + std::string(text_of(end.write));
      co_await tool.say(why);
    }
    co_return;
  }
  const Result<std::string> all = co_await read_all(tool.self, fd);
  if (!all) co_return;
  const std::size_t left = all->size() - std::min<std::uint64_t>(all->size(), plan.count);
  (void)co_await tool.out.put(std::string_view(*all).substr(0, left));
}

/// "-5" as busybox takes it before any option.
Strings with_old_number(Strings words) {
  if (words.size() > 1 && words[1].size() > 1 && words[1][0] == '-' && words[1][1] >= '0' &&
      words[1][1] <= '9') {
    words[1] = "-n" + words[1].substr(1);
  }
  return words;
}

Task<int> run_head(Process& self) {
  Tool tool(self, kHeadUsage);
  std::optional<Options> options = co_await read_options(tool, with_old_number(self.argv()));
  if (!options) co_return tool.status;
  HeadPlan plan;
  const char which = options->last_of("nc");
  if (which != 0) {
    const std::string text = *options->value(which);
    plan.bytes = which == 'c';
    plan.from_end = text.starts_with('-');
    const auto count = read_size(std::string_view(text).substr(plan.from_end ? 1 : 0));
    if (!count) {
      const std::string why = "invalid number '" + text + "'";
      co_await tool.fail(why);
      co_return tool.status;
    }
    plan.count = *count;
  }
  if (options->operands.empty()) options->operands.emplace_back("-");
  const bool headers = options->has('v') || (options->operands.size() > 1 && !options->has('q'));
  bool first = true;
  for (const std::string& path : options->operands) {
    const Result<OwnedFd> input = co_await open_input(self, path);
    if (!input) {
      co_await tool.fail(path, input.error());
      continue;
    }
    if (headers) {
      const std::string shown = path == "-" ? "standard input" : path;
      const std::string header = (first ? "==> " : "\n==> ") + shown + " <==\n";
      if (!co_await tool.out.put(header)) break;
    }
    first = false;
    if (plan.bytes) {
      co_await head_bytes(tool, input->get(), plan);
    } else {
      co_await head_lines(tool, input->get(), plan);
    }
    if (tool.out.error() != Errno::kOk) break;
  }
  co_return co_await tool.finish();
}

}  // namespace

Task<int> head_main(Process& self) { return run_head(self); }

}  // namespace sandproof::machine::programs
