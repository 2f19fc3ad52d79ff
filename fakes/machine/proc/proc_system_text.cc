// SPDX-License-Identifier: Apache-2.0
// The texts of the machine as a whole; see proc_text.h.
#include <fmt/format.h>

#include <algorithm>

#include "fakes/machine/kernel.h"
#include "fakes/machine/proc/proc_text.h"

namespace sandproof::machine {
namespace {

// A small machine of one processor; none of it depends on the host.
constexpr std::uint64_t kMemoryKib = 2 * 1024 * 1024;
constexpr std::uint64_t kMemoryFreeKib = kMemoryKib * 3 / 4;
constexpr std::string_view kRelease = "6.1.0";

double seconds(Nanoseconds time) { return std::chrono::duration<double>(time).count(); }

std::string cpu_line(std::string_view name, Nanoseconds up) {
  constexpr auto kTick = std::chrono::milliseconds(10);
  return fmt::format("{} 0 0 0 {} 0 0 0 0 0 0\n", name, up / kTick);
}

}  // namespace

std::string proc_cpuinfo(const ProcSubject&) {
  return "processor\t: 0\nvendor_id\t: GenuineIntel\ncpu family\t: 6\nmodel\t\t: 0\n"
         "model name\t: Machine in memory\nstepping\t: 0\ncpu MHz\t\t: 1000.000\n"
         "cache size\t: 1024 KB\nphysical id\t: 0\nsiblings\t: 1\ncore id\t\t: 0\ncpu cores\t: 1\n"
         "apicid\t\t: 0\nfpu\t\t: yes\nflags\t\t: fpu tsc cx8 sse sse2 lm\n"
         "bogomips\t: 2000.00\nclflush size\t: 64\n"
         "address sizes\t: 48 bits physical, 48 bits virtual\npower management:\n\n";
}

std::string proc_filesystems(const ProcSubject&) {
  return "nodev\ttmpfs\nnodev\tproc\nnodev\toverlay\n";
}

std::string proc_loadavg(const ProcSubject& of) {
  const auto running = std::ranges::count_if(
      of.box.table(), [](const auto& one) { return one.second->letter() == 'R'; });
  return fmt::format("0.00 0.00 0.00 {}/{} {}\n", running, of.box.table().size(),
                     of.box.last_pid());
}

std::string proc_meminfo(const ProcSubject&) {
  const auto line = [](std::string_view name, std::uint64_t kib) {
    return fmt::format("{:<16}{:>8} kB\n", fmt::format("{}:", name), kib);
  };
  return line("MemTotal", kMemoryKib) + line("MemFree", kMemoryFreeKib) +
         line("MemAvailable", kMemoryFreeKib) + line("Buffers", 0) + line("Cached", 0) +
         line("SwapCached", 0) + line("SwapTotal", 0) + line("SwapFree", 0) + line("Shmem", 0);
}

std::string proc_system_stat(const ProcSubject& of) {
  const Nanoseconds up = of.kernel.clock().now();
  const auto switched_on =
      std::chrono::duration_cast<std::chrono::seconds>(of.kernel.clock().wall() - up);
  const auto running = std::ranges::count_if(
      of.box.table(), [](const auto& one) { return one.second->letter() == 'R'; });
  return cpu_line("cpu ", up) + cpu_line("cpu0", up) +
         fmt::format("intr 0\nctxt {}\nbtime {}\nprocesses {}\nprocs_running {}\nprocs_blocked 0\n",
                     of.kernel.ticks(), switched_on.count(), of.box.born(), running);
}

std::string proc_uptime(const ProcSubject& of) {
  const double up = seconds(of.kernel.clock().now());
  return fmt::format("{:.2f} {:.2f}\n", up, up);
}

std::string proc_version(const ProcSubject&) {
  return fmt::format("Linux version {} (machine@memory) (gcc (GCC) 12.2.0) #1 SMP\n", kRelease);
}

std::string proc_hostname(const ProcSubject& of) { return of.box.options().hostname + "\n"; }
std::string proc_osrelease(const ProcSubject&) { return std::string(kRelease) + "\n"; }
std::string proc_ostype(const ProcSubject&) { return "Linux\n"; }
std::string proc_pid_max(const ProcSubject& of) {
  return fmt::format("{}\n", of.box.options().pid_max);
}

}  // namespace sandproof::machine
