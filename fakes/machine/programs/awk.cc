// SPDX-License-Identifier: Apache-2.0
// awk: options, the program's text, and what ends it. awk/ has the language. It differs from
// Debian's busybox: functions of mathematics and `^` are there, and print evaluates all that it
// prints before it writes any of it.
#include <utility>

#include "fakes/machine/programs/awk/compiler.h"
#include "fakes/machine/programs/awk/failure.h"
#include "fakes/machine/programs/awk/interpreter.h"
#include "fakes/machine/programs/awk/lexer.h"
#include "fakes/machine/programs/awk/limits.h"
#include "fakes/machine/programs/awk/names.h"
#include "fakes/machine/programs/awk/parser.h"
#include "fakes/machine/programs/mains.h"
#include "fakes/machine/programs/support/files.h"
#include "fakes/machine/programs/support/options.h"

namespace sandproof::machine::programs {
namespace {

constexpr Usage kAwkUsage = {.text = "[OPTIONS] [AWK_PROGRAM] [FILE]...", .letters = "+F:v:f:e:W:"};

/// One text of the program: each -f and -e is parsed by itself.
struct AwkSource {
  std::string name = "cmd. line";
  std::string text;
};

class Awk {
 public:
  explicit Awk(Tool& tool) : tool_(tool) {}

  /// Failures are said, and are the status 1.
  Task<int> run(Options options) {
    std::string failure;
    try {
      if (!co_await read_sources(options)) co_return 1;
      co_return co_await execute(options);
    } catch (const awk::Failure& problem) {
      failure = problem.line > 0 ? placed(problem.line, problem.what()) : problem.what();
    } catch (const awk::RunFailure& problem) {
      failure = placed(interpreter_ ? interpreter_->line() : 1, problem.what());
    }
    if (interpreter_) co_await interpreter_->flush();
    co_await tool_.fail(failure);
    co_return 1;
  }

 private:
  std::string placed(int line, const char* text) const {
    return name_ + ":" + std::to_string(line) + ": " + text;
  }

  Task<bool> read_sources(Options& options) {
    for (const Options::Given& given : options.given) {
      if (given.letter == 'W') co_await tool_.say("warning: option -W is ignored");
      if (given.letter == 'e') sources_.push_back({.text = given.value.value_or("")});
      if (given.letter != 'f') continue;
      const std::string path = given.value.value_or("");
      Result<std::string> text = co_await read_file(tool_.self, path);
      if (!text) {
        throw awk::Failure("can't open '" + path + "': " + std::string(text_of(text.error())));
      }
      sources_.push_back({.name = path, .text = std::move(*text)});
    }
    if (sources_.empty()) {
      if (options.operands.empty()) {
        (void)co_await tool_.misuse();
        co_return false;
      }
      sources_.push_back({.text = options.operands.front()});
      options.operands.erase(options.operands.begin());
    }
    co_return true;
  }

  awk::Code compile() {
    awk::Program program = awk::empty_program();
    for (const AwkSource& source : sources_) {
      name_ = source.name;
      if (source.text.size() > awk::kMaxProgramBytes) {
        throw awk::Failure("the program's text is larger than " +
                           std::to_string(awk::kMaxProgramBytes >> 20U) + " MiB; make it smaller");
      }
      awk::Parser(source.text, program).parse();
    }
    return awk::Compiler::compile(program);
  }

  Task<int> execute(const Options& options) {
    interpreter_.emplace(tool_.self, tool_.out, compile());
    Strings arguments = {"awk"};
    arguments.insert(arguments.end(), options.operands.begin(), options.operands.end());
    interpreter_->set_arguments(arguments);
    for (const Options::Given& given : options.given) {
      const std::string value = given.value.value_or("");
      if (given.letter == 'F') interpreter_->assign("FS", value);
      if (given.letter != 'v') continue;
      const std::size_t equals = value.find('=');
      if (equals == value.npos || !awk::is_variable_name(value.substr(0, equals))) {
        co_return co_await tool_.misuse();
      }
      interpreter_->assign(value.substr(0, equals), value.substr(equals + 1));
    }
    co_return co_await interpreter_->run();
  }

  Tool& tool_;
  std::vector<AwkSource> sources_;
  std::string name_ = "cmd. line";
  std::optional<awk::Interpreter> interpreter_;
};

Task<int> run_awk(Process& self) {
  Tool tool(self, kAwkUsage);
  std::optional<Options> options = co_await read_options(tool);
  if (!options) co_return tool.status;
  Awk awk(tool);
  tool.status = co_await awk.run(std::move(*options));
  // What could not be written is not told, as in busybox.
  (void)co_await tool.out.flush();
  co_return tool.status;
}

}  // namespace

Task<int> awk_main(Process& self) { return run_awk(self); }

}  // namespace sandproof::machine::programs
