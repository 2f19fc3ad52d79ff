// SPDX-License-Identifier: Apache-2.0
// Checks of directories and programs; see checks.h. Those of processes are in process_checks.cc.
#include "sandproof/conformance/checks.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <string_view>

namespace sandproof::conformance {
namespace {

namespace fs = std::filesystem;

std::string reason_of(int error) { return std::strerror(error); }

constexpr mode_t kPrivateMode = 0600;

}  // namespace

CheckResult check_writable_directory(const fs::path& directory, const std::string& remedy) {
  std::string name = (directory / "sandproof-doctor-XXXXXX").string();
  const int fd = ::mkostemp(name.data(), O_CLOEXEC);
  if (fd < 0) {
    return CheckResult::failed(fmt::format("{}: {}", directory.string(), reason_of(errno)), remedy);
  }
  const bool written = ::write(fd, "x", 1) == 1;
  const int error = errno;
  ::close(fd);
  ::unlink(name.c_str());
  if (!written) {
    return CheckResult::failed(fmt::format("{}: {}", directory.string(), reason_of(error)), remedy);
  }
  struct statvfs mount = {};
  if (::statvfs(directory.c_str(), &mount) == 0 && (mount.f_flag & ST_NOEXEC) != 0) {
    return CheckResult::warning(
        fmt::format("{} is mounted without execution: no program in it can start",
                    directory.string()),
        remedy);
  }
  return CheckResult::ok(directory.string());
}

CheckResult check_free_space(const fs::path& directory, std::uint64_t least, std::uint64_t wanted) {
  struct statvfs mount = {};
  if (::statvfs(directory.c_str(), &mount) != 0) {
    return CheckResult::failed(fmt::format("{}: {}", directory.string(), reason_of(errno)),
                               "name a directory that is there");
  }
  const std::uint64_t bytes = std::uint64_t{mount.f_bavail} * mount.f_frsize;
  const std::string found = fmt::format("{} in {}", bytes_text(bytes), directory.string());
  const std::string fix =
      fmt::format("make room there, or use another directory; {} are enough", bytes_text(wanted));
  if (bytes < least) return CheckResult::failed("only " + found, fix);
  if (bytes < wanted) return CheckResult::warning("only " + found, fix);
  return CheckResult::ok(found);
}

CheckResult check_unnamed_file(const fs::path& directory) {
  const int fd = ::open(directory.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, kPrivateMode);
  if (fd >= 0) {
    ::close(fd);
    return CheckResult::ok(directory.string());
  }
  return CheckResult::warning(fmt::format("{}: {}", directory.string(), reason_of(errno)),
                              "use a directory on ext4, xfs, btrfs or tmpfs; without it a file is "
                              "made and unlinked at once");
}

CheckResult check_process_directory(const fs::path& proc) {
  const fs::path self = proc / "self" / "stat";
  const int fd = ::open(self.c_str(), O_RDONLY | O_CLOEXEC);
  std::array<char, 32> text{};
  const ssize_t count = fd < 0 ? -1 : ::read(fd, text.data(), text.size() - 1);
  const int error = errno;
  if (fd >= 0) ::close(fd);
  const std::string fix = fmt::format(
      "mount it: `mount -t proc proc {}`; in a container, do not "
      "hide it",
      proc.string());
  if (count <= 0) {
    return CheckResult::failed(fmt::format("{}: {}", self.string(), reason_of(error)), fix);
  }
  if (std::strtol(text.data(), nullptr, 10) != ::getpid()) {
    return CheckResult::failed(fmt::format("{} is that of another pid namespace", proc.string()),
                               fix);
  }
  return CheckResult::ok();
}

CheckResult check_program(const std::string& program, const std::string& path) {
  std::string_view rest = path;
  while (!rest.empty()) {
    const std::size_t end = std::min(rest.find(':'), rest.size());
    const fs::path candidate = fs::path(rest.substr(0, end)) / program;
    rest.remove_prefix(std::min(end + 1, rest.size()));
    struct stat file = {};
    const bool there = ::stat(candidate.c_str(), &file) == 0 && S_ISREG(file.st_mode);
    if (there && ::access(candidate.c_str(), X_OK) == 0) return CheckResult::ok(candidate.string());
  }
  return CheckResult::failed(fmt::format("`{}` is in no directory of PATH ({})", program, path),
                             "install it, or set PATH");
}

std::string bytes_text(std::uint64_t bytes) {
  constexpr std::array<std::string_view, 5> kUnits = {"B", "KiB", "MiB", "GiB", "TiB"};
  constexpr double kStep = 1024;
  auto value = static_cast<double>(bytes);
  std::size_t unit = 0;
  while (value >= kStep && unit + 1 < kUnits.size()) {
    value /= kStep;
    ++unit;
  }
  return unit == 0 ? fmt::format("{} B", bytes) : fmt::format("{:.1f} {}", value, kUnits[unit]);
}

}  // namespace sandproof::conformance
