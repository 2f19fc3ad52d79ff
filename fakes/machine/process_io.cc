// SPDX-License-Identifier: Apache-2.0
// System calls on descriptors.
#include <deque>

#include "fakes/machine/block.h"
#include "fakes/machine/kernel.h"
#include "fakes/machine/pipe.h"

namespace sandproof::machine {

Task<Result<std::size_t>> Process::read(int fd, std::span<std::byte> into) {
  co_await yield_point();
  const Result<FilePtr> open = entry_.descriptors.get(fd);
  if (!open) co_return open.error();
  // Held here: another who closes the descriptor does not end this call.
  const FilePtr file = *open;
  for (;;) {
    const Result<std::size_t> count = file->try_read(into);
    if (count.error() != Errno::kAgain || file->nonblocking()) co_return count;
    if (!entry_.takeable().empty()) co_return Errno::kIntr;
    co_await Block(entry_, file->queue_for(Access::kRead));
  }
}

Task<Result<std::size_t>> Process::write(int fd, std::span<const std::byte> from) {
  co_await yield_point();
  const Result<FilePtr> open = entry_.descriptors.get(fd);
  if (!open) co_return open.error();
  const FilePtr file = *open;
  std::size_t done = 0;
  for (;;) {
    const Result<std::size_t> count = file->try_write(from.subspan(done));
    if (count) {
      done += *count;
      if (done == from.size() || *count == 0) co_return done;
      continue;
    }
    Errno error = count.error();
    if (error == Errno::kPipe) {
      // Also after a part, as Linux does: the part is told, if the signal does not end the writer.
      entry_.kernel.post_signal(entry_, Signal::kPipe, Origin::kInside);
      co_await yield_point();
    }
    if (error == Errno::kAgain && !file->nonblocking()) {
      if (entry_.takeable().empty()) {
        co_await Block(entry_, file->queue_for(Access::kWrite));
        continue;
      }
      error = Errno::kIntr;
    }
    if (done > 0) co_return done;
    co_return error;
  }
}

Task<Result<std::size_t>> Process::write(int fd, std::string_view text) {
  return write(fd, std::as_bytes(std::span(text)));
}

namespace {

/// Looks at each of what is polled, and counts those with something to tell.
std::size_t look_at(std::span<PollItem> items, const DescriptorTable& descriptors) {
  std::size_t count = 0;
  for (PollItem& item : items) {
    item.ready = {};
    item.invalid = false;
    if (item.fd < 0) continue;
    const Result<FilePtr> file = descriptors.get(item.fd);
    item.invalid = !file;
    if (file) {
      item.ready = (*file)->readiness();
      item.ready.readable = item.ready.readable && item.read;
      item.ready.writable = item.ready.writable && item.write;
    }
    if (item.invalid || item.ready != Readiness()) ++count;
  }
  return count;
}

}  // namespace

// Not unnamed: a frame of poll() has one, and frames have linkage.
namespace process_io_detail {

/// Stands in the queues of all that is polled. The files are held: their queues are in them.
class Watch {
 public:
  Watch(ProcessEntry& entry, std::span<const PollItem> items) {
    for (const PollItem& item : items) {
      const Result<FilePtr> file = entry.descriptors.get(item.fd);
      if (!file) continue;
      files_.push_back(*file);
      // In both: a hangup is told to who asked for nothing.
      stand(entry, (*file)->queue_for(Access::kRead));
      stand(entry, (*file)->queue_for(Access::kWrite));
    }
  }

 private:
  void stand(ProcessEntry& entry, WaitQueue* queue) {
    if (queue != nullptr) queue->add(waiters_.emplace_back(entry));
  }

  std::vector<FilePtr> files_;
  std::deque<ProcessWaiter> waiters_;
};

}  // namespace process_io_detail

Task<Result<std::size_t>> Process::poll(std::span<PollItem> items,
                                        std::optional<Nanoseconds> timeout) {
  co_await yield_point();
  std::optional<Nanoseconds> deadline;
  if (timeout) deadline = now() + *timeout;
  for (;;) {
    const std::size_t count = look_at(items, entry_.descriptors);
    if (count > 0) co_return count;
    if (deadline && now() >= *deadline) co_return std::size_t{0};
    if (!entry_.takeable().empty()) co_return Errno::kIntr;
    const process_io_detail::Watch watch(entry_, items);
    co_await Block(entry_, nullptr, deadline);
  }
}

Result<void> Process::close(int fd) {
  --entry_.budget;
  return entry_.descriptors.close(fd);
}

Result<int> Process::dup(int fd, int at_least, bool close_on_exec) {
  --entry_.budget;
  Result<FilePtr> file = entry_.descriptors.get(fd);
  if (!file) return file.error();
  return entry_.descriptors.add(*std::move(file), close_on_exec, at_least);
}

Result<int> Process::dup2(int fd, int to) {
  --entry_.budget;
  Result<FilePtr> file = entry_.descriptors.get(fd);
  if (!file) return file.error();
  if (fd == to) return fd;
  return entry_.descriptors.put(to, *std::move(file));
}

Result<PipeFds> Process::pipe(bool close_on_exec) {
  --entry_.budget;
  auto [read_end, write_end] =
      make_pipe(entry_.box.options().pipe_capacity, entry_.kernel.next_id());
  const Result<int> read_fd = entry_.descriptors.add(std::move(read_end), close_on_exec);
  if (!read_fd) return read_fd.error();
  const Result<int> write_fd = entry_.descriptors.add(std::move(write_end), close_on_exec);
  if (!write_fd) {
    (void)entry_.descriptors.close(*read_fd);
    return write_fd.error();
  }
  return PipeFds{.read = *read_fd, .write = *write_fd};
}

Result<std::uint64_t> Process::seek(int fd, std::int64_t by, Whence whence) {
  --entry_.budget;
  const Result<FilePtr> file = entry_.descriptors.get(fd);
  if (!file) return file.error();
  return (*file)->seek(by, whence);
}

Result<bool> Process::close_on_exec(int fd) const { return entry_.descriptors.close_on_exec(fd); }

Result<void> Process::set_close_on_exec(int fd, bool close_on_exec) {
  return entry_.descriptors.set_close_on_exec(fd, close_on_exec);
}

Result<void> Process::set_nonblocking(int fd, bool nonblocking) {
  const Result<FilePtr> file = entry_.descriptors.get(fd);
  if (!file) return file.error();
  (*file)->set_nonblocking(nonblocking);
  return {};
}

Result<FilePtr> Process::file(int fd) const { return entry_.descriptors.get(fd); }

std::vector<int> Process::open_fds() const { return entry_.descriptors.numbers(); }

int Process::file_limit() const { return entry_.descriptors.limit(); }

Result<void> Process::set_file_limit(int limit) {
  if (limit < 0) return Errno::kInval;
  if (limit > file_limit() && !credentials().root()) return Errno::kPerm;
  entry_.descriptors.set_limit(limit);
  return {};
}

}  // namespace sandproof::machine
