// SPDX-License-Identifier: Apache-2.0
// The skeleton project of `init`, filled in from the embedded templates. Any thread.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace sandproof::apps {

struct SkeletonFile {
  /// Below the project's directory.
  std::filesystem::path path;
  std::string text;
  bool executable = false;
};

/// The names that a flavor's gives to files, functions and classes.
struct SkeletonNames {
  std::string flavor;      ///< "in-a-jail"
  std::string identifier;  ///< "in_a_jail"
  std::string type;        ///< "InAJail"
  std::string row;         ///< "in_a_jail_flavor"; "my_flavor" of `my-flavor`
};
/// Throws ProgramError (kUsage) for what cannot name a flavor.
SkeletonNames skeleton_names(const std::string& flavor);

/// `version`: the least that the project asks for, as find_package() takes it.
std::vector<SkeletonFile> skeleton_files(const SkeletonNames& names, const std::string& version);

/// All of them, or nothing: they are written beside `directory`, which then takes its place. Throws
/// ProgramError (kUsage): the directory is there and not empty, or cannot be made.
void write_skeleton(const std::filesystem::path& directory, const std::vector<SkeletonFile>& files);

}  // namespace sandproof::apps
