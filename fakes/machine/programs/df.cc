// SPDX-License-Identifier: Apache-2.0
// df: the room in file systems. They are those of /proc/mounts; a box without it has its root.
#include <algorithm>

#include "fakes/machine/printed.h"
#include "fakes/machine/programs/mains.h"
#include "fakes/machine/programs/support/files.h"
#include "fakes/machine/programs/support/numbers.h"
#include "fakes/machine/programs/support/options.h"

namespace sandproof::machine::programs {
namespace {

constexpr Usage kDfUsage = {.text = "[-PkmhTai] [-B SIZE] [-t TYPE] [FILESYSTEM]...",
                            .letters = "kPTt:aiB:hm"};

struct MountedVolume {
  std::string device;
  std::string point;
  std::string type;
};

Task<std::vector<MountedVolume>> mounted(Process& self) {
  std::vector<MountedVolume> all;
  const std::string text = (co_await read_file(self, "/proc/mounts")).value_or("");
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    const std::string line = text.substr(at, end - at);
    at = end + 1;
    const std::size_t first = std::min(line.find(' '), line.size());
    const std::size_t second = std::min(line.find(' ', first + 1), line.size());
    const std::size_t third = std::min(line.find(' ', second + 1), line.size());
    if (third <= second || second <= first) continue;
    all.push_back({.device = line.substr(0, first),
                   .point = line.substr(first + 1, second - first - 1),
                   .type = line.substr(second + 1, third - second - 1)});
  }
  if (all.empty()) all.push_back({.device = "overlay", .point = "/", .type = "overlay"});
  co_return all;
}

class DiskFree {
 public:
  DiskFree(Tool& tool, const Options& options, std::uint64_t unit)
      : tool_(tool), options_(options), unit_(unit), human_(options.last_of("khmB") == 'h') {}

  std::string heading() const {
    std::string text = printed("%-20s ", "Filesystem");
    if (options_.has('T')) text += printed("%-10s ", "Type");
    const bool posix = options_.has('P');
    std::string blocks = std::to_string(unit_) + "-blocks";
    if (unit_ == 1024) blocks = posix ? "1024-blocks" : "1K-blocks";
    if (unit_ == std::uint64_t{1024} * 1024) blocks = "1M-blocks";
    if (human_) blocks = "     Size";
    if (options_.has('i')) blocks = "   Inodes";
    text += posix ? printed("%11s %7s", blocks.c_str(), "Used")
                  : printed("%9s %9s", blocks.c_str(), "Used");
    text += posix ? " Available Capacity Mounted on\n" : " Available Use% Mounted on\n";
    return text;
  }

  Task<void> show(const MountedVolume& volume) {
    const Result<VolumeFigures> figures = tool_.self.statfs(volume.point);
    if (!figures) {
      co_await tool_.fail(volume.point, figures.error());
      co_return;
    }
    std::uint64_t total = figures->blocks;
    std::uint64_t left = figures->blocks_free;
    if (options_.has('i')) {
      total = figures->inodes;
      left = figures->inodes_free;
    }
    if (total == 0 && !options_.has('a')) co_return;
    const std::uint64_t used = total - std::min(left, total);
    // Rounded up, as what is used a little is not unused.
    const std::uint64_t percent = total == 0 ? 0 : (used * 100 + total - 1) / total;
    std::string line = printed("%-20s ", volume.device.c_str());
    if (options_.has('T')) line += printed("%-10s ", volume.type.c_str());
    line += printed("%9s %9s %9s %3llu%% %s\n", amount(total).c_str(), amount(used).c_str(),
                    amount(left).c_str(), static_cast<unsigned long long>(percent),
                    volume.point.c_str());
    (void)co_await tool_.out.put(line);
  }

 private:
  std::string amount(std::uint64_t count) const {
    if (options_.has('i')) return std::to_string(count);
    if (human_) return human_size(count * kBlockBytes);
    return std::to_string((count * kBlockBytes + unit_ / 2) / unit_);
  }

  Tool& tool_;
  const Options& options_;
  std::uint64_t unit_;
  bool human_;
};

/// The one whose point is the longest before the path.
const MountedVolume* volume_of(const std::vector<MountedVolume>& all, const std::string& path) {
  const MountedVolume* best = nullptr;
  for (const MountedVolume& volume : all) {
    const bool inside =
        volume.point == "/" || path == volume.point || path.starts_with(volume.point + "/");
    if (inside && (best == nullptr || volume.point.size() >= best->point.size())) best = &volume;
    if (volume.device == path) return &volume;
  }
  return best;
}

Task<int> run_df(Process& self) {
  Tool tool(self, kDfUsage);
  const std::optional<Options> options = co_await read_options(tool);
  if (!options) co_return tool.status;
  std::uint64_t unit = 1024;
  const char size = options->last_of("kmB");
  if (size == 'm') unit *= 1024;
  if (size == 'B') {
    const auto own = read_size(*options->value('B'));
    if (!own || *own == 0) {
      const std::string why = "invalid number '" + *options->value('B') + "'";
      co_await tool.fail(why);
      co_return tool.status;
    }
    unit = *own;
  }
  DiskFree table(tool, *options, unit);
  (void)co_await tool.out.put(table.heading());
  const std::vector<MountedVolume> all = co_await mounted(self);
  for (const std::string& path : options->operands) {
    const Result<std::string> real = real_path(self, path);
    const MountedVolume* const volume = real ? volume_of(all, *real) : nullptr;
    if (volume == nullptr) {
      const std::string why = path + ": can't find mount point";
      co_await tool.fail(why);
      continue;
    }
    co_await table.show(*volume);
  }
  const auto type = options->value('t');
  for (const MountedVolume& volume : all) {
    if (!options->operands.empty() || (type && *type != volume.type)) continue;
    co_await table.show(volume);
  }
  co_return co_await tool.finish();
}

}  // namespace

Task<int> df_main(Process& self) { return run_df(self); }

}  // namespace sandproof::machine::programs
