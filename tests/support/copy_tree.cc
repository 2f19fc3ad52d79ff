// SPDX-License-Identifier: Apache-2.0
// See copy_tree.h.
#include "tests/support/copy_tree.h"

#include <sys/stat.h>

#include <cerrno>
#include <system_error>

#include "sandproof/errors.h"

namespace sandproof::detached {
namespace {

namespace fs = std::filesystem;

/// A pipe of that name. Opening the original would wait for who writes to it.
void make_pipe(const fs::path& path, fs::perms permissions) {
  if (::mkfifo(path.c_str(), S_IRUSR | S_IWUSR) != 0) {
    throw fs::filesystem_error("cannot make a named pipe", path,
                               std::error_code(errno, std::generic_category()));
  }
  fs::permissions(path, permissions);  // Whatever the process's mask.
}

void copy_entry(const fs::directory_entry& entry, const fs::path& to) {
  const fs::file_status status = entry.symlink_status();
  switch (status.type()) {
    case fs::file_type::directory:
      copy_tree(entry.path(), to);
      return;
    case fs::file_type::regular:
      fs::copy_file(entry.path(), to);
      return;
    case fs::file_type::symlink:
      fs::copy_symlink(entry.path(), to);
      return;
    case fs::file_type::fifo:
      make_pipe(to, status.permissions());
      return;
    case fs::file_type::socket:
    case fs::file_type::not_found:  // Removed since it was listed.
      return;
    default:
      throw BackendError("cannot copy " + entry.path().string() +
                         ": it is neither a file, a directory, a link, a pipe nor a socket; "
                         "remove it");
  }
}

}  // namespace

void copy_tree(const fs::path& from, const fs::path& to) {
  fs::create_directory(to, from);
  for (const fs::directory_entry& entry : fs::directory_iterator(from)) {
    copy_entry(entry, to / entry.path().filename());
  }
}

}  // namespace sandproof::detached
