// SPDX-License-Identifier: Apache-2.0
// Open files of a file system.
#include "fakes/machine/open_node.h"

#include <algorithm>
#include <cstring>
#include <limits>

namespace sandproof::machine {

Caller caller_of(const Credentials& credentials, int pid, const Clock& clock) {
  return {.uid = credentials.uid,
          .gid = credentials.gid,
          .groups = credentials.groups,
          .pid = pid,
          .now = clock.wall().count()};
}

Caller OpenNode::caller() const { return caller_of(*owner_.credentials, 0, owner_.clock); }

Result<std::size_t> OpenNode::try_read(std::span<std::byte> into) {
  if (!may_read()) return Errno::kBadf;
  if (offset_ == 0) {
    Result<std::optional<std::string>> text = owner_.files.text_of(*node_, caller());
    if (!text) return text.error();
    text_ = *std::move(text);
  }
  if (text_) {
    if (offset_ >= text_->size()) return std::size_t{0};
    const std::size_t count = std::min(into.size(), text_->size() - offset_);
    std::memcpy(into.data(), text_->data() + offset_, count);
    offset_ += count;
    return count;
  }
  const Result<std::size_t> count = owner_.files.read(*node_, offset_, into, caller());
  if (count) offset_ += *count;
  return count;
}

Result<std::size_t> OpenNode::try_write(std::span<const std::byte> from) {
  if (!may_write()) return Errno::kBadf;
  if (append_) {
    const Result<Attributes> attributes = owner_.files.stat(*node_);
    if (!attributes) return attributes.error();
    offset_ = attributes->size;
  }
  const Result<std::size_t> count = owner_.files.write(*node_, offset_, from, caller());
  if (count) offset_ += *count;
  return count;
}

Result<std::uint64_t> OpenNode::seek(std::int64_t by, Whence whence) {
  std::uint64_t base = 0;
  if (whence == Whence::kCurrent) base = offset_;
  if (whence == Whence::kEnd) {
    const Result<Attributes> attributes = owner_.files.stat(*node_);
    if (!attributes) return attributes.error();
    base = attributes->size;
  }
  const auto from = static_cast<std::int64_t>(base);
  if (by > std::numeric_limits<std::int64_t>::max() - from) return Errno::kOverflow;
  if (from + by < 0) return Errno::kInval;
  offset_ = static_cast<std::uint64_t>(from + by);
  // Of a directory only its beginning is a place to go to.
  if (offset_ == 0) cursor_ = {};
  return offset_;
}

std::string OpenNode::describe() const { return owner_.files.shown_path(*node_); }

Result<std::vector<DirEntry>> OpenNode::list(std::size_t limit) {
  return owner_.files.list(*node_, cursor_, limit, caller());
}

}  // namespace sandproof::machine
