// SPDX-License-Identifier: Apache-2.0
// Scripts: a text, a file, standard input; one command after the other is read and run.
#include "fakes/machine/shell/run/shell.h"

namespace sandproof::machine::shell {
namespace {

constexpr std::size_t kScriptBlockBytes = 4096;

}  // namespace

// A command, or the error that ends the script.
Task<int> Shell::run_next(Parser& parser, ParseOutcome outcome, int status, RunMode mode) {
  if (outcome.kind == ParseOutcome::Kind::kError) {
    state.line = outcome.line;
    co_await fail(outcome.message);
  }
  if (has(ShellOption::kNoexec) && !has(ShellOption::kInteractive)) co_return status;
  const RunMode inner{.tested = mode.tested, .last = mode.last && parser.at_end()};
  co_return co_await run_list(*outcome.list, inner);
}

Task<int> Shell::run_text(std::string text, RunMode mode) {
  const DepthGuard guard(*this);
  Parser parser(&state.aliases);
  parser.feed(text);
  parser.finish();
  int status = 0;
  while (flow == Flow::kNone) {
    ParseOutcome outcome = parser.next();
    if (outcome.kind == ParseOutcome::Kind::kEnd) break;
    status = co_await run_next(parser, std::move(outcome), status, mode);
  }
  co_return status;
}

// Whether there was something. Blocks, but lines where they are shown as they are read.
Task<bool> Shell::feed_block(Parser& parser, int fd, std::string& rest) {
  if (rest.empty()) {
    std::string buffer(kScriptBlockBytes, '\0');
    const Result<std::size_t> count =
        co_await process.read(fd, std::as_writable_bytes(std::span(buffer)));
    if (count.error() == Errno::kIntr) co_return true;
    if (!count || *count == 0) co_return false;
    rest.assign(buffer, 0, *count);
  }
  std::string piece;
  const std::size_t newline = has(ShellOption::kVerbose) ? rest.find('\n') : std::string::npos;
  if (newline == std::string::npos) {
    piece.swap(rest);
  } else {
    piece = rest.substr(0, newline + 1);
    rest.erase(0, newline + 1);
  }
  if (has(ShellOption::kVerbose)) co_await put_error(piece);
  parser.feed(piece);
  co_return true;
}

Task<int> Shell::run_file(int fd, RunMode mode) {
  const DepthGuard guard(*this);
  Parser parser(&state.aliases);
  std::string rest;
  int status = 0;
  std::exception_ptr error;
  try {
    while (flow == Flow::kNone) {
      ParseOutcome outcome = parser.next();
      if (outcome.kind == ParseOutcome::Kind::kEnd) break;
      if (outcome.kind == ParseOutcome::Kind::kMore) {
        if (!co_await feed_block(parser, fd, rest)) parser.finish();
        continue;
      }
      status = co_await run_next(parser, std::move(outcome), status, mode);
    }
  } catch (const ShellError&) {
    error = std::current_exception();
  }
  (void)process.close(fd);
  if (error) std::rethrow_exception(error);
  co_return status;
}

// One byte at a time: what follows is for the commands.
Task<bool> Shell::feed_line(Parser& parser) {
  std::string line;
  std::byte byte{};
  while (!line.ends_with('\n')) {
    const Result<std::size_t> count = co_await process.read(0, std::span(&byte, 1));
    if (count.error() == Errno::kIntr) {
      co_await run_traps();
      if (flow != Flow::kNone) co_return true;
      continue;
    }
    if (!count || *count == 0) break;
    line += static_cast<char>(byte);
  }
  if (line.empty()) co_return false;
  if (has(ShellOption::kVerbose)) co_await put_error(line);
  parser.feed(line);
  co_return true;
}

Task<void> Shell::put_prompt(std::string variable) {
  const std::string* const prompt = state.variables.get(variable);
  if (prompt == nullptr) co_return;
  std::string text = co_await expand_prompt(*prompt);
  co_await put_error(std::move(text));
}

Task<int> Shell::run_interactive(Parser& parser, ParseOutcome outcome, int status) {
  try {
    status = co_await run_next(parser, std::move(outcome), status, {});
  } catch (const ShellError& error) {
    if (error.ends) throw;
    status = error.status;
    state.command.clear();
    state.loops = 0;
  }
  co_return status;
}

Task<int> Shell::run_stdin() {
  Parser parser(&state.aliases);
  const bool interactive = has(ShellOption::kInteractive);
  int status = 0;
  while (flow == Flow::kNone) {
    ParseOutcome outcome = parser.next();
    if (outcome.kind == ParseOutcome::Kind::kEnd) {
      if (interactive) co_await put_error("\n");
      break;
    }
    if (outcome.kind == ParseOutcome::Kind::kMore) {
      std::string prompt = "PS1";
      if (outcome.continued) prompt = "PS2";
      if (interactive) co_await put_prompt(std::move(prompt));
      if (!co_await feed_line(parser)) parser.finish();
    } else if (interactive) {
      status = co_await run_interactive(parser, std::move(outcome), status);
    } else {
      status = co_await run_next(parser, std::move(outcome), status, {});
    }
  }
  co_return status;
}

}  // namespace sandproof::machine::shell
