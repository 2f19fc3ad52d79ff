// SPDX-License-Identifier: Apache-2.0
// The files of a run (run_files.h).
#include "conformance/runner/run_files.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdio>
#include <string>
#include <system_error>

#include "conformance/runner/event_log_writer.h"
#include "conformance/runner/remove_tree.h"
#include "conformance/runner/system.h"

namespace sandproof::conformance::runner {
namespace {

constexpr const char* kPrefix = "sandproof-run-";
/// In each directory: whoever can lock it knows that no process of that run lives. A lock is not
/// confused by pids that are used again, nor by containers that share the directory.
constexpr const char* kOwner = "owner";
constexpr const char* kLogSuffix = ".jsonl";
/// Of one run: what a person has killed in a day, and no wait for the next one.
constexpr int kMostRemoved = 64;

/// Locked before it has its name: no one finds it unlocked while we live.
UniqueFd lock_owner(const std::filesystem::path& directory) {
  const std::filesystem::path made = directory / "owner.new";
  UniqueFd fd(::open(made.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600));
  // Without locks nothing is ever removed, which does no harm.
  if (!fd || ::flock(fd.get(), LOCK_EX | LOCK_NB) != 0) return {};
  if (::rename(made.c_str(), (directory / kOwner).c_str()) != 0) return {};
  return fd;
}

void remove_if_abandoned(const std::filesystem::path& directory) {
  struct stat info {};
  if (::lstat(directory.c_str(), &info) != 0 || !S_ISDIR(info.st_mode)) return;
  if (info.st_uid != ::geteuid()) return;
  const UniqueFd owner(
      ::open((directory / kOwner).c_str(), O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
  if (!owner || ::flock(owner.get(), LOCK_EX | LOCK_NB) != 0) return;
  ::unlink((directory.string() + kLogSuffix).c_str());
  remove_tree(directory);
}

void remove_abandoned(const std::filesystem::path& parent) {
  std::error_code error;
  int count = 0;
  for (std::filesystem::directory_iterator at(parent, error), end; !error && at != end;
       at.increment(error)) {
    const std::string name = at->path().filename().string();
    if (!name.starts_with(kPrefix) || name.ends_with(kLogSuffix)) continue;
    if (++count > kMostRemoved) return;
    remove_if_abandoned(at->path());
  }
}

std::filesystem::path temporary_directory() {
  const char* const named = ::getenv("TMPDIR");
  const std::filesystem::path parent = named != nullptr && *named != '\0' ? named : "/tmp";
  std::string path = std::filesystem::absolute(parent) / (std::string(kPrefix) + "XXXXXX");
  remove_abandoned(std::filesystem::absolute(parent));
  if (::mkdtemp(path.data()) == nullptr) {
    throw_system_error("cannot make a directory below " + parent.string() +
                       " (TMPDIR names another place)");
  }
  return path;
}

}  // namespace

RunFiles::RunFiles(const std::filesystem::path& event_log)
    : log_path_(event_log), temporary_log_(event_log.empty()) {
  // The log first: it is the one that people choose.
  if (!temporary_log_) log_ = open_event_log(log_path_);
  directory_ = temporary_directory();
  owner_ = lock_owner(directory_);
  if (!temporary_log_) return;
  log_path_ = directory_.string() + kLogSuffix;
  try {
    log_ = open_event_log(log_path_);
  } catch (...) {
    remove_directory();
    throw;
  }
}

RunFiles::~RunFiles() {
  remove_directory();
  remove_log();
}

void RunFiles::remove_log() {
  std::error_code ignored;
  if (temporary_log_) std::filesystem::remove(log_path_, ignored);
}

void RunFiles::remove_directory() {
  const std::string trouble = remove_tree(directory_);
  if (!trouble.empty()) {
    std::fprintf(stderr, "sandproof: %s is left behind: %s\n", directory_.c_str(), trouble.c_str());
  }
}

}  // namespace sandproof::conformance::runner
