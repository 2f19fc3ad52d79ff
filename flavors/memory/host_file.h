// SPDX-License-Identifier: Apache-2.0
// The host's side of a transfer: reading a file, and writing one beside its target that replaces it
// at the end. Each is used by one thread at a time.
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <filesystem>
#include <span>
#include <string>

#include "sandproof/id_source.h"

namespace sandproof::memory {

/// What a transfer is called in messages.
struct TransferNames {
  std::string verb;  // "upload", "download"
  std::string source;
  std::string target;

  /// Throws FileTransferError.
  [[noreturn]] void fail(const std::string& why) const;
};

/// A regular file, open for reading; links are followed.
class HostSource {
 public:
  /// Throws NotFoundError, FileTransferError, InvalidArgumentError for an empty path.
  HostSource(const TransferNames& names, const std::filesystem::path& path);
  ~HostSource();
  HostSource(const HostSource&) = delete;
  HostSource& operator=(const HostSource&) = delete;

  mode_t mode() const { return mode_; }
  /// The count that was read; 0 at the end. Throws FileTransferError.
  std::size_t read(std::span<std::byte> into);

 private:
  const TransferNames& names_;
  int fd_ = -1;
  mode_t mode_ = 0;
};

/// A new file beside its target, whose links are followed and whose directories are made.
class HostTarget {
 public:
  /// Throws FileTransferError, InvalidArgumentError for an empty path.
  HostTarget(const TransferNames& names, IdSource& ids, const std::filesystem::path& path);
  /// Removes what was written, unless commit() has succeeded.
  ~HostTarget();
  HostTarget(const HostTarget&) = delete;
  HostTarget& operator=(const HostTarget&) = delete;

  /// Both throw FileTransferError.
  void write(std::span<const std::byte> bytes);
  void commit(mode_t mode);

 private:
  void resolve(const std::filesystem::path& path);
  [[noreturn]] void fail_to_write() const;

  const TransferNames& names_;
  std::filesystem::path path_;
  std::filesystem::path aside_;
  int fd_ = -1;
};

}  // namespace sandproof::memory
