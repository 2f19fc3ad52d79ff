// SPDX-License-Identifier: Apache-2.0
// top: the processes of the box, again and again, by memory. There is no terminal, and no account
// of the processor's time.
#include <algorithm>
#include <chrono>

#include "fakes/machine/printed.h"
#include "fakes/machine/programs/mains.h"
#include "fakes/machine/programs/support/memory_figures.h"
#include "fakes/machine/programs/support/numbers.h"
#include "fakes/machine/programs/support/options.h"
#include "fakes/machine/programs/support/process_list.h"
#include "fakes/machine/programs/support/users.h"

namespace sandproof::machine::programs {
namespace {

constexpr Usage kTopUsage = {.text = "[-bH] [-n COUNT] [-d SECONDS]", .letters = "d:n:bHm"};

Task<std::string> top_screen(Process& self, const Users& users) {
  const MemoryFigures memory = co_await read_memory(self);
  const auto number = [](std::uint64_t value) { return static_cast<unsigned long long>(value); };
  std::string text =
      printed("Mem: %lluK used, %lluK free, %lluK shrd, %lluK buff, %lluK cached\n",
              number(memory.total - std::min(memory.total, memory.free)), number(memory.free),
              number(memory.shared), number(memory.buffers), number(memory.cached));
  text += "CPU:   0% usr   0% sys   0% nic 100% idle   0% io   0% irq   0% sirq\n";
  Result<std::vector<ListedProcess>> processes = co_await list_processes(self);
  if (!processes) processes = std::vector<ListedProcess>();
  const auto running = std::count_if(processes->begin(), processes->end(),
                                     [](const ListedProcess& one) { return one.state == 'R'; });
  text += printed("Load average: 0.00 0.00 0.00 %d/%zu %d\n", static_cast<int>(running),
                  processes->size(), self.pid());
  text += "  PID  PPID USER     STAT   VSZ %VSZ %CPU COMMAND\n";
  std::stable_sort(processes->begin(), processes->end(),
                   [](const ListedProcess& a, const ListedProcess& b) {
                     return a.memory_kilobytes > b.memory_kilobytes;
                   });
  for (const ListedProcess& one : *processes) {
    const std::uint64_t share =
        memory.total == 0 ? 0
                          : std::min<std::uint64_t>(100, one.memory_kilobytes * 100 / memory.total);
    text += printed("%5d %5d %-8.8s %c    %6llu %3llu%%   0%% %s\n", one.pid, one.parent,
                    users.user_text(one.uid).c_str(), one.state, number(one.memory_kilobytes),
                    number(share), one.arguments.c_str());
  }
  co_return text;
}

Task<int> run_top(Process& self) {
  Tool tool(self, kTopUsage);
  const std::optional<Options> options = co_await read_options(tool);
  if (!options) co_return tool.status;
  std::uint64_t screens = UINT64_MAX;
  const auto count = options->value('n');
  const auto pause = read_duration(options->value('d').value_or("5"));
  if (count) screens = read_unsigned(*count).value_or(0);
  if (screens == 0 || !pause) {
    const std::string why = "invalid number '" + (pause ? *count : *options->value('d')) + "'";
    co_await tool.fail(why);
    co_return tool.status;
  }
  const Users users = co_await Users::load(self);
  while (screens-- > 0) {
    const std::string text = co_await top_screen(self, users);
    (void)co_await tool.out.put(text);
    if (!co_await tool.out.flush() || screens == 0) break;
    const Nanoseconds next =
        self.now() + std::max<Nanoseconds>(*pause, std::chrono::milliseconds(1));
    while (self.now() < next)
      (void)co_await self.sleep(next - self.now());  // sleep: between screens
  }
  co_return co_await tool.finish();
}

}  // namespace

Task<int> top_main(Process& self) { return run_top(self); }

}  // namespace sandproof::machine::programs
