// SPDX-License-Identifier: Apache-2.0
// od: bytes as numbers and characters.
#include <algorithm>
#include <array>

#include "fakes/machine/printed.h"
#include "fakes/machine/programs/mains.h"
#include "fakes/machine/programs/support/dump_types.h"
#include "fakes/machine/programs/support/files.h"
#include "fakes/machine/programs/support/numbers.h"
#include "fakes/machine/programs/support/options.h"

namespace sandproof::machine::programs {
namespace {

constexpr Usage kOdUsage = {
    .text =
        "[-abcdfhilovxs] [-t TYPE] [-A RADIX] [-N SIZE] [-j SKIP] [-S MINSTR] [-w WIDTH] "
        "[FILE]...",
    .letters = "A:N:abcdfhij:lot:vxsS:w::"};
constexpr std::uint64_t kOdWidth = 16;
constexpr std::uint64_t kMaxOdWidth = 4096;

class Dump {
 public:
  Dump(Tool& tool, const Options& options, std::vector<DumpType> types)
      : tool_(tool), types_(std::move(types)), every_line_(options.has('v')) {
    radix_ = options.value('A').value_or("o")[0];
  }

  void set_width(std::uint64_t width) { width_ = width; }
  void set_offset(std::uint64_t offset) { offset_ = offset; }

  /// False where nothing more can be written.
  Task<bool> add(std::string_view bytes) {
    held_ += bytes;
    std::size_t at = 0;
    for (; held_.size() - at >= width_; at += width_) {
      if (!co_await line(held_.substr(at, width_))) co_return false;
    }
    held_.erase(0, at);
    co_return true;
  }

  Task<void> finish() {
    if (!held_.empty()) (void)co_await line(std::exchange(held_, {}));
    if (radix_ != 'n') (void)co_await tool_.out.put(address() + "\n");
  }

 private:
  std::string address() const {
    const auto at = static_cast<unsigned long long>(offset_);
    switch (radix_) {
      case 'd':
        return printed("%07llu", at);
      case 'x':
        return printed("%06llx", at);
      case 'o':
        return printed("%07llo", at);
      default:
        return {};
    }
  }

  Task<bool> line(std::string bytes) {
    const std::size_t count = bytes.size();
    const bool again = !every_line_ && any_ && count == width_ && bytes == before_;
    if (again) {
      if (!starred_) (void)co_await tool_.out.put("*\n");
      starred_ = true;
      offset_ += count;
      co_return true;
    }
    starred_ = false;
    any_ = true;
    before_ = bytes;
    std::string text;
    for (const DumpType& type : types_) {
      std::string start = address();
      if (!text.empty()) start.assign(start.size(), ' ');
      text += start + dump_line(type, bytes) + "\n";
    }
    offset_ += count;
    co_return co_await tool_.out.put(text);
  }

  Tool& tool_;
  std::vector<DumpType> types_;
  bool every_line_;
  char radix_ = 'o';
  std::uint64_t width_ = kOdWidth;
  std::uint64_t offset_ = 0;
  std::string held_;
  std::string before_;
  bool any_ = false;
  bool starred_ = false;
};

struct OdLimits {
  std::uint64_t skip = 0;
  std::uint64_t most = UINT64_MAX;
  std::uint64_t width = kOdWidth;
};

/// What is wrong; empty if nothing is.
std::string od_limits(const Options& options, OdLimits& limits) {
  const auto number = [&](char letter, std::uint64_t& value) -> std::string {
    const auto text = options.value(letter);
    if (!text) return {};
    const auto read = text->starts_with("0x") ? read_unsigned(std::string_view(*text).substr(2), 16)
                                              : read_size(*text);
    if (!read) return "invalid number '" + *text + "'";
    value = *read;
    return {};
  };
  if (std::string why = number('j', limits.skip); !why.empty()) return why;
  if (std::string why = number('N', limits.most); !why.empty()) return why;
  if (options.has('w')) {
    limits.width = 32;
    if (std::string why = number('w', limits.width); !why.empty()) return why;
    limits.width = std::clamp<std::uint64_t>(limits.width, 1, kMaxOdWidth);
  }
  if (options.has('S')) return "-S is not supported by the machine: leave it away";
  const auto radix = options.value('A');
  if (radix && (radix->size() != 1 || std::string_view("doxn").find((*radix)[0]) == radix->npos)) {
    return "bad output address radix '" + *radix + "' (must be [doxn])";
  }
  return {};
}

Task<int> run_od(Process& self) {
  Tool tool(self, kOdUsage);
  std::optional<Options> options = co_await read_options(tool);
  if (!options) co_return tool.status;
  OdLimits limits;
  std::vector<DumpType> types;
  std::string wrong = od_limits(*options, limits);
  if (wrong.empty()) wrong = read_dump_types(*options, types);
  if (!wrong.empty()) {
    co_await tool.fail(wrong);
    co_return tool.status;
  }
  Dump dump(tool, *options, std::move(types));
  dump.set_width(limits.width);
  dump.set_offset(limits.skip);
  if (options->operands.empty()) options->operands.emplace_back("-");
  std::uint64_t skip = limits.skip;
  std::uint64_t left = limits.most;
  bool any = false;
  for (const std::string& path : options->operands) {
    const Result<OwnedFd> input = co_await open_input(self, path);
    if (!input) {
      co_await tool.fail(path, input.error());
      continue;
    }
    any = true;
    std::array<std::byte, 4096> chunk;
    while (left > 0) {
      const Result<std::size_t> count = co_await self.read(input->get(), chunk);
      if (count.error() == Errno::kIntr) continue;
      if (!count) co_await tool.fail(path, count.error());
      if (count.value_or(0) == 0) break;
      std::string_view bytes(reinterpret_cast<const char*>(chunk.data()), *count);
      const std::size_t passed = std::min<std::uint64_t>(skip, bytes.size());
      skip -= passed;
      bytes = bytes.substr(passed, std::min<std::uint64_t>(left, bytes.size()));
      left -= bytes.size();
      if (!co_await dump.add(bytes)) break;
    }
  }
  if (skip > 0 && any) {
    co_await tool.fail("can't skip past end of combined input");
    co_return tool.status;
  }
  if (any) co_await dump.finish();
  co_return co_await tool.finish();
}

}  // namespace

Task<int> od_main(Process& self) { return run_od(self); }

}  // namespace sandproof::machine::programs
