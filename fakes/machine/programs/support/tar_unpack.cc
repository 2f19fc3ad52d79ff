// SPDX-License-Identifier: Apache-2.0
// Unpacking and listing archives.
#include "fakes/machine/programs/support/tar_unpack.h"

#include <set>

#include "fakes/machine/printed.h"
#include "fakes/machine/programs/support/calendar.h"
#include "fakes/machine/programs/support/files.h"
#include "fakes/machine/programs/support/modes.h"
#include "fakes/machine/programs/support/paths.h"

namespace sandproof::machine::programs {
namespace {

// The least that an archive has.
constexpr std::size_t kLeastTarBytes = 512;

class TarUnpack {
 public:
  TarUnpack(Tool& tool, TarUnpackOptions options, Strings names)
      : tool_(tool),
        options_(std::move(options)),
        names_(std::move(names)),
        zone_(zone_of(tool.self)) {}

  Task<void> all(std::string_view bytes) {
    ArchiveReader reader(bytes);
    while (std::optional<ArchiveMember> member = reader.next()) {
      co_await tool_.self.yield_point();
      if (!wanted(member->name)) continue;
      if (!strip(*member)) continue;
      co_await tell(*member);
      if (options_.list) continue;
      if (!co_await place(reader, *member)) co_return;
    }
    if (reader.failed()) {
      std::string why = "invalid tar magic";
      if (bytes.size() < kLeastTarBytes) why = "short read";
      co_await tool_.fail(why);
      co_return;
    }
    for (const std::string& name : names_) {
      if (found_.contains(name)) continue;
      const std::string why = name + ": not found in archive";
      co_await tool_.fail(why);
      co_return;
    }
  }

 private:
  bool wanted(const std::string& member) {
    if (names_.empty()) return true;
    bool chosen = false;
    for (const std::string& name : names_) {
      const std::string plain(without_slashes(name));
      if (without_slashes(member) != plain && !member.starts_with(plain + "/")) continue;
      found_.insert(name);
      chosen = true;
    }
    return chosen;
  }

  /// False where nothing of the name is left.
  bool strip(ArchiveMember& member) const {
    for (std::uint64_t count = 0; count < options_.strip; ++count) {
      const std::size_t slash = member.name.find('/');
      if (slash == member.name.npos) return false;
      member.name.erase(0, slash + 1);
    }
    const std::size_t begin = member.name.find_first_not_of('/');
    if (begin == member.name.npos) return false;
    member.name.erase(0, begin);
    return !member.name.empty();
  }

  Task<void> tell(const ArchiveMember& member) {
    if (!options_.list && !options_.verbose) co_return;
    std::string line = member.name;
    if (options_.list && options_.verbose) {
      const bool names = !options_.numeric_owner && !member.user.empty();
      std::string owner = std::to_string(member.uid) + "/" + std::to_string(member.gid);
      if (names) owner = member.user + "/" + member.group;
      line = mode_text(member.type, member.mode) +
             printed(" %s %9llu ", owner.c_str(), static_cast<unsigned long long>(member.size)) +
             format_time("%Y-%m-%d %H:%M:%S ", member.modified, zone_) + member.name;
      if (!member.symlink.empty()) line += " -> " + member.symlink;
      if (!member.hard_link.empty()) line += " -> " + member.hard_link;
    }
    line += '\n';
    if (options_.to_stdout) {
      co_await tool_.write_error(line);
    } else {
      (void)co_await tool_.out.put(line);
    }
  }

  Task<bool> cannot(std::string what, Errno error) {
    co_await tool_.fail(std::move(what), error);
    co_return false;
  }

  Task<bool> place(ArchiveReader& reader, const ArchiveMember& member) {
    Process& self = tool_.self;
    std::string contents;
    if (member.type == FileType::kRegular && member.hard_link.empty()) {
      std::optional<std::string> bytes = reader.contents(kMaxHeldBytes);
      if (!bytes) {
        co_await tool_.fail("short read");
        co_return false;
      }
      contents = *std::move(bytes);
    }
    if (options_.to_stdout) {
      (void)co_await tool_.out.put(contents);
      co_return true;
    }
    // A name that leads out of the directory is not followed.
    if (("/" + member.name + "/").find("/../") != std::string::npos) {
      const std::string why = "name with '..' skipped: '" + member.name + "'";
      co_await tool_.say(why);
      co_return true;
    }
    const std::string path(without_slashes(member.name));
    if (!co_await make_parents(path)) co_return false;
    if (member.type != FileType::kDirectory && !options_.keep_existing) (void)self.unlink(path);
    if (!co_await make(path, member, contents)) co_return false;
    if (member.hard_link.empty()) restore(path, member);
    co_return true;
  }

  Task<bool> make_parents(std::string path) {
    for (std::size_t at = 1; (at = path.find('/', at)) != path.npos; ++at) {
      const std::string folder = path.substr(0, at);
      const Result<void> made = tool_.self.mkdir(folder, 0777);
      if (!made && made.error() != Errno::kExist) {
        co_return co_await cannot("can't create directory '" + folder + "'", made.error());
      }
    }
    co_return true;
  }

  Task<bool> make(std::string path, const ArchiveMember& member, std::string_view contents) {
    Process& self = tool_.self;
    if (!member.hard_link.empty()) {
      const Result<void> made = self.link(member.hard_link, path);
      if (made) co_return true;
      const std::string why = "can't create hardlink '" + path + "' to '" + member.hard_link + "'";
      co_await tool_.fail(why);
      co_return false;
    }
    Result<void> made = Errno::kPerm;
    switch (member.type) {
      case FileType::kDirectory:
        made = self.mkdir(path, member.mode);
        if (made.error() == Errno::kExist) made = {};
        if (!made) co_return co_await cannot("can't make dir " + path, made.error());
        co_return true;
      case FileType::kSymlink:
        made = self.symlink(member.symlink, path);
        break;
      case FileType::kFifo:
        made = self.mkfifo(path, member.mode);
        break;
      case FileType::kCharDevice:
        break;
      case FileType::kRegular:
        co_return co_await write_contents(std::move(path), member, contents);
    }
    if (!made) co_return co_await cannot("can't create node " + path, made.error());
    co_return true;
  }

  Task<bool> write_contents(std::string path, const ArchiveMember& member,
                            std::string_view contents) {
    OpenOptions options = kToOverwrite;
    options.flags.exclusive = options_.keep_existing;
    options.mode = member.mode;
    const Result<OwnedFd> file = co_await open_output(tool_.self, path, options);
    if (!file) co_return co_await cannot("can't open '" + path + "'", file.error());
    const Errno error = co_await write_all(tool_.self, file->get(), contents);
    if (error != Errno::kOk) co_return co_await cannot("write error", error);
    co_return true;
  }

  void restore(const std::string& path, const ArchiveMember& member) {
    Process& self = tool_.self;
    if (options_.keep_owners) {
      (void)self.chown(path, {.uid = member.uid, .gid = member.gid}, Follow::kNo);
    }
    if (member.type == FileType::kSymlink) return;
    if (options_.keep_modes) (void)self.chmod(path, member.mode);
    if (options_.keep_times) {
      (void)self.utimens(path, {.accessed = member.modified, .modified = member.modified});
    }
  }

  Tool& tool_;
  TarUnpackOptions options_;
  Strings names_;
  std::set<std::string> found_;
  Zone zone_;
};

Task<void> unpack_all(Tool& tool, TarUnpackOptions options, std::string_view archive,
                      Strings names) {
  if (!options.folder.empty()) {
    const Result<void> moved = tool.self.chdir(options.folder);
    if (!moved) {
      const std::string what = "can't change directory to '" + options.folder + "'";
      co_await tool.fail(what, moved.error());
      co_return;
    }
  }
  TarUnpack unpack(tool, std::move(options), std::move(names));
  co_await unpack.all(archive);
}

}  // namespace

Task<void> unpack_files(Tool& tool, TarUnpackOptions options, std::string_view archive,
                        Strings names) {
  return unpack_all(tool, std::move(options), archive, std::move(names));
}

}  // namespace sandproof::machine::programs
