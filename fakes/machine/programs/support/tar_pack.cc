// SPDX-License-Identifier: Apache-2.0
// Packing files.
#include "fakes/machine/programs/support/tar_pack.h"

#include <map>

#include "fakes/machine/programs/support/files.h"
#include "fakes/machine/programs/support/paths.h"
#include "fakes/machine/programs/support/users.h"

namespace sandproof::machine::programs {
namespace {

class TarPack {
 public:
  TarPack(Tool& tool, TarPackOptions options, Users users)
      : tool_(tool),
        options_(std::move(options)),
        users_(std::move(users)),
        writer_(options_.compression) {}

  Task<void> all(Strings paths) {
    const Result<Attributes> own = tool_.self.stat_fd(options_.out);
    if (own && own->type == FileType::kRegular) archive_ = {own->volume, own->ino};
    for (const std::string& path : paths) {
      if (broken_) co_return;
      co_await add(path);
    }
    if (!writer_.finish()) co_await tool_.fail("can't finish the archive");
    co_await flush();
    if (failed_) {
      tool_.status = 1;
      co_await tool_.say("error exit delayed from previous errors");
    }
  }

 private:
  using FileKey = std::pair<std::uint64_t, Ino>;

  Task<void> flush() {
    if (broken_) co_return;
    const std::string bytes = writer_.take();
    const Errno error = co_await write_all(tool_.self, options_.out, bytes);
    if (error == Errno::kOk) co_return;
    broken_ = true;
    co_await tool_.fail("write error", error);
  }

  Task<void> complain(std::string path, Errno error) {
    failed_ = true;
    co_await tool_.fail(std::move(path), error);
  }

  Task<void> add(std::string path) {
    co_await tool_.self.yield_point();
    const Result<Attributes> file =
        tool_.self.stat(path, options_.follow ? Follow::kYes : Follow::kNo);
    if (!file) {
      co_await complain(path, file.error());
      co_return;
    }
    const FileKey key = {file->volume, file->ino};
    if (archive_ == key) {
      const std::string why = path + ": file is the archive; skipping";
      co_await tool_.say(why);
      co_return;
    }
    ArchiveMember member;
    member.name = co_await member_name(path);
    member.type = file->type;
    member.device = file->device;
    member.mode = file->mode;
    member.uid = file->uid;
    member.gid = file->gid;
    if (!options_.numeric_owner) {
      member.user = users_.user_text(file->uid);
      member.group = users_.group_text(file->gid);
    }
    member.modified = file->modified;
    std::string contents;
    if (!co_await fill(path, *file, member, contents)) co_return;
    if (options_.verbose) co_await tell(member.name);
    if (!member.name.empty() && !writer_.add(member, contents)) {
      co_await tool_.fail("can't pack '" + path + "'");
      broken_ = true;
      co_return;
    }
    co_await flush();
    if (file->type == FileType::kDirectory && options_.recursive) co_await below(path);
  }

  /// What its type has besides; false after a complaint.
  Task<bool> fill(std::string path, Attributes file, ArchiveMember& member, std::string& contents) {
    if (file.type == FileType::kDirectory) {
      if (!member.name.empty() && !member.name.ends_with('/')) member.name += '/';
      co_return true;
    }
    if (file.links > 1) {
      const auto [first, fresh] = names_.try_emplace({file.volume, file.ino}, member.name);
      if (!fresh) {
        member.hard_link = first->second;
        co_return true;
      }
    }
    if (file.type == FileType::kSymlink) {
      member.symlink = tool_.self.readlink(path).value_or("");
      co_return true;
    }
    if (file.type != FileType::kRegular) co_return true;
    Result<std::string> bytes = co_await read_file(tool_.self, path);
    if (!bytes) {
      co_await complain(path, bytes.error());
      co_return false;
    }
    contents = *std::move(bytes);
    member.size = contents.size();
    co_return true;
  }

  Task<std::string> member_name(std::string path) {
    std::size_t begin = path.find_first_not_of('/');
    if (begin == path.npos) begin = path.size();
    if (begin > 0 && !told_) {
      told_ = true;
      co_await tool_.say("removing leading '/' from member names");
    }
    co_return path.substr(begin);
  }

  /// Not among the bytes of the archive.
  Task<void> tell(std::string name) {
    name += '\n';
    if (options_.out == 1) {
      co_await tool_.write_error(name);
    } else {
      (void)co_await tool_.out.put(name);
    }
  }

  Task<void> below(std::string path) {
    const Result<Strings> names = co_await list_names(tool_.self, path);
    if (!names) {
      co_await complain(path, names.error());
      co_return;
    }
    for (const std::string& name : *names) {
      if (broken_) co_return;
      co_await add(join_path(path, name));
    }
  }

  Tool& tool_;
  TarPackOptions options_;
  Users users_;
  ArchiveWriter writer_;
  FileKey archive_ = {0, 0};
  std::map<FileKey, std::string> names_;  // Of files with several names: the first one.
  bool told_ = false;
  bool failed_ = false;
  bool broken_ = false;
};

Task<void> pack_all(Tool& tool, TarPackOptions options, Strings paths) {
  if (!options.folder.empty()) {
    const Result<void> moved = tool.self.chdir(options.folder);
    if (!moved) {
      const std::string what = "can't change directory to '" + options.folder + "'";
      co_await tool.fail(what, moved.error());
      co_return;
    }
  }
  Users users = co_await Users::load(tool.self);
  TarPack pack(tool, std::move(options), std::move(users));
  co_await pack.all(std::move(paths));
}

}  // namespace

Task<void> pack_files(Tool& tool, TarPackOptions options, Strings paths) {
  return pack_all(tool, std::move(options), std::move(paths));
}

}  // namespace sandproof::machine::programs
