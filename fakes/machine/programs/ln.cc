// SPDX-License-Identifier: Apache-2.0
// ln: hard and symbolic links.
#include "fakes/machine/programs/mains.h"
#include "fakes/machine/programs/support/options.h"
#include "fakes/machine/programs/support/paths.h"

namespace sandproof::machine::programs {
namespace {

constexpr Usage kLnUsage = {
    .text = "[-sfnbtv] [-S SUF] TARGET... LINK|DIR", .letters = "sfnbS:vT", .least = 1};

bool is_directory_at(Process& self, const std::string& path, bool follow) {
  const Result<Attributes> found = self.stat(path, follow ? Follow::kYes : Follow::kNo);
  return found && found->type == FileType::kDirectory;
}

Task<void> make_link(Tool& tool, const Options& options, std::string target, std::string place) {
  Process& self = tool.self;
  if (is_directory_at(self, place, !options.has('n'))) {
    if (options.has('T')) {
      const std::string why = "'" + place + "' is a directory";
      co_await tool.fail(why);
      co_return;
    }
    place = join_path(place, base_name(target));
  }
  if (!options.has('s')) {
    const Result<Attributes> there = self.stat(target);
    if (!there) {
      co_await tool.fail(target, there.error());
      co_return;
    }
  }
  if (options.has('b')) (void)self.rename(place, place + options.value('S').value_or("~"));
  if (options.has('f')) (void)self.unlink(place);
  if (options.has('v')) {
    const std::string line = "'" + place + "' -> '" + target + "'\n";
    (void)co_await tool.out.put(line);
  }
  const Result<void> made =
      options.has('s') ? self.symlink(target, place) : self.link(target, place);
  if (!made) co_await tool.fail(place, made.error());
}

Task<int> run_ln(Process& self) {
  Tool tool(self, kLnUsage);
  std::optional<Options> options = co_await read_options(tool);
  if (!options) co_return tool.status;
  Strings& words = options->operands;
  if (words.size() == 1) words.emplace_back(base_name(words.front()));
  if (options->has('T') && words.size() > 2) {
    co_await tool.fail("-T accepts 2 args max");
    co_return tool.status;
  }
  const std::string place = words.back();
  words.pop_back();
  for (const std::string& target : words) co_await make_link(tool, *options, target, place);
  co_return co_await tool.finish();
}

}  // namespace

Task<int> ln_main(Process& self) { return run_ln(self); }

}  // namespace sandproof::machine::programs
