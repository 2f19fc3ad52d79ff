// SPDX-License-Identifier: Apache-2.0
// One process per question: a millisecond, and nothing that one script leaves for the next.
#include "tests/machine/real_shell.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstddef>

namespace sandproof::machine {

ShellOpinion ask_shell(std::vector<std::string> argv) {
  ShellOpinion opinion;
  std::array<int, 2> pipe{};
  if (::pipe2(pipe.data(), O_CLOEXEC) != 0) return opinion;
  posix_spawn_file_actions_t actions;
  ::posix_spawn_file_actions_init(&actions);
  ::posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
  ::posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0);
  ::posix_spawn_file_actions_adddup2(&actions, pipe[1], 2);
  std::vector<char*> pointers;
  for (std::string& word : argv) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  pid_t pid = -1;
  const int failed =
      ::posix_spawnp(&pid, pointers[0], &actions, nullptr, pointers.data(), ::environ);
  ::posix_spawn_file_actions_destroy(&actions);
  ::close(pipe[1]);
  std::array<char, 4096> buffer{};
  for (ssize_t got = 0; (got = ::read(pipe[0], buffer.data(), buffer.size())) > 0;) {
    opinion.error.append(buffer.data(), static_cast<std::size_t>(got));
  }
  ::close(pipe[0]);
  if (failed != 0) return opinion;
  int status = 0;
  if (::waitpid(pid, &status, 0) == pid && WIFEXITED(status)) opinion.status = WEXITSTATUS(status);
  if (opinion.error.ends_with('\n')) opinion.error.pop_back();
  return opinion;
}

ShellOpinion ask_dash(const std::string& script) {
  return ask_shell({"dash", "-n", "-c", "--", script, "sh"});
}

ShellOpinion ask_busybox(const std::string& script) {
  return ask_shell({"busybox", "sh", "-n", "-c", "--", script, "sh"});
}

}  // namespace sandproof::machine
