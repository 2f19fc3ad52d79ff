// SPDX-License-Identifier: Apache-2.0
// The operations as calls of the machine's file system; see vfs_play.h.
#include <algorithm>
#include <map>
#include <memory>

#include "fakes/machine/vfs/tree.h"
#include "fakes/machine/vfs/vfs.h"
#include "tests/machine/vfs_play.h"

namespace sandproof::machine::vfs_play {
namespace {

class MachineWorld {
 public:
  MachineWorld() : files_(std::make_shared<Tree>(1, TreeLimits{}, 0755, 0)), cwd_(files_.root()) {}

  std::string apply(const Op& op) {
    const User& user = kUsers[static_cast<std::size_t>(op.user)];
    caller_ = {user.uid, user.gid, user.groups, 1, ++now_};
    return op.call <= Call::kClose ? on_slot(op) : on_path(op);
  }

  void dump(const std::string& path, std::vector<std::string>& lines) {
    caller_ = {};
    const Result<NodePtr> node = files_.lookup({cwd_, path}, Follow::kNo, caller_);
    if (!node) {
      lines.push_back(path + " " + verdict(node.error()));
      return;
    }
    const Attributes file = files_.stat(**node).value();
    const auto number = numbers_.emplace(file.ino, numbers_.size()).first->second;
    std::string line = path + " #" + std::to_string(number) + " " + text_of_stat(file);
    if (file.type == FileType::kRegular) line += " " + digest(bytes_at(**node, 0, file.size));
    if (file.type == FileType::kSymlink) line += " " + *files_.read_link({cwd_, path}, caller_);
    lines.push_back(line);
    if (file.type != FileType::kDirectory) return;
    DirCursor cursor;
    const Result<std::vector<DirEntry>> entries = files_.list(**node, cursor, 1000, caller_);
    for (const DirEntry& entry : *entries) {
      if (entry.name == "." || entry.name == "..") continue;
      dump(path == "/" ? "/" + entry.name : path + "/" + entry.name, lines);
    }
  }

 private:
  static std::string verdict(Errno error) {
    return error == Errno::kOk ? "ok" : "error " + std::to_string(static_cast<int>(error));
  }

  static std::string text_of_stat(const Attributes& file) {
    static const std::map<FileType, std::string> kTypes = {{FileType::kDirectory, "dir "},
                                                           {FileType::kRegular, "file "},
                                                           {FileType::kSymlink, "link "},
                                                           {FileType::kFifo, "fifo "}};
    return kTypes.at(file.type) + std::to_string(file.mode) + " links " +
           std::to_string(file.links) + " of " + std::to_string(file.uid) + ":" +
           std::to_string(file.gid) + " size " +
           (file.type == FileType::kDirectory ? "-" : std::to_string(file.size));
  }

  std::string bytes_at(const Node& node, std::uint64_t offset, std::uint64_t count) {
    std::string bytes(count, '?');
    const auto got =
        files_.read(node, offset, std::as_writable_bytes(std::span(bytes)), caller_).value();
    return bytes.substr(0, got);
  }

  std::string on_slot(const Op& op) {
    Slot& slot = slots_[static_cast<std::size_t>(op.slot)];
    if (op.call == Call::kOpen) return open_into(slot, op);
    if (!slot.node) return "closed";
    const Attributes file = files_.stat(*slot.node).value();
    if (file.type == FileType::kFifo && op.call != Call::kClose) return "fifo";
    switch (op.call) {
      case Call::kWrite: {
        if (!slot.writes) return verdict(Errno::kBadf);
        const std::string bytes = bytes_of(op);
        const Result<std::size_t> count =
            files_.write(*slot.node, op.offset, std::as_bytes(std::span(bytes)), caller_);
        return count ? "wrote " + std::to_string(*count) : verdict(count.error());
      }
      case Call::kRead: {
        if (!slot.reads) return verdict(Errno::kBadf);
        std::string bytes(op.count, '?');
        const Result<std::size_t> count =
            files_.read(*slot.node, op.offset, std::as_writable_bytes(std::span(bytes)), caller_);
        return count ? "read " + digest(bytes.substr(0, *count)) : verdict(count.error());
      }
      case Call::kFtruncate:
        // The kernel's own check, before it asks a file system.
        if (!slot.writes) return verdict(Errno::kInval);
        return verdict(files_.truncate(*slot.node, op.offset, caller_).error());
      case Call::kFstat:
        return text_of_stat(file);
      default:
        slot = {};
        return "ok";
    }
  }

  struct Slot {
    NodePtr node;
    bool reads = false;
    bool writes = false;
  };

  std::string open_into(Slot& slot, const Op& op) {
    slot = {};
    OpenFlags flags;
    flags.write = (op.bits & kWrites) != 0;
    flags.read = (op.bits & kReads) != 0 || !flags.write;
    flags.create = (op.bits & kCreates) != 0;
    flags.exclusive = (op.bits & kExclusive) != 0;
    flags.truncate = (op.bits & kTruncates) != 0;
    flags.directory = (op.bits & kOnlyDirectory) != 0;
    flags.no_follow = (op.bits & kNoFollow) != 0;
    const Result<NodePtr> node = files_.open({cwd_, op.a}, flags, op.mode, caller_);
    if (!node) return verdict(node.error());
    const Attributes file = files_.stat(**node).value();
    if (file.type == FileType::kFifo && flags.write && !flags.read && !has_reader(file.ino)) {
      return verdict(Errno::kNxio);
    }
    slot = {*node, flags.read, flags.write};
    return "ok";
  }

  // What the kernel knows of FIFOs: opening one to write, without waiting, needs a reader.
  bool has_reader(Ino fifo) const {
    return std::ranges::any_of(slots_, [&](const Slot& slot) {
      return slot.node && slot.reads && files_.stat(*slot.node)->ino == fifo;
    });
  }

  std::string on_path(const Op& op) {
    const PathAt a{cwd_, op.a};
    const PathAt b{cwd_, op.b};
    switch (op.call) {
      case Call::kStat:
      case Call::kLstat: {
        const Follow follow = op.call == Call::kStat ? Follow::kYes : Follow::kNo;
        const Result<NodePtr> node = files_.lookup(a, follow, caller_);
        return node ? text_of_stat(*files_.stat(**node)) : verdict(node.error());
      }
      case Call::kAccess: {
        const AccessMask mask{(op.bits & 4) != 0, (op.bits & 2) != 0, (op.bits & 1) != 0};
        return verdict(files_.access(a, mask, caller_).error());
      }
      case Call::kMkdir:
        return verdict(files_.make_directory(a, op.mode, caller_).error());
      case Call::kMkfifo: {
        const NewSpecial fifo{FileType::kFifo, DeviceKind::kNone, op.mode};
        return verdict(files_.make_special(a, fifo, caller_).error());
      }
      case Call::kSymlink:
        return verdict(files_.make_symlink(op.a, b, caller_).error());
      case Call::kLink: {
        const Follow follow = op.bits % 2 ? Follow::kYes : Follow::kNo;
        return verdict(files_.link(a, b, follow, caller_).error());
      }
      case Call::kUnlink:
        return verdict(files_.unlink(a, caller_).error());
      case Call::kRmdir:
        return verdict(files_.remove_directory(a, caller_).error());
      case Call::kRename:
        return verdict(files_.rename(a, b, caller_).error());
      case Call::kReadlink: {
        const Result<std::string> text = files_.read_link(a, caller_);
        return text ? *text : verdict(text.error());
      }
      case Call::kTruncate:
        return verdict(files_.truncate(a, op.offset, caller_).error());
      default:
        return on_attributes(op, a);
    }
  }

  std::string on_attributes(const Op& op, PathAt a) {
    const User& other = kUsers[op.count % kUsers.size()];
    NewOwner owner;
    if ((op.bits & 1) != 0) owner.uid = other.uid;
    if ((op.bits & 2) != 0) owner.gid = other.gid;
    if (op.call == Call::kGetcwd) {
      const Result<std::string> path = files_.path_of(*cwd_);
      return path ? *path : verdict(path.error());
    }
    if (op.call == Call::kChdir) {
      const Result<NodePtr> node = files_.change_directory(a, caller_);
      if (node) cwd_ = *node;
      return verdict(node.error());
    }
    if (op.call == Call::kList) return listing(a);
    const Follow follow = op.call == Call::kLchown ? Follow::kNo : Follow::kYes;
    const Result<NodePtr> node = files_.lookup(a, follow, caller_);
    if (!node) return verdict(node.error());
    if (op.call == Call::kChmod) {
      return verdict(files_.change_mode(**node, op.mode, caller_).error());
    }
    return verdict(files_.change_owner(**node, owner, caller_).error());
  }

  std::string listing(PathAt path) {
    const Result<NodePtr> node = files_.open(path, {.read = true, .directory = true}, 0, caller_);
    if (!node) return verdict(node.error()) + " ";
    std::string told;
    DirCursor cursor;
    for (;;) {
      // In small portions, so that the cursor is used.
      const Result<std::vector<DirEntry>> some = files_.list(**node, cursor, 2, caller_);
      if (!some || some->empty()) return told;
      for (const DirEntry& entry : *some) told += entry.name + " ";
    }
  }

  Vfs files_;
  NodePtr cwd_;
  Caller caller_;
  TimeNs now_ = 0;
  std::array<Slot, kSlots> slots_;
  std::map<Ino, std::size_t> numbers_;
};

}  // namespace

std::vector<std::string> play_in_machine(const std::vector<Op>& ops) {
  MachineWorld world;
  std::vector<std::string> lines;
  for (const Op& op : ops) lines.push_back(world.apply(op));
  world.dump("/", lines);
  return lines;
}

}  // namespace sandproof::machine::vfs_play
