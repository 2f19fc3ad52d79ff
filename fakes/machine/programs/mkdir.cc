// SPDX-License-Identifier: Apache-2.0
// mkdir: directories, with those above them.
#include <array>

#include "fakes/machine/programs/mains.h"
#include "fakes/machine/programs/support/modes.h"
#include "fakes/machine/programs/support/options.h"

namespace sandproof::machine::programs {
namespace {

constexpr std::array kMkdirLongs = {
    LongOption{"mode", 'm', Takes::kArgument},
    LongOption{"parents", 'p'},
    LongOption{"verbose", 'v'},
};
constexpr Usage kMkdirUsage = {
    .text = "[-m MODE] [-p] DIRECTORY...", .letters = "m:pvZ:", .longs = kMkdirLongs, .least = 1};

class MakeDirectory {
 public:
  MakeDirectory(Tool& tool, const Options& options, std::optional<unsigned> mode)
      : tool_(tool), parents_(options.has('p')), verbose_(options.has('v')), mode_(mode) {}

  Task<void> make(const std::string& path) {
    if (parents_) {
      for (std::size_t at = 1; (at = path.find('/', at)) != path.npos;) {
        at = path.find_first_not_of('/', at);
        if (at == path.npos) break;
        if (!co_await one(path.substr(0, at), false)) co_return;
      }
    }
    (void)co_await one(path, true);
  }

 private:
  Task<bool> one(std::string path, bool last) {
    const Result<void> made = tool_.self.mkdir(path);
    if (!made) {
      const Result<Attributes> there = tool_.self.stat(path);
      const bool directory = there && there->type == FileType::kDirectory;
      if (parents_ && directory) co_return true;
      // What stands in the way of more directories is told as their absence would be.
      const Errno why = !last && made.error() == Errno::kExist ? Errno::kNotdir : made.error();
      const std::string what = "can't create directory '" + path + "'";
      co_await tool_.fail(what, why);
      co_return false;
    }
    if (!last) {
      // Those above must be passable for what comes below.
      const Result<Attributes> there = tool_.self.stat(path);
      if (there) (void)tool_.self.chmod(path, there->mode | 0300U);
    } else if (mode_) {
      (void)tool_.self.chmod(path, *mode_);
    }
    if (verbose_) {
      const std::string line = "created directory: '" + path + "'\n";
      (void)co_await tool_.out.put(line);
    }
    co_return true;
  }

  Tool& tool_;
  bool parents_;
  bool verbose_;
  std::optional<unsigned> mode_;
};

Task<int> run_mkdir(Process& self) {
  Tool tool(self, kMkdirUsage);
  const std::optional<Options> options = co_await read_options(tool);
  if (!options) co_return tool.status;
  std::optional<unsigned> mode;
  if (const auto text = options->value('m')) {
    const unsigned umask = self.umask(0);
    (void)self.umask(umask);
    mode = changed_mode(*text, {.mode = 0777, .is_directory = true, .umask = umask});
    if (!mode) {
      const std::string why = "invalid mode '" + *text + "'";
      co_await tool.fail(why);
      co_return tool.status;
    }
  }
  MakeDirectory maker(tool, *options, mode);
  for (const std::string& path : options->operands) co_await maker.make(path);
  co_return co_await tool.finish();
}

}  // namespace

Task<int> mkdir_main(Process& self) { return run_mkdir(self); }

}  // namespace sandproof::machine::programs
