// SPDX-License-Identifier: Apache-2.0
// sort: lines in an order.
#include <algorithm>

#include "fakes/machine/programs/mains.h"
#include "fakes/machine/programs/support/files.h"
#include "fakes/machine/programs/support/line_reader.h"
#include "fakes/machine/programs/support/options.h"
#include "fakes/machine/programs/support/sort_keys.h"

namespace sandproof::machine::programs {
namespace {

constexpr Usage kSortUsage = {
    .text =
        "[-nrugMcszbdfiokt] [-o FILE] [-k START[.OFS][OPTS][,END[.OFS][OPTS]] [-t CHAR] "
        "[FILE]...",
    .letters = "ngMucszbrdfiVmS:T:o:k:t:",
    .failure = 2};
// Comparisons between two looks at whether somebody else wants the machine.
constexpr std::size_t kSortSlice = 2048;

class Sort {
 public:
  Sort(Tool& tool, SortOrder order, char end) : tool_(tool), order_(std::move(order)), end_(end) {}

  /// False where the file cannot be read.
  Task<bool> read(std::string path) {
    const Result<OwnedFd> input = co_await open_input(tool_.self, path);
    if (!input) {
      co_await tool_.fail(path, input.error());
      co_return false;
    }
    LineReader reader(tool_.self, input->get(), end_);
    std::string line;
    while (co_await reader.next(line)) {
      held_ += line.size();
      if (held_ > kMaxHeldBytes) {
        co_await tool_.fail(path, Errno::kNomem);
        co_return false;
      }
      lines_.push_back(line);
    }
    if (reader.error() != Errno::kOk) co_await tool_.fail(path, reader.error());
    co_return reader.error() == Errno::kOk;
  }

  /// The number, from 1, of the first line that is out of its order; 0 if none is.
  std::size_t unordered(bool unique) const {
    for (std::size_t at = 1; at < lines_.size(); ++at) {
      const std::string& before = lines_[at - 1];
      if (unique ? order_.compare_keys(before, lines_[at]) >= 0
                 : order_.compare(before, lines_[at]) > 0) {
        return at;
      }
    }
    return 0;
  }

  /// A merge sort from below, which can pause: std::sort cannot.
  Task<void> sort() {
    std::vector<std::string> merged(lines_.size());
    std::size_t done = 0;
    const bool turned = order_.turns_ties();
    for (std::size_t width = 1; width < lines_.size(); width *= 2) {
      for (std::size_t begin = 0; begin < lines_.size(); begin += 2 * width) {
        const std::size_t middle = std::min(begin + width, lines_.size());
        const std::size_t end = std::min(begin + 2 * width, lines_.size());
        std::size_t left = begin;
        std::size_t right = middle;
        for (std::size_t at = begin; at < end; ++at) {
          if (++done % kSortSlice == 0) co_await tool_.self.yield_point();
          const bool take_left =
              right == end ||
              (left < middle && order_.compare(lines_[left], lines_[right]) < (turned ? 0 : 1));
          merged[at] = std::move(take_left ? lines_[left++] : lines_[right++]);
        }
      }
      lines_.swap(merged);
    }
  }

  Task<void> write(Output& out, bool unique) {
    const std::string* before = nullptr;
    for (const std::string& line : lines_) {
      if (unique && before != nullptr && order_.compare_keys(*before, line) == 0) continue;
      before = &line;
      if (!co_await out.put(line + end_)) co_return;
    }
  }

 private:
  Tool& tool_;
  SortOrder order_;
  char end_;
  std::vector<std::string> lines_;
  std::size_t held_ = 0;
};

Task<void> sort_into(Tool& tool, Sort& sort, std::string path, bool unique) {
  const Result<OwnedFd> file = co_await open_output(tool.self, path, kToOverwrite);
  if (!file) {
    co_await tool.fail(path, file.error());
    co_return;
  }
  Output out(tool.self, file->get());
  co_await sort.write(out, unique);
  if (!co_await out.flush()) co_await tool.fail(path, out.error());
}

Task<int> run_sort(Process& self) {
  Tool tool(self, kSortUsage);
  std::optional<Options> options = co_await read_options(tool);
  if (!options) co_return tool.status;
  SortOrder order;
  const std::string wrong = read_sort_order(*options, order);
  if (!wrong.empty()) {
    co_await tool.fail(wrong);
    co_return tool.status;
  }
  const bool unique = options->has('u');
  Sort sort(tool, std::move(order), options->has('z') ? '\0' : '\n');
  if (options->operands.empty()) options->operands.emplace_back("-");
  for (const std::string& path : options->operands) {
    if (!co_await sort.read(path)) co_return tool.status;
  }
  if (options->has('c')) {
    const std::size_t line = sort.unordered(unique);
    if (line == 0) co_return 0;
    const std::string text = "Check line " + std::to_string(line) + "\n";
    co_await tool.write_error(text);
    co_return 1;
  }
  co_await sort.sort();
  if (const auto path = options->value('o')) {
    co_await sort_into(tool, sort, *path, unique);
  } else {
    co_await sort.write(tool.out, unique);
  }
  co_return co_await tool.finish();
}

}  // namespace

Task<int> sort_main(Process& self) { return run_sort(self); }

}  // namespace sandproof::machine::programs
