// SPDX-License-Identifier: Apache-2.0
// tail: the last lines or bytes of files, or all from one on; and what is added to them.
#include <algorithm>
#include <array>
#include <chrono>
#include <deque>

#include "fakes/machine/programs/mains.h"
#include "fakes/machine/programs/support/files.h"
#include "fakes/machine/programs/support/line_reader.h"
#include "fakes/machine/programs/support/numbers.h"
#include "fakes/machine/programs/support/options.h"

namespace sandproof::machine::programs {
namespace {

constexpr Usage kTailUsage = {.text = "[OPTIONS] [FILE]...", .letters = "fc:n:qs:vF"};

struct TailPlan {
  std::uint64_t count = 10;
  bool bytes = false;
  bool from_begin = false;
};

struct TailFile {
  std::string path;
  OwnedFd file;
};

class Tail {
 public:
  Tail(Tool& tool, const Options& options, TailPlan plan)
      : tool_(tool), plan_(plan), retries_(options.has('F')) {
    headers_ = options.has('v');
    hides_headers_ = options.has('q');
  }

  Task<void> open(std::string path) {
    Result<OwnedFd> file = co_await open_input(tool_.self, path);
    if (!file) {
      const std::string what = "can't open '" + path + "'";
      co_await tool_.fail(what, file.error());
      co_return;
    }
    files_.push_back({path, *std::move(file)});
  }
  bool none() const { return files_.empty(); }

  Task<void> ends() {
    if (files_.size() > 1 && !hides_headers_) headers_ = true;
    for (const TailFile& file : files_) {
      co_await header(file);
      Errno error = Errno::kOk;
      if (plan_.from_begin) {
        error = co_await rest(file.file.get());
      } else if (plan_.bytes) {
        error = co_await last_bytes(file.file.get());
      } else {
        error = co_await last_lines(file.file.get());
      }
      if (error != Errno::kOk) co_await tool_.fail("read error", error);
    }
  }

  /// Until it is killed, or nobody reads.
  Task<void> follow(Nanoseconds pause) {
    while (co_await tool_.out.flush()) {
      const Nanoseconds again = tool_.self.now() + pause;
      // sleep: what a file that is followed waits with
      while (tool_.self.now() < again) (void)co_await tool_.self.sleep(again - tool_.self.now());
      for (TailFile& file : files_) {
        if (retries_) co_await reopen(file);
        co_await added(file);
      }
    }
  }

 private:
  Task<void> header(const TailFile& file) {
    shown_ = &file;
    if (!headers_) co_return;
    const std::string name = file.path == "-" ? "standard input" : file.path;
    const std::string line = (any_ ? "\n==> " : "==> ") + name + " <==\n";
    any_ = true;
    (void)co_await tool_.out.put(line);
  }

  Task<Errno> rest(int fd) {
    // "+1" and "+0" are all of it.
    const std::uint64_t skipped = plan_.count > 0 ? plan_.count - 1 : 0;
    if (plan_.bytes) {
      std::uint64_t left = skipped;
      std::array<std::byte, 4096> chunk;
      while (left > 0) {
        const std::span<std::byte> into =
            std::span(chunk).first(std::min<std::uint64_t>(left, chunk.size()));
        const Result<std::size_t> count = co_await tool_.self.read(fd, into);
        if (!count) co_return count.error();
        if (*count == 0) co_return Errno::kOk;
        left -= *count;
      }
      if (!co_await tool_.out.flush()) co_return Errno::kOk;
      const CopyEnd end = co_await copy_bytes(tool_.self, fd, 1);
      co_return end.read;
    }
    LineReader reader(tool_.self, fd);
    std::string line;
    for (std::uint64_t at = 0; co_await reader.next(line); ++at) {
      if (at < skipped) continue;
      if (reader.ended()) line += '\n';
      if (!co_await tool_.out.put(line)) break;
    }
    co_return reader.error();
  }

  Task<Errno> last_bytes(int fd) {
    const Result<std::string> all = co_await read_all(tool_.self, fd);
    if (!all) co_return all.error();
    const std::size_t count = std::min<std::uint64_t>(plan_.count, all->size());
    (void)co_await tool_.out.put(std::string_view(*all).substr(all->size() - count));
    co_return Errno::kOk;
  }

  Task<Errno> last_lines(int fd) {
    LineReader reader(tool_.self, fd);
    std::deque<std::string> held;
    std::size_t bytes = 0;
    std::string line;
    while (co_await reader.next(line)) {
      if (reader.ended()) line += '\n';
      bytes += line.size();
      held.push_back(line);
      if (held.size() > plan_.count) {
        bytes -= held.front().size();
        held.pop_front();
      }
      if (bytes > kMaxHeldBytes) co_return Errno::kNomem;
    }
    for (const std::string& kept : held) {
      if (!co_await tool_.out.put(kept)) break;
    }
    co_return reader.error();
  }

  /// Another file may have its name now.
  Task<void> reopen(TailFile& file) {
    const Result<Attributes> named = tool_.self.stat(file.path);
    const Result<Attributes> held = tool_.self.stat_fd(file.file.get());
    if (!named || (held && named->ino == held->ino && named->volume == held->volume)) co_return;
    Result<OwnedFd> fresh = co_await open_input(tool_.self, file.path);
    if (fresh) file.file = *std::move(fresh);
  }

  Task<void> added(TailFile& file) {
    const int fd = file.file.get();
    // One that has become shorter is read from its beginning.
    const Result<Attributes> now = tool_.self.stat_fd(fd);
    const Result<std::uint64_t> at = tool_.self.seek(fd, 0, Whence::kCurrent);
    if (now && at && now->type == FileType::kRegular && now->size < *at) {
      (void)tool_.self.seek(fd, 0, Whence::kStart);
    }
    std::array<std::byte, 4096> chunk;
    for (;;) {
      const Result<std::size_t> count = co_await tool_.self.read(fd, chunk);
      if (count.value_or(0) == 0) co_return;
      if (shown_ != &file) co_await header(file);
      if (!co_await tool_.out.put({reinterpret_cast<const char*>(chunk.data()), *count})) co_return;
    }
  }

  Tool& tool_;
  TailPlan plan_;
  bool retries_;
  bool headers_ = false;
  bool hides_headers_ = false;
  bool any_ = false;
  const TailFile* shown_ = nullptr;
  std::deque<TailFile> files_;
};

/// "-5" and "+5" as busybox takes them before any option.
Strings with_old_count(Strings words) {
  if (words.size() > 1 && words[1].size() > 1 && (words[1][0] == '-' || words[1][0] == '+') &&
      words[1][1] >= '0' && words[1][1] <= '9') {
    words[1] = "-n" + (words[1][0] == '-' ? words[1].substr(1) : words[1]);
  }
  return words;
}

Task<int> run_tail(Process& self) {
  Tool tool(self, kTailUsage);
  std::optional<Options> options = co_await read_options(tool, with_old_count(self.argv()));
  if (!options) co_return tool.status;
  TailPlan plan;
  if (const char which = options->last_of("cn")) {
    const std::string text = *options->value(which);
    plan.bytes = which == 'c';
    plan.from_begin = text.starts_with('+');
    const bool sign = plan.from_begin || text.starts_with('-');
    const auto count = read_size(std::string_view(text).substr(sign ? 1 : 0));
    if (!count) {
      const std::string why = "invalid number '" + text + "'";
      co_await tool.fail(why);
      co_return tool.status;
    }
    plan.count = *count;
  }
  const auto pause = read_duration(options->value('s').value_or("1"));
  if (!pause) {
    const std::string why = "invalid number '" + *options->value('s') + "'";
    co_await tool.fail(why);
    co_return tool.status;
  }
  if (options->operands.empty()) options->operands.emplace_back("-");
  Tail tail(tool, *options, plan);
  for (const std::string& path : options->operands) co_await tail.open(path);
  if (tail.none()) {
    co_await tool.fail("no files");
    co_return tool.status;
  }
  co_await tail.ends();
  // Without a pause it would never let time pass.
  if (options->has_any("fF")) {
    co_await tail.follow(std::max<Nanoseconds>(*pause, std::chrono::milliseconds(1)));
  }
  co_return co_await tool.finish();
}

}  // namespace

Task<int> tail_main(Process& self) { return run_tail(self); }

}  // namespace sandproof::machine::programs
