// SPDX-License-Identifier: Apache-2.0
// chmod: changes modes.
#include "fakes/machine/printed.h"
#include "fakes/machine/programs/mains.h"
#include "fakes/machine/programs/support/files.h"
#include "fakes/machine/programs/support/modes.h"
#include "fakes/machine/programs/support/options.h"
#include "fakes/machine/programs/support/paths.h"

namespace sandproof::machine::programs {
namespace {

constexpr Usage kChmodUsage = {
    .text = "[-Rcvf] MODE[,MODE]... FILE...", .letters = "Rcvf", .least = 2};

class ChangeMode {
 public:
  ChangeMode(Tool& tool, const Options& options)
      : tool_(tool), options_(options), text_(options.operands.front()) {
    umask_ = tool.self.umask(0);
    (void)tool.self.umask(umask_);
  }

  std::optional<unsigned> wanted(unsigned mode, bool is_directory) const {
    return changed_mode(text_, {.mode = mode, .is_directory = is_directory, .umask = umask_});
  }

  Task<void> change(std::string path, bool top) {
    co_await tool_.self.yield_point();
    const Result<Attributes> file = tool_.self.stat(path, top ? Follow::kYes : Follow::kNo);
    if (!file) {
      co_await tool_.fail(path, file.error());
      co_return;
    }
    // A link that a walk meets has no mode of its own, and is not followed.
    if (file->type == FileType::kSymlink) co_return;
    const bool directory = file->type == FileType::kDirectory;
    const unsigned mode = *wanted(file->mode, directory);
    const Result<void> changed = tool_.self.chmod(path, mode);
    if (!changed) {
      co_await complain(path, changed.error());
    } else if (options_.has('v') || (options_.has('c') && mode != file->mode)) {
      const std::string line = printed("mode of '%s' changed to %04o (%s)\n", path.c_str(), mode,
                                       mode_text(file->type, mode).c_str() + 1);
      (void)co_await tool_.out.put(line);
    }
    if (directory && options_.has('R')) co_await below(path);
  }

 private:
  Task<void> complain(std::string path, Errno error) {
    tool_.status = 1;
    if (!options_.has('f')) co_await tool_.fail(std::move(path), error);
  }

  Task<void> below(std::string path) {
    const Result<Strings> names = co_await list_names(tool_.self, path);
    if (!names) co_await complain(path, names.error());
    if (!names) co_return;
    for (const std::string& name : *names) co_await change(join_path(path, name), false);
  }

  Tool& tool_;
  const Options& options_;
  std::string text_;
  unsigned umask_ = 0;
};

/// A mode such as "-x" is no option.
Strings with_mode_shielded(Strings words) {
  for (std::size_t at = 1; at < words.size(); ++at) {
    const std::string& word = words[at];
    if (!word.starts_with('-')) break;
    if (word.size() > 1 && std::string_view("rwxXstugo").find(word[1]) != word.npos) {
      words.insert(words.begin() + static_cast<std::ptrdiff_t>(at), "--");
      break;
    }
  }
  return words;
}

Task<int> run_chmod(Process& self) {
  Tool tool(self, kChmodUsage);
  const std::optional<Options> options =
      co_await read_options(tool, with_mode_shielded(self.argv()));
  if (!options) co_return tool.status;
  ChangeMode changer(tool, *options);
  if (!changer.wanted(0, false)) {
    const std::string why = "invalid mode '" + options->operands.front() + "'";
    co_await tool.fail(why);
    co_return tool.status;
  }
  for (std::size_t at = 1; at < options->operands.size(); ++at) {
    co_await changer.change(options->operands[at], true);
  }
  co_return co_await tool.finish();
}

}  // namespace

Task<int> chmod_main(Process& self) { return run_chmod(self); }

}  // namespace sandproof::machine::programs
