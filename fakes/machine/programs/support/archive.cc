// SPDX-License-Identifier: Apache-2.0
// Over libarchive.
#include "fakes/machine/programs/support/archive.h"

#include <archive.h>
#include <archive_entry.h>

#include <array>
#include <new>

#include "fakes/machine/programs/support/modes.h"
#include "fakes/machine/vfs/devices.h"

namespace sandproof::machine::programs {
namespace {

constexpr std::int64_t kNsPerArchiveSecond = 1'000'000'000;
// A tar's unit; busybox writes no padding beyond it.
constexpr int kTarBlockBytes = 512;

struct EntryCloser {
  void operator()(::archive_entry* entry) const { ::archive_entry_free(entry); }
};

::la_ssize_t append_bytes(::archive* /*handle*/, void* to, const void* bytes, std::size_t count) {
  static_cast<std::string*>(to)->append(static_cast<const char*>(bytes), count);
  return static_cast<::la_ssize_t>(count);
}

std::string text_or_empty(const char* text) { return text != nullptr ? text : ""; }

}  // namespace

struct ArchiveWriter::State {
  struct Closer {
    void operator()(::archive* it) const { ::archive_write_free(it); }
  };
  std::string bytes;
  std::unique_ptr<::archive, Closer> handle{::archive_write_new()};
};

ArchiveWriter::ArchiveWriter(Compression compression) : state_(std::make_unique<State>()) {
  ::archive* const handle = state_->handle.get();
  if (handle == nullptr) throw std::bad_alloc();
  ::archive_write_set_format_gnutar(handle);
  if (compression == Compression::kGzip) {
    ::archive_write_add_filter_gzip(handle);
    // The same bytes in two runs.
    ::archive_write_set_filter_option(handle, "gzip", "timestamp", nullptr);
  }
  if (compression == Compression::kBzip2) ::archive_write_add_filter_bzip2(handle);
  if (compression == Compression::kXz) ::archive_write_add_filter_xz(handle);
  ::archive_write_set_bytes_per_block(handle, kTarBlockBytes);
  ::archive_write_set_bytes_in_last_block(handle, 1);
  ::archive_write_open(handle, &state_->bytes, nullptr, append_bytes, nullptr);
}

ArchiveWriter::~ArchiveWriter() = default;

bool ArchiveWriter::add(const ArchiveMember& member, std::string_view contents) {
  const std::unique_ptr<::archive_entry, EntryCloser> entry(::archive_entry_new());
  if (entry == nullptr) throw std::bad_alloc();
  ::archive_entry* const e = entry.get();
  ::archive_entry_set_pathname(e, member.name.c_str());
  ::archive_entry_set_mode(e, type_bits(member.type) | member.mode);
  ::archive_entry_set_uid(e, member.uid);
  ::archive_entry_set_gid(e, member.gid);
  ::archive_entry_set_uname(e, member.user.c_str());
  ::archive_entry_set_gname(e, member.group.c_str());
  ::archive_entry_set_mtime(e, member.modified / kNsPerArchiveSecond, 0);
  ::archive_entry_set_size(e, static_cast<::la_int64_t>(contents.size()));
  if (const DeviceRow* const device = find_device(member.device)) {
    ::archive_entry_set_rdevmajor(e, device->major);
    ::archive_entry_set_rdevminor(e, device->minor);
  }
  if (!member.symlink.empty()) ::archive_entry_set_symlink(e, member.symlink.c_str());
  if (!member.hard_link.empty()) ::archive_entry_set_hardlink(e, member.hard_link.c_str());
  if (::archive_write_header(state_->handle.get(), e) < ARCHIVE_WARN) return false;
  while (!contents.empty()) {
    const ::la_ssize_t count =
        ::archive_write_data(state_->handle.get(), contents.data(), contents.size());
    if (count <= 0) return false;
    contents.remove_prefix(static_cast<std::size_t>(count));
  }
  return true;
}

std::string ArchiveWriter::take() { return std::exchange(state_->bytes, {}); }

bool ArchiveWriter::finish() { return ::archive_write_close(state_->handle.get()) == ARCHIVE_OK; }

struct ArchiveReader::State {
  struct Closer {
    void operator()(::archive* it) const { ::archive_read_free(it); }
  };
  std::unique_ptr<::archive, Closer> handle{::archive_read_new()};
  bool failed = false;
};

ArchiveReader::ArchiveReader(std::string_view bytes) : state_(std::make_unique<State>()) {
  ::archive* const handle = state_->handle.get();
  if (handle == nullptr) throw std::bad_alloc();
  ::archive_read_support_format_tar(handle);
  ::archive_read_support_filter_gzip(handle);
  ::archive_read_support_filter_bzip2(handle);
  ::archive_read_support_filter_xz(handle);
  state_->failed = ::archive_read_open_memory(handle, bytes.data(), bytes.size()) != ARCHIVE_OK;
}

ArchiveReader::~ArchiveReader() = default;

bool ArchiveReader::failed() const { return state_->failed; }

std::optional<ArchiveMember> ArchiveReader::next() {
  if (state_->failed) return std::nullopt;
  ::archive_entry* e = nullptr;
  const int outcome = ::archive_read_next_header(state_->handle.get(), &e);
  if (outcome == ARCHIVE_EOF) return std::nullopt;
  if (outcome < ARCHIVE_WARN || ::archive_entry_pathname(e) == nullptr) {
    state_->failed = true;
    return std::nullopt;
  }
  ArchiveMember member;
  member.name = ::archive_entry_pathname(e);
  member.mode = ::archive_entry_perm(e);
  member.uid = static_cast<unsigned>(::archive_entry_uid(e));
  member.gid = static_cast<unsigned>(::archive_entry_gid(e));
  member.user = text_or_empty(::archive_entry_uname(e));
  member.group = text_or_empty(::archive_entry_gname(e));
  member.modified = ::archive_entry_mtime(e) * kNsPerArchiveSecond + ::archive_entry_mtime_nsec(e);
  member.size = static_cast<std::uint64_t>(::archive_entry_size(e));
  member.hard_link = text_or_empty(::archive_entry_hardlink(e));
  switch (::archive_entry_filetype(e)) {
    case AE_IFDIR:
      member.type = FileType::kDirectory;
      break;
    case AE_IFLNK:
      member.type = FileType::kSymlink;
      member.symlink = text_or_empty(::archive_entry_symlink(e));
      break;
    case AE_IFIFO:
      member.type = FileType::kFifo;
      break;
    case AE_IFCHR:
    case AE_IFBLK:
      member.type = FileType::kCharDevice;
      break;
    default:
      break;
  }
  return member;
}

std::optional<std::string> ArchiveReader::contents(std::size_t most) {
  std::string bytes;
  std::array<char, 65536> chunk;
  for (;;) {
    const ::la_ssize_t count =
        ::archive_read_data(state_->handle.get(), chunk.data(), chunk.size());
    if (count == 0) return bytes;
    if (count < 0 || bytes.size() + static_cast<std::size_t>(count) > most) {
      state_->failed = true;
      return std::nullopt;
    }
    bytes.append(chunk.data(), static_cast<std::size_t>(count));
  }
}

}  // namespace sandproof::machine::programs
