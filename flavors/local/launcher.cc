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
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <cstddef>
#include <mutex>
#include <optional>
#include <shared_mutex>
#include <system_error>

#include "flavors/local/launch_failure.h"
#include "flavors/local/pipe.h"
#include "flavors/local/program.h"

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
// How long a program may be open for writing because of other starts: far longer than one takes.
constexpr std::chrono::milliseconds kBusyLimit{100};
// The kernel's signal set, which has no room for more: 64 signals.
constexpr int kSignals = 64;
constexpr std::size_t kSignalSetBytes = kSignals / 8;

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

// SIG_DFL, no flags, an empty mask, in the kernel's layout of a sigaction: all zero. An array
// without member functions, which would be calls in the child.
constexpr unsigned long kDefaultAction[8] = {};
constexpr unsigned long kNoSignals[2] = {};

// The child. It runs on its own stack in the parent's memory, so: system calls only, directly,
// since the C library's wrappers are where sanitizers hook in (and some of them are cancellation
// points); no sanitizer in this function either; no lock, no allocation, no return.
__attribute__((no_sanitize("address", "thread", "undefined"))) int child_main(void* argument) {
  const Plan& plan = *static_cast<const Plan*>(argument);
  LaunchReport report{LaunchStage::kSession, 0};
  for (int signal = 1; signal <= kSignals; ++signal) {
    // The C library hides two of them from sigaction(). KILL and STOP refuse, which is right.
    ::syscall(SYS_rt_sigaction, signal, kDefaultAction, nullptr, kSignalSetBytes);
  }
  bool good = ::syscall(SYS_setsid) != -1;
  if (good) {
    report.stage = LaunchStage::kInput;
    good = ::syscall(SYS_dup3, plan.in, STDIN_FILENO, 0) != -1;
  }
  if (good) {
    report.stage = LaunchStage::kOutput;
    good = ::syscall(SYS_dup3, plan.out, STDOUT_FILENO, 0) != -1;
  }
  if (good) {
    report.stage = LaunchStage::kError;
    good = ::syscall(SYS_dup3, plan.err, STDERR_FILENO, 0) != -1;
  }
  if (good) {
    // Only marked, since the report goes out through one of them.
    report.stage = LaunchStage::kDescriptors;
    good = ::syscall(SYS_close_range, 3U, ~0U, CLOSE_RANGE_CLOEXEC) != -1;
  }
  if (good) {
    report.stage = LaunchStage::kCwd;
    good = ::syscall(SYS_fchdir, plan.cwd) != -1;
  }
  if (good) {
    // Last: as long as a handler of the parent could still be set, no signal may come in.
    ::syscall(SYS_rt_sigprocmask, SIG_SETMASK, kNoSignals, nullptr, kSignalSetBytes);
    report.stage = LaunchStage::kExec;
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

// A descriptor that the child copies to 0, 1 or 2, or uses after that: none of them may be one of
// these numbers itself, or it would be overwritten.
class AboveStandard {
 public:
  explicit AboveStandard(int fd) : fd_(fd) {
    if (fd > STDERR_FILENO) return;
    copy_ = Descriptor(::fcntl(fd, F_DUPFD_CLOEXEC, STDERR_FILENO + 1));
    if (!copy_.valid()) {
      throw std::system_error(errno, std::generic_category(), "cannot duplicate a descriptor");
    }
    fd_ = copy_.get();
  }
  int get() const { return fd_; }

 private:
  int fd_;
  Descriptor copy_;
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
  for (const auto& [name, value] : env) result.emplace_back(name).append("=").append(value);
  return result;
}

// After clone() has returned, the child has executed its program or ended (CLONE_VFORK): a report
// is there by now, or there is none. The read end does not block, since others may hold the write
// end: the fork of somebody else, or the child itself, which the kernel lets go a little before it
// closes its descriptors.
std::optional<LaunchReport> received(const Descriptor& report_end) {
  LaunchReport report{};
  const ssize_t count =
      retry_eintr([&] { return ::read(report_end.get(), &report, sizeof report); });
  if (count != ssize_t{sizeof report}) return std::nullopt;
  return report;
}

// The one wait for a child that has no program. It is ending already.
void reap(const Descriptor& pidfd) {
  siginfo_t info{};
  retry_eintr([&] { return ::waitid(P_PIDFD, static_cast<id_t>(pidfd.get()), &info, WEXITED); });
}

struct Attempt {
  Launched launched;
  std::optional<LaunchReport> report;
};

// Throws std::system_error when there is no child; with a report, the child has been reaped.
Attempt attempt(Plan plan) {
  Pipe pipe = make_pipe();
  set_nonblocking(pipe.read_end.get());
  plan.report = pipe.write_end.get();
  const ChildStack stack;
  if (!stack.valid()) {
    throw std::system_error(errno, std::generic_category(), "there is no memory for its start");
  }
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
    throw std::system_error(error, std::generic_category(), "no process could be made for it");
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

// A child that is being started has copies of all descriptors of this process, among them, maybe,
// of one through which another thread was just writing the very file that is to be executed
// (ETXTBSY). Launches hold this lock shared. Who meets that error holds it alone, so that no new
// copies come into being, and tries until the last child has closed its own, which is a matter of
// microseconds. Forks are a matter of the whole process, and so is the lock.
std::shared_mutex& launches() {
  static std::shared_mutex mutex;
  return mutex;
}

bool is_busy(const Attempt& result) {
  return result.report && result.report->stage == LaunchStage::kExec &&
         result.report->error == ETXTBSY;
}

Attempt launch_plan(const Plan& plan) {
  Attempt result;
  {
    const std::shared_lock lock(launches());
    result = attempt(plan);
  }
  if (!is_busy(result)) return result;
  const std::unique_lock lock(launches());
  const auto deadline = std::chrono::steady_clock::now() + kBusyLimit;
  do {
    result = attempt(plan);
  } while (is_busy(result) && std::chrono::steady_clock::now() < deadline);
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
    const AboveStandard in(spec.in < 0 ? null_input.get() : spec.in);
    const AboveStandard out(spec.out);
    const AboveStandard err(spec.err);
    const AboveStandard cwd(spec.cwd);
    Attempt result = launch_plan({.program = program.c_str(),
                                  .argv = argv.data(),
                                  .envp = envp.data(),
                                  .in = in.get(),
                                  .out = out.get(),
                                  .err = err.get(),
                                  .cwd = cwd.get(),
                                  .report = -1});
    if (result.report) fail_launch(spec, program, *result.report);
    return std::move(result.launched);
  } catch (const std::system_error& error) {
    fail_launch(spec, error);
  }
}

}  // namespace sandproof::local
