// SPDX-License-Identifier: Apache-2.0
// One running command of the local flavor. See local_process.h.
#include "flavors/local/local_process.h"

#include <chrono>
#include <exception>

#include "flavors/local/pipe.h"
#include "flavors/local/tree.h"

namespace sandproof::local {

LocalProcess::LocalProcess(std::shared_ptr<ProcessTable> table, std::shared_ptr<Children> children,
                           std::shared_ptr<Child> child, Mark mark, Ends ends)
    : table_(std::move(table)),
      children_(std::move(children)),
      child_(std::move(child)),
      mark_(std::move(mark)),
      in_(ends.in.release()),
      out_(ends.out.release()),
      err_(ends.err.release()) {}

LocalProcess::~LocalProcess() {
  close_end(in_);
  close_end(out_);
  close_end(err_);
  if (!child_->poll()) {
    try {
      do_kill();
    } catch (const std::exception&) {
      // Nobody is left to be told; the command itself has been killed in any case.
    }
    child_->wait_until(std::chrono::steady_clock::now() + kKillLimit);
  }
  children_->forget(*child_);
}

void LocalProcess::close_end(End& end) noexcept { Descriptor(end.exchange(-1)).reset(); }

int LocalProcess::do_descriptor(Channel channel) const noexcept {
  switch (channel) {
    case Channel::kIn:
      return in_;
    case Channel::kOut:
      return out_;
    case Channel::kErr:
      return err_;
    case Channel::kExit:
      return child_->pidfd();
  }
  return -1;
}

IoResult LocalProcess::do_read(Stream stream, std::span<std::byte> buffer) noexcept {
  End& end = stream == Stream::kOut ? out_ : err_;
  const int fd = end;
  if (fd < 0) return IoResult::end();
  const IoResult result = read_pipe(fd, buffer);
  // Finished commands whose handle somebody keeps shall not cost two descriptors each.
  if (result.state == IoState::kEnd) close_end(end);
  return result;
}

std::optional<ExitStatus> LocalProcess::do_poll_exit() noexcept {
  auto status = child_->poll();
  if (status) children_->forget(*child_);
  return status;
}

void LocalProcess::do_kill() { kill_exec(*table_, *child_, mark_); }

IoResult LocalProcess::do_write(std::span<const std::byte> bytes) noexcept {
  const int fd = in_;
  if (fd < 0) return IoResult::end();
  return write_pipe(fd, bytes);
}

void LocalProcess::do_close_input() noexcept { close_end(in_); }

}  // namespace sandproof::local
