// SPDX-License-Identifier: Apache-2.0
// See vfs_box.h.
#include "tests/machine/vfs_box.h"

namespace sandproof::machine {

Errno VfsBox::mkdir(std::string_view path, std::uint32_t mode) {
  return files.make_directory({files.root(), path}, mode, caller).error();
}

Errno VfsBox::put(std::string_view path, std::string_view bytes, std::uint32_t mode) {
  const OpenFlags flags{.write = true, .create = true, .truncate = true};
  const Result<NodePtr> node = files.open({files.root(), path}, flags, mode, caller);
  if (!node) return node.error();
  const auto written = files.write(**node, 0, std::as_bytes(std::span(bytes)), caller);
  if (!written) return written.error();
  return *written == bytes.size() ? Errno::kOk : Errno::kNospc;
}

Errno VfsBox::unlink(std::string_view path) {
  return files.unlink({files.root(), path}, caller).error();
}

Errno VfsBox::rename(std::string_view from, std::string_view to) {
  return files.rename({files.root(), from}, {files.root(), to}, caller).error();
}

Errno VfsBox::link(std::string_view from, std::string_view to) {
  return files.link({files.root(), from}, {files.root(), to}, Follow::kNo, caller).error();
}

Errno VfsBox::symlink(std::string_view target, std::string_view path) {
  return files.make_symlink(target, {files.root(), path}, caller).error();
}

Result<NodePtr> VfsBox::open(std::string_view path, OpenFlags flags) {
  return files.open({files.root(), path}, flags, 0644, caller);
}

std::string VfsBox::get(std::string_view path) {
  const Result<NodePtr> node = open(path, {.read = true});
  return node ? read(**node) : "<error " + std::to_string(static_cast<int>(node.error())) + ">";
}

std::string VfsBox::read(const Node& node) {
  std::string bytes(files.stat(node)->size, '?');
  const auto got = files.read(node, 0, std::as_writable_bytes(std::span(bytes)), caller);
  return got ? bytes.substr(0, *got) : "<unreadable>";
}

Attributes VfsBox::stat(std::string_view path) {
  const Result<NodePtr> node = files.lookup({files.root(), path}, Follow::kNo, caller);
  return node ? *files.stat(**node) : Attributes{};
}

}  // namespace sandproof::machine
