// SPDX-License-Identifier: Apache-2.0
// tee: standard input to standard output and to files.
#include <array>

#include "fakes/machine/programs/mains.h"
#include "fakes/machine/programs/support/files.h"
#include "fakes/machine/programs/support/options.h"

namespace sandproof::machine::programs {
namespace {

constexpr Usage kTeeUsage = {.text = "[-ai] [FILE]...", .letters = "ia"};

struct TeeSink {
  OwnedFd file;
  std::string name;
  bool failed = false;
};

Task<int> run_tee(Process& self) {
  Tool tool(self, kTeeUsage);
  const std::optional<Options> options = co_await read_options(tool);
  if (!options) co_return tool.status;
  if (options->has('i')) (void)self.set_disposition(Signal::kInt, Disposition::kIgnore);
  // One that nobody reads any more must not end the others.
  (void)self.set_disposition(Signal::kPipe, Disposition::kIgnore);
  std::vector<TeeSink> sinks;
  sinks.push_back({OwnedFd(self, 1), "standard output"});
  for (const std::string& path : options->operands) {
    Result<OwnedFd> file =
        co_await open_output(self, path, options->has('a') ? kToAppend : kToOverwrite);
    if (!file) {
      co_await tool.fail(path, file.error());
      continue;
    }
    sinks.push_back({*std::move(file), path});
  }
  std::array<std::byte, 4096> chunk;
  bool any = true;
  while (any) {
    const Result<std::size_t> count = co_await self.read(0, chunk);
    if (count.error() == Errno::kIntr) continue;
    if (!count) co_await tool.fail("read error", count.error());
    if (count.value_or(0) == 0) break;
    any = false;
    for (TeeSink& sink : sinks) {
      if (sink.failed) continue;
      const std::string_view text(reinterpret_cast<const char*>(chunk.data()), *count);
      const Errno error = co_await write_all(self, sink.file.get(), text);
      sink.failed = error != Errno::kOk;
      if (sink.failed) co_await tool.fail(sink.name, error);
      any = any || !sink.failed;
    }
  }
  co_return tool.status;
}

}  // namespace

Task<int> tee_main(Process& self) { return run_tee(self); }

}  // namespace sandproof::machine::programs
