// SPDX-License-Identifier: Apache-2.0
// One command with this process's streams; see exec_run.h.
#include "apps/sandproof/exec_run.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <cstring>
#include <system_error>
#include <thread>

#include "conformance/program/program_error.h"
#include "sandproof/errors.h"
#include "sandproof/words.h"

namespace sandproof::apps {
namespace {

// As env(1), nohup(1) and timeout(1) have them.
constexpr int kTimedOut = 124;
constexpr int kBackendFailed = 125;
constexpr int kNotRunnable = 126;
constexpr int kNotFound = 127;
constexpr int kSignalBase = 128;

/// What a pipe holds: less makes more calls, more is not delivered at once.
constexpr std::size_t kChunk = 64 * 1024;

/// The streams are the command's: of what the framework reports only errors are shown.
class ErrorsOnly : public Diagnostics {
 public:
  void report(LogLevel level, std::string_view text) override {
    if (level == LogLevel::kError) conformance::print_error(text);
  }
};

bool write_all(int fd, std::span<const std::byte> bytes) {
  while (!bytes.empty()) {
    const ssize_t count = ::write(fd, bytes.data(), bytes.size());
    if (count < 0 && errno == EAGAIN) {
      pollfd entry{fd, POLLOUT, 0};
      ::poll(&entry, 1, -1);
      continue;
    }
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return false;
    bytes = bytes.subspan(static_cast<std::size_t>(count));
  }
  return true;
}

int code_of(LaunchFailure why) {
  switch (why) {
    case LaunchFailure::kNotFound:
      return kNotFound;
    case LaunchFailure::kNoResources:
      return kBackendFailed;
    default:
      return kNotRunnable;
  }
}

/// Blocked in every thread that is started from now on; read from the descriptor alone.
int open_signals() {
  sigset_t signals;
  sigemptyset(&signals);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) sigaddset(&signals, signal);
  pthread_sigmask(SIG_BLOCK, &signals, nullptr);
  // Readers that go away are errors of a write. Commands start with default dispositions.
  std::signal(SIGPIPE, SIG_IGN);
  const int fd = ::signalfd(-1, &signals, SFD_CLOEXEC | SFD_NONBLOCK);
  if (fd < 0) throw std::system_error(errno, std::generic_category(), "cannot watch for signals");
  return fd;
}

}  // namespace

WakeUp::WakeUp() : fd_(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {
  if (fd_ < 0) throw std::system_error(errno, std::generic_category(), "cannot make an eventfd");
}

WakeUp::~WakeUp() { ::close(fd_); }

void WakeUp::set() const noexcept {
  const std::uint64_t one = 1;
  // Fails only where it is set already.
  [[maybe_unused]] const ssize_t count = ::write(fd_, &one, sizeof one);
}

void WakeUp::reset() const noexcept {
  std::uint64_t value = 0;
  [[maybe_unused]] const ssize_t count = ::read(fd_, &value, sizeof value);
}

int ExecRun::run() {
  const int signals = open_signals();
  int code = kBackendFailed;
  std::jthread worker([this, &code] {
    code = perform();
    done_ = true;
    changed_.set();
  });
  bool ending = false;
  for (;;) {
    pollfd entries[] = {{signals, POLLIN, 0}, {changed_.descriptor(), POLLIN, 0}};
    ::poll(entries, 2, -1);
    changed_.reset();
    if (done_) break;
    signalfd_siginfo info{};
    if (::read(signals, &info, sizeof info) == sizeof info) {
      const int signal = static_cast<int>(info.ssi_signo);
      // The second one: whatever hangs, hangs without us.
      if (ending) ::_exit(kSignalBase + signal);
      ending = true;
      signal_ = signal;
      interrupted_ = true;
    }
    if (ending) end_if_possible();
  }
  worker.join();
  ::close(signals);
  return ending ? kSignalBase + signal_ : code;
}

void ExecRun::end_if_possible() {
  std::shared_ptr<Session> session;
  std::shared_ptr<Process> process;
  {
    const std::lock_guard lock(mutex_);
    session = session_;
    process = process_;
  }
  // It is being made: it can be destroyed when it is there, and then this is called again.
  if (session == nullptr) return;
  if (process != nullptr) process->kill();
  try {
    session->destroy();
  } catch (const std::exception& error) {
    conformance::print_error(error.what());
  }
  // The other threads may hang in a write that nobody reads; they hold nothing that stays.
  ::_exit(kSignalBase + signal_);
}

int ExecRun::perform() {
  try {
    SandboxOptions options;
    options.component_id = plan_.component_id;
    options.settings = plan_.settings;
    options.diagnostics = std::make_shared<ErrorsOnly>();
    const std::unique_ptr<Sandbox> sandbox = make_sandbox(plan_.flavor, std::move(options));
    std::shared_ptr<Session> session = sandbox->create_session({}, OnExit::kDestroy);
    {
      const std::lock_guard lock(mutex_);
      session_ = session;
    }
    changed_.set();
    const int code = run_command(*session);
    session->destroy();
    return code;
  } catch (const InvalidArgumentError& error) {
    return fail(static_cast<int>(conformance::ExitCode::kUsage), error.what());
  } catch (const std::exception& error) {
    return fail(kBackendFailed, error.what());
  }
}

int ExecRun::run_command(Session& session) {
  const bool with_input = plan_.flavor.capabilities.has(Capability::kStdin);
  ExecOptions options = plan_.options;
  if (with_input) options.input = Stdin::pipe();
  if (!with_input) warn_of_input();
  try {
    std::shared_ptr<Process> process = session.exec(plan_.words, options);
    {
      const std::lock_guard lock(mutex_);
      process_ = process;
    }
    changed_.set();
    const ExitStatus status = wait_with_streams(*process, with_input);
    // It may have come only now, if what writes it was slow to begin.
    if (!with_input) warn_of_input();
    if (unread_) return kSignalBase + SIGPIPE;
    {
      const std::lock_guard lock(mutex_);
      if (trouble_) std::rethrow_exception(trouble_);
    }
    if (status.timed_out()) {
      return fail(kTimedOut,
                  fmt::format("the command {} was killed: it ran longer than {} ms",
                              quote_word(plan_.words.front()), plan_.options.timeout->count()));
    }
    return status.integer().value_or(kBackendFailed);
  } catch (const ExecError& error) {
    return fail(code_of(error.why()), error.what());
  } catch (const InvalidArgumentError&) {
    throw;
  } catch (const std::exception& error) {
    return fail(kBackendFailed, error.what());
  }
}

ExitStatus ExecRun::wait_with_streams(Process& process, bool with_input) {
  const auto copied = [this, &process](Stream stream, int to) {
    return std::jthread([this, &process, stream, to] { copy(process, stream, to); });
  };
  std::jthread out = copied(Stream::kOut, STDOUT_FILENO);
  std::jthread err = copied(Stream::kErr, STDERR_FILENO);
  std::jthread in;
  if (with_input) in = std::jthread([this, &process] { feed(process); });
  std::optional<ExitStatus> status;
  std::exception_ptr lost;
  try {
    status = process.wait();
  } catch (const std::exception&) {
    lost = std::current_exception();
  }
  // Our own input may stay open for ever; the command does not read it any more.
  input_over_.set();
  if (in.joinable()) in.join();
  out.join();
  err.join();
  if (lost) std::rethrow_exception(lost);
  return *status;
}

void ExecRun::warn_of_input() {
  if (warned_of_input_ || interrupted_) return;
  // What waits in a pipe or socket, or is left of a file. A terminal is there for the next command.
  int waiting = 0;
  if (::isatty(STDIN_FILENO) == 1 || ::ioctl(STDIN_FILENO, FIONREAD, &waiting) != 0) return;
  if (waiting <= 0) return;
  warned_of_input_ = true;
  conformance::print_error(
      fmt::format("the input is not passed on to the command: the flavor `{}` does not claim "
                  "stdin; give it the "
                  "data in another way, or </dev/null for none",
                  plan_.flavor.name));
}

void ExecRun::copy(Process& process, Stream stream, int to) {
  try {
    std::vector<std::byte> buffer(kChunk);
    for (;;) {
      const std::size_t count = process.read_some(stream, buffer);
      if (count == 0) return;
      if (write_all(to, std::span(buffer).first(count))) continue;
      const int error = errno;
      if (error == EPIPE) {
        unread_ = true;
      } else {
        note_trouble(std::make_exception_ptr(std::runtime_error(
            fmt::format("the output of the command cannot be written: {}", std::strerror(error)))));
      }
      // What writes into nothing ends, as it would in a pipeline.
      process.kill();
      return;
    }
  } catch (const std::exception&) {
    note_trouble(std::current_exception());
  }
}

void ExecRun::feed(Process& process) {
  try {
    StdinWriter& input = process.in();
    std::string buffer(kChunk, '\0');
    for (;;) {
      pollfd entries[] = {{STDIN_FILENO, POLLIN, 0}, {input_over_.descriptor(), POLLIN, 0}};
      if (::poll(entries, 2, -1) < 0) continue;
      if (entries[1].revents != 0) return;
      const ssize_t count = ::read(STDIN_FILENO, buffer.data(), buffer.size());
      if (count < 0 && (errno == EINTR || errno == EAGAIN)) continue;
      // An error is an end, too: a terminal that we may not read, a directory.
      if (count <= 0) break;
      if (!input.write(std::string_view(buffer).substr(0, static_cast<std::size_t>(count)))) return;
    }
    input.close();
  } catch (const std::exception&) {
    note_trouble(std::current_exception());
  }
}

void ExecRun::note_trouble(std::exception_ptr trouble) {
  const std::lock_guard lock(mutex_);
  if (!trouble_) trouble_ = std::move(trouble);
}

int ExecRun::fail(int code, const std::string& sentence) const {
  if (!interrupted_) conformance::print_error(sentence);
  return code;
}

}  // namespace sandproof::apps
