// SPDX-License-Identifier: Apache-2.0
// tar: packs, lists and unpacks archives. An archive is held in memory while it is made or read.
#include <array>

#include "fakes/machine/programs/mains.h"
#include "fakes/machine/programs/support/files.h"
#include "fakes/machine/programs/support/numbers.h"
#include "fakes/machine/programs/support/options.h"
#include "fakes/machine/programs/support/tar_pack.h"
#include "fakes/machine/programs/support/tar_unpack.h"

namespace sandproof::machine::programs {
namespace {

constexpr char kTarStrip = '\1';
constexpr char kTarNumeric = '\2';
constexpr char kTarNoRecursion = '\3';
constexpr char kTarOverwrite = '\4';
constexpr char kTarNoPermissions = '\5';
constexpr std::array kTarLongs = {
    LongOption{"list", 't'},
    LongOption{"extract", 'x'},
    LongOption{"create", 'c'},
    LongOption{"directory", 'C', Takes::kArgument},
    LongOption{"file", 'f', Takes::kArgument},
    LongOption{"to-stdout", 'O'},
    LongOption{"verbose", 'v'},
    LongOption{"gzip", 'z'},
    LongOption{"bzip2", 'j'},
    LongOption{"xz", 'J'},
    LongOption{"dereference", 'h'},
    LongOption{"keep-old", 'k'},
    LongOption{"touch", 'm'},
    LongOption{"no-same-owner", 'o'},
    LongOption{"same-permissions", 'p'},
    LongOption{"strip-components", kTarStrip, Takes::kArgument},
    LongOption{"numeric-owner", kTarNumeric},
    LongOption{"no-recursion", kTarNoRecursion},
    LongOption{"overwrite", kTarOverwrite},
    LongOption{"no-same-permissions", kTarNoPermissions},
};
constexpr Usage kTarUsage = {.text = "c|x|t [-zJjahmvokO] [-f TARFILE] [-C DIR] [FILE]...",
                             .letters = "txcC:f:OvzjahkmopJ",
                             .longs = kTarLongs};

/// "cvf" is "-cvf".
Strings with_dash(Strings words) {
  if (words.size() > 1 && !words[1].empty() && words[1].front() != '-') words[1].insert(0, "-");
  return words;
}

Compression compression_of(const Options& options, const std::string& path) {
  if (options.has('z')) return Compression::kGzip;
  if (options.has('j')) return Compression::kBzip2;
  if (options.has('J')) return Compression::kXz;
  if (options.has('a')) {
    if (path.ends_with("gz")) return Compression::kGzip;
    if (path.ends_with("bz2")) return Compression::kBzip2;
    if (path.ends_with("xz")) return Compression::kXz;
  }
  return Compression::kNone;
}

Task<int> create_archive(Tool& tool, const Options& options, std::string path) {
  if (options.operands.empty()) {
    co_await tool.fail("empty archive");
    co_return tool.status;
  }
  Result<OwnedFd> output = OwnedFd(tool.self, 1);
  if (path != "-") output = co_await open_output(tool.self, path, kToOverwrite);
  if (!output) {
    const std::string what = "can't open '" + path + "'";
    co_await tool.fail(what, output.error());
    co_return tool.status;
  }
  TarPackOptions how;
  how.compression = compression_of(options, path);
  how.follow = options.has('h');
  how.recursive = !options.has(kTarNoRecursion);
  how.numeric_owner = options.has(kTarNumeric);
  how.verbose = options.has('v');
  how.folder = options.value('C').value_or("");
  how.out = output->get();
  co_await pack_files(tool, how, options.operands);
  co_return co_await tool.finish();
}

Task<int> read_archive(Tool& tool, const Options& options, std::string path) {
  const Result<OwnedFd> input = co_await open_input(tool.self, path);
  if (!input) {
    const std::string what = "can't open '" + path + "'";
    co_await tool.fail(what, input.error());
    co_return tool.status;
  }
  const Result<std::string> bytes = co_await read_all(tool.self, input->get());
  if (!bytes) {
    co_await tool.fail("read error", bytes.error());
    co_return tool.status;
  }
  TarUnpackOptions how;
  how.list = options.has('t');
  how.verbose = options.has('v');
  how.to_stdout = options.has('O');
  how.keep_existing = options.has('k');
  how.keep_times = !options.has('m');
  how.keep_owners = !options.has('o');
  how.keep_modes = !options.has(kTarNoPermissions);
  how.numeric_owner = options.has(kTarNumeric);
  how.folder = options.value('C').value_or("");
  if (const auto strip = options.value(kTarStrip)) {
    const auto count = read_unsigned(*strip);
    if (!count) {
      const std::string why = "invalid number '" + *strip + "'";
      co_await tool.fail(why);
      co_return tool.status;
    }
    how.strip = *count;
  }
  co_await unpack_files(tool, how, *bytes, options.operands);
  co_return co_await tool.finish();
}

Task<int> run_tar(Process& self) {
  Tool tool(self, kTarUsage);
  const std::optional<Options> options = co_await read_options(tool, with_dash(self.argv()));
  if (!options) co_return tool.status;
  const int modes = options->has('c') + options->has('x') + options->has('t');
  if (modes != 1) co_return co_await tool.misuse();
  std::string path = options->value('f').value_or("-");
  if (options->has('c')) co_return co_await create_archive(tool, *options, std::move(path));
  co_return co_await read_archive(tool, *options, std::move(path));
}

}  // namespace

Task<int> tar_main(Process& self) { return run_tar(self); }

}  // namespace sandproof::machine::programs
