// SPDX-License-Identifier: Apache-2.0
// The directory that a command starts in. See cwd.h.
#include "flavors/local/cwd.h"

#include <fcntl.h>
#include <sys/stat.h>

#include <system_error>

#include "flavors/local/reason.h"
#include "sandproof/errors.h"
#include "sandproof/words.h"

namespace sandproof::local {

Descriptor open_cwd(int base, const std::string& path) {
  const std::string text = path.empty() ? "." : path;
  int error = ENOENT;
  try {
    Descriptor directory(retry_eintr(
        [&] { return ::openat(base, text.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC); }));
    struct stat status {};
    if (directory.valid() && ::fstat(directory.get(), &status) == 0) {
      // A directory that was removed can still be entered, but nothing can be made in it.
      if (status.st_nlink > 0) return lifted(std::move(directory));
    } else {
      error = errno;
    }
  } catch (const std::system_error& trouble) {
    error = trouble.code().value();
  }
  const bool shortage = error == EMFILE || error == ENFILE || error == ENOMEM;
  throw ExecError(shortage ? LaunchFailure::kNoResources : LaunchFailure::kBadCwd,
                  "cannot start in the working directory " +
                      (path.empty() ? std::string("of the session") : quote_word(path)) + ": " +
                      reason_of(error));
}

}  // namespace sandproof::local
