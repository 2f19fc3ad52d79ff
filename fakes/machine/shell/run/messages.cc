// SPDX-License-Identifier: Apache-2.0
// What a shell says, and how it says that something is wrong.
#include "fakes/machine/shell/run/shell.h"

namespace sandproof::machine::shell {

Task<void> Shell::put_error(std::string text) { (void)co_await process.write(2, text); }

Task<void> Shell::put(std::string text) {
  if (text.empty()) co_return;
  const Result<std::size_t> written = co_await process.write(1, text);
  if (!written || *written < text.size()) write_failed_ = true;
}

Task<void> Shell::warn(std::string text) {
  std::string line = state.name + ": " + std::to_string(state.line) + ": ";
  if (!state.command.empty()) line += state.command + ": ";
  line += text + "\n";
  co_await put_error(std::move(line));
}

Task<void> Shell::fail(std::string text, int status) {
  co_await warn(std::move(text));
  state.status = status;
  throw ShellError{.status = status};
}

std::string open_error(const std::string& path, Errno error, bool creates) {
  std::string text = (creates ? "cannot create " : "cannot open ") + path + ": ";
  if (error != Errno::kNoent && error != Errno::kNotdir) return text.append(text_of(error));
  return text + (creates ? "Directory nonexistent" : "No such file");
}

}  // namespace sandproof::machine::shell
