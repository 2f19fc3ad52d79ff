// SPDX-License-Identifier: Apache-2.0
// Starts one real process: fork, and nothing but system calls in the child, since other threads of
// the runner may hold locks.
#include "tests/fidelity/launch.h"

#include <fcntl.h>
#include <grp.h>
#include <poll.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <cstring>

#include "tests/fidelity/engine.h"

namespace sandproof::fidelity {
namespace {

using std::chrono::steady_clock;

// Debian's user and group nobody/nogroup.
constexpr int kNobody = 65534;
// No row prints more; what does is endless.
constexpr std::size_t kMostOutputBytes = 4 << 20;

[[noreturn]] void fail(const char* what) {
  throw EngineError(std::string("cannot start a shell: ") + what + ": " + std::strerror(errno));
}

struct Pipe {
  Pipe() {
    if (::pipe2(ends.data(), O_CLOEXEC) != 0) fail("pipe");
  }
  ~Pipe() {
    close_end(0);
    close_end(1);
  }
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;
  void close_end(std::size_t end) {
    if (ends[end] >= 0) ::close(ends[end]);
    ends[end] = -1;
  }
  std::array<int, 2> ends{-1, -1};
};

// To nobody: the directory, and the pipes, which /dev/stderr opens anew.
void give_away(const std::filesystem::path& directory, std::array<const Pipe*, 3> pipes) {
  if (::chown(directory.c_str(), kNobody, kNobody) != 0) fail("chown");
  for (const Pipe* pipe : pipes) {
    if (::fchown(pipe->ends[0], kNobody, kNobody) != 0) fail("fchown");
  }
}

std::vector<char*> pointers(std::vector<std::string>& strings) {
  std::vector<char*> list;
  for (std::string& text : strings) list.push_back(text.data());
  list.push_back(nullptr);
  return list;
}

// Ends in execve or _exit.
[[noreturn]] void become(const Launch& what, char** argv, char** envp, std::array<int, 3> fds) {
  ::setsid();
  ::umask(022);
  for (int signal = 1; signal < 32; ++signal) ::signal(signal, SIG_DFL);
  sigset_t none;
  ::sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);
  for (int fd = 0; fd < 3; ++fd) ::dup2(fds[static_cast<std::size_t>(fd)], fd);
  // What the runner itself was given.
  ::close_range(3, ~0U, 0);
  const bool drop = what.drop_root && ::getuid() == 0;
  if (drop && (::setgroups(0, nullptr) != 0 || ::setgid(kNobody) != 0 || ::setuid(kNobody) != 0)) {
    ::_exit(126);
  }
  if (::chdir(what.directory.c_str()) == 0) ::execve(what.file.c_str(), argv, envp);
  ::_exit(127);
}

// Reads both until they end; false at the time limit.
bool drain(std::array<int, 2> fds, std::array<std::string*, 2> into, steady_clock::time_point end) {
  std::array<pollfd, 2> watched{pollfd{fds[0], POLLIN, 0}, pollfd{fds[1], POLLIN, 0}};
  std::array<char, 65536> buffer;
  while (watched[0].fd >= 0 || watched[1].fd >= 0) {
    const auto left =
        std::chrono::duration_cast<std::chrono::milliseconds>(end - steady_clock::now()).count();
    if (left <= 0) return false;
    if (::poll(watched.data(), watched.size(), static_cast<int>(left)) < 0 && errno != EINTR) {
      fail("poll");
    }
    for (std::size_t at = 0; at < 2; ++at) {
      if (watched[at].fd < 0 || watched[at].revents == 0) continue;
      const ssize_t got = ::read(watched[at].fd, buffer.data(), buffer.size());
      if (got <= 0) {
        watched[at].fd = -1;
      } else {
        into[at]->append(buffer.data(), static_cast<std::size_t>(got));
      }
      if (into[at]->size() > kMostOutputBytes) return false;
    }
  }
  return true;
}

// Waits for the end of a child that is not reaped; false at the time limit.
bool exits(pid_t child, steady_clock::time_point end) {
  const int handle = static_cast<int>(::syscall(SYS_pidfd_open, child, 0));
  if (handle < 0) fail("pidfd_open");
  pollfd watched{handle, POLLIN, 0};
  int ready = 0;
  do {
    const auto left =
        std::chrono::duration_cast<std::chrono::milliseconds>(end - steady_clock::now()).count();
    ready = ::poll(&watched, 1, left > 0 ? static_cast<int>(left) : 0);
  } while (ready < 0 && errno == EINTR);
  ::close(handle);
  return ready > 0;
}

std::string status_text(int status) {
  if (WIFSIGNALED(status)) return "signal " + std::to_string(WTERMSIG(status));
  return std::to_string(WEXITSTATUS(status));
}

}  // namespace

Result launch(const Launch& what) {
  Pipe in;
  Pipe out;
  Pipe err;
  if (what.drop_root && ::getuid() == 0) give_away(what.directory, {&in, &out, &err});
  std::vector<std::string> words = what.argv;
  std::vector<std::string> variables = what.environment;
  std::vector<char*> argv = pointers(words);
  std::vector<char*> envp = pointers(variables);
  const pid_t child = ::fork();
  if (child < 0) fail("fork");
  if (child == 0) {
    become(what, argv.data(), envp.data(), {in.ends[0], out.ends[1], err.ends[1]});
  }
  // The reading end stays open here until all is written: a script that has ended already is no
  // error.
  if (!what.input.empty() && ::write(in.ends[1], what.input.data(), what.input.size()) < 0) {
    fail("write");
  }
  in.close_end(1);
  in.close_end(0);
  out.close_end(1);
  err.close_end(1);
  Result result;
  const auto end = steady_clock::now() + what.limit;
  const bool ended = drain({out.ends[0], err.ends[0]}, {&result.out, &result.err}, end);
  const bool in_time = ended && exits(child, end);
  // Also what it left in the background. Before the wait: until then the group's number is its own.
  ::kill(-child, SIGKILL);
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  result.status = in_time ? status_text(status) : "time limit";
  return result;
}

}  // namespace sandproof::fidelity
