// SPDX-License-Identifier: Apache-2.0
// mv: gives files other names; between volumes it copies them and takes the old ones away.
#include <array>

#include "fakes/machine/programs/mains.h"
#include "fakes/machine/programs/support/copy.h"
#include "fakes/machine/programs/support/files.h"
#include "fakes/machine/programs/support/options.h"
#include "fakes/machine/programs/support/paths.h"
#include "fakes/machine/programs/support/remove.h"

namespace sandproof::machine::programs {
namespace {

constexpr std::array kMvLongs = {
    LongOption{"force", 'f'},
    LongOption{"interactive", 'i'},
    LongOption{"no-clobber", 'n'},
    LongOption{"no-target-directory", 'T'},
    LongOption{"target-directory", 't', Takes::kArgument},
    LongOption{"verbose", 'v'},
};
constexpr Usage kMvUsage = {
    .text = "[-finT] SOURCE DEST", .letters = "finTt:v", .longs = kMvLongs, .least = 1};

Task<bool> may_replace(Tool& tool, const Options& options, std::string to) {
  if (!tool.self.stat(to, Follow::kNo)) co_return true;
  const char last = options.last_of("fin");
  if (last == 'n') co_return false;
  if (last != 'i') co_return true;
  const std::string question = tool.name + ": overwrite '" + to + "'? ";
  co_await tool.write_error(question);
  co_return co_await answered_yes(tool.self);
}

Task<void> move(Tool& tool, const Options& options, std::string from, std::string to) {
  if (!co_await may_replace(tool, options, to)) co_return;
  const Result<void> renamed = tool.self.rename(from, to);
  if (renamed.error() == Errno::kXdev) {
    (void)tool.self.unlink(to);
    CopyOptions copy;
    copy.recursive = true;
    copy.follow = copy.follow_top = false;
    copy.keep_attributes = true;
    Copier copier(tool, copy);
    if (!co_await copier.copy(from, to)) co_return;
    RemoveOptions remove;
    remove.recursive = true;
    remove.force = true;
    co_await remove_path(tool, from, remove);
  } else if (!renamed) {
    const std::string what = "can't rename '" + from + "'";
    co_await tool.fail(what, renamed.error());
    co_return;
  }
  if (!options.has('v')) co_return;
  const std::string line = "'" + from + "' -> '" + to + "'\n";
  (void)co_await tool.out.put(line);
}

Task<int> run_mv(Process& self) {
  Tool tool(self, kMvUsage);
  std::optional<Options> options = co_await read_options(tool);
  if (!options) co_return tool.status;
  Strings& words = options->operands;
  const std::optional<std::string> folder = options->value('t');
  if (!folder && words.size() < 2) co_return co_await tool.misuse();
  const std::string to = folder ? *folder : words.back();
  if (!folder) words.pop_back();
  const Result<Attributes> there = self.stat(to);
  const bool directory = there && there->type == FileType::kDirectory;
  if (directory && options->has('T')) {
    const std::string why = "'" + to + "' is a directory";
    co_await tool.fail(why);
    co_return tool.status;
  }
  const bool into = folder || directory || words.size() > 1;
  for (const std::string& from : words) {
    std::string place = to;
    if (into) place = join_path(to, base_name(from));
    co_await move(tool, *options, from, std::move(place));
  }
  co_return co_await tool.finish();
}

}  // namespace

Task<int> mv_main(Process& self) { return run_mv(self); }

}  // namespace sandproof::machine::programs
