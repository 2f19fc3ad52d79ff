// SPDX-License-Identifier: Apache-2.0
// Where programs are.
#include "fakes/machine/shell/run/shell.h"

namespace sandproof::machine::shell {

std::string Shell::path() const {
  const std::string* const path = state.variables.get("PATH");
  return path == nullptr ? "" : *path;
}

Shell::Found Shell::find_program(const std::string& name, std::string_view search) {
  if (name.find('/') != std::string::npos) return {.path = name};
  const bool usual = search == path();
  if (usual) {
    if (state.hashed_path_changes != state.variables.path_changes()) state.hashed.clear();
    state.hashed_path_changes = state.variables.path_changes();
    const auto known = state.hashed.find(name);
    if (known != state.hashed.end() && process.stat(known->second)) return {.path = known->second};
  }
  Errno error = Errno::kNoent;
  for (std::size_t at = 0; at <= search.size();) {
    const std::size_t colon = std::min(search.find(':', at), search.size());
    std::string candidate(search.substr(at, colon - at));
    if (!candidate.empty()) candidate += '/';
    candidate += name;
    at = colon + 1;
    const Result<Attributes> found = process.stat(candidate);
    if (found.error() == Errno::kNosys) return {.path = name};
    if (!found) {
      const bool absent = found.error() == Errno::kNoent || found.error() == Errno::kNotdir;
      if (!absent) error = found.error();
      continue;
    }
    error = Errno::kAcces;
    if (found->type != FileType::kRegular) continue;
    if (!process.access(candidate, {.execute = true})) continue;
    if (usual) state.hashed[name] = candidate;
    return {.path = candidate};
  }
  const bool absent = error == Errno::kNoent;
  return {.path = std::nullopt, .error = absent ? "not found" : std::string(text_of(error))};
}

}  // namespace sandproof::machine::shell
