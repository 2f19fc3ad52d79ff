// SPDX-License-Identifier: Apache-2.0
// cat: files one after the other. Without an option that changes lines, bytes pass as they come.
#include "fakes/machine/printed.h"
#include "fakes/machine/programs/mains.h"
#include "fakes/machine/programs/support/files.h"
#include "fakes/machine/programs/support/line_reader.h"
#include "fakes/machine/programs/support/options.h"

namespace sandproof::machine::programs {
namespace {

constexpr Usage kCatUsage = {.text = "[-nbvteA] [FILE]...", .letters = "nbvteAu"};

class Cat {
 public:
  Cat(Tool& tool, const Options& options)
      : tool_(tool),
        number_(options.has_any("nb")),
        number_blank_(!options.has('b')),
        tabs_(options.has_any("tA")),
        ends_(options.has_any("eA")),
        visible_(options.has_any("vteA")) {}

  /// False where nothing more can be written.
  Task<bool> file(const std::string& path) {
    const Result<OwnedFd> input = co_await open_input(tool_.self, path);
    if (!input) {
      const std::string what = "can't open '" + path + "'";
      co_await tool_.fail(what, input.error());
      co_return true;
    }
    if (number_ || visible_) co_return co_await lines(input->get());
    const CopyEnd end = co_await copy_bytes(tool_.self, input->get(), 1);
    if (end.read != Errno::kOk) co_await tool_.fail("read error", end.read);
    if (end.write != Errno::kOk) co_await tool_.fail("write error", end.write);
    co_return end.write == Errno::kOk;
  }

 private:
  Task<bool> lines(int fd) {
    LineReader reader(tool_.self, fd);
    std::string line;
    while (co_await reader.next(line)) {
      std::string text;
      if (number_ && (number_blank_ || !line.empty())) {
        text = printed(visible_ ? "%6llu  " : "%6llu\t", ++lines_);
      }
      text += visible_ ? shown(line) : line;
      // What only numbers ends each line, also the last of a file that does not.
      if (reader.ended() || !visible_) text += ends_ ? "$\n" : "\n";
      if (!co_await tool_.out.put(text)) co_return false;
    }
    if (reader.error() != Errno::kOk) co_await tool_.fail("read error", reader.error());
    co_return co_await tool_.out.flush();
  }

  std::string shown(const std::string& line) const {
    std::string text;
    for (const char letter : line) {
      auto byte = static_cast<unsigned char>(letter);
      if (byte == '\t' && !tabs_) {
        text += '\t';
        continue;
      }
      if (byte >= 128) {
        text += "M-";
        byte = static_cast<unsigned char>(byte - 128);
      }
      if (byte < 32 || byte == 127) {
        text += '^';
        byte ^= 0x40U;
      }
      text += static_cast<char>(byte);
    }
    return text;
  }

  Tool& tool_;
  bool number_;
  bool number_blank_;
  bool tabs_;
  bool ends_;
  bool visible_;
  unsigned long long lines_ = 0;
};

Task<int> run_cat(Process& self) {
  Tool tool(self, kCatUsage);
  std::optional<Options> options = co_await read_options(tool);
  if (!options) co_return tool.status;
  if (options->operands.empty()) options->operands.emplace_back("-");
  Cat cat(tool, *options);
  for (const std::string& path : options->operands) {
    if (!co_await cat.file(path)) break;
  }
  co_return co_await tool.finish();
}

}  // namespace

Task<int> cat_main(Process& self) { return run_cat(self); }

}  // namespace sandproof::machine::programs
