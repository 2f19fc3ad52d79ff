// SPDX-License-Identifier: Apache-2.0
// du: the space that files and what is below them take.
#include <set>

#include "fakes/machine/programs/mains.h"
#include "fakes/machine/programs/support/files.h"
#include "fakes/machine/programs/support/numbers.h"
#include "fakes/machine/programs/support/options.h"
#include "fakes/machine/programs/support/paths.h"

namespace sandproof::machine::programs {
namespace {

constexpr Usage kDuUsage = {.text = "[-aHLdclsxhmk] [FILE]...", .letters = "aHkLsxd:lchmb"};

class DiskUse {
 public:
  DiskUse(Tool& tool, const Options& options) : tool_(tool), options_(options) {}

  bool read_depth() {
    if (options_.has('s')) most_ = 0;
    const auto text = options_.value('d');
    if (!text) return true;
    const auto number = read_unsigned(*text);
    if (number) most_ = *number;
    return number.has_value();
  }

  Task<void> named(std::string path) {
    const bool follow = options_.has_any("LH");
    const Result<Attributes> file = tool_.self.stat(path, follow ? Follow::kYes : Follow::kNo);
    if (!file) {
      co_await tool_.fail(path, file.error());
      co_return;
    }
    volume_ = file->volume;
    total_ += co_await sum(path, *file, 0);
  }

  Task<void> total() { co_await show(total_, "total"); }

 private:
  /// Bytes with -b, otherwise blocks of 512.
  std::uint64_t size_of(const Attributes& file) const {
    return options_.has('b') ? file.size : file.blocks;
  }

  Task<std::uint64_t> sum(std::string path, Attributes file, std::uint64_t depth) {
    co_await tool_.self.yield_point();
    if (options_.has('x') && file.volume != volume_) co_return 0;
    const bool directory = file.type == FileType::kDirectory;
    if (!options_.has('l') && !directory && file.links > 1 &&
        !counted_.insert({file.volume, file.ino}).second) {
      co_return 0;
    }
    std::uint64_t size = size_of(file);
    if (directory) {
      const Result<Strings> names = co_await list_names(tool_.self, path);
      if (!names) co_await tool_.fail(path, names.error());
      for (const std::string& name : names.value_or({})) {
        const std::string inner = join_path(path, name);
        const Result<Attributes> found =
            tool_.self.stat(inner, options_.has('L') ? Follow::kYes : Follow::kNo);
        if (!found) {
          co_await tool_.fail(inner, found.error());
          continue;
        }
        size += co_await sum(inner, *found, depth + 1);
      }
    }
    const bool shown = directory || depth == 0 || options_.has('a');
    if (shown && depth <= most_) co_await show(size, path);
    co_return size;
  }

  Task<void> show(std::uint64_t size, std::string path) {
    std::string text;
    if (options_.has('b')) {
      text = std::to_string(size);
    } else if (options_.has('h')) {
      text = human_size(size * 512);
    } else if (options_.last_of("mk") == 'm') {
      text = std::to_string((size + 1024) / 2048);
    } else {
      text = std::to_string((size + 1) / 2);
    }
    (void)co_await tool_.out.put(text + "\t" + path + "\n");
  }

  Tool& tool_;
  const Options& options_;
  std::uint64_t most_ = UINT64_MAX;
  std::uint64_t volume_ = 0;
  std::uint64_t total_ = 0;
  std::set<std::pair<std::uint64_t, Ino>> counted_;
};

Task<int> run_du(Process& self) {
  Tool tool(self, kDuUsage);
  std::optional<Options> options = co_await read_options(tool);
  if (!options) co_return tool.status;
  DiskUse use(tool, *options);
  if (!use.read_depth()) {
    const std::string why = "invalid number '" + *options->value('d') + "'";
    co_await tool.fail(why);
    co_return tool.status;
  }
  if (options->operands.empty()) options->operands.emplace_back(".");
  for (const std::string& path : options->operands) co_await use.named(path);
  if (options->has('c')) co_await use.total();
  co_return co_await tool.finish();
}

}  // namespace

Task<int> du_main(Process& self) { return run_du(self); }

}  // namespace sandproof::machine::programs
