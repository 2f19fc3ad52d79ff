// SPDX-License-Identifier: Apache-2.0
// Upload and download, in pieces: whatever the size of a file, little of it is in the host's memory
// besides the environment's own copy. Any thread but the machine's.
#pragma once

#include <filesystem>
#include <string>

#include "flavors/memory/world.h"
#include "sandproof/id_source.h"

namespace sandproof::memory {

/// Both throw NotFoundError (source), FileTransferError, InvalidArgumentError for an empty path,
/// SandboxLostError. The target is as it was then.
void upload_file(World& world, const std::string& id, IdSource& ids,
                 const std::filesystem::path& local, const std::string& remote);
void download_file(World& world, const std::string& id, IdSource& ids, const std::string& remote,
                   const std::filesystem::path& local);

}  // namespace sandproof::memory
