// SPDX-License-Identifier: Apache-2.0
// hostname: the name of the box, which only its maker gives.
#include <algorithm>

#include "fakes/machine/programs/mains.h"
#include "fakes/machine/programs/support/options.h"

namespace sandproof::machine::programs {
namespace {

constexpr Usage kHostnameUsage = {
    .text = "[-sidf] [HOSTNAME | -F FILE]", .letters = "sidfF:", .most = 1};

Task<int> run_hostname(Process& self) {
  Tool tool(self, kHostnameUsage);
  const std::optional<Options> options = co_await read_options(tool);
  if (!options) co_return tool.status;
  if (!options->operands.empty() || options->has('F')) {
    co_await tool.fail("sethostname", Errno::kPerm);
    co_return tool.status;
  }
  const std::string& name = self.hostname();
  const std::size_t dot = std::min(name.find('.'), name.size());
  std::string text = name;
  if (options->has('s')) text.resize(dot);
  if (options->has('d')) text = dot < name.size() ? name.substr(dot + 1) : "";
  // A box has no network but itself.
  if (options->has('i')) text = "127.0.0.1 ";
  (void)co_await tool.out.put(text + "\n");
  co_return co_await tool.finish();
}

}  // namespace

Task<int> hostname_main(Process& self) { return run_hostname(self); }

}  // namespace sandproof::machine::programs
