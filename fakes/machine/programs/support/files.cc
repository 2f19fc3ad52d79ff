// SPDX-License-Identifier: Apache-2.0
// Files by path and by descriptor.
#include "fakes/machine/programs/support/files.h"

#include <algorithm>
#include <array>

#include "fakes/machine/programs/support/output.h"
#include "fakes/machine/programs/support/paths.h"

namespace sandproof::machine::programs {

Task<Result<OwnedFd>> open_input(Process& self, std::string_view path) {
  if (path == "-") co_return OwnedFd(self, 0);
  const Result<int> fd = co_await self.open(path, kToRead);
  if (!fd) co_return fd.error();
  co_return OwnedFd(self, *fd);
}

Task<Result<OwnedFd>> open_output(Process& self, std::string_view path, OpenOptions options) {
  const Result<int> fd = co_await self.open(path, options);
  if (!fd) co_return fd.error();
  co_return OwnedFd(self, *fd);
}

Task<Result<std::string>> read_all(Process& self, int fd, std::size_t limit) {
  std::string all;
  std::array<std::byte, 4096> chunk;
  for (;;) {
    const Result<std::size_t> count = co_await self.read(fd, chunk);
    if (count.error() == Errno::kIntr) continue;
    if (!count) co_return count.error();
    if (*count == 0) co_return all;
    if (all.size() + *count > limit) co_return Errno::kNomem;
    all.append(reinterpret_cast<const char*>(chunk.data()), *count);
  }
}

Task<Result<std::string>> read_file(Process& self, std::string_view path) {
  Result<OwnedFd> file = co_await open_input(self, path);
  if (!file) co_return file.error();
  co_return co_await read_all(self, file->get());
}

Task<CopyEnd> copy_bytes(Process& self, int from, int to, std::optional<std::uint64_t> most) {
  CopyEnd end;
  // As much as a pipe holds: one turn for each side.
  std::vector<std::byte> chunk(std::size_t{64} << 10);
  for (;;) {
    std::span<std::byte> into(chunk);
    if (most) into = into.first(std::min<std::uint64_t>(into.size(), *most - end.bytes));
    if (into.empty()) co_return end;
    const Result<std::size_t> count = co_await self.read(from, into);
    if (count.error() == Errno::kIntr) continue;
    end.read = count.error();
    if (count.value_or(0) == 0) co_return end;
    const std::string_view text(reinterpret_cast<const char*>(chunk.data()), *count);
    end.write = co_await write_all(self, to, text);
    if (end.write != Errno::kOk) co_return end;
    end.bytes += *count;
  }
}

Task<Result<OwnedFd>> open_directory(Process& self, std::string_view path) {
  OpenOptions options = kToRead;
  options.flags.directory = true;
  Result<OwnedFd> directory = co_await open_output(self, path, options);
  co_return directory;
}

Task<Result<Strings>> list_names(Process& self, std::string_view path) {
  Result<OwnedFd> directory = co_await open_directory(self, path);
  if (!directory) co_return directory.error();
  Result<Strings> names = co_await list_names(self, *directory);
  co_return names;
}

Task<Result<Strings>> list_names(Process& self, const OwnedFd& directory) {
  Strings names;
  for (;;) {
    co_await self.yield_point();
    const Result<std::vector<DirEntry>> entries = self.readdir(directory.get());
    if (!entries) co_return entries.error();
    if (entries->empty()) break;
    for (const DirEntry& entry : *entries) {
      if (!is_dots(entry.name)) names.push_back(entry.name);
    }
  }
  std::sort(names.begin(), names.end());
  co_return names;
}

std::optional<std::string> variable(const Process& self, std::string_view name) {
  for (const std::string& entry : self.env()) {
    if (entry.size() > name.size() && entry[name.size()] == '=' && entry.starts_with(name)) {
      return entry.substr(name.size() + 1);
    }
  }
  return std::nullopt;
}

namespace {

// Linux's count of links that one path may lead over.
constexpr int kMaxLinks = 40;

/// The components of a path, the last first.
Strings components_of(std::string_view path) {
  Strings parts;
  for (std::size_t at = 0; at < path.size();) {
    const std::size_t end = std::min(path.find('/', at), path.size());
    if (end > at) parts.emplace_back(path.substr(at, end - at));
    at = end + 1;
  }
  std::reverse(parts.begin(), parts.end());
  return parts;
}

}  // namespace

Result<std::string> real_path(Process& self, std::string_view path) {
  if (path.empty()) return Errno::kNoent;
  std::string done = "/";
  if (path.front() != '/') {
    const Result<std::string> here = self.getcwd();
    if (!here) return here.error();
    done = *here;
  }
  Strings left = components_of(path);
  int links = 0;
  while (!left.empty()) {
    const std::string name = std::move(left.back());
    left.pop_back();
    if (name == ".") continue;
    if (name == "..") {
      const std::size_t slash = done.rfind('/');
      done.resize(std::max<std::size_t>(slash, 1));
      continue;
    }
    const std::string next = join_path(done, name);
    const Result<Attributes> found = self.stat(next, Follow::kNo);
    if (!found) return found.error();
    if (found->type == FileType::kSymlink) {
      if (++links > kMaxLinks) return Errno::kLoop;
      const Result<std::string> target = self.readlink(next);
      if (!target) return target.error();
      if (target->starts_with('/')) done = "/";
      for (std::string& part : components_of(*target)) left.push_back(std::move(part));
      continue;
    }
    if (!left.empty() && found->type != FileType::kDirectory) return Errno::kNotdir;
    done = next;
  }
  return done;
}

Task<bool> answered_yes(Process& self) {
  // Byte by byte: what follows the line is for the next question, or for somebody else.
  bool first = true;
  bool yes = false;
  for (;;) {
    std::array<std::byte, 1> byte;
    const Result<std::size_t> count = co_await self.read(0, byte);
    if (count.error() == Errno::kIntr) continue;
    if (count.value_or(0) == 0) co_return yes;
    const char letter = static_cast<char>(byte[0]);
    if (first) yes = letter == 'y' || letter == 'Y';
    first = false;
    if (letter == '\n') co_return yes;
  }
}

}  // namespace sandproof::machine::programs
