// SPDX-License-Identifier: Apache-2.0
// Cutting paths and putting them together.
#include "fakes/machine/programs/support/paths.h"

namespace sandproof::machine::programs {

std::string_view without_slashes(std::string_view path) {
  while (path.size() > 1 && path.back() == '/') path.remove_suffix(1);
  return path;
}

std::string_view base_name(std::string_view path) {
  path = without_slashes(path);
  const std::size_t slash = path.rfind('/');
  if (slash == path.npos || path.size() == 1) return path;
  return path.substr(slash + 1);
}

std::string join_path(std::string_view directory, std::string_view name) {
  std::string joined(directory);
  if (joined.empty() || joined.back() != '/') joined += '/';
  while (name.size() > 1 && name.front() == '/') name.remove_prefix(1);
  joined += name;
  return joined;
}

bool ends_in_dots(std::string_view path) { return is_dots(base_name(path)); }

}  // namespace sandproof::machine::programs
