// SPDX-License-Identifier: Apache-2.0
// Making a sandbox on trial; see preflight.h.
#include "conformance/program/preflight.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <optional>
#include <string>
#include <system_error>

#include "conformance/program/program_error.h"
#include "conformance/report/terminal.h"
#include "sandproof/errors.h"
#include "sandproof/exit_status.h"

namespace sandproof::conformance {
namespace {

using Clock = std::chrono::steady_clock;

/// A client that connects, negotiates and is refused is done well within this.
constexpr std::chrono::seconds kStartLimit{30};
constexpr std::size_t kLongestMessage = 4096;
/// What the child exits with.
constexpr int kStarted = 0;
constexpr int kRefusedSettings = 2;
constexpr int kDidNotStart = 3;

/// A directory that exists as long as the object.
class ScratchDirectory {
 public:
  ScratchDirectory() {
    std::string name = (std::filesystem::temp_directory_path() / "sandproof-XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr) {
      throw ProgramError(
          ExitCode::kEnvironment,
          fmt::format("no temporary directory can be made as {}: {}", name, std::strerror(errno)));
    }
    path_ = name;
  }
  ~ScratchDirectory() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  ScratchDirectory(const ScratchDirectory&) = delete;
  ScratchDirectory& operator=(const ScratchDirectory&) = delete;
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

int make_on_trial(const ConfiguredFlavor& configured, const std::filesystem::path& scratch,
                  std::string& message) {
  const Binding& binding = *configured.binding;
  try {
    SandboxOptions options;
    options.component_id = configured.component_id;
    if (binding.base_settings) options.settings = binding.base_settings(scratch);
    if (!configured.config_json.empty()) {
      options.settings =
          options.settings.overlaid_with(binding.flavor.settings.from_json(configured.config_json));
    }
    make_sandbox(binding.flavor, std::move(options)).reset();
    return kStarted;
  } catch (const InvalidArgumentError& error) {
    message = error.what();
    return kRefusedSettings;
  } catch (const std::exception& error) {
    message = error.what();
  } catch (...) {
    message = "it threw something that is no std::exception";
  }
  return kDidNotStart;
}

/// What the child says until it ends; false at the deadline.
bool read_until_end(int fd, std::string& message) {
  const Clock::time_point deadline = Clock::now() + kStartLimit;
  for (;;) {
    const auto left =
        std::chrono::duration_cast<std::chrono::milliseconds>(deadline - Clock::now());
    if (left.count() <= 0) return false;
    pollfd entry{fd, POLLIN, 0};
    const int ready = ::poll(&entry, 1, static_cast<int>(left.count()));
    if (ready < 0 && errno != EINTR) return false;
    if (ready <= 0) continue;
    char buffer[kLongestMessage];
    const ssize_t count = ::read(fd, buffer, sizeof buffer);
    if (count == 0) return true;
    if (count > 0 && message.size() < kLongestMessage) {
      message.append(buffer, static_cast<std::size_t>(count));
    }
    if (count < 0 && errno != EINTR) return true;
  }
}

int wait_for(pid_t child) {
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return status;
}

}  // namespace

void check_starts(const ConfiguredFlavor& configured) {
  const std::string& name = configured.binding->name();
  const ScratchDirectory scratch;
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) {
    throw ProgramError(ExitCode::kRunner, fmt::format("no pipe: {}", std::strerror(errno)));
  }
  const pid_t child = ::fork();
  if (child < 0) {
    const int error = errno;
    ::close(ends[0]);
    ::close(ends[1]);
    throw ProgramError(ExitCode::kRunner,
                       fmt::format("no child process: {}", std::strerror(error)));
  }
  if (child == 0) {
    ::close(ends[0]);
    std::string message;
    const int result = make_on_trial(configured, scratch.path(), message);
    write_text(ends[1], message.substr(0, kLongestMessage));
    ::_exit(result);
  }
  ::close(ends[1]);
  std::string message;
  const bool ended = read_until_end(ends[0], message);
  ::close(ends[0]);
  if (!ended) ::kill(child, SIGKILL);
  const int status = wait_for(child);
  if (!ended) {
    throw ProgramError(ExitCode::kEnvironment,
                       fmt::format("the flavor `{}` cannot start: nothing came of it within {} s",
                                   name, kStartLimit.count()));
  }
  if (!WIFEXITED(status)) {
    throw ProgramError(ExitCode::kEnvironment,
                       fmt::format("the flavor `{}` cannot start: it ended as {}", name,
                                   ExitStatus::from_wait_status(status).to_string()));
  }
  if (WEXITSTATUS(status) == kStarted) return;
  const bool settings = WEXITSTATUS(status) == kRefusedSettings;
  throw ProgramError(settings ? ExitCode::kUsage : ExitCode::kEnvironment,
                     settings
                         ? fmt::format("the flavor `{}` refuses its settings: {}", name, message)
                         : fmt::format("the flavor `{}` cannot start: {}", name, message));
}

}  // namespace sandproof::conformance
