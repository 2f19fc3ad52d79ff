// SPDX-License-Identifier: Apache-2.0
// Making images, and boxes of them; see image.h.
#include "fakes/machine/images/image.h"

#include <fmt/format.h>

#include <array>
#include <stdexcept>

#include "fakes/machine/proc/proc_volume.h"
#include "fakes/machine/vfs/devices.h"
#include "fakes/machine/vfs/program_file.h"

namespace sandproof::machine {
namespace {

struct BaseDirectory {
  std::string_view path;
  std::uint32_t mode = 0755;
};

constexpr std::array kDirectories = {
    BaseDirectory{"/bin"},           BaseDirectory{"/dev"},        BaseDirectory{"/etc"},
    BaseDirectory{"/home"},          BaseDirectory{"/mnt"},        BaseDirectory{"/opt"},
    BaseDirectory{"/proc", 0555},    BaseDirectory{"/root", 0700}, BaseDirectory{"/run"},
    BaseDirectory{"/sys", 0555},     BaseDirectory{"/tmp", 01777}, BaseDirectory{"/usr"},
    BaseDirectory{"/usr/bin"},       BaseDirectory{"/usr/sbin"},   BaseDirectory{"/usr/local"},
    BaseDirectory{"/usr/local/bin"}, BaseDirectory{"/var"},        BaseDirectory{"/var/tmp", 01777},
};

struct BaseFile {
  std::string_view path;
  std::string_view text;
};

constexpr std::array kFiles = {
    BaseFile{"/etc/passwd",
             "root:x:0:0:root:/root:/bin/sh\n"
             "daemon:x:1:1:daemon:/usr/sbin:/bin/false\n"
             "user:x:1000:1000:user:/home/user:/bin/sh\n"
             "nobody:x:65534:65534:nobody:/nonexistent:/bin/false\n"
             "nonroot:x:65532:65532:nonroot:/home/nonroot:/bin/false\n"},
    BaseFile{"/etc/group",
             "root:x:0:\ndaemon:x:1:\nusers:x:100:\nuser:x:1000:\nnogroup:x:65534:\n"
             "nonroot:x:65532:\n"},
    BaseFile{"/etc/shells", "/bin/sh\n"},
    BaseFile{"/etc/nsswitch.conf", "passwd: files\ngroup: files\nhosts: files dns\n"},
    BaseFile{"/etc/resolv.conf", ""},
};

// Of an image that is being made: user 0 works in it, and what fails is a fault of the tables here.
class Building {
 public:
  explicit Building(TimeNs now)
      : tree_(std::make_shared<Tree>(0, TreeLimits{}, 0755, now)), files_(tree_) {
    caller_.now = now;
  }

  void directory(std::string_view path, std::uint32_t mode, Uid owner = 0) {
    check(files_.make_directory(at(path), mode, caller_), path);
    if (owner == 0) return;
    const Result<NodePtr> made = files_.lookup(at(path), Follow::kNo, caller_);
    check(files_.change_owner(**made, {owner, owner}, caller_), path);
  }
  void file(std::string_view path, std::string_view text, std::uint32_t mode) {
    write(files_, path, text, mode, caller_);
  }
  void link(std::string_view target, std::string_view path) {
    check(files_.make_symlink(target, at(path), caller_), path);
  }
  void devices() { check(make_devices(files_, "/dev", caller_.now), "/dev"); }
  TreeSnapshot finish() const { return tree_->snapshot(); }

  static void write(Vfs& files, std::string_view path, std::string_view text, std::uint32_t mode,
                    const Caller& caller) {
    const OpenFlags flags{.write = true, .create = true, .truncate = true};
    const NodePtr root = files.root();
    const Result<NodePtr> node = files.open({root, path}, flags, mode, caller);
    if (!node) fail(node.error(), path);
    const auto written = files.write(**node, 0, std::as_bytes(std::span(text)), caller);
    if (!written) fail(written.error(), path);
  }

 private:
  [[noreturn]] static void fail(Errno error, std::string_view path) {
    throw std::invalid_argument(fmt::format("the image cannot have {}: {}", path, text_of(error)));
  }
  static void check(const Result<void>& done, std::string_view path) {
    if (!done) fail(done.error(), path);
  }
  PathAt at(std::string_view path) {
    root_ = files_.root();
    return {root_, path};
  }

  std::shared_ptr<Tree> tree_;
  Vfs files_;
  Caller caller_;
  NodePtr root_;
};

// The search path of a shell that was told none.
constexpr std::string_view kPath =
    "PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";

}  // namespace

Image make_image(const ImageProfile& profile, std::span<const ProgramRow> programs,
                 const Strings& more, TimeNs now) {
  Building image(now);
  const bool merged = profile.programs_in == "/usr/bin";
  for (const auto& [path, mode] : kDirectories) {
    if (!merged || path != "/bin") image.directory(path, mode);
  }
  image.directory("/home/user", 0750, 1000);
  image.directory("/home/nonroot", 0700, 65532);
  if (merged) {
    image.link("usr/bin", "/bin");
    image.link("usr/sbin", "/sbin");
  }
  for (const auto& [path, text] : kFiles) image.file(path, text, 0644);
  image.file("/etc/os-release",
             fmt::format("NAME=machine\nID=machine\nVARIANT_ID={}\n", profile.name), 0644);
  image.devices();
  if (!profile.programs_in.empty()) {
    for (const ProgramRow& row : programs) {
      image.file(fmt::format("{}/{}", profile.programs_in, row.name), program_image(row.name),
                 0755);
    }
  }
  for (const std::string& name : more) image.file("/bin/" + name, program_image(name), 0755);
  return {.root = image.finish(),
          .user = {.uid = profile.uid, .gid = profile.uid},
          .env = {std::string(kPath), "HOME=" + std::string(profile.home)},
          .cwd = std::string(profile.cwd),
          .read_only_root = profile.read_only_root};
}

ImageBox make_image_box(Machine& machine, const Image& image, BoxOptions options,
                        const ImageBoxLimits& limits) {
  ImageBox made;
  const TreeLimits of_root{.bytes = image.root.blocks * kBlockBytes + limits.bytes,
                           .inodes = image.root.files + limits.inodes};
  made.root = std::make_shared<Tree>(machine.next_volume_id(), of_root, image.root);
  const Caller caller{.now = machine.clock().wall().count()};
  {
    Vfs writable(made.root);
    Building::write(writable, "/etc/hostname", options.hostname + "\n", 0644, caller);
    Building::write(writable, "/etc/hosts",
                    "127.0.0.1\tlocalhost\n127.0.1.1\t" + options.hostname + "\n", 0644, caller);
  }
  made.files = std::make_shared<Vfs>(made.root, image.read_only_root);
  auto proc = std::make_shared<ProcVolume>(machine.next_volume_id());
  const Result<void> mounted =
      made.files->mount({.point = "/proc", .volume = proc, .read_only = true, .type = "proc"});
  if (!mounted) throw std::invalid_argument("the image has no directory /proc for its processes");
  if (image.read_only_root) {
    const TreeLimits of_memory{.bytes = limits.memory_bytes, .inodes = limits.inodes};
    for (const auto& [point, mode] : {std::pair("/tmp", 01777U), std::pair("/run", 0755U)}) {
      auto volume = std::make_shared<Tree>(machine.next_volume_id(), of_memory, mode, caller.now);
      // An image without the directory has nothing to cover.
      (void)made.files->mount({.point = point, .volume = std::move(volume)});
    }
  }
  options.files = made.files;
  options.proc = std::move(proc);
  made.box = &machine.make_box(std::move(options));
  return made;
}

}  // namespace sandproof::machine
