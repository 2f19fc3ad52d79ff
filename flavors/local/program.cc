// SPDX-License-Identifier: Apache-2.0
// The search for a program. See program.h.
#include "flavors/local/program.h"

#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstring>
#include <string_view>
#include <system_error>

#include "flavors/local/descriptor.h"
#include "flavors/local/reason.h"
#include "sandproof/errors.h"
#include "sandproof/words.h"

namespace sandproof::local {
namespace {

// The kernel itself reads no more of a script's first line (BINPRM_BUF_SIZE).
constexpr std::size_t kScriptHeader = 256;
// More program headers than any file has that the kernel loads (64 KiB of them at most).
constexpr std::size_t kMostHeaders = 1024;

// 0 if the file can be executed; else the errno that says why not, EISDIR and EINVAL for files of
// other kinds. Into *unseen, where it is not null: whether it was not even seen that there is one.
int check_executable(const std::string& path, int cwd, bool* unseen = nullptr) {
  struct stat status {};
  if (::fstatat(cwd, path.c_str(), &status, 0) != 0) {
    if (unseen != nullptr) *unseen = errno == EACCES;
    return errno;
  }
  if (S_ISDIR(status.st_mode)) return EISDIR;
  if (!S_ISREG(status.st_mode)) return EINVAL;
  return ::faccessat(cwd, path.c_str(), X_OK, AT_EACCESS) == 0 ? 0 : errno;
}

bool is_absent(int error) { return error == ENOENT || error == ENOTDIR; }

[[noreturn]] void fail(LaunchFailure why, const std::string& name, const std::string& text) {
  throw ExecError(why, "cannot start " + quote_word(name) + ": " + text);
}

// What is wrong with the file `path`, which was found under `name`.
[[noreturn]] void fail_for(const std::string& name, const std::string& path, int error) {
  const std::string file = quote_word(path);
  if (is_absent(error)) {
    fail(LaunchFailure::kNotFound, name,
         "there is no file " + file + " (" + reason_of(error) + ")");
  }
  std::string text = file + " cannot be executed (" + reason_of(error) + ")";
  if (error == EISDIR) text = file + " is a directory";
  if (error == EINVAL) text = file + " is not a regular file";
  if (error == EACCES) {
    text = file + " is not executable for this user (" + reason_of(error) +
           "); see its mode with ls -l";
  }
  fail(LaunchFailure::kNotExecutable, name, text);
}

std::string loader_of(int fd) {
  ElfW(Ehdr) header{};
  if (::pread(fd, &header, sizeof header, 0) != ssize_t{sizeof header}) return {};
  if (header.e_phentsize != sizeof(ElfW(Phdr))) return {};
  const std::size_t count = std::min<std::size_t>(header.e_phnum, kMostHeaders);
  for (std::size_t i = 0; i < count; ++i) {
    ElfW(Phdr) part{};
    const auto at = static_cast<off_t>(header.e_phoff + i * sizeof part);
    if (::pread(fd, &part, sizeof part, at) != ssize_t{sizeof part}) return {};
    if (part.p_type != PT_INTERP) continue;
    std::array<char, kScriptHeader> text{};
    const std::size_t size = std::min<std::size_t>(part.p_filesz, text.size());
    const ssize_t got = ::pread(fd, text.data(), size, static_cast<off_t>(part.p_offset));
    return got > 0 ? std::string(text.data(), ::strnlen(text.data(), static_cast<std::size_t>(got)))
                   : std::string();
  }
  return {};
}

}  // namespace

std::string find_program(const std::string& name, const Environment& env, int cwd) {
  if (name.find('/') != std::string::npos) {
    const int error = check_executable(name, cwd);
    if (error != 0) fail_for(name, name, error);
    return name;
  }
  const auto found = env.find("PATH");
  const std::string path = found == env.end() ? kDefaultPath : found->second;
  std::string refused;
  int refusal = 0;
  std::string hidden;
  for (std::size_t begin = 0; begin <= path.size();) {
    const std::size_t end = std::min(path.find(':', begin), path.size());
    const std::string directory = path.substr(begin, end - begin);
    begin = end + 1;
    std::string candidate = (directory.empty() ? std::string(".") : directory) + "/" + name;
    bool unseen = false;
    const int error = check_executable(candidate, cwd, &unseen);
    if (error == 0) return candidate;
    if (unseen) {
      // A directory that may not be searched has nothing for this user: shells say "not found",
      // too.
      if (hidden.empty()) hidden = std::move(candidate);
    } else if (!is_absent(error) && refused.empty()) {
      refused = std::move(candidate);
      refusal = error;
    }
  }
  if (!refused.empty()) fail_for(name, refused, refusal);
  const std::string look = hidden.empty() ? std::string("is in ") : std::string("was found in ");
  const std::string doubt = hidden.empty() ? std::string()
                                           : ", and whether there is " + quote_word(hidden) +
                                                 " cannot be seen (" + reason_of(EACCES) + ")";
  fail(LaunchFailure::kNotFound, name,
       "no program of that name " + look +
           (found == env.end() ? "the default PATH " : "the command's PATH ") + quote_word(path) +
           doubt + "; set PATH in the command's environment, or name the program by its path");
}

std::string interpreter_of(const std::string& program, int cwd) {
  // Non-blocking: a fifo may have taken the file's place.
  const Descriptor file(retry_eintr(
      [&] { return ::openat(cwd, program.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC); }));
  std::array<char, kScriptHeader> header{};
  const ssize_t size =
      retry_eintr([&] { return ::pread(file.get(), header.data(), header.size(), 0); });
  if (size < 2) return {};
  const std::string_view text(header.data(), static_cast<std::size_t>(size));
  if (text.starts_with(ELFMAG)) return loader_of(file.get());
  if (!text.starts_with("#!")) return {};
  const std::string_view line = text.substr(2, text.find('\n') - 2);
  const std::size_t begin = line.find_first_not_of(" \t");
  if (begin == std::string_view::npos) return {};
  const std::size_t end = std::min(line.find_first_of(" \t", begin), line.size());
  return std::string(line.substr(begin, end - begin));
}

}  // namespace sandproof::local
