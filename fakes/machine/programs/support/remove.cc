// SPDX-License-Identifier: Apache-2.0
// Removing.
#include "fakes/machine/programs/support/remove.h"

#include "fakes/machine/programs/support/files.h"
#include "fakes/machine/programs/support/paths.h"

namespace sandproof::machine::programs {
namespace {

Task<bool> may_remove(Tool& tool, std::string question, RemoveOptions options) {
  if (!options.ask) co_return true;
  const std::string text = tool.name + ": " + question + "? ";
  co_await tool.write_error(text);
  co_return co_await answered_yes(tool.self);
}

Task<void> tell_removal(Tool& tool, std::string path, bool directory, RemoveOptions options) {
  if (!options.verbose) co_return;
  const std::string line = (directory ? "removed directory: '" : "removed '") + path + "'\n";
  (void)co_await tool.out.put(line);
}

Task<void> remove_directory(Tool& tool, std::string path, RemoveOptions options) {
  if (!options.recursive) {
    const std::string why = "'" + path + "' is a directory";
    co_await tool.fail(why);
    co_return;
  }
  if (!co_await may_remove(tool, "descend into directory '" + path + "'", options)) co_return;
  const Result<Strings> names = co_await list_names(tool.self, path);
  if (!names) {
    const std::string what = "can't open '" + path + "'";
    co_await tool.fail(what, names.error());
    co_return;
  }
  for (const std::string& name : *names) co_await remove_path(tool, join_path(path, name), options);
  if (!co_await may_remove(tool, "remove directory '" + path + "'", options)) co_return;
  const Result<void> gone = tool.self.rmdir(path);
  if (!gone) {
    const std::string what = "can't remove '" + path + "'";
    co_await tool.fail(what, gone.error());
    co_return;
  }
  co_await tell_removal(tool, path, true, options);
}

}  // namespace

Task<void> remove_path(Tool& tool, std::string path, RemoveOptions options) {
  co_await tool.self.yield_point();
  const Result<Attributes> found = tool.self.stat(path, Follow::kNo);
  if (!found && found.error() == Errno::kNoent && options.force) co_return;
  if (found && found->type == FileType::kDirectory) {
    co_await remove_directory(tool, std::move(path), options);
    co_return;
  }
  if (found && !co_await may_remove(tool, "remove '" + path + "'", options)) co_return;
  const Errno error = found ? tool.self.unlink(path).error() : found.error();
  if (error != Errno::kOk) {
    const std::string what = "can't remove '" + path + "'";
    co_await tool.fail(what, error);
    co_return;
  }
  co_await tell_removal(tool, std::move(path), false, options);
}

}  // namespace sandproof::machine::programs
