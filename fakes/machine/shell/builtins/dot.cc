// SPDX-License-Identifier: Apache-2.0
// `.`: a file in this shell.
#include "fakes/machine/shell/builtins/builtin.h"

namespace sandproof::machine::shell {
namespace {

Task<std::string> find_script(Shell& shell, std::string name) {
  if (name.find('/') != std::string::npos) co_return name;
  const std::string path = shell.path();
  for (std::size_t at = 0; at <= path.size();) {
    const std::size_t colon = std::min(path.find(':', at), path.size());
    std::string candidate = path.substr(at, colon - at);
    if (!candidate.empty()) candidate += '/';
    candidate += name;
    at = colon + 1;
    const Result<Attributes> found = shell.process.stat(candidate);
    if (found && found->type == FileType::kRegular) co_return candidate;
  }
  co_await shell.fail(name + ": not found");
  co_return name;
}

}  // namespace

Task<int> dot_builtin(Shell& shell, Strings words) {
  if (words.size() < 2) co_return 0;
  const std::size_t at = words[1] == "--" && words.size() > 2 ? 2 : 1;
  const std::string path = co_await find_script(shell, words[at]);
  OpenOptions options;
  options.flags.read = true;
  const Result<int> opened = co_await shell.process.open(path, options);
  if (!opened) co_await shell.fail(open_error(path, opened.error(), false));
  int fd = *opened;
  constexpr int kDotFd = 10;
  const Result<int> moved = shell.process.dup(fd, kDotFd, true);
  if (moved) {
    (void)shell.process.close(fd);
    fd = *moved;
  }
  shell.state.command = path;
  const RunMode mode{.tested = shell.builtin_tested, .last = false};
  const int status = co_await shell.run_file(fd, mode);
  if (shell.flow != Flow::kReturn) co_return status;
  shell.flow = Flow::kNone;
  co_return shell.state.status;
}

}  // namespace sandproof::machine::shell
