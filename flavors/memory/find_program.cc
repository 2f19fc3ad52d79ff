// SPDX-License-Identifier: Apache-2.0
// See find_program.h.
#include "flavors/memory/find_program.h"

#include <string_view>

namespace sandproof::memory {
namespace {

using machine::Caller;
using machine::Errno;
using machine::FileType;
using machine::Follow;
using machine::NodePtr;
using machine::Result;

// As the C library has it where there is no PATH.
constexpr std::string_view kNoPath = "/bin:/usr/bin";

/// kOk where it is a regular file that may be executed.
Errno may_execute(machine::FileSystem& files, const machine::PathAt& path, const Caller& caller) {
  const Result<NodePtr> node = files.lookup(path, Follow::kYes, caller);
  if (!node) return node.error();
  const auto file = files.stat(**node);
  if (!file) return file.error();
  if (file->type == FileType::kDirectory) return Errno::kIsdir;
  if (file->type != FileType::kRegular) return Errno::kAcces;
  return files.access(path, {.execute = true}, caller).error();
}

}  // namespace

StartTrouble find_program(machine::Machine& machine, const Box& box, const ExecRequest& request,
                          const Environment& env, ProgramPlace& place) {
  machine::FileSystem& files = *box.parts.files;
  const Caller caller = box.caller(machine);
  const NodePtr root = files.root();
  place.cwd = request.cwd;
  if (!request.cwd.starts_with('/')) {
    place.cwd = request.cwd.empty() ? box.workdir : box.workdir + "/" + request.cwd;
  }
  const Result<NodePtr> cwd = files.change_directory({root, place.cwd}, caller);
  if (!cwd) {
    const std::string& named = request.cwd.empty() ? box.workdir : request.cwd;
    return {StartTrouble::Step::kCwd, cwd.error(), named};
  }
  const std::string& name = request.argv.front();
  if (name.find('/') != name.npos) {
    place.path = name;
    const Errno error = may_execute(files, {*cwd, name}, caller);
    if (error == Errno::kOk) return {};
    return {StartTrouble::Step::kProgram, error, name};
  }
  const auto given = env.find("PATH");
  std::string_view rest = given == env.end() ? kNoPath : std::string_view(given->second);
  // Of all that are there, why the first one cannot be executed.
  Errno refused = Errno::kNoent;
  for (;;) {
    const std::size_t colon = rest.find(':');
    const std::string_view directory = rest.substr(0, colon);
    // An empty one is the working directory.
    place.path = (directory.empty() ? "." : std::string(directory)) + "/" + name;
    const Errno error = may_execute(files, {*cwd, place.path}, caller);
    if (error == Errno::kOk) return {};
    const bool missing = error == Errno::kNoent || error == Errno::kNotdir;
    if (!missing && refused == Errno::kNoent) refused = error;
    if (colon == rest.npos) break;
    rest.remove_prefix(colon + 1);
  }
  return {StartTrouble::Step::kProgram, refused, name};
}

}  // namespace sandproof::memory
