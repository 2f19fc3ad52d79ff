// SPDX-License-Identifier: Apache-2.0
// dd: blocks from one file to another.
#include <algorithm>

#include "fakes/machine/printed.h"
#include "fakes/machine/programs/mains.h"
#include "fakes/machine/programs/support/files.h"
#include "fakes/machine/programs/support/numbers.h"
#include "fakes/machine/programs/support/tool.h"

namespace sandproof::machine::programs {
namespace {

constexpr Usage kDdUsage = {
    .text = "[if=FILE] [of=FILE] [ibs=N obs=N/bs=N] [count=N] [skip=N] [seek=N]"};
// A block is held in memory: no box may ask for more of the host's.
constexpr std::uint64_t kMaxBlockBytes = std::uint64_t{64} << 20;

struct DdPlan {
  std::string from;
  std::string to;
  std::uint64_t in_block = 512;
  std::uint64_t out_block = 512;
  std::uint64_t count = UINT64_MAX;
  std::uint64_t skip = 0;
  std::uint64_t seek = 0;
  Strings conversions;
  Strings flags_in;
  Strings flags_out;
  bool quiet = false;
};

bool among(const Strings& words, std::string_view word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

struct DdError {
  std::string text;
  bool misuse = false;
};

class DdReader {
 public:
  static DdPlan read(std::span<const std::string> words) {
    DdReader reader;
    for (const std::string& word : words) reader.operand(word);
    return std::move(reader.plan_);
  }

 private:
  void operand(const std::string& word) {
    const std::size_t equals = std::min(word.find('='), word.size());
    const std::string name = word.substr(0, equals);
    const std::string value = equals < word.size() ? word.substr(equals + 1) : "";
    if (name == "if") {
      plan_.from = value;
    } else if (name == "of") {
      plan_.to = value;
    } else if (name == "bs") {
      plan_.in_block = plan_.out_block = block(value);
    } else if (name == "ibs") {
      plan_.in_block = block(value);
    } else if (name == "obs") {
      plan_.out_block = block(value);
    } else if (name == "count") {
      plan_.count = number(value);
    } else if (name == "skip") {
      plan_.skip = number(value);
    } else if (name == "seek") {
      plan_.seek = number(value);
    } else if (name == "conv") {
      list(name, value, {"notrunc", "sync", "noerror", "fsync", "swab"}, plan_.conversions);
    } else if (name == "iflag") {
      list(name, value, {"skip_bytes", "count_bytes", "fullblock", "direct"}, plan_.flags_in);
    } else if (name == "oflag") {
      list(name, value, {"seek_bytes", "append", "direct"}, plan_.flags_out);
    } else if (name == "status") {
      if (value != "none" && value != "noxfer") {
        throw DdError{"invalid argument '" + value + "' to 'status'"};
      }
      plan_.quiet = value == "none";
    } else {
      throw DdError{.text = {}, .misuse = true};
    }
  }

  static std::uint64_t number(const std::string& text) {
    const auto value = read_size(text, true);
    if (!value) throw DdError{"invalid number '" + text + "'"};
    return *value;
  }
  static std::uint64_t block(const std::string& text) {
    const std::uint64_t value = number(text);
    if (value == 0 || value > kMaxBlockBytes) {
      throw DdError{printed("number %s is not in 1..%llu range", text.c_str(),
                            static_cast<unsigned long long>(kMaxBlockBytes))};
    }
    return value;
  }
  static void list(const std::string& name, const std::string& text, const Strings& known,
                   Strings& words) {
    for (std::size_t at = 0; at <= text.size();) {
      const std::size_t comma = std::min(text.find(',', at), text.size());
      const std::string word = text.substr(at, comma - at);
      if (!among(known, word)) throw DdError{"invalid argument '" + word + "' to '" + name + "'"};
      words.push_back(word);
      at = comma + 1;
    }
  }

  DdPlan plan_;
};

class Dd {
 public:
  Dd(Tool& tool, DdPlan plan) : tool_(tool), plan_(std::move(plan)) {}

  Task<void> run() {
    Result<OwnedFd> input = OwnedFd(tool_.self, 0);
    if (!plan_.from.empty()) input = co_await open_output(tool_.self, plan_.from, kToRead);
    if (!input) {
      co_await cannot_open(plan_.from, input.error());
      co_return;
    }
    Result<OwnedFd> output = OwnedFd(tool_.self, 1);
    if (!plan_.to.empty()) output = co_await open_target();
    if (!output) {
      co_await cannot_open(plan_.to, output.error());
      co_return;
    }
    in_ = input->get();
    out_ = output->get();
    if (co_await position()) co_await copy();
    if (plan_.quiet) co_return;
    const std::string text = printed("%llu+%llu records in\n%llu+%llu records out\n", in_full_,
                                     in_part_, out_full_, out_part_);
    co_await tool_.write_error(text);
  }

 private:
  Task<void> cannot_open(std::string path, Errno error) {
    const std::string what = "can't open '" + path + "'";
    co_await tool_.fail(what, error);
  }

  Task<Result<OwnedFd>> open_target() {
    OpenOptions options = kToOverwrite;
    options.flags.truncate = plan_.seek == 0 && !among(plan_.conversions, "notrunc");
    options.append = among(plan_.flags_out, "append");
    co_return co_await open_output(tool_.self, plan_.to, options);
  }

  /// False after a complaint.
  Task<bool> position() {
    Process& self = tool_.self;
    if (plan_.seek > 0) {
      const std::uint64_t bytes =
          among(plan_.flags_out, "seek_bytes") ? plan_.seek : plan_.seek * plan_.out_block;
      if (!plan_.to.empty() && !among(plan_.conversions, "notrunc")) {
        (void)self.truncate_fd(out_, bytes);
      }
      const auto moved = self.seek(out_, static_cast<std::int64_t>(bytes), Whence::kCurrent);
      if (!moved) {
        std::string what = plan_.to;
        if (what.empty()) what = "standard output";
        co_await tool_.fail(what, moved.error());
        co_return false;
      }
    }
    std::uint64_t bytes =
        among(plan_.flags_in, "skip_bytes") ? plan_.skip : plan_.skip * plan_.in_block;
    if (bytes > 0 && self.seek(in_, static_cast<std::int64_t>(bytes), Whence::kCurrent))
      co_return true;
    std::vector<std::byte> chunk(std::min<std::uint64_t>(bytes, 65536));
    while (bytes > 0) {
      const auto count = co_await self.read(
          in_, std::span(chunk).first(std::min<std::uint64_t>(bytes, chunk.size())));
      if (count.value_or(0) == 0) break;
      bytes -= *count;
    }
    co_return true;
  }

  Task<void> copy() {
    const bool by_bytes = among(plan_.flags_in, "count_bytes");
    std::uint64_t left = plan_.count;
    std::vector<std::byte> block(plan_.in_block);
    while (left > 0) {
      std::uint64_t wanted = plan_.in_block;
      if (by_bytes) wanted = std::min(wanted, left);
      const Result<std::size_t> count = co_await read_block(std::span(block).first(wanted));
      if (!count) {
        std::string what = plan_.from;
        if (what.empty()) what = "standard input";
        co_await tool_.fail(what, count.error());
        break;
      }
      if (*count == 0) break;
      ++(*count == plan_.in_block ? in_full_ : in_part_);
      left -= by_bytes ? *count : 1;
      std::string text(reinterpret_cast<const char*>(block.data()), *count);
      if (among(plan_.conversions, "swab")) {
        for (std::size_t at = 0; at + 1 < text.size(); at += 2) std::swap(text[at], text[at + 1]);
      }
      if (among(plan_.conversions, "sync")) text.resize(plan_.in_block, '\0');
      if (!co_await put(std::move(text))) co_return;
    }
    if (!held_.empty()) (void)co_await write_block(std::exchange(held_, {}));
  }

  Task<Result<std::size_t>> read_block(std::span<std::byte> into) {
    std::size_t have = 0;
    for (;;) {
      const Result<std::size_t> count = co_await tool_.self.read(in_, into.subspan(have));
      if (count.error() == Errno::kIntr) continue;
      if (!count) co_return count;
      have += *count;
      const bool again = among(plan_.flags_in, "fullblock") && *count > 0 && have < into.size();
      if (!again) co_return have;
    }
  }

  /// Blocks of the output's size, unless both are of one.
  Task<bool> put(std::string text) {
    if (plan_.in_block == plan_.out_block) co_return co_await write_block(std::move(text));
    held_ += text;
    while (held_.size() >= plan_.out_block) {
      std::string block = held_.substr(0, plan_.out_block);
      held_.erase(0, plan_.out_block);
      if (!co_await write_block(std::move(block))) co_return false;
    }
    co_return true;
  }

  Task<bool> write_block(std::string text) {
    const Errno error = co_await write_all(tool_.self, out_, text);
    if (error != Errno::kOk) {
      std::string what = "error writing '" + plan_.to + "'";
      if (plan_.to.empty()) what = "error writing 'standard output'";
      co_await tool_.fail(what, error);
      co_return false;
    }
    ++(text.size() == plan_.out_block ? out_full_ : out_part_);
    co_return true;
  }

  Tool& tool_;
  DdPlan plan_;
  int in_ = 0;
  int out_ = 1;
  std::string held_;
  unsigned long long in_full_ = 0;
  unsigned long long in_part_ = 0;
  unsigned long long out_full_ = 0;
  unsigned long long out_part_ = 0;
};

Task<int> run_dd(Process& self) {
  Tool tool(self, kDdUsage);
  std::span<const std::string> words(self.argv());
  words = words.subspan(1);
  if (words.size() == 1 && words.front() == "--help") co_return co_await tool.show_usage(0);
  DdPlan plan;
  std::optional<DdError> wrong;
  try {
    plan = DdReader::read(words);
  } catch (const DdError& error) {
    wrong = error;
  }
  if (wrong && wrong->misuse) co_return co_await tool.misuse();
  if (wrong) {
    co_await tool.fail(wrong->text);
    co_return tool.status;
  }
  Dd dd(tool, std::move(plan));
  co_await dd.run();
  co_return tool.status;
}

}  // namespace

Task<int> dd_main(Process& self) { return run_dd(self); }

}  // namespace sandproof::machine::programs
