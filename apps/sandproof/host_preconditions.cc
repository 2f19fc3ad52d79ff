// SPDX-License-Identifier: Apache-2.0
// Preconditions of flavors on this machine; see host_preconditions.h. Each tries the very thing.
#include "apps/sandproof/host_preconditions.h"

#include <fcntl.h>
#include <linux/close_range.h>
#include <linux/openat2.h>
#include <spawn.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>

#include "sandproof/conformance/checks.h"

namespace sandproof::apps {
namespace {

using conformance::CheckResult;
using conformance::Precondition;

constexpr const char* kSeccomp =
    "; in a container, a seccomp profile that knows the call (a newer container engine has one)";

/// `errno` is that of the call.
CheckResult of_call(const char* name, bool works, const char* kernel) {
  if (works) return CheckResult::ok();
  return CheckResult::failed(std::string(name) + ": " + std::strerror(errno),
                             std::string("use Linux ") + kernel + " or newer" + kSeccomp);
}

CheckResult check_beneath() {
  open_how how = {};
  how.flags = O_PATH | O_DIRECTORY | O_CLOEXEC;
  how.resolve = RESOLVE_BENEATH | RESOLVE_NO_MAGICLINKS;
  const int root = ::open("/", O_PATH | O_DIRECTORY | O_CLOEXEC);
  const long fd = ::syscall(SYS_openat2, root, ".", &how, sizeof how);
  const int error = errno;
  if (fd >= 0) ::close(static_cast<int>(fd));
  ::close(root);
  errno = error;
  return of_call("openat2", fd >= 0, "5.6");
}

CheckResult check_close_range() {
  // Above every descriptor that there is: nothing happens, but the flag is looked at.
  constexpr unsigned kNone = ~0U - 1;
  return of_call("close_range", ::syscall(SYS_close_range, kNone, ~0U, CLOSE_RANGE_CLOEXEC) == 0,
                 "5.11");
}

/// A command with this in its environment, which says that it runs and then reads until its input
/// ends. Ended and reaped by the destructor.
class MarkedCommand {
 public:
  explicit MarkedCommand(std::string mark) {
    std::array<int, 2> in = {-1, -1};
    std::array<int, 2> out = {-1, -1};
    if (::pipe2(in.data(), O_CLOEXEC) != 0 || ::pipe2(out.data(), O_CLOEXEC) != 0) {
      error_ = errno;
      for (const int fd : {in[0], in[1]}) ::close(fd);
      return;
    }
    input_ = in[1];
    posix_spawn_file_actions_t actions;
    ::posix_spawn_file_actions_init(&actions);
    ::posix_spawn_file_actions_adddup2(&actions, in[0], 0);
    ::posix_spawn_file_actions_adddup2(&actions, out[1], 1);
    std::string shell = "sh";
    std::string option = "-c";
    std::string script = "echo up; read line";
    std::array<char*, 4> argv = {shell.data(), option.data(), script.data(), nullptr};
    std::array<char*, 2> variables = {mark.data(), nullptr};
    error_ = ::posix_spawnp(&pid_, "sh", &actions, nullptr, argv.data(), variables.data());
    ::posix_spawn_file_actions_destroy(&actions);
    for (const int fd : {in[0], out[1]}) ::close(fd);
    // Its environment can be read once it runs, not as soon as it is started.
    char byte = 0;
    while (error_ == 0 && ::read(out[0], &byte, 1) < 0 && errno == EINTR) {
    }
    ::close(out[0]);
  }
  ~MarkedCommand() {
    if (input_ >= 0) ::close(input_);
    while (pid_ > 0 && ::waitpid(pid_, nullptr, 0) < 0 && errno == EINTR) {
    }
  }
  MarkedCommand(const MarkedCommand&) = delete;
  MarkedCommand& operator=(const MarkedCommand&) = delete;

  pid_t pid() const { return pid_; }
  /// 0 where it was started.
  int error() const { return error_; }

 private:
  int input_ = -1;
  pid_t pid_ = -1;
  int error_ = 0;
};

CheckResult check_start() {
  const MarkedCommand command("A=1");
  if (command.error() == 0) return CheckResult::ok();
  return CheckResult::failed(std::string("sh: ") + std::strerror(command.error()),
                             "install a POSIX shell as `sh` in a directory of PATH");
}

/// The flavor tells its commands by a mark in their environment.
CheckResult check_environ() {
  const std::string mark = "SANDPROOF_DOCTOR=" + std::to_string(::getpid());
  const MarkedCommand command(mark);
  if (command.error() != 0) {
    return CheckResult::failed(std::string("no command: ") + std::strerror(command.error()),
                               "see above");
  }
  const std::string path = "/proc/" + std::to_string(command.pid()) + "/environ";
  const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  std::array<char, 256> text{};
  const ssize_t count = fd < 0 ? -1 : ::read(fd, text.data(), text.size());
  const int error = errno;
  if (fd >= 0) ::close(fd);
  if (count > 0 && std::string(text.data(), static_cast<std::size_t>(count)).find(mark) == 0) {
    return CheckResult::ok();
  }
  return CheckResult::failed(path + ": " + (count < 0 ? std::strerror(error) : "is not its own"),
                             "allow this user to read /proc of its own processes: no hidepid= that "
                             "hides them, no security module that forbids it");
}

/// What the framework makes of `spill_dir`: the setting, $TMPDIR, /tmp.
std::string named_directory(const Settings& settings, const std::string& name) {
  const std::string& configured = setting<std::string>(settings, name);
  if (!configured.empty()) return configured;
  const char* const temporary = std::getenv("TMPDIR");
  return temporary != nullptr && *temporary != '\0' ? temporary : "/tmp";
}

}  // namespace

std::vector<Precondition> host_preconditions() {
  return {
      {"commands can be started", [](const Settings&) { return check_start(); }},
      {"commands can be told by their environment",
       [](const Settings&) { return check_environ(); }},
      {"commands inherit no descriptor (close_range)",
       [](const Settings&) { return check_close_range(); }},
      {"transfers stay in the directory (openat2)",
       [](const Settings&) { return check_beneath(); }},
      {"unread output has a file (spill_dir)",
       [](const Settings& settings) {
         const std::string directory = named_directory(settings, "spill_dir");
         CheckResult writable = conformance::check_writable_directory(
             directory, "set spill_dir, or TMPDIR, to a directory that can be written");
         // That nothing can be started from there is no matter of this directory.
         if (writable.status == conformance::CheckStatus::kFailed) return writable;
         return conformance::check_unnamed_file(directory);
       }},
  };
}

Precondition directory_precondition(const std::string& name) {
  return {"sessions have a directory (" + name + ")", [name](const Settings& settings) {
            return conformance::check_writable_directory(
                named_directory(settings, name),
                "set " + name + " to a directory that is there and can be written");
          }};
}

}  // namespace sandproof::apps
