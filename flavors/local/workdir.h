// SPDX-License-Identifier: Apache-2.0
// The working directory of a session. Owned by the session; its const members are for any thread.
#pragma once

#include <filesystem>
#include <string>

#include "flavors/local/descriptor.h"

namespace sandproof::local {

/// Where sessions get their directories: `base_dir`, or, where that is empty, $TMPDIR, or /tmp.
/// Absolute.
std::filesystem::path base_directory(const std::string& base_dir);

/// The directory of one session: `<base directory>/sandproof-<session id>`.
std::filesystem::path session_workdir(const std::string& base_dir, const std::string& session_id);

class Workdir {
 public:
  /// Makes the directory, for this user alone (0700). Throws BackendError that names it.
  Workdir(const std::string& base_dir, const std::string& session_id);
  Workdir(const Workdir&) = delete;
  Workdir& operator=(const Workdir&) = delete;
  /// Removes the directory where remove() has not.
  ~Workdir();

  /// Open for reading as long as the object lives.
  int descriptor() const { return directory_.get(); }
  const std::filesystem::path& path() const { return path_; }

  /// Removes the directory with everything in it. Does nothing when it has been removed. Throws
  /// BackendError that names what could not be removed.
  void remove();

 private:
  const std::filesystem::path path_;
  Descriptor parent_;
  Descriptor directory_;
  bool removed_ = false;
};

}  // namespace sandproof::local
