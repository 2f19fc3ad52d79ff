// SPDX-License-Identifier: Apache-2.0
// Images: root trees that boxes begin with and share until they write, and what goes with them. One
// thread per machine.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "fakes/machine/machine.h"
#include "fakes/machine/vfs/tree.h"
#include "fakes/machine/vfs/vfs.h"

namespace sandproof::machine {

/// A kind of base image, as people use them.
struct ImageProfile {
  std::string_view name;
  std::string_view about;
  /// Where the programs are; empty for an image without any.
  std::string_view programs_in;
  Uid uid = 0;
  std::string_view home = "/root";
  std::string_view cwd = "/";
  /// Nothing can be written but below /tmp and /run, which are in memory of their own.
  bool read_only_root = false;
};

/// busybox (the default, first), coreutils, distroless, nonroot, readonly.
std::span<const ImageProfile> image_profiles();
/// Null if there is none.
const ImageProfile* find_image_profile(std::string_view name);

/// A value; copies share the tree.
struct Image {
  TreeSnapshot root;
  Credentials user;
  Strings env;
  std::string cwd = "/";
  bool read_only_root = false;
};

/// With a file for each of the programs, if the profile has programs; `more` are names of programs
/// that even one without gets, in /bin (a plugged one, say). All files are of `now`.
Image make_image(const ImageProfile& profile, std::span<const ProgramRow> programs,
                 const Strings& more, TimeNs now);

struct ImageBoxLimits {
  /// Of what the box writes, beyond what its image has: ENOSPC.
  std::uint64_t bytes = std::uint64_t{1} << 30;
  std::uint64_t inodes = 100'000;
  /// Of each of the volumes that are in memory (/tmp and /run of a read-only root), bytes.
  std::uint64_t memory_bytes = std::uint64_t{64} << 20;
};

/// A box with the file system of an image. The tree is that of its root: its snapshot is an image.
struct ImageBox {
  Box* box = nullptr;
  std::shared_ptr<Tree> root;
  std::shared_ptr<Vfs> files;
};

/// `options` without files and proc, which are set here: the root, /proc, and the name of the host
/// in /etc. Throws std::invalid_argument as make_box() does, and for an image without /proc or
/// /etc.
ImageBox make_image_box(Machine& machine, const Image& image, BoxOptions options,
                        const ImageBoxLimits& limits = {});

}  // namespace sandproof::machine
