// SPDX-License-Identifier: Apache-2.0
// Asking another process (elsewhere.h).
#include "conformance/runner/elsewhere.h"

#include <poll.h>
#include <signal.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include <cerrno>
#include <optional>

#include "conformance/runner/line_reader.h"
#include "conformance/runner/run.h"
#include "conformance/runner/self_spawn.h"
#include "conformance/runner/system.h"

namespace sandproof::conformance::runner {
namespace {

using Clock = std::chrono::steady_clock;

bool readable_until(int fd, Clock::time_point deadline) {
  while (true) {
    pollfd polled{fd, POLLIN, 0};
    const int ready = ::poll(&polled, 1, poll_timeout(deadline - Clock::now()));
    if (ready > 0) return true;
    if (ready == 0 || errno != EINTR) return false;
  }
}

// The one line of the answer; what else might be written is not waited for, since a command that
// outlives the process could hold the pipe.
std::optional<std::string> read_line(int fd, Clock::time_point deadline) {
  LineReader reader;
  std::optional<std::string> answer;
  set_nonblocking(fd);
  while (!answer && readable_until(fd, deadline)) {
    const LineReader::State state = reader.read(fd, kLongestLine, [&](std::string_view line) {
      if (!answer) answer = std::string(line);
    });
    if (state == LineReader::State::kEnd) break;
  }
  return answer;
}

// Waits for the end of the process; kills it at the deadline. False if that was necessary.
bool wait_for_end(pid_t pid, Clock::time_point deadline) {
  const UniqueFd process(static_cast<int>(::syscall(SYS_pidfd_open, pid, 0)));
  const bool in_time = !process || readable_until(process.get(), deadline);
  if (!in_time) ::kill(pid, SIGKILL);  // Ours and not reaped: no stranger can have the number.
  while (::waitpid(pid, nullptr, 0) < 0 && errno == EINTR) {
  }
  return in_time;
}

}  // namespace

ElsewhereResult ask_elsewhere(const ElsewhereRequest& request, std::chrono::milliseconds bound,
                              std::uint64_t& fired) {
  const auto deadline = Clock::now() + bound;
  Pipe questions = make_pipe();
  Pipe answers = make_pipe();
  SelfSpawn spawn;
  spawn.arguments = {"elsewhere"};
  spawn.input = questions.read.get();
  spawn.output = answers.write.get();
  spawn.error = STDERR_FILENO;
  const pid_t pid = spawn_self(spawn);
  answers.write.reset();
  // Our reading end stays open meanwhile: no SIGPIPE from a process that has died instead of
  // reading, which shows in the answer that does not come.
  set_nonblocking(questions.write.get());
  if (!write_all(questions.write.get(), to_json_line(request))) {
    ::kill(pid, SIGKILL);
    wait_for_end(pid, deadline);
    throw RunnerError("the request to another process is larger than a pipe holds");
  }
  questions.read.reset();
  questions.write.reset();
  const std::optional<std::string> line = read_line(answers.read.get(), deadline);
  const bool ended = wait_for_end(pid, deadline);
  ElsewhereResult result;
  if (!line) {
    result.outcome = ended ? "died" : "TimeoutError";
    result.error = ended ? "the other process ended without an answer; its last words are among "
                           "the worker's"
                         : "the other process did not answer in time";
    return result;
  }
  ElsewhereAnswer answer = answer_from_json(*line);
  fired = answer.fired;
  return std::move(answer.result);
}

}  // namespace sandproof::conformance::runner
