// SPDX-License-Identifier: Apache-2.0
// mktemp: a file or a directory with a name that nobody has. The names come from the machine's
// seed.
#include "fakes/machine/programs/mains.h"
#include "fakes/machine/programs/support/files.h"
#include "fakes/machine/programs/support/options.h"
#include "fakes/machine/programs/support/paths.h"

namespace sandproof::machine::programs {
namespace {

constexpr Usage kMktempUsage = {
    .text = "[-dt] [-p DIR] [TEMPLATE]", .letters = "dqtp:u", .most = 1};
constexpr std::string_view kTempLetters =
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
constexpr std::string_view kTempEnd = "XXXXXX";
// Names that are taken before it gives up; glibc's.
constexpr int kTempTries = 238328;

Task<Result<std::string>> make_temporary(Process& self, std::string name, char kind) {
  if (!name.ends_with(kTempEnd)) co_return Errno::kInval;
  for (int tries = 0; tries < kTempTries; ++tries) {
    std::uint64_t number = self.random();
    for (std::size_t at = name.size() - kTempEnd.size(); at < name.size(); ++at) {
      name[at] = kTempLetters[number % kTempLetters.size()];
      number /= kTempLetters.size();
    }
    Errno error = Errno::kOk;
    if (kind == 'd') {
      error = self.mkdir(name, 0700).error();
    } else if (kind == 'u') {
      error = self.stat(name, Follow::kNo) ? Errno::kExist : Errno::kOk;
    } else {
      OpenOptions make = {.flags = {.write = true, .create = true, .exclusive = true},
                          .mode = 0600};
      const Result<OwnedFd> made = co_await open_output(self, name, make);
      error = made.error();
    }
    if (error == Errno::kOk) co_return name;
    if (error != Errno::kExist) co_return error;
  }
  co_return Errno::kExist;
}

Task<int> run_mktemp(Process& self) {
  Tool tool(self, kMktempUsage);
  const std::optional<Options> options = co_await read_options(tool);
  if (!options) co_return tool.status;
  const bool given = !options->operands.empty();
  std::string name = given ? options->operands.front() : "tmp.XXXXXX";
  if (!given || options->has_any("tp")) {
    std::string folder = variable(self, "TMPDIR").value_or("/tmp");
    if (const auto chosen = options->value('p')) folder = *chosen;
    name = join_path(folder, name);
  }
  const char kind = options->has('u') ? 'u' : options->has('d') ? 'd' : 'f';
  const Result<std::string> made = co_await make_temporary(self, name, kind);
  if (!made) {
    // busybox has lost the name when it says this.
    if (!options->has('q')) co_await tool.fail("(null)", made.error());
    co_return 1;
  }
  (void)co_await tool.out.put(*made + "\n");
  co_return co_await tool.finish();
}

}  // namespace

Task<int> mktemp_main(Process& self) { return run_mktemp(self); }

}  // namespace sandproof::machine::programs
