// SPDX-License-Identifier: Apache-2.0
// A file that is written aside, in the directory of its target, and takes the target's place in one
// step when it is whole. One thread.
#pragma once

#include <sys/types.h>

#include <string>

#include "flavors/local/descriptor.h"
#include "sandproof/id_source.h"

namespace sandproof::local {

class AsideFile {
 public:
  /// Makes an empty file with a name of its own in `directory`, which is borrowed. Throws
  /// std::system_error.
  AsideFile(int directory, IdSource& ids);
  AsideFile(const AsideFile&) = delete;
  AsideFile& operator=(const AsideFile&) = delete;
  /// Removes the file unless commit() has succeeded.
  ~AsideFile();

  /// Open for writing until commit().
  int descriptor() const { return file_.get(); }

  /// Replaces `name` in the same directory, whatever is there but a directory. A link is replaced,
  /// not followed. Throws std::system_error; the target is as it was then.
  void commit(const std::string& name, mode_t mode);

 private:
  const int directory_;
  std::string name_;
  Descriptor file_;
};

}  // namespace sandproof::local
