// SPDX-License-Identifier: Apache-2.0
// Printing and checking digests of files.
#include "fakes/machine/programs/support/checksums.h"

#include <array>

#include "fakes/machine/printed.h"
#include "fakes/machine/programs/support/files.h"
#include "fakes/machine/programs/support/line_reader.h"
#include "fakes/machine/programs/support/options.h"

namespace sandproof::machine::programs {
namespace {

constexpr Usage kChecksumsUsage = {.text = "[-c[sw]] [FILE]...", .letters = "scw"};

class Checksums {
 public:
  Checksums(Tool& tool, const Options& options, DigestKind kind)
      : tool_(tool), options_(options), kind_(kind) {}

  /// Nothing after a complaint.
  Task<std::optional<std::string>> of_file(std::string path) {
    const Result<OwnedFd> input = co_await open_input(tool_.self, path);
    if (!input) {
      const std::string what = "can't open '" + path + "'";
      co_await tool_.fail(what, input.error());
      co_return std::nullopt;
    }
    Digest digest(kind_);
    std::array<std::byte, 4096> chunk;
    for (;;) {
      const Result<std::size_t> count = co_await tool_.self.read(input->get(), chunk);
      if (count.error() == Errno::kIntr) continue;
      if (!count) {
        const std::string what = "can't read '" + path + "'";
        co_await tool_.fail(what, count.error());
        co_return std::nullopt;
      }
      if (*count == 0) break;
      digest.add({reinterpret_cast<const char*>(chunk.data()), *count});
    }
    co_return digest.take();
  }

  Task<void> check(std::string path) {
    const Result<OwnedFd> input = co_await open_input(tool_.self, path);
    if (!input) {
      const std::string what = "can't open '" + path + "'";
      co_await tool_.fail(what, input.error());
      co_return;
    }
    LineReader reader(tool_.self, input->get());
    std::string line;
    unsigned long long count = 0;
    unsigned long long failed = 0;
    while (co_await reader.next(line)) {
      ++count;
      if (!co_await check_line(line)) ++failed;
    }
    if (failed == 0) co_return;
    tool_.status = 1;
    if (options_.has('s')) co_return;
    const std::string why =
        printed("WARNING: %llu of %llu computed checksums did NOT match", failed, count);
    co_await tool_.say(why);
  }

 private:
  Task<bool> check_line(std::string line) {
    const std::size_t blank = line.find(' ');
    // Two blanks, or one and a star, stand between a digest and its file.
    if (blank == line.npos || blank + 2 > line.size() ||
        (line[blank + 1] != ' ' && line[blank + 1] != '*')) {
      if (options_.has('w')) co_await tool_.say("invalid format");
      co_return false;
    }
    const std::string name = line.substr(blank + 2);
    const std::optional<std::string> found = co_await of_file(name);
    const bool same = found && *found == line.substr(0, blank);
    if (!options_.has('s')) (void)co_await tool_.out.put(name + (same ? ": OK\n" : ": FAILED\n"));
    co_return same;
  }

  Tool& tool_;
  const Options& options_;
  DigestKind kind_;
};

Task<int> run_all(Process& self, DigestKind kind) {
  Tool tool(self, kChecksumsUsage);
  std::optional<Options> options = co_await read_options(tool);
  if (!options) co_return tool.status;
  if (options->operands.empty()) options->operands.emplace_back("-");
  Checksums checksums(tool, *options, kind);
  for (const std::string& path : options->operands) {
    if (options->has('c')) {
      co_await checksums.check(path);
      continue;
    }
    const std::optional<std::string> digest = co_await checksums.of_file(path);
    if (digest) (void)co_await tool.out.put(*digest + "  " + path + "\n");
  }
  co_return co_await tool.finish();
}

}  // namespace

Task<int> run_checksums(Process& self, DigestKind kind) { return run_all(self, kind); }

}  // namespace sandproof::machine::programs
