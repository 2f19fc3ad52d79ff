// SPDX-License-Identifier: Apache-2.0
// xargs: runs a command with the words of its input. Commands run one after the other, also with
// -P: their number changes what runs at once, not what is run.
#include <algorithm>

#include "fakes/machine/programs/mains.h"
#include "fakes/machine/programs/support/commands.h"
#include "fakes/machine/programs/support/files.h"
#include "fakes/machine/programs/support/numbers.h"
#include "fakes/machine/programs/support/options.h"
#include "fakes/machine/programs/support/xargs_words.h"

namespace sandproof::machine::programs {
namespace {

constexpr Usage kXargsUsage = {.text = "[OPTIONS] [PROG ARGS]", .letters = "+trn:s:I:0pxE:e::P:a:"};
// As busybox: what Linux takes at least, less room for the environment.
constexpr std::size_t kXargsBytes = 32 * 1024;

class Xargs {
 public:
  Xargs(Tool& tool, const Options& options, Strings command)
      : tool_(tool), options_(options), command_(std::move(command)) {
    replaced_ = options.value('I');
    most_words_ = options.has('n') ? *read_unsigned(*options.value('n')) : UINT64_MAX;
    most_bytes_ = options.has('s') ? *read_unsigned(*options.value('s')) : kXargsBytes;
    if (replaced_) most_words_ = 1;
  }

  Task<int> run(XargsWords& words) {
    bool any = false;
    std::string word;
    while (!stops_) {
      const XargsWords::Read read = co_await words.next(word);
      if (read == XargsWords::Read::kWrong) {
        co_await tool_.say(words.wrong());
        co_return 1;
      }
      if (read == XargsWords::Read::kEnd) break;
      if (!replaced_ && size_with(word) > most_bytes_) {
        if (batch_.empty() || options_.has('x')) {
          co_await tool_.say("argument line too long");
          co_return 1;
        }
        co_await run_batch();
        if (stops_) break;
      }
      any = true;
      bytes_ += word.size() + 1;
      batch_.push_back(std::move(word));
      if (batch_.size() >= most_words_) co_await run_batch();
    }
    const bool nothing = !any && !options_.has('r') && !replaced_;
    if (!stops_ && (!batch_.empty() || nothing)) co_await run_batch();
    co_return status_;
  }

 private:
  std::size_t size_with(const std::string& word) const {
    std::size_t size = bytes_ + word.size() + 1;
    for (const std::string& part : command_) size += part.size() + 1;
    return size;
  }

  Strings line() {
    if (!replaced_) {
      Strings argv = command_;
      argv.insert(argv.end(), batch_.begin(), batch_.end());
      return argv;
    }
    Strings argv;
    for (std::string part : command_) {
      for (std::size_t at = 0; (at = part.find(*replaced_, at)) != part.npos;
           at += batch_.front().size()) {
        part.replace(at, replaced_->size(), batch_.front());
        if (part.size() > kMaxHeldBytes) break;
      }
      argv.push_back(std::move(part));
    }
    return argv;
  }

  Task<void> run_batch() {
    Strings argv = line();
    batch_.clear();
    bytes_ = 0;
    if (options_.has_any("tp")) {
      std::string text;
      for (const std::string& word : argv) text += (text.empty() ? "" : " ") + word;
      text += options_.has('p') ? "?..." : "\n";
      co_await tool_.write_error(text);
      if (options_.has('p') && !co_await confirmed()) co_return;
    }
    const std::string name = argv.front();
    const CommandEnd end = co_await run_command(tool_.self, std::move(argv));
    co_await judge(name, end);
  }

  /// The answer comes from the terminal, and there is none.
  Task<bool> confirmed() {
    co_await tool_.say("can't open '/dev/tty': No such device or address");
    status_ = 1;
    stops_ = true;
    co_return false;
  }

  Task<void> judge(std::string name, CommandEnd end) {
    if (end.failure != Errno::kOk) {
      std::string why = name + ": ";
      why += text_of(end.failure);
      co_await tool_.say(why);
      status_ = end.failure == Errno::kNoent ? 127 : 126;
      stops_ = true;
      co_return;
    }
    if (end.status.kind() == WaitStatus::Kind::kSignaled) {
      const std::string why =
          "'" + name + "' terminated by signal " + std::to_string(end.status.value());
      co_await tool_.say(why);
      status_ = 125;
      stops_ = true;
    } else if (end.status.value() == 255) {
      const std::string why = name + ": exited with status 255; aborting";
      co_await tool_.say(why);
      status_ = 124;
      stops_ = true;
    } else if (end.status.value() != 0) {
      status_ = 123;
    }
  }

  Tool& tool_;
  const Options& options_;
  Strings command_;
  std::optional<std::string> replaced_;
  std::uint64_t most_words_;
  std::uint64_t most_bytes_;
  Strings batch_;
  std::size_t bytes_ = 0;
  int status_ = 0;
  bool stops_ = false;
};

/// What is wrong with a number; empty if nothing is.
std::string wrong_number(const Options& options) {
  for (const char letter : std::string_view("nsP")) {
    const auto text = options.value(letter);
    if (!text) continue;
    const auto number = read_unsigned(*text);
    if (!number) return "invalid number '" + *text + "'";
    if (letter != 'P' && (*number == 0 || *number > INT32_MAX)) {
      return "number " + *text + " is not in 1..2147483647 range";
    }
  }
  return {};
}

Task<int> run_xargs(Process& self) {
  Tool tool(self, kXargsUsage);
  const std::optional<Options> options = co_await read_options(tool);
  if (!options) co_return tool.status;
  const std::string wrong = wrong_number(*options);
  if (!wrong.empty()) {
    co_await tool.fail(wrong);
    co_return tool.status;
  }
  const std::string path = options->value('a').value_or("-");
  const Result<OwnedFd> input = co_await open_input(self, path);
  if (!input) {
    const std::string what = "can't open '" + path + "'";
    co_await tool.fail(what, input.error());
    co_return tool.status;
  }
  XargsSyntax syntax;
  syntax.by_nul = options->has('0');
  syntax.by_line = options->has('I');
  if (const char letter = options->last_of("Ee")) syntax.end_word = options->value(letter);
  XargsWords words(self, input->get(), syntax);
  Strings command = options->operands;
  if (command.empty()) command.emplace_back("echo");
  Xargs xargs(tool, *options, std::move(command));
  co_return co_await xargs.run(words);
}

}  // namespace

Task<int> xargs_main(Process& self) { return run_xargs(self); }

}  // namespace sandproof::machine::programs
