// SPDX-License-Identifier: Apache-2.0
// cp: copies files.
#include <array>

#include "fakes/machine/programs/mains.h"
#include "fakes/machine/programs/support/copy.h"
#include "fakes/machine/programs/support/options.h"
#include "fakes/machine/programs/support/paths.h"

namespace sandproof::machine::programs {
namespace {

constexpr std::array kCpLongs = {
    LongOption{"archive", 'a'},
    LongOption{"force", 'f'},
    LongOption{"interactive", 'i'},
    LongOption{"no-clobber", 'n'},
    LongOption{"link", 'l'},
    LongOption{"dereference", 'L'},
    LongOption{"no-dereference", 'P'},
    LongOption{"recursive", 'R'},
    LongOption{"symbolic-link", 's'},
    LongOption{"no-target-directory", 'T'},
    LongOption{"target-directory", 't', Takes::kArgument},
    LongOption{"update", 'u'},
    LongOption{"verbose", 'v'},
};
constexpr Usage kCpUsage = {.text = "[-arPLHpfinlsTu] SOURCE DEST",
                            .letters = "pdRfinlsLHarPvuTt:",
                            .longs = kCpLongs,
                            .least = 1};

CopyOptions cp_options(const Options& options) {
  CopyOptions how;
  how.recursive = options.has_any("rRa");
  how.keep_attributes = options.has_any("pa");
  how.force = options.last_of("fin") == 'f';
  how.ask = options.last_of("fin") == 'i';
  how.keep_existing = options.last_of("fin") == 'n';
  how.only_newer = options.has('u');
  how.verbose = options.has('v');
  how.follow = options.has('L') || (!how.recursive && !options.has_any("dP"));
  how.follow_top = how.follow || (options.has('H') && !options.has_any("dPa"));
  if (options.has('l')) how.as = CopyAs::kHardLink;
  if (options.has('s')) how.as = CopyAs::kSymlink;
  return how;
}

Task<int> run_cp(Process& self) {
  Tool tool(self, kCpUsage);
  std::optional<Options> options = co_await read_options(tool);
  if (!options) co_return tool.status;
  Strings& words = options->operands;
  const std::optional<std::string> folder = options->value('t');
  if (!folder && words.size() < 2) co_return co_await tool.misuse();
  const std::string to = folder ? *folder : words.back();
  if (!folder) words.pop_back();
  Copier copier(tool, cp_options(*options));
  const Result<Attributes> there = self.stat(to);
  const bool directory = there && there->type == FileType::kDirectory;
  const Result<Attributes> source = self.stat(words.front());
  const bool tree = source && source->type == FileType::kDirectory;
  // A directory becomes what is not there yet; otherwise one of the two means "into".
  const bool becomes = (!tree && !directory) || (tree && !there && options->has_any("rRa"));
  const bool into = folder || words.size() > 1 || (!becomes && !options->has('T'));
  if (directory && options->has('T') && !options->has_any("rRa")) {
    const std::string why = "'" + to + "' is a directory";
    co_await tool.fail(why);
    co_return tool.status;
  }
  for (const std::string& from : words) {
    const std::string place = into ? join_path(to, base_name(from)) : to;
    (void)co_await copier.copy(from, place);
  }
  co_return co_await tool.finish();
}

}  // namespace

Task<int> cp_main(Process& self) { return run_cp(self); }

}  // namespace sandproof::machine::programs
