// SPDX-License-Identifier: Apache-2.0
// posix_spawn of /proc/self/exe (self_spawn.h): glibc's shares the memory until the exec, so that
// it costs the same in a process of any size, and reports a failed exec.
#include "conformance/runner/self_spawn.h"

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>

#include <cerrno>

#include "conformance/runner/system.h"

namespace sandproof::conformance::runner {
namespace {

// Above every descriptor number that the child is given, so that no dup2 hits another's source.
constexpr int kAboveHanded = 64;

class FileActions {
 public:
  FileActions() { ::posix_spawn_file_actions_init(&actions_); }
  ~FileActions() { ::posix_spawn_file_actions_destroy(&actions_); }
  FileActions(const FileActions&) = delete;
  FileActions& operator=(const FileActions&) = delete;

  void hand(int fd, int as) {
    UniqueFd high(::fcntl(fd, F_DUPFD_CLOEXEC, kAboveHanded));
    if (!high) throw_system_error("cannot hand a descriptor to another process");
    ::posix_spawn_file_actions_adddup2(&actions_, high.get(), as);
    kept_.push_back(std::move(high));
  }
  const posix_spawn_file_actions_t* get() const { return &actions_; }

 private:
  posix_spawn_file_actions_t actions_{};
  std::vector<UniqueFd> kept_;
};

class Attributes {
 public:
  explicit Attributes(bool own_session) {
    ::posix_spawnattr_init(&attributes_);
    sigset_t signals;
    ::sigemptyset(&signals);
    ::posix_spawnattr_setsigmask(&attributes_, &signals);
    ::sigfillset(&signals);
    ::posix_spawnattr_setsigdefault(&attributes_, &signals);
    int flags = POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF;
    if (own_session) flags |= POSIX_SPAWN_SETSID;
    ::posix_spawnattr_setflags(&attributes_, static_cast<short>(flags));
  }
  ~Attributes() { ::posix_spawnattr_destroy(&attributes_); }
  Attributes(const Attributes&) = delete;
  Attributes& operator=(const Attributes&) = delete;
  const posix_spawnattr_t* get() const { return &attributes_; }

 private:
  posix_spawnattr_t attributes_{};
};

}  // namespace

pid_t spawn_self(const SelfSpawn& spawn) {
  FileActions actions;
  actions.hand(spawn.input, 0);
  actions.hand(spawn.output, 1);
  actions.hand(spawn.error, 2);
  for (std::size_t i = 0; i < spawn.handed.size(); ++i) {
    actions.hand(spawn.handed[i], static_cast<int>(i) + 3);
  }
  const Attributes attributes(spawn.own_session);
  std::vector<std::string> words{"sandproof"};
  words.insert(words.end(), spawn.arguments.begin(), spawn.arguments.end());
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  pid_t pid = -1;
  const int error =
      ::posix_spawn(&pid, "/proc/self/exe", actions.get(), attributes.get(), argv.data(), environ);
  if (error != 0) {
    errno = error;
    throw_system_error("cannot start this program again through /proc/self/exe");
  }
  return pid;
}

}  // namespace sandproof::conformance::runner
