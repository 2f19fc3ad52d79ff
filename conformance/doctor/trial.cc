// SPDX-License-Identifier: Apache-2.0
// A body in a child process; see trial.h.
#include "conformance/doctor/trial.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>

#include "conformance/program/program_error.h"
#include "conformance/report/terminal.h"

namespace sandproof::conformance {
namespace {

using TrialClock = std::chrono::steady_clock;

/// What the child says until it ends; false at the deadline.
bool read_until_end(int fd, TrialClock::time_point deadline, std::string& text) {
  for (;;) {
    const auto left =
        std::chrono::duration_cast<std::chrono::milliseconds>(deadline - TrialClock::now());
    if (left.count() <= 0) return false;
    pollfd entry{fd, POLLIN, 0};
    const int ready = ::poll(&entry, 1, static_cast<int>(left.count()));
    if (ready < 0 && errno != EINTR) return false;
    if (ready <= 0) continue;
    char buffer[kLongestTrialText];
    const ssize_t count = ::read(fd, buffer, sizeof buffer);
    if (count == 0) return true;
    if (count > 0 && text.size() < kLongestTrialText) {
      text.append(buffer, static_cast<std::size_t>(count));
    }
    if (count < 0 && errno != EINTR) return true;
  }
}

[[noreturn]] void no_child(const char* what) {
  throw ProgramError(ExitCode::kEnvironment, fmt::format("no {}: {}", what, std::strerror(errno)));
}

}  // namespace

Trial try_in_child(const std::function<int(std::string& text)>& body,
                   std::chrono::milliseconds limit) {
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) no_child("pipe");
  const TrialClock::time_point deadline = TrialClock::now() + limit;
  const pid_t child = ::fork();
  if (child < 0) {
    const int error = errno;
    for (const int end : ends) ::close(end);
    errno = error;
    no_child("child process");
  }
  if (child == 0) {
    ::close(ends[0]);
    std::string text;
    const int result = body(text);
    write_text(ends[1], text.substr(0, kLongestTrialText));
    ::_exit(result);
  }
  ::close(ends[1]);
  Trial trial;
  trial.ended = read_until_end(ends[0], deadline, trial.text);
  ::close(ends[0]);
  if (!trial.ended) ::kill(child, SIGKILL);
  while (::waitpid(child, &trial.status, 0) < 0 && errno == EINTR) {
  }
  return trial;
}

}  // namespace sandproof::conformance
