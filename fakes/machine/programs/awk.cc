// SPDX-License-Identifier: Apache-2.0
// awk: what POSIX has of it, less the mathematics that Debian's busybox is built without.
#include "fakes/machine/programs/awk/interpreter.h"
#include "fakes/machine/programs/awk/parser.h"
#include "fakes/machine/programs/mains.h"
#include "fakes/machine/programs/support/escapes.h"
#include "fakes/machine/programs/support/options.h"

namespace sandproof::machine::programs {
namespace {

constexpr Usage kAwkUsage = {.text = "[OPTIONS] [AWK_PROGRAM] [FILE]...", .letters = "+F:v:f:e:W:"};

/// The pieces of -f and -e, or the first operand; nothing after a complaint.
Task<std::optional<std::string>> awk_text(Tool& tool, Options& options) {
  std::optional<std::string> text;
  for (const Options::Given& given : options.given) {
    if (given.letter != 'f' && given.letter != 'e') continue;
    std::string piece = given.value.value_or("");
    if (given.letter == 'f') {
      Result<std::string> file = co_await read_file(tool.self, piece);
      if (!file) {
        const std::string what = "can't open '" + piece + "'";
        co_await tool.fail(what, file.error());
        co_return std::nullopt;
      }
      piece = *std::move(file);
    }
    text = text ? *text + "\n" + piece : piece;
  }
  if (!text) {
    if (options.operands.empty()) {
      tool.status = co_await tool.misuse();
      co_return std::nullopt;
    }
    text = options.operands.front();
    options.operands.erase(options.operands.begin());
  }
  co_return text;
}

std::string told(const awk::Failure& failure) {
  if (failure.line == 0) return failure.text;
  return "cmd. line:" + std::to_string(failure.line) + ": " + failure.text;
}

Task<int> run_awk(Process& self) {
  Tool tool(self, kAwkUsage);
  std::optional<Options> options = co_await read_options(tool);
  if (!options) co_return tool.status;
  const std::optional<std::string> text = co_await awk_text(tool, *options);
  if (!text) co_return tool.status;
  std::optional<std::string> wrong;
  int status = 1;
  try {
    awk::Interpreter interpreter(tool, awk::parse(*text));
    if (const auto separator = options->value('F')) {
      interpreter.set_text("FS", unescape(*separator, OctalEscape::kThreeDigits, false).text);
    }
    for (const std::string& word : options->values('v')) {
      if (!interpreter.assign(word)) throw awk::Failure{"bad assignment '" + word + "'", 0};
    }
    status = co_await interpreter.run(options->operands);
  } catch (const awk::Failure& failure) {
    wrong = told(failure);
  }
  if (wrong) {
    co_await tool.fail(*wrong);
    co_return tool.status;
  }
  co_return co_await tool.finish(status);
}

}  // namespace

Task<int> awk_main(Process& self) { return run_awk(self); }

}  // namespace sandproof::machine::programs
