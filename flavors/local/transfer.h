// SPDX-License-Identifier: Apache-2.0
// Files into and out of a directory that no path leaves (FILE-001 to FILE-017, without isolation).
// Functions without state; any thread, several at once.
//
// Content is streamed. The target is written aside and renamed, so that it is the old file or the
// whole new one at any time; it gets the permission bits of the source. Links are followed to the
// final target first, on both sides. Only regular files are read and replaced.
#pragma once

#include <filesystem>
#include <string>

#include "flavors/local/remote_path.h"
#include "sandproof/id_source.h"

namespace sandproof::local {

/// Copies the file `local` to `remote`, making missing directories beneath the root. `ids` names
/// the file aside.
/// Throws InvalidArgumentError for a remote path that leaves the root; NotFoundError for a missing
/// local file, before anything is touched; FileTransferError for a directory, a device or a fifo
/// on either side, a target that ends in `/`, and whatever the system refuses.
void upload_file(const PathRoot& root, IdSource& ids, const std::filesystem::path& local,
                 const std::string& remote);

/// Copies the file `remote` to `local`, making missing directories. Errors as upload_file(), with
/// NotFoundError for a missing remote file.
void download_file(const PathRoot& root, IdSource& ids, const std::string& remote,
                   const std::filesystem::path& local);

}  // namespace sandproof::local
