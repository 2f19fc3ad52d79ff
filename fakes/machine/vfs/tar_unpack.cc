// SPDX-License-Identifier: Apache-2.0
// Unpacking; see tar.h.
#include <archive.h>
#include <archive_entry.h>
#include <sys/sysmacros.h>

#include <memory>
#include <utility>
#include <vector>

#include "fakes/machine/vfs/devices.h"
#include "fakes/machine/vfs/tar.h"

namespace sandproof::machine {
namespace {

constexpr TimeNs kUnpackSecond = 1'000'000'000;

class Unpacker {
 public:
  Unpacker(Vfs& files, const TarSource& source, const UnpackOptions& options)
      : files_(files), source_(source), options_(options), archive_(archive_read_new()) {
    caller_.now = options.now;
  }

  std::optional<TarFailure> unpack(std::string_view directory) {
    directory_ = directory;
    const Result<NodePtr> at = files_.change_directory({files_.root(), directory}, caller_);
    if (!at) return failed("", at.error(), "");
    base_ = *at;
    base_path_ = files_.path_of(*base_).value_or("/");
    archive_read_support_format_tar(archive_.get());
    // Alone they read as an archive without entries.
    archive_read_support_format_empty(archive_.get());
    archive_read_support_filter_gzip(archive_.get());
    archive_read_support_filter_bzip2(archive_.get());
    archive_read_support_filter_xz(archive_.get());
    if (archive_read_open(archive_.get(), this, nullptr, &Unpacker::give, nullptr) != ARCHIVE_OK) {
      return failed("", Errno::kInval, archive_error_string(archive_.get()));
    }
    for (;;) {
      archive_entry* entry = nullptr;
      const int read = archive_read_next_header(archive_.get(), &entry);
      if (read == ARCHIVE_EOF) break;
      if (read < ARCHIVE_WARN) {
        return failed(name_, Errno::kInval, archive_error_string(archive_.get()));
      }
      if (auto failure = unpack_one(*entry)) return failure;
    }
    return set_directory_times();
  }

 private:
  struct Free {
    void operator()(archive* it) const { archive_read_free(it); }
  };

  struct Place {
    NodePtr parent;
    std::string entry;
  };

  static la_ssize_t give(archive*, void* self, const void** bytes) {
    const std::span<const std::byte> next = static_cast<Unpacker*>(self)->source_();
    *bytes = next.data();
    return static_cast<la_ssize_t>(next.size());
  }

  TarFailure failed(const std::string& name, Errno error, const char* why) const {
    std::string reason = why != nullptr && *why != '\0' ? why : std::string(text_of(error));
    if (reason.size() > 300) reason.resize(300);
    const std::string what = name.empty() ? "the archive" : "'" + name.substr(0, 300) + "'";
    return {error, "cannot unpack " + what + " into " + directory_ + ": " + reason};
  }

  // "a//./b/" is a, b; nothing of it is ".." afterwards.
  static std::optional<std::vector<std::string>> parts_of(const std::string& name) {
    std::vector<std::string> parts;
    for (std::size_t at = 0; at < name.size();) {
      const std::size_t end = std::min(name.find('/', at), name.size());
      std::string part = name.substr(at, end - at);
      at = end + 1;
      if (part == "..") return std::nullopt;
      if (!part.empty() && part != ".") parts.push_back(std::move(part));
    }
    return parts;
  }

  // The directory of the name, made as far as it is missing. No parts: the base itself.
  std::optional<TarFailure> place_of(const std::string& name, Place& place) {
    std::optional<std::vector<std::string>> parts = parts_of(name);
    if (!parts) return failed(name, Errno::kPerm, "the name leaves the directory by '..'");
    if (name.size() >= kPathMax) return failed(name, Errno::kNametoolong, "");
    place = {base_, "."};
    if (parts->empty()) return std::nullopt;
    place.entry = std::move(parts->back());
    parts->pop_back();
    for (const std::string& part : *parts) {
      Result<NodePtr> next = files_.change_directory({place.parent, part}, caller_);
      if (!next && next.error() == Errno::kNoent) {
        const Result<void> made = files_.make_directory({place.parent, part}, 0755, caller_);
        if (!made) return failed(name, made.error(), "");
        next = files_.change_directory({place.parent, part}, caller_);
      }
      if (!next) return failed(name, next.error(), "");
      place.parent = *next;
    }
    const Result<std::string> where = files_.path_of(*place.parent);
    const std::string below = base_path_ == "/" ? "/" : base_path_ + "/";
    if (!where || (*where != base_path_ && !where->starts_with(below))) {
      return failed(name, Errno::kPerm, "the name leaves the directory through a symbolic link");
    }
    return std::nullopt;
  }

  static std::string text(const char* bytes, const char* utf8) {
    // Without a locale, libarchive gives names that are not ASCII as UTF-8 alone.
    return bytes != nullptr ? bytes : utf8 != nullptr ? utf8 : "";
  }

  std::optional<TarFailure> unpack_one(archive_entry& entry) {
    name_ = text(archive_entry_pathname(&entry), archive_entry_pathname_utf8(&entry));
    if (name_.empty()) return failed("", Errno::kInval, "an entry has no name");
    if (++entries_ > options_.entries_max) {
      return failed(name_, Errno::kNospc, "the archive has more entries than allowed");
    }
    Place place;
    if (auto failure = place_of(name_, place)) return failure;
    const std::string linked =
        text(archive_entry_hardlink(&entry), archive_entry_hardlink_utf8(&entry));
    if (!linked.empty()) return make_link(place, linked);
    const unsigned type = archive_entry_filetype(&entry);
    if (place.entry == "." && type != AE_IFDIR) return failed(name_, Errno::kIsdir, "");
    if (type == AE_IFDIR) return make_directory(place, entry);
    if (auto failure = make_way(place)) return failure;
    switch (type) {
      case AE_IFREG:
        return make_file(place, entry);
      case AE_IFLNK:
        return make_symlink(place, entry);
      case AE_IFIFO:
        return make_special(place, entry, {FileType::kFifo, DeviceKind::kNone, 0600});
      case AE_IFCHR: {
        const dev_t number = archive_entry_rdev(&entry);
        const auto kind = device_of(major(number), minor(number));
        if (!kind) return failed(name_, Errno::kNotsup, "the machine has no such device");
        return make_special(place, entry, {FileType::kCharDevice, *kind, 0600});
      }
      default:
        return failed(name_, Errno::kNotsup, "the machine has no files of that type");
    }
  }

  // Takes away what has the name; a directory stays, and refuses what comes.
  std::optional<TarFailure> make_way(const Place& place) {
    const Result<void> gone = files_.unlink({place.parent, place.entry}, caller_);
    if (gone || gone.error() == Errno::kNoent) return std::nullopt;
    return failed(name_, gone.error(), "");
  }

  std::optional<TarFailure> make_link(const Place& place, const std::string& linked) {
    Place target;
    if (auto failure = place_of(linked, target)) return failure;
    const Result<NodePtr> from = files_.lookup({target.parent, target.entry}, Follow::kNo, caller_);
    if (!from) return failed(name_, from.error(), "");
    const Result<NodePtr> old = files_.lookup({place.parent, place.entry}, Follow::kNo, caller_);
    // A link to itself is there already.
    if (old && files_.stat(**old)->ino == files_.stat(**from)->ino) return std::nullopt;
    if (auto failure = make_way(place)) return failure;
    const Result<void> made = files_.link({target.parent, target.entry},
                                          {place.parent, place.entry}, Follow::kNo, caller_);
    return made ? std::nullopt : std::optional(failed(name_, made.error(), ""));
  }

  std::optional<TarFailure> make_directory(const Place& place, archive_entry& entry) {
    const Result<NodePtr> old = files_.lookup({place.parent, place.entry}, Follow::kNo, caller_);
    if (!old || files_.stat(**old)->type != FileType::kDirectory) {
      if (auto failure = make_way(place)) return failure;
      const Result<void> made = files_.make_directory({place.parent, place.entry}, 0755, caller_);
      if (!made) return failed(name_, made.error(), "");
    }
    const Result<NodePtr> node = files_.lookup({place.parent, place.entry}, Follow::kNo, caller_);
    if (!node) return failed(name_, node.error(), "");
    directories_.emplace_back(*node, modified(entry));
    return describe(**node, entry);
  }

  std::optional<TarFailure> make_symlink(const Place& place, archive_entry& entry) {
    const std::string target =
        text(archive_entry_symlink(&entry), archive_entry_symlink_utf8(&entry));
    const Result<void> made = files_.make_symlink(target, {place.parent, place.entry}, caller_);
    return made ? describe_at(place, entry) : failed(name_, made.error(), "");
  }

  std::optional<TarFailure> make_special(const Place& place, archive_entry& entry,
                                         NewSpecial what) {
    const Result<void> made = files_.make_special({place.parent, place.entry}, what, caller_);
    return made ? describe_at(place, entry) : failed(name_, made.error(), "");
  }

  std::optional<TarFailure> make_file(const Place& place, archive_entry& entry) {
    const OpenFlags flags{.write = true, .create = true, .exclusive = true};
    const Result<NodePtr> node = files_.open({place.parent, place.entry}, flags, 0600, caller_);
    if (!node) return failed(name_, node.error(), "");
    for (;;) {
      const void* bytes = nullptr;
      std::size_t count = 0;
      la_int64_t offset = 0;
      const int read = archive_read_data_block(archive_.get(), &bytes, &count, &offset);
      if (read == ARCHIVE_EOF) break;
      if (read < ARCHIVE_WARN) {
        return failed(name_, Errno::kInval, archive_error_string(archive_.get()));
      }
      const std::span<const std::byte> block(static_cast<const std::byte*>(bytes), count);
      if (auto failure = write_block(**node, block, static_cast<std::uint64_t>(offset))) {
        return failure;
      }
    }
    const auto size = static_cast<std::uint64_t>(archive_entry_size(&entry));
    const Result<void> sized = files_.truncate(**node, size, caller_);
    return sized ? describe(**node, entry) : failed(name_, sized.error(), "");
  }

  std::optional<TarFailure> write_block(const Node& node, std::span<const std::byte> block,
                                        std::uint64_t offset) {
    bytes_ += block.size();
    if (bytes_ > options_.bytes_max) {
      return failed(name_, Errno::kNospc, "the archive has more contents than allowed");
    }
    while (!block.empty()) {
      const Result<std::size_t> written = files_.write(node, offset, block, caller_);
      if (!written) return failed(name_, written.error(), "");
      offset += *written;
      block = block.subspan(*written);
    }
    return std::nullopt;
  }

  TimeNs modified(archive_entry& entry) const {
    if (!archive_entry_mtime_is_set(&entry)) return options_.now;
    // Seconds that do not fit, of a damaged archive, are far away in any case.
    constexpr TimeNs kFarthest = INT64_MAX / kUnpackSecond - 1;
    const TimeNs seconds = std::clamp<TimeNs>(archive_entry_mtime(&entry), -kFarthest, kFarthest);
    return seconds * kUnpackSecond + archive_entry_mtime_nsec(&entry);
  }

  std::optional<TarFailure> describe_at(const Place& place, archive_entry& entry) {
    const Result<NodePtr> node = files_.lookup({place.parent, place.entry}, Follow::kNo, caller_);
    return node ? describe(**node, entry) : failed(name_, node.error(), "");
  }

  std::optional<TarFailure> describe(const Node& node, archive_entry& entry) {
    NewOwner owner{0, 0};
    if (options_.keep_owners) {
      owner.uid = static_cast<std::uint32_t>(archive_entry_uid(&entry));
      owner.gid = static_cast<std::uint32_t>(archive_entry_gid(&entry));
    }
    const Result<void> owned = files_.change_owner(node, owner, caller_);
    if (!owned) return failed(name_, owned.error(), "");
    if (archive_entry_filetype(&entry) != AE_IFLNK) {
      const Result<void> moded = files_.change_mode(node, archive_entry_perm(&entry), caller_);
      if (!moded) return failed(name_, moded.error(), "");
    }
    return set_time(node, modified(entry));
  }

  std::optional<TarFailure> set_time(const Node& node, TimeNs time) {
    NewTimes times;
    times.accessed = times.modified = time;
    const Result<void> timed = files_.set_times(node, times, caller_);
    return timed ? std::nullopt : std::optional(failed(name_, timed.error(), ""));
  }

  // Last of all: what was made in them has changed theirs.
  std::optional<TarFailure> set_directory_times() {
    for (const auto& [node, time] : directories_) {
      if (files_.stat(*node)->links == 0) continue;
      if (auto failure = set_time(*node, time)) return failure;
    }
    return std::nullopt;
  }

  Vfs& files_;
  const TarSource& source_;
  const UnpackOptions& options_;
  Caller caller_;
  std::string directory_;
  NodePtr base_;
  std::string base_path_;
  std::string name_;
  std::uint64_t entries_ = 0;
  std::uint64_t bytes_ = 0;
  std::vector<std::pair<NodePtr, TimeNs>> directories_;
  std::unique_ptr<archive, Free> archive_;
};

}  // namespace

std::optional<TarFailure> unpack_tar(Vfs& files, std::string_view directory,
                                     const TarSource& source, const UnpackOptions& options) {
  return Unpacker(files, source, options).unpack(directory);
}

}  // namespace sandproof::machine
