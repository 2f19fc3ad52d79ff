// SPDX-License-Identifier: Apache-2.0
// Packing; see tar.h.
#include <archive.h>
#include <archive_entry.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

#include <algorithm>
#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "fakes/machine/vfs/devices.h"
#include "fakes/machine/vfs/tar.h"

namespace sandproof::machine {
namespace {

constexpr TimeNs kPackSecond = 1'000'000'000;

struct Pending {
  NodePtr parent;
  std::string entry;  // Looked up there.
  std::string name;   // In the archive.
};

class Packer {
 public:
  Packer(Vfs& files, const PackOptions& options, const TarSink& sink)
      : files_(files), options_(options), sink_(sink), archive_(archive_write_new()) {}

  std::optional<TarFailure> pack(std::string_view path) {
    if (options_.format == TarFormat::kPax) {
      archive_write_set_format_pax(archive_.get());
    } else {
      archive_write_set_format_gnutar(archive_.get());
    }
    if (archive_write_open(archive_.get(), this, nullptr, &Packer::take, nullptr) != ARCHIVE_OK) {
      return failed(options_.name, Errno::kIo, archive_error_string(archive_.get()));
    }
    pending_.push_back({files_.root(), std::string(path), options_.name});
    while (!pending_.empty()) {
      const Pending next = std::move(pending_.back());
      pending_.pop_back();
      if (auto failure = pack_one(next)) return failure;
      if (auto failure = refused(next.name)) return failure;
    }
    if (archive_write_close(archive_.get()) != ARCHIVE_OK) {
      return failed(options_.name, Errno::kIo, archive_error_string(archive_.get()));
    }
    return refused(options_.name);
  }

 private:
  struct Free {
    void operator()(archive* it) const { archive_write_free(it); }
    void operator()(archive_entry* it) const { archive_entry_free(it); }
  };

  // Never fails: libarchive 3.6 frees nothing of an archive whose receiver did. What comes after a
  // refusal is dropped, and the packing ends with the entry, in refused().
  static la_ssize_t take(archive* /*it*/, void* self, const void* bytes, std::size_t count) {
    Packer& packer = *static_cast<Packer*>(self);
    const std::span<const std::byte> all(static_cast<const std::byte*>(bytes), count);
    if (!packer.refused_) packer.refused_ = !packer.sink_(all);
    return static_cast<la_ssize_t>(count);
  }

  std::optional<TarFailure> refused(const std::string& name) const {
    if (!refused_) return std::nullopt;
    return failed(name, Errno::kIo, "the receiver of the archive takes no more");
  }

  static TarFailure failed(const std::string& name, Errno error, const char* why) {
    const std::string reason = why != nullptr ? why : std::string(text_of(error));
    return {error, "cannot pack '" + name + "': " + reason};
  }

  std::optional<TarFailure> pack_one(const Pending& at) {
    const Result<NodePtr> node = files_.lookup({at.parent, at.entry}, Follow::kNo, caller_);
    if (!node) return failed(at.name, node.error(), nullptr);
    const Result<Attributes> file = files_.stat(**node);
    if (!file) return failed(at.name, file.error(), nullptr);
    if (!volume_) volume_ = file->volume;
    if (file->volume != *volume_) return std::nullopt;

    const std::unique_ptr<archive_entry, Free> entry(archive_entry_new());
    describe(*entry, *file, at.name);
    bool has_data = file->type == FileType::kRegular && file->size > 0;
    if (file->type == FileType::kSymlink) {
      const Result<std::string> target = files_.read_link({at.parent, at.entry}, caller_);
      if (!target) return failed(at.name, target.error(), nullptr);
      archive_entry_set_symlink(entry.get(), target->c_str());
    } else if (file->type != FileType::kDirectory && file->links > 1) {
      const auto [first, is_first] = linked_.emplace(file->ino, at.name);
      if (!is_first) {
        archive_entry_set_hardlink(entry.get(), first->second.c_str());
        archive_entry_set_size(entry.get(), 0);
        has_data = false;
      }
    }
    const std::vector<DataRange> ranges = has_data ? ranges_of(**node, *file) : no_ranges_;
    if (has_data) mark_holes(*entry, *file, ranges);
    // A warning is about names that are not text in the host's locale; their bytes are written.
    if (archive_write_header(archive_.get(), entry.get()) < ARCHIVE_WARN) {
      return failed(at.name, Errno::kIo, archive_error_string(archive_.get()));
    }
    if (has_data) return write_data(at, **node, *file);
    return file->type == FileType::kDirectory ? push_children(at, *node) : std::nullopt;
  }

  static void describe(archive_entry& entry, const Attributes& file, const std::string& name) {
    static const std::map<FileType, unsigned> kTypes = {{FileType::kRegular, AE_IFREG},
                                                        {FileType::kDirectory, AE_IFDIR},
                                                        {FileType::kSymlink, AE_IFLNK},
                                                        {FileType::kFifo, AE_IFIFO},
                                                        {FileType::kCharDevice, AE_IFCHR}};
    archive_entry_set_pathname(&entry, name.c_str());
    archive_entry_set_filetype(&entry, kTypes.at(file.type));
    archive_entry_set_perm(&entry, file.mode);
    archive_entry_set_uid(&entry, file.uid);
    archive_entry_set_gid(&entry, file.gid);
    // Downwards, so that the nanoseconds are none below zero.
    TimeNs seconds = file.modified / kPackSecond;
    if (file.modified % kPackSecond < 0) --seconds;
    archive_entry_set_mtime(&entry, seconds, file.modified - seconds * kPackSecond);
    if (file.type == FileType::kRegular) {
      archive_entry_set_size(&entry, static_cast<la_int64_t>(file.size));
    }
    if (const DeviceRow* device = find_device(file.device)) {
      archive_entry_set_rdev(&entry, makedev(device->major, device->minor));
    }
  }

  std::vector<DataRange> ranges_of(const Node& node, const Attributes& file) const {
    if (options_.format == TarFormat::kPax) return files_.data_of(node);
    return {{0, file.size}};
  }

  // Only where there are any: the marks make the archive one of GNU tar's sparse format. That the
  // data are whole blocks of 512 matters: GNU tar reads each part from a block of its own.
  static void mark_holes(archive_entry& entry, const Attributes& file,
                         const std::vector<DataRange>& ranges) {
    std::uint64_t data = 0;
    for (const DataRange& range : ranges) data += range.bytes;
    if (data == file.size) return;
    for (const DataRange& range : ranges) {
      archive_entry_sparse_add_entry(&entry, static_cast<la_int64_t>(range.offset),
                                     static_cast<la_int64_t>(range.bytes));
    }
    if (ranges.empty()) {
      archive_entry_sparse_add_entry(&entry, static_cast<la_int64_t>(file.size), 0);
    }
  }

  // The holes too: libarchive leaves out what was marked.
  std::optional<TarFailure> write_data(const Pending& at, const Node& node,
                                       const Attributes& file) {
    std::vector<std::byte> part(256 * 1024);
    for (std::uint64_t offset = 0; offset < file.size;) {
      const Result<std::size_t> got = files_.read(node, offset, part, caller_);
      if (!got) return failed(at.name, got.error(), nullptr);
      if (*got == 0) break;
      if (archive_write_data(archive_.get(), part.data(), *got) < 0) {
        return failed(at.name, Errno::kIo, archive_error_string(archive_.get()));
      }
      // Of a large file, nothing more is read for nobody.
      if (auto failure = refused(at.name)) return failure;
      offset += *got;
    }
    return std::nullopt;
  }

  std::optional<TarFailure> push_children(const Pending& at, const NodePtr& directory) {
    constexpr std::size_t kAtOnce = 256;
    const std::size_t first = pending_.size();
    DirCursor cursor;
    cursor.dots_given = 2;
    for (;;) {
      Result<std::vector<DirEntry>> some = files_.list(*directory, cursor, kAtOnce, caller_);
      if (!some) return failed(at.name, some.error(), nullptr);
      if (some->empty()) break;
      for (DirEntry& entry : *some) {
        std::string name = at.name + "/" + entry.name;
        pending_.push_back({directory, std::move(entry.name), std::move(name)});
      }
    }
    std::reverse(pending_.begin() + static_cast<std::ptrdiff_t>(first), pending_.end());
    return std::nullopt;
  }

  Vfs& files_;
  const PackOptions& options_;
  const TarSink& sink_;
  bool refused_ = false;
  const Caller caller_;
  const std::vector<DataRange> no_ranges_;
  std::vector<Pending> pending_;
  std::map<Ino, std::string> linked_;
  std::optional<std::uint64_t> volume_;
  std::unique_ptr<archive, Free> archive_;
};

}  // namespace

std::optional<TarFailure> pack_tar(Vfs& files, std::string_view path, const PackOptions& options,
                                   const TarSink& sink) {
  return Packer(files, options, sink).pack(path);
}

}  // namespace sandproof::machine
