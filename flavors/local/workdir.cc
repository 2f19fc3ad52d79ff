// SPDX-License-Identifier: Apache-2.0
// The working directory of a session. See workdir.h.
#include "flavors/local/workdir.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <exception>
#include <system_error>

#include "flavors/local/reason.h"
#include "flavors/local/remove_tree.h"
#include "sandproof/errors.h"

namespace sandproof::local {
namespace {

constexpr mode_t kOwnersDirectory = 0700;

[[noreturn]] void fail(const std::filesystem::path& path, const std::string& why) {
  throw BackendError("cannot make the working directory '" + path.string() + "': " + why +
                     "; base_dir must be an existing directory that this user may write to");
}

}  // namespace

std::filesystem::path base_directory(const std::string& base_dir) {
  std::filesystem::path base = base_dir;
  if (base.empty()) {
    const char* const temporary = std::getenv("TMPDIR");
    base = temporary != nullptr && *temporary != '\0' ? temporary : "/tmp";
  }
  return std::filesystem::absolute(base);
}

std::filesystem::path session_workdir(const std::string& base_dir, const std::string& session_id) {
  return base_directory(base_dir) / ("sandproof-" + session_id);
}

Workdir::Workdir(const std::string& base_dir, const std::string& session_id)
    : path_(session_workdir(base_dir, session_id)) {
  const std::string name = path_.filename().string();
  try {
    parent_ =
        lifted(Descriptor(::open(path_.parent_path().c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC)));
    if (!parent_.valid() || ::mkdirat(parent_.get(), name.c_str(), kOwnersDirectory) != 0) {
      fail(path_, reason_of(errno));
    }
    try {
      directory_ = lifted(Descriptor(
          ::openat(parent_.get(), name.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)));
      // The mask of the process has no say.
      if (!directory_.valid() || ::fchmod(directory_.get(), kOwnersDirectory) != 0) {
        fail(path_, reason_of(errno));
      }
    } catch (...) {
      ::unlinkat(parent_.get(), name.c_str(), AT_REMOVEDIR);
      throw;
    }
  } catch (const std::system_error& error) {
    fail(path_, error.what());
  }
}

Workdir::~Workdir() {
  try {
    remove();
  } catch (const std::exception&) {
    // Who wants to know calls remove().
  }
}

void Workdir::remove() {
  if (removed_) return;
  try {
    remove_tree(parent_.get(), path_.filename().string());
    removed_ = true;
  } catch (const std::system_error& error) {
    throw BackendError("the working directory '" + path_.string() +
                       "' is left over: " + error.what() + "; remove it by hand");
  }
}

}  // namespace sandproof::local
