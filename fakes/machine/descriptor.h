// SPDX-License-Identifier: Apache-2.0
// Open files and the tables of descriptors that refer to them. An open file is what open() or
// pipe() makes: descriptors of one or many processes share it by dup and fork, and its last
// reference closes it. Its calls never wait: they say kAgain, and where to wait. One thread per
// machine.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "fakes/machine/result.h"
#include "fakes/machine/vfs/attributes.h"
#include "fakes/machine/wait_queue.h"

namespace sandproof::machine {

/// What is possible now, as poll() says it; kHangup and kError are told without being asked for.
struct Readiness {
  bool readable = false;
  bool writable = false;
  bool hangup = false;
  bool error = false;
  bool operator==(const Readiness&) const = default;
};

class Node;
class OpenFile;
using FilePtr = std::shared_ptr<OpenFile>;

enum class Access : unsigned char { kRead, kWrite, kBoth };
enum class Whence { kStart, kCurrent, kEnd };

/// An open file description. Implementations: pipes, devices, buffers, files of the file system.
class OpenFile {
 public:
  explicit OpenFile(Access access) : access_(access) {}
  /// Closes it.
  virtual ~OpenFile() = default;
  OpenFile(const OpenFile&) = delete;
  OpenFile& operator=(const OpenFile&) = delete;

  /// 0 at the end; kAgain where a caller that may wait waits in queue_for(kRead). By default EBADF.
  virtual Result<std::size_t> try_read(std::span<std::byte> into);
  /// How many were taken: fewer where more would wait or fail. kAgain if none can be now. kPipe
  /// when nobody can ever read them: the caller's SIGPIPE is the kernel's. By default EBADF.
  virtual Result<std::size_t> try_write(std::span<const std::byte> from);
  /// By default always readable and writable, as files are.
  virtual Readiness readiness() const { return {.readable = true, .writable = true}; }
  /// Where to wait until try_read (kRead) or try_write (kWrite) may succeed; nothing if they never
  /// say kAgain.
  virtual WaitQueue* queue_for(Access /*what*/) { return nullptr; }
  /// By default ESPIPE.
  virtual Result<std::uint64_t> seek(std::int64_t by, Whence whence);
  /// As a link of /proc/PID/fd reads: "pipe:[7]", "/dev/null".
  virtual std::string describe() const = 0;
  /// The file of a file system that it is; null by default.
  virtual std::shared_ptr<const Node> node() const { return nullptr; }
  /// What fstat tells of one without a node. By default a device's.
  virtual Attributes attributes() const;
  /// Another one of the same thing, as opening a link of /proc/PID/fd gives; only without a node.
  /// By default ENXIO, as for a socket.
  virtual Result<FilePtr> reopen(Access access);

  Access access() const { return access_; }
  bool may_read() const { return access_ != Access::kWrite; }
  bool may_write() const { return access_ != Access::kRead; }
  /// O_NONBLOCK: shared by all who share the open file.
  bool nonblocking() const { return nonblocking_; }
  void set_nonblocking(bool nonblocking) { nonblocking_ = nonblocking; }

 private:
  Access access_;
  bool nonblocking_ = false;
};

/// The descriptors of one process. Copying it is what fork does: open files are shared.
class DescriptorTable {
 public:
  /// Linux's soft limit of a login.
  static constexpr int kDefaultLimit = 1024;

  explicit DescriptorTable(int limit = kDefaultLimit) : limit_(limit) {}

  /// EBADF for a descriptor that is not open.
  Result<FilePtr> get(int fd) const;
  /// At the lowest free number from `at_least` on; EMFILE when all below the limit are taken,
  /// EINVAL for an `at_least` outside of it.
  Result<int> add(FilePtr file, bool close_on_exec = false, int at_least = 0);
  /// At exactly `fd`, closing what was there; EBADF for a number outside of the limit.
  Result<int> put(int fd, FilePtr file, bool close_on_exec = false);
  Result<void> close(int fd);
  Result<bool> close_on_exec(int fd) const;
  Result<void> set_close_on_exec(int fd, bool close_on_exec);

  void close_all() { slots_.clear(); }
  void close_for_exec();
  /// Numbers that are open, ascending.
  std::vector<int> numbers() const;
  int limit() const { return limit_; }
  /// What is open beyond a lowered limit stays open.
  void set_limit(int limit) { limit_ = limit; }

 private:
  struct Slot {
    FilePtr file;
    bool close_on_exec = false;
  };
  bool is_open(int fd) const;

  std::vector<Slot> slots_;
  int limit_;
};

}  // namespace sandproof::machine
