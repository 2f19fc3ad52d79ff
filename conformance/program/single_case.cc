// SPDX-License-Identifier: Apache-2.0
// Both sides of `single-case`; see single_case.h.
#include "conformance/program/single_case.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <nlohmann/json.hpp>

#include "conformance/program/program_error.h"
#include "conformance/report/event_reader.h"
#include "conformance/runner/line_reader.h"
#include "conformance/runner/run.h"
#include "conformance/runner/self_spawn.h"
#include "conformance/runner/system.h"

namespace sandproof::conformance {
namespace {

using Clock = std::chrono::steady_clock;
using nlohmann::json;
using runner::UniqueFd;

/// What the supervisor may take on top of the case: a worker's start and end, and the 20 s that it
/// has to end what does not end by itself.
constexpr std::chrono::seconds kAround{60};
/// The first descriptor that spawn_self() hands over.
constexpr int kLogDescriptor = 3;

std::string log_path(int fd) { return fmt::format("/proc/self/fd/{}", fd); }

std::string request_line(const SingleCase& single) {
  return json{{"flavor", single.binding->name()}, {"case", single.test_case->name},
              {"config", single.config_json},     {"seed", single.seed},
              {"time_scale", single.time_scale},  {"parent", ::getpid()}}
             .dump() +
         "\n";
}

void wait_for_end(pid_t pid, Clock::time_point deadline) {
  const UniqueFd process(static_cast<int>(::syscall(SYS_pidfd_open, pid, 0)));
  while (process) {
    pollfd polled{process.get(), POLLIN, 0};
    const int ready = ::poll(&polled, 1, runner::poll_timeout(deadline - Clock::now()));
    if (ready > 0) break;
    if (ready < 0 && errno == EINTR) continue;
    // Ours and not reaped: no stranger can have the number.
    ::kill(pid, SIGKILL);
    break;
  }
  while (::waitpid(pid, nullptr, 0) < 0 && errno == EINTR) {
  }
}

/// From here on a death of the process that asked interrupts the run, which then leaves nothing.
void tie_to_asker(pid_t asker) {
  ::prctl(PR_SET_PDEATHSIG, SIGTERM);
  // It may have died before that.
  if (::getppid() != asker) ::_exit(static_cast<int>(ExitCode::kRunner));
}

int run_request(const Suite& suite, const json& request) {
  RunOptions options;
  SelectedFlavor selected;
  const std::string flavor = request.at("flavor");
  const std::string name = request.at("case");
  selected.binding = suite.find_binding(flavor);
  const Case* const test_case = suite.find_case(name);
  if (selected.binding == nullptr || test_case == nullptr) {
    throw RunnerError(fmt::format("there is no case {} of {}", name, flavor));
  }
  selected.config_json = request.at("config");
  selected.cases = {test_case};
  // The suite has a case for each refusal.
  selected.check_refusals = false;
  options.flavors = {selected};
  options.seed = request.at("seed");
  options.time_scale = request.at("time_scale");
  options.filtered = true;
  options.event_log = log_path(kLogDescriptor);
  return run_guarded(suite, options, [](const std::filesystem::path&) { return 0; });
}

}  // namespace

RunModel run_single_case(const SingleCase& single) {
  const UniqueFd log(::memfd_create("sandproof-events", MFD_CLOEXEC));
  if (!log) runner::throw_system_error("no memory for the events of the case");
  runner::Pipe request = runner::make_pipe();
  runner::SelfSpawn spawn;
  spawn.arguments = {kSingleCaseWord, "--flavor", single.binding->name(), "--case",
                     std::string(single.test_case->name)};
  spawn.input = request.read.get();
  spawn.output = STDOUT_FILENO;
  spawn.error = STDERR_FILENO;
  spawn.handed = {log.get()};
  const auto limit = single.test_case->limit + kAround;
  const auto deadline =
      Clock::now() + std::chrono::duration_cast<Clock::duration>(limit * single.time_scale);
  const pid_t pid = runner::spawn_self(spawn);
  request.read.reset();
  // It is far smaller than a pipe. A child that is dead already shows in its log.
  runner::write_all(request.write.get(), request_line(single));
  request.write.reset();
  wait_for_end(pid, deadline);
  return build_run_model(read_event_log(log_path(log.get())));
}

int single_case_main(const Suite& suite) {
  try {
    if (::fcntl(kLogDescriptor, F_SETFD, FD_CLOEXEC) != 0) {
      throw RunnerError("`single-case` is a part of a test, which starts it: it is not for people");
    }
    runner::LineReader reader;
    std::string line;
    while (line.empty()) {
      const auto state = reader.read(STDIN_FILENO, runner::kLongestLine,
                                     [&line](std::string_view text) { line = text; });
      if (state == runner::LineReader::State::kEnd) break;
    }
    const json request = json::parse(line);
    tie_to_asker(request.at("parent"));
    return run_request(suite, request);
  } catch (const std::exception& error) {
    print_error(error.what());
    return static_cast<int>(ExitCode::kRunner);
  }
}

}  // namespace sandproof::conformance
