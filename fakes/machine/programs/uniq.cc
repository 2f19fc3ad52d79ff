// SPDX-License-Identifier: Apache-2.0
// uniq: neighbours that are alike are one.
#include <algorithm>
#include <cctype>

#include "fakes/machine/printed.h"
#include "fakes/machine/programs/mains.h"
#include "fakes/machine/programs/support/files.h"
#include "fakes/machine/programs/support/line_reader.h"
#include "fakes/machine/programs/support/numbers.h"
#include "fakes/machine/programs/support/options.h"

namespace sandproof::machine::programs {
namespace {

constexpr Usage kUniqUsage = {
    .text = "[-cduiz] [-f,s,w N] [FILE [OUTFILE]]", .letters = "cduf:s:w:iz", .most = 2};

class UniqKey {
 public:
  /// The word that is no number, or nothing.
  std::optional<std::string> read(const Options& options) {
    ignore_case_ = options.has('i');
    for (const auto& [letter, number] :
         {std::pair{'f', &fields_}, std::pair{'s', &skipped_}, std::pair{'w', &width_}}) {
      const auto text = options.value(letter);
      if (!text) continue;
      const auto value = read_unsigned(*text);
      if (!value) return text;
      *number = *value;
    }
    return std::nullopt;
  }

  std::string of(const std::string& line) const {
    std::size_t at = 0;
    const auto skip = [&](bool blanks) {
      while (at < line.size() &&
             (std::isspace(static_cast<unsigned char>(line[at])) != 0) == blanks) {
        ++at;
      }
    };
    for (std::uint64_t field = 0; field < fields_ && at < line.size(); ++field) {
      skip(true);
      skip(false);
    }
    at = std::min<std::uint64_t>(line.size(), at + skipped_);
    std::string key = line.substr(at, std::min<std::uint64_t>(width_, line.size()));
    if (ignore_case_) {
      std::transform(key.begin(), key.end(), key.begin(),
                     [](unsigned char letter) { return static_cast<char>(std::tolower(letter)); });
    }
    return key;
  }

 private:
  std::uint64_t fields_ = 0;
  std::uint64_t skipped_ = 0;
  std::uint64_t width_ = UINT64_MAX;
  bool ignore_case_ = false;
};

class Uniq {
 public:
  Uniq(const Options& options, UniqKey key) : options_(options), key_(key) {
    end_ = options.has('z') ? '\0' : '\n';
  }

  /// What is to be written now.
  std::string add(const std::string& line) {
    std::string key = key_.of(line);
    if (count_ > 0 && key == held_key_) {
      ++count_;
      return {};
    }
    std::string text = flush();
    held_ = line;
    held_key_ = std::move(key);
    count_ = 1;
    return text;
  }

  std::string flush() const {
    // -d takes away single ones, -u repeated ones: with both nothing is left.
    if (count_ == 0 || (options_.has('d') && count_ == 1) || (options_.has('u') && count_ > 1)) {
      return {};
    }
    std::string text = options_.has('c') ? printed("%7llu ", count_) : "";
    return text + held_ + end_;
  }

 private:
  const Options& options_;
  UniqKey key_;
  char end_;
  std::string held_;
  std::string held_key_;
  unsigned long long count_ = 0;
};

Task<void> uniq_lines(Tool& tool, const Options& options, UniqKey key, int from, Output& out) {
  LineReader reader(tool.self, from, options.has('z') ? '\0' : '\n');
  Uniq uniq(options, key);
  std::string line;
  while (co_await reader.next(line)) {
    if (!co_await out.put(uniq.add(line))) break;
  }
  (void)co_await out.put(uniq.flush());
  if (!co_await out.flush() && out.fd() != 1) co_await tool.fail("write error", out.error());
  if (reader.error() != Errno::kOk) co_await tool.fail("read error", reader.error());
}

Task<int> run_uniq(Process& self) {
  Tool tool(self, kUniqUsage);
  std::optional<Options> options = co_await read_options(tool);
  if (!options) co_return tool.status;
  UniqKey key;
  if (const auto bad = key.read(*options)) {
    const std::string why = "invalid number '" + *bad + "'";
    co_await tool.fail(why);
    co_return tool.status;
  }
  const std::string from = options->operands.empty() ? "-" : options->operands[0];
  const Result<OwnedFd> input = co_await open_input(self, from);
  if (!input) {
    const std::string what = "can't open '" + from + "'";
    co_await tool.fail(what, input.error());
    co_return tool.status;
  }
  const std::string to = options->operands.size() < 2 ? "-" : options->operands[1];
  if (to == "-") {
    co_await uniq_lines(tool, *options, key, input->get(), tool.out);
    co_return co_await tool.finish();
  }
  const Result<OwnedFd> output = co_await open_output(self, to, kToOverwrite);
  if (!output) {
    const std::string what = "can't open '" + to + "'";
    co_await tool.fail(what, output.error());
    co_return tool.status;
  }
  Output out(self, output->get());
  co_await uniq_lines(tool, *options, key, input->get(), out);
  co_return tool.status;
}

}  // namespace

Task<int> uniq_main(Process& self) { return run_uniq(self); }

}  // namespace sandproof::machine::programs
