// SPDX-License-Identifier: Apache-2.0
// Files of an environment, as its user may use them. In the machine's thread.
#pragma once

#include <cstddef>
#include <span>
#include <string>

#include "flavors/memory/world.h"

namespace sandproof::memory {

/// The working directory, with what is missing of it, for the environment's user. Below a root that
/// cannot be written it is a volume of its own, of at most `bytes` more than it begins with: that
/// is `saved`, or empty where that is null.
machine::Errno make_workdir(machine::Machine& machine, Box& box, const machine::TreeSnapshot* saved,
                            std::uint64_t bytes);

/// A place for a file: its directory is there, and nothing but a regular file has its name.
struct BoxTarget {
  std::string directory;  // Absolute.
  std::string name;
};

/// What stands in the way of an upload.
struct BoxTrouble {
  enum class Kind : unsigned char { kNone, kErrno, kIsDirectory, kNotRegular };
  Kind kind = Kind::kNone;
  machine::Errno error = machine::Errno::kOk;
};

/// Follows links in the last component; makes directories that are missing. `remote` may be
/// relative to the working directory.
BoxTrouble find_target(machine::Machine& machine, Box& box, const std::string& remote,
                       BoxTarget& target);

/// A regular file to be read, and how many bytes it says it has.
struct BoxSource {
  machine::NodePtr node;
  std::uint32_t mode = 0;
};
BoxTrouble open_source(machine::Machine& machine, Box& box, const std::string& remote,
                       BoxSource& source);

/// A file that is written beside its target; removed unless it was committed.
struct AsideBoxFile {
  std::string path;
  machine::NodePtr node;
  std::uint64_t size = 0;
};
machine::Errno open_aside(machine::Machine& machine, Box& box, const BoxTarget& target,
                          const std::string& token, AsideBoxFile& file);
/// Long runs of zeroes become holes.
machine::Errno append_aside(machine::Machine& machine, Box& box, AsideBoxFile& file,
                            std::span<const std::byte> bytes);
machine::Errno commit_aside(machine::Machine& machine, Box& box, const AsideBoxFile& file,
                            const BoxTarget& target, std::uint32_t mode);
void remove_aside(machine::Machine& machine, Box& box, const AsideBoxFile& file);

}  // namespace sandproof::memory
