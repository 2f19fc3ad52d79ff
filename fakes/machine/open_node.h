// SPDX-License-Identifier: Apache-2.0
// Open files of a file system: regular ones with an offset, and directories. One thread per
// machine.
#pragma once

#include <memory>

#include "fakes/machine/clock.h"
#include "fakes/machine/credentials.h"
#include "fakes/machine/descriptor.h"
#include "fakes/machine/vfs/file_system.h"

namespace sandproof::machine {

/// Whose file it is: all of it outlives the open file, but for the credentials, which it holds.
struct NodeOwner {
  FileSystem& files;
  Clock& clock;
  std::shared_ptr<const Credentials> credentials;
};

class OpenNode final : public OpenFile {
 public:
  OpenNode(NodeOwner owner, NodePtr node, Access access, bool append)
      : OpenFile(access), owner_(std::move(owner)), node_(std::move(node)), append_(append) {}

  Result<std::size_t> try_read(std::span<std::byte> into) override;
  Result<std::size_t> try_write(std::span<const std::byte> from) override;
  Result<std::uint64_t> seek(std::int64_t by, Whence whence) override;
  std::string describe() const override;

  /// The next entries of a directory, at most `limit`; none at its end.
  Result<std::vector<DirEntry>> list(std::size_t limit);
  NodePtr node() const override { return node_; }

 private:
  Caller caller() const;

  NodeOwner owner_;
  NodePtr node_;
  bool append_;
  std::uint64_t offset_ = 0;
  DirCursor cursor_;
  /// Of a file that is made up when it is read: what the reader was told, as one piece.
  std::optional<std::string> text_;
};

/// Who asks, for a call of the file system; borrows the credentials.
Caller caller_of(const Credentials& credentials, int pid, const Clock& clock);

}  // namespace sandproof::machine
