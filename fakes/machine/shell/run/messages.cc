// SPDX-License-Identifier: Apache-2.0
// What a shell says, and how it says that something is wrong.
#include "fakes/machine/shell/run/shell.h"

namespace sandproof::machine::shell {

// Whether all of it was written: a trap's signal may come after a part.
Task<bool> Shell::write_all(int fd, std::string text) {
  std::string_view rest = text;
  while (!rest.empty()) {
    const Result<std::size_t> written = co_await process.write(fd, rest);
    if (written) {
      rest.remove_prefix(*written);
    } else if (written.error() == Errno::kIntr) {
      (void)trap_pending();
    } else {
      co_return false;
    }
  }
  co_return true;
}

Task<void> Shell::put_error(std::string text) { (void)co_await write_all(2, std::move(text)); }

Task<void> Shell::put(std::string text) {
  const bool written = co_await write_all(1, std::move(text));
  if (!written) write_failed_ = true;
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
