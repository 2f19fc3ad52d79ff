// SPDX-License-Identifier: Apache-2.0
// See transfer.h.
#include "flavors/memory/transfer.h"

#include <vector>

#include "flavors/memory/box_file.h"
#include "flavors/memory/host_file.h"
#include "sandproof/errors.h"
#include "sandproof/words.h"

namespace sandproof::memory {
namespace {

using machine::Errno;
using machine::Machine;
using Kind = BoxTrouble::Kind;

// Large enough that the ways to the machine's thread and back do not matter, small enough that the
// processes of other environments are not held up.
constexpr std::size_t kPiece = std::size_t{256} << 10U;
constexpr int kTokenDigits = 16;

std::string machine_reason(Errno error) { return std::string(machine::text_of(error)); }

std::string remote_name(const std::string& id, const std::string& remote) {
  if (remote.empty()) throw InvalidArgumentError("the remote path is empty; name a file");
  if (remote.find('\0') != remote.npos) {
    throw InvalidArgumentError("the remote path " + quote_word(remote) + " has a NUL in it");
  }
  return quote_word(remote) + " in session " + id;
}

[[noreturn]] void fail_target(const TransferNames& names, const BoxTrouble& trouble) {
  switch (trouble.kind) {
    case Kind::kIsDirectory:
      names.fail("the target is a directory; name a file in it");
    case Kind::kNotRegular:
      names.fail("the target is not a regular file");
    default:
      names.fail("the target cannot be written (" + machine_reason(trouble.error) + ")");
  }
}

[[noreturn]] void fail_source(const TransferNames& names, const BoxTrouble& trouble) {
  switch (trouble.kind) {
    case Kind::kIsDirectory:
      names.fail("the source is a directory");
    case Kind::kNotRegular:
      names.fail("the source is not a regular file");
    default:
      break;
  }
  if (trouble.error == Errno::kNoent || trouble.error == Errno::kNotdir) {
    throw NotFoundError("cannot download " + names.source + ": there is no such file (" +
                        machine_reason(trouble.error) + ")");
  }
  names.fail("the source cannot be read (" + machine_reason(trouble.error) + ")");
}

/// A file of an environment that is written beside its target; removed unless committed.
class Upload {
 public:
  Upload(World& world, std::string id, const TransferNames& names)
      : world_(world), id_(std::move(id)), names_(names) {}
  ~Upload() {
    if (file_.node == nullptr) return;
    // A node is the machine's: it goes in its thread, also where the environment is gone.
    try {
      world_.loop().call([&](Machine&) { file_.node = nullptr; });
      if (committed_) return;
      world_.with_box(id_, [&](Machine& machine, Box& box) { remove_aside(machine, box, file_); });
    } catch (const std::exception&) {
      // The environment is gone, and the file with it.
    }
  }
  Upload(const Upload&) = delete;
  Upload& operator=(const Upload&) = delete;

  void begin(const std::string& remote, const std::string& token) {
    BoxTrouble trouble;
    world_.with_box(id_, [&](Machine& machine, Box& box) {
      trouble = find_target(machine, box, remote, target_);
      if (trouble.kind != Kind::kNone) return;
      trouble.error = open_aside(machine, box, target_, token, file_);
      if (trouble.error != Errno::kOk) trouble.kind = Kind::kErrno;
    });
    if (trouble.kind != Kind::kNone) fail_target(names_, trouble);
  }
  void append(std::span<const std::byte> bytes) {
    check(world_.with_box(
        id_, [&](Machine& machine, Box& box) { return append_aside(machine, box, file_, bytes); }));
  }
  void commit(std::uint32_t mode) {
    check(world_.with_box(id_, [&](Machine& machine, Box& box) {
      return commit_aside(machine, box, file_, target_, mode);
    }));
    committed_ = true;
  }

 private:
  void check(Errno error) const {
    if (error != Errno::kOk) fail_target(names_, {Kind::kErrno, error});
  }

  World& world_;
  const std::string id_;
  const TransferNames& names_;
  BoxTarget target_;
  AsideBoxFile file_;
  bool committed_ = false;
};

}  // namespace

void upload_file(World& world, const std::string& id, IdSource& ids,
                 const std::filesystem::path& local, const std::string& remote) {
  const TransferNames names{"upload", quote_word(local.string()), remote_name(id, remote)};
  HostSource source(names, local);
  Upload upload(world, id, names);
  upload.begin(remote, ids.hex(kTokenDigits));
  std::vector<std::byte> piece(kPiece);
  while (const std::size_t count = source.read(piece)) {
    upload.append(std::span(piece).first(count));
  }
  upload.commit(source.mode());
}

void download_file(World& world, const std::string& id, IdSource& ids, const std::string& remote,
                   const std::filesystem::path& local) {
  const TransferNames names{"download", remote_name(id, remote), quote_word(local.string())};
  BoxSource source;
  // Held in the machine's thread, and let go there.
  const auto let_go = [&](const void*) {
    world.loop().call([&](Machine&) { source.node = nullptr; });
  };
  const std::unique_ptr<const BoxSource, decltype(let_go)> holder(&source, let_go);
  const BoxTrouble trouble = world.with_box(
      id, [&](Machine& machine, Box& box) { return open_source(machine, box, remote, source); });
  if (trouble.kind != Kind::kNone) fail_source(names, trouble);
  HostTarget target(names, ids, local);
  std::vector<std::byte> piece(kPiece);
  for (std::uint64_t offset = 0;;) {
    const machine::Result<std::size_t> count = world.with_box(id, [&](Machine& machine, Box& box) {
      return box.parts.files->read(*source.node, offset, piece, box.caller(machine));
    });
    if (!count) fail_source(names, {Kind::kErrno, count.error()});
    if (*count == 0) break;
    target.write(std::span(piece).first(*count));
    offset += *count;
  }
  target.commit(source.mode);
}

}  // namespace sandproof::memory
