// SPDX-License-Identifier: Apache-2.0
// The launcher. Everything that can fail or allocate happens in the parent before the clone; what
// the child runs is child_main() and nothing else. See launcher.h.
#include "flavors/local/launcher.h"

#include <fcntl.h>
#include <linux/close_range.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstddef>
#include <mutex>
#include <optional>
#include <shared_mutex>
#include <system_error>

#include "flavors/local/pipe.h"
#include "flavors/local/program.h"
#include "sandproof/errors.h"
#include "sandproof/words.h"

#if defined(__SANITIZE_THREAD__)
// ThreadSanitizer's clone() takes every clone for a fork, and its bookkeeping in the child would
// then write to the memory that is shared with the parent. This is the C library's own name for it.
extern "C" int __clone(int (*)(void*), void*, int, void*, ...);  // NOLINT: a reserved name
#endif

namespace sandproof::local {
namespace {

// The child makes a dozen system calls in one frame, and no signal handler runs on its stack.
constexpr std::size_t kStackBytes = std::size_t{32} << 10;
// Below the stack; as large as the largest page of the architectures that Linux runs on.
constexpr std::size_t kGuardBytes = std::size_t{64} << 10;
// The kernel's signal set, which has no room for more: 64 signals.
constexpr int kSignals = 64;
constexpr std::size_t kSignalSetBytes = kSignals / 8;

enum class Stage : int { kSession, kInput, kOutput, kError, kDescriptors, kCwd, kExec };

// What the child sends when it does not get as far as its program.
struct Report {
  Stage stage;
  int error;
};

// Everything that the child reads: plain numbers and pointers into the parent's memory.
struct Plan {
  const char* program;
  const char* const* argv;
  const char* const* envp;
  int in;
  int out;
  int err;
  int cwd;
  int report;
};

// SIG_DFL, no flags, an empty mask, in the kernel's layout of a sigaction: all zero.
constexpr std::array<unsigned long, 8> kDefaultAction{};
constexpr std::array<unsigned long, 2> kNoSignals{};

// The child. It runs on its own stack in the parent's memory, so: system calls only, directly, since
// the C library's wrappers are where sanitizers hook in (and some of them are cancellation points);
// no sanitizer in this function either; no lock, no allocation, no return.
__attribute__((no_sanitize("address", "thread", "undefined"))) int child_main(void* argument) {
  const Plan& plan = *static_cast<const Plan*>(argument);
  Report report{Stage::kSession, 0};
  for (int signal = 1; signal <= kSignals; ++signal) {
    // The C library hides two of them from sigaction(). KILL and STOP refuse, which is right.
    ::syscall(SYS_rt_sigaction, signal, kDefaultAction.data(), nullptr, kSignalSetBytes);
  }
  bool good = ::syscall(SYS_setsid) != -1;
  if (good) {
    report.stage = Stage::kInput;
    good = ::syscall(SYS_dup3, plan.in, STDIN_FILENO, 0) != -1;
  }
  if (good) {
    report.stage = Stage::kOutput;
    good = ::syscall(SYS_dup3, plan.out, STDOUT_FILENO, 0) != -1;
  }
  if (good) {
    report.stage = Stage::kError;
    good = ::syscall(SYS_dup3, plan.err, STDERR_FILENO, 0) != -1;
  }
  if (good) {
    // Only marked, since the report goes out through one of them.
    report.stage = Stage::kDescriptors;
    good = ::syscall(SYS_close_range, 3U, ~0U, CLOSE_RANGE_CLOEXEC) != -1;
  }
  if (good) {
    report.stage = Stage::kCwd;
    good = ::syscall(SYS_fchdir, plan.cwd) != -1;
  }
  if (good) {
    // Last: as long as a handler of the parent could still be set, no signal may come in.
    ::syscall(SYS_rt_sigprocmask, SIG_SETMASK, kNoSignals.data(), nullptr, kSignalSetBytes);
    report.stage = Stage::kExec;
    ::syscall(SYS_execve, plan.program, plan.argv, plan.envp);
  }
  report.error = errno;
  long written = 0;
  do {
    written = ::syscall(SYS_write, plan.report, &report, sizeof report);
  } while (written == -1 && errno == EINTR);
  for (;;) ::syscall(SYS_exit_group, 127);
}

// Nothing may interrupt the thread while its memory is on loan: no signal (the two that the C
// library hides included) and no cancellation.
class Undisturbed {
 public:
  Undisturbed() noexcept {
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancel_state_);
    const std::array<unsigned long, 2> all{~0UL, ~0UL};
    ::syscall(SYS_rt_sigprocmask, SIG_SETMASK, all.data(), mask_.data(), kSignalSetBytes);
  }
  Undisturbed(const Undisturbed&) = delete;
  Undisturbed& operator=(const Undisturbed&) = delete;
  ~Undisturbed() {
    ::syscall(SYS_rt_sigprocmask, SIG_SETMASK, mask_.data(), nullptr, kSignalSetBytes);
    pthread_setcancelstate(cancel_state_, nullptr);
  }

 private:
  int cancel_state_ = PTHREAD_CANCEL_ENABLE;
  std::array<unsigned long, 2> mask_{};
};

class ChildStack {
 public:
  ChildStack() {
    memory_ = ::mmap(nullptr, kGuardBytes + kStackBytes, PROT_NONE,
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_STACK | MAP_NORESERVE, -1, 0);
    if (memory_ == MAP_FAILED) return;
    if (::mprotect(bottom(), kStackBytes, PROT_READ | PROT_WRITE) != 0) unmap();
  }
  ChildStack(const ChildStack&) = delete;
  ChildStack& operator=(const ChildStack&) = delete;
  ~ChildStack() {
    if (valid()) unmap();
  }
  bool valid() const { return memory_ != MAP_FAILED; }
  void* top() const { return bottom() + kStackBytes; }

 private:
  std::byte* bottom() const { return static_cast<std::byte*>(memory_) + kGuardBytes; }
  void unmap() {
    const int saved = errno;
    ::munmap(memory_, kGuardBytes + kStackBytes);
    memory_ = MAP_FAILED;
    errno = saved;
  }

  void* memory_ = MAP_FAILED;
};

// Pointers to the strings, and the null pointer that ends them. Valid as long as the strings.
std::vector<const char*> pointers(const std::vector<std::string>& strings) {
  std::vector<const char*> result;
  result.reserve(strings.size() + 1);
  for (const std::string& text : strings) result.push_back(text.c_str());
  result.push_back(nullptr);
  return result;
}

std::vector<std::string> assignments(const Environment& env) {
  std::vector<std::string> result;
  result.reserve(env.size());
  for (const auto& [name, value] : env) result.push_back(name + "=" + value);
  return result;
}

std::string reason(int error) { return std::generic_category().message(error); }

[[noreturn]] void fail(LaunchFailure why, const LaunchSpec& spec, const std::string& text) {
  throw ExecError(why, "cannot start " + quote_word(spec.argv.front()) + ": " + text);
}

[[noreturn]] void fail_for_resources(const LaunchSpec& spec, int error) {
  fail(LaunchFailure::kNoResources, spec,
       "the system has no room for another process (" + reason(error) +
           "); end some commands, or raise the limit of processes, descriptors or memory");
}

bool is_shortage(int error) {
  return error == EAGAIN || error == ENOMEM || error == EMFILE || error == ENFILE;
}

// The execve() of `program`, which had been found and looked executable, failed.
[[noreturn]] void fail_to_execute(const LaunchSpec& spec, const std::string& program, int error) {
  const std::string file = quote_word(program);
  const std::string interpreter = interpreter_of(program, spec.cwd);
  const std::string because = " (" + reason(error) + ")";
  if (is_shortage(error)) fail_for_resources(spec, error);
  switch (error) {
    case E2BIG:
      fail(LaunchFailure::kTooLarge, spec,
           "its arguments and environment are larger than the system allows" + because +
               "; pass the data through a file or the command's input");
    case ENOEXEC:
    case EINVAL:
    case ELIBBAD:
      fail(LaunchFailure::kBadFormat, spec,
           file + " is neither a program of this machine nor a script" + because +
               "; a script needs a first line that begins with #!");
    case ENOENT:
    case ENOTDIR:
      if (interpreter.empty()) {
        fail(LaunchFailure::kNotFound, spec, "the file " + file + " has gone" + because);
      }
      fail(LaunchFailure::kNotExecutable, spec,
           "the interpreter " + quote_word(interpreter) + " of " + file + " does not exist" +
               because);
    case EACCES:
    case EPERM:
    case ELOOP:
      fail(LaunchFailure::kNotExecutable, spec,
           file + (interpreter.empty() ? "" : " or its interpreter " + quote_word(interpreter)) +
               " cannot be executed" + because);
    case ETXTBSY:
      fail(LaunchFailure::kOther, spec, file + " is open for writing somewhere" + because);
    default:
      fail(LaunchFailure::kOther, spec, file + " cannot be executed" + because);
  }
}

[[noreturn]] void fail_for(const LaunchSpec& spec, const std::string& program, Report report) {
  const std::string because = " (" + reason(report.error) + ")";
  switch (report.stage) {
    case Stage::kSession:
      fail(LaunchFailure::kOther, spec, "it got no session of its own" + because);
    case Stage::kInput:
    case Stage::kOutput:
    case Stage::kError:
      fail(LaunchFailure::kOther, spec, "its standard descriptors could not be set" + because);
    case Stage::kDescriptors:
      fail(LaunchFailure::kOther, spec,
           "the harness's descriptors could not be kept from it" + because +
               "; close_range with CLOSE_RANGE_CLOEXEC needs Linux 5.11");
    case Stage::kCwd:
      throw ExecError(LaunchFailure::kBadCwd, "cannot start " + quote_word(spec.argv.front()) +
                                                  " in the directory " +
                                                  quote_word(spec.cwd_name) + because);
    case Stage::kExec:
      break;
  }
  fail_to_execute(spec, program, report.error);
}

// After clone() has returned the child has executed its program or ended (CLONE_VFORK): a report
// is there by now, or there is none. The read end does not block, since the fork of somebody else
// may hold the write end of it.
std::optional<Report> received(const Descriptor& report_end) {
  Report report{};
  const ssize_t count =
      retry_eintr([&] { return ::read(report_end.get(), &report, sizeof report); });
  if (count != ssize_t{sizeof report}) return std::nullopt;
  return report;
}

// The one wait for a child that has no program. It is ending already.
void reap(const Descriptor& pidfd) {
  siginfo_t info{};
  retry_eintr(
      [&] { return ::waitid(P_PIDFD, static_cast<id_t>(pidfd.get()), &info, WEXITED); });
}

struct Attempt {
  Launched launched;
  std::optional<Report> report;
};

// Throws ExecError when there is no child; with a report, the child has been reaped.
Attempt attempt(const LaunchSpec& spec, Plan plan) {
  Pipe pipe = make_pipe();
  set_nonblocking(pipe.read_end.get());
  plan.report = pipe.write_end.get();
  const ChildStack stack;
  if (!stack.valid()) fail_for_resources(spec, errno);
  int pidfd = -1;
  pid_t pid = -1;
  int error = 0;
  {
    const Undisturbed undisturbed;
#if defined(__SANITIZE_THREAD__)
    const auto clone_function = &__clone;
#else
    const auto clone_function = &::clone;
#endif
    pid = clone_function(child_main, stack.top(), CLONE_VM | CLONE_VFORK | CLONE_PIDFD | SIGCHLD,
                         &plan, &pidfd);
    error = errno;
  }
  if (pid < 0) {
    if (is_shortage(error)) fail_for_resources(spec, error);
    fail(LaunchFailure::kOther, spec, "no process could be made (" + reason(error) + ")");
  }
  Attempt result{{pid, Descriptor(pidfd)}, std::nullopt};
  if (pidfd <= STDERR_FILENO) {
    // As lifted(), but the command runs already: where there is no other number, it keeps this one.
    const int higher = ::fcntl(pidfd, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
    if (higher >= 0) result.launched.pidfd.reset(higher);
  }
  pipe.write_end.reset();
  result.report = received(pipe.read_end);
  if (result.report) {
    reap(result.launched.pidfd);
  }
  return result;
}

// A child between clone and exec has copies of all descriptors of this process, among them, maybe,
// of one through which another thread was just writing the very file that is to be executed
// (ETXTBSY). Launches hold this lock shared; the second try after ETXTBSY holds it alone, and by
// then no such child of ours is left. Forks are a matter of the whole process, and so is the lock.
std::shared_mutex& launches() {
  static std::shared_mutex mutex;
  return mutex;
}

Attempt launch_plan(const LaunchSpec& spec, const Plan& plan) {
  Attempt result;
  {
    const std::shared_lock lock(launches());
    result = attempt(spec, plan);
  }
  if (result.report && result.report->stage == Stage::kExec && result.report->error == ETXTBSY) {
    const std::unique_lock lock(launches());
    result = attempt(spec, plan);
  }
  return result;
}

}  // namespace

Launched launch(const LaunchSpec& spec) {
  const std::string program = find_program(spec.argv.front(), spec.env, spec.cwd);
  const std::vector<std::string> environment = assignments(spec.env);
  const std::vector<const char*> argv = pointers(spec.argv);
  const std::vector<const char*> envp = pointers(environment);
  try {
    Descriptor null_input;
    if (spec.in < 0) {
      null_input = Descriptor(::open("/dev/null", O_RDONLY | O_CLOEXEC));
      if (!null_input.valid()) {
        throw std::system_error(errno, std::generic_category(), "cannot open /dev/null");
      }
      null_input = lifted(std::move(null_input));
    }
    // The child makes 0, 1 and 2 one after the other: none of its sources may be one of them.
    std::array<Descriptor, 3> copies;
    const auto above = [&copies, next = copies.begin()](int fd) mutable {
      if (fd > STDERR_FILENO) return fd;
      const int copy = ::fcntl(fd, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
      if (copy < 0) throw std::system_error(errno, std::generic_category(), "cannot duplicate");
      *next = Descriptor(copy);
      return next++->get();
    };
    const Plan plan{
        .program = program.c_str(),
        .argv = argv.data(),
        .envp = envp.data(),
        .in = spec.in < 0 ? null_input.get() : above(spec.in),
        .out = above(spec.out),
        .err = above(spec.err),
        .cwd = spec.cwd,
        .report = -1,
    };
    Attempt result = launch_plan(spec, plan);
    if (result.report) fail_for(spec, program, *result.report);
    return std::move(result.launched);
  } catch (const std::system_error& error) {
    if (is_shortage(error.code().value())) fail_for_resources(spec, error.code().value());
    fail(LaunchFailure::kOther, spec, error.what());
  }
}

Descriptor open_directory(int base, const std::string& path) {
  const std::string text = path.empty() ? "." : path;
  try {
    Descriptor directory(retry_eintr(
        [&] { return ::openat(base, text.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC); }));
    struct stat status {};
    if (directory.valid() && ::fstat(directory.get(), &status) == 0) {
      // A directory that was removed can still be entered, but nothing can be made in it.
      if (status.st_nlink > 0) return lifted(std::move(directory));
      errno = ENOENT;
    }
    throw std::system_error(errno, std::generic_category());
  } catch (const std::system_error& error) {
    const int number = error.code().value();
    throw ExecError(
        is_shortage(number) ? LaunchFailure::kNoResources : LaunchFailure::kBadCwd,
        "cannot use the working directory " +
            (path.empty() ? std::string("of the session") : quote_word(path)) + ": " +
            reason(number));
  }
}

}  // namespace sandproof::local
