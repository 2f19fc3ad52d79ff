// SPDX-License-Identifier: Apache-2.0
// One component after the other, each over all the paths that the ones before it gave: no
// recursion, so no depth of a pattern can overflow the stack.
#include "fakes/machine/shell/expand/pathname.h"

#include <algorithm>
#include <utility>

namespace sandproof::machine::shell {
namespace {

// A component of the path, and the slashes after it.
struct PathPart {
  std::string_view name;
  std::string_view slashes;
};

std::vector<PathPart> parts_of_path(std::string_view pattern) {
  std::vector<PathPart> parts;
  std::size_t at = 0;
  while (at < pattern.size()) {
    const std::size_t slash = std::min(pattern.find('/', at), pattern.size());
    const std::size_t after = std::min(pattern.find_first_not_of('/', slash), pattern.size());
    std::string_view name = pattern.substr(at, slash - at);
    // A backslash before a slash quotes nothing that needs it.
    if (slash < pattern.size() && name.ends_with('\\') && !name.ends_with("\\\\")) {
      name.remove_suffix(1);
    }
    parts.push_back({name, pattern.substr(slash, after - slash)});
    at = after;
  }
  return parts;
}

void add_matches(const std::string& directory, const Pattern& pattern, std::string_view slashes,
                 const DirectoryReader& reader, std::vector<std::string>& found) {
  auto names = reader.names_of(directory);
  if (!names) return;
  if (pattern.begins_with_dot()) {
    for (const std::string_view own : {".", ".."}) {
      if (std::find(names->begin(), names->end(), own) == names->end()) names->emplace_back(own);
    }
  }
  for (const std::string& name : *names) {
    if (name.starts_with('.') && !pattern.begins_with_dot()) continue;
    if (!pattern.matches(name) || found.size() >= kMaxPathnames) continue;
    std::string path = directory + name;
    // What a slash follows must be a directory; one that cannot be read is one, too.
    if (!slashes.empty() && !reader.exists(path + "/")) continue;
    found.push_back(std::move(path) + std::string(slashes));
  }
}

}  // namespace

std::vector<std::string> expand_pathname(std::string_view pattern, const DirectoryReader& reader,
                                         Caret caret) {
  std::vector<std::string> paths = {""};
  bool magic = false;
  // Whether plain text was added after a match: then what it names has to be there.
  bool unchecked = false;
  for (const PathPart& part : parts_of_path(pattern)) {
    const Pattern component(part.name, caret);
    if (!component.has_magic()) {
      const std::string text = unquote_pattern(part.name) + std::string(part.slashes);
      for (std::string& path : paths) path += text;
      unchecked = magic;
      continue;
    }
    magic = true;
    unchecked = false;
    std::vector<std::string> found;
    for (const std::string& path : paths) {
      add_matches(path, component, part.slashes, reader, found);
    }
    paths = std::move(found);
  }
  if (!magic) return {};
  if (unchecked)
    std::erase_if(paths, [&](const std::string& path) { return !reader.exists(path); });
  std::sort(paths.begin(), paths.end());
  return paths;
}

}  // namespace sandproof::machine::shell
