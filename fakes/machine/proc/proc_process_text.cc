// SPDX-License-Identifier: Apache-2.0
// The texts of one process; see proc_text.h.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <bit>

#include "fakes/machine/kernel.h"
#include "fakes/machine/proc/proc_text.h"

namespace sandproof::machine {
namespace {

// The machine does not count what memory and time a process costs. These are what a small program
// has; a slice of time counts as a ten-thousandth of a second.
constexpr std::uint64_t kVirtualKib = 4096;
constexpr std::uint64_t kResidentKib = 1024;
constexpr std::uint64_t kPageKib = 4;
constexpr std::uint64_t kSlicesPerTick = 100;
constexpr std::uint64_t kAllCapabilities = 0x1ffffffffff;
constexpr auto kClockTick = std::chrono::milliseconds(10);  // USER_HZ is 100.

std::string joined(const Strings& strings) {
  std::string text;
  for (const std::string& one : strings) text.append(one.c_str(), one.size() + 1);
  return text;
}

// Blanks and the like in a path of mountinfo and mounts are octal.
std::string escaped(std::string_view path) {
  std::string text;
  for (const char c : path) {
    const bool special = c == ' ' || c == '\t' || c == '\n' || c == '\\';
    text += special ? fmt::format("\\{:03o}", static_cast<unsigned char>(c)) : std::string(1, c);
  }
  return text;
}

std::vector<MountInfo> mounts_of(const ProcSubject& of) {
  const FileSystem* const files = of.process->files();
  return files == nullptr || !of.process->alive() ? std::vector<MountInfo>() : files->mounts();
}

int parent_of(const ProcessEntry& entry) { return entry.parent == nullptr ? 0 : entry.parent->pid; }

std::string_view name_of_state(char letter) {
  switch (letter) {
    case 'R':
      return "R (running)";
    case 'T':
      return "T (stopped)";
    case 'Z':
      return "Z (zombie)";
    default:
      return "S (sleeping)";
  }
}

}  // namespace

std::string proc_cgroup(const ProcSubject&) { return "0::/\n"; }

std::string proc_cmdline(const ProcSubject& of) {
  return of.process->alive() ? joined(*of.process->argv) : std::string();
}

std::string proc_comm(const ProcSubject& of) { return of.process->comm + "\n"; }

std::string proc_environ(const ProcSubject& of) {
  return of.process->alive() ? joined(*of.process->env) : std::string();
}

std::string proc_limits(const ProcSubject& of) {
  const auto line = [](std::string_view name, const std::string& value, std::string_view unit) {
    return fmt::format("{:<26}{:<21}{:<21}{:<10}\n", name, value, value, unit);
  };
  return fmt::format("{:<26}{:<21}{:<21}{:<10}\n", "Limit", "Soft Limit", "Hard Limit", "Units") +
         line("Max processes", std::to_string(of.box.options().process_limit), "processes") +
         line("Max open files", std::to_string(of.process->descriptors.limit()), "files");
}

std::string proc_mountinfo(const ProcSubject& of) {
  std::string text;
  for (const MountInfo& mount : mounts_of(of)) {
    const std::string_view mode = mount.read_only ? "ro" : "rw";
    text += fmt::format("{} {} 0:{} {} {} {},noatime - {} {} {}\n", mount.id, mount.parent,
                        mount.volume, escaped(mount.root), escaped(mount.point), mode, mount.type,
                        mount.source, mode);
  }
  return text;
}

std::string proc_mounts(const ProcSubject& of) {
  std::string text;
  for (const MountInfo& mount : mounts_of(of)) {
    text += fmt::format("{} {} {} {},noatime 0 0\n", mount.source, escaped(mount.point), mount.type,
                        mount.read_only ? "ro" : "rw");
  }
  return text;
}

std::string proc_oom_score_adj(const ProcSubject&) { return "0\n"; }

std::string proc_stat(const ProcSubject& of) {
  const ProcessEntry& entry = *of.process;
  const std::uint64_t resident = entry.alive() ? kResidentKib / kPageKib : 0;
  const std::uint64_t virtual_bytes = entry.alive() ? kVirtualKib * 1024 : 0;
  const int exit_status = entry.alive() || !entry.untold ? 0 : entry.untold->word();
  // The fields of proc(5) by number; those that say where in memory it is are 0.
  std::string text = fmt::format("{} ({}) {} {} {} {} 0 -1 4194304 0 0 0 0", entry.pid, entry.comm,
                                 entry.letter(), parent_of(entry), entry.group, entry.session);
  text += fmt::format(" {} 0 0 0 20 0 1 0 {}", entry.slices / kSlicesPerTick,  // 14 to 21
                      entry.born_at / kClockTick);
  text +=
      fmt::format(" {} {} 18446744073709551615 0 0 0 0 0", virtual_bytes, resident);  // 22 to 30
  text +=
      fmt::format(" {} {} {} {}", entry.pending.bits() & 0x7fffffff, entry.mask.bits() & 0x7fffffff,
                  entry.ignored.bits() & 0x7fffffff, entry.handled.bits() & 0x7fffffff);
  text += fmt::format(" 0 0 0 17 0 0 0 0 0 0 0 0 0 0 0 0 0 {}\n", exit_status);  // 35 to 52
  return text;
}

std::string proc_statm(const ProcSubject& of) {
  if (!of.process->alive()) return "0 0 0 0 0 0 0\n";
  return fmt::format("{} {} {} 1 0 {} 0\n", kVirtualKib / kPageKib, kResidentKib / kPageKib,
                     kResidentKib / kPageKib / 2, kVirtualKib / kPageKib / 2);
}

std::string proc_status(const ProcSubject& of) {
  const ProcessEntry& entry = *of.process;
  const Credentials& user = *entry.credentials;
  std::string text = fmt::format("Name:\t{}\n", entry.comm);
  if (entry.alive()) text += fmt::format("Umask:\t{:04o}\n", entry.umask);
  text += fmt::format("State:\t{}\nTgid:\t{}\nNgid:\t0\nPid:\t{}\nPPid:\t{}\nTracerPid:\t0\n",
                      name_of_state(entry.letter()), entry.pid, entry.pid, parent_of(entry));
  text += fmt::format("Uid:\t{0}\t{0}\t{0}\t{0}\nGid:\t{1}\t{1}\t{1}\t{1}\n", user.uid, user.gid);
  const std::vector<int> open = entry.descriptors.numbers();
  const std::size_t slots = open.empty() ? 0 : static_cast<std::size_t>(open.back()) + 1;
  text += fmt::format("FDSize:\t{}\nGroups:\t{} \n",
                      entry.alive() ? std::max<std::size_t>(64, std::bit_ceil(slots)) : 0,
                      fmt::join(user.groups, " "));
  text += fmt::format("NStgid:\t{0}\nNSpid:\t{0}\nNSpgid:\t{1}\nNSsid:\t{2}\n", entry.pid,
                      entry.group, entry.session);
  if (entry.alive()) {
    text += fmt::format("VmPeak:\t{0:>8} kB\nVmSize:\t{0:>8} kB\nVmHWM:\t{1:>8} kB\n", kVirtualKib,
                        kResidentKib);
    text += fmt::format("VmRSS:\t{:>8} kB\n", kResidentKib);
  }
  text += fmt::format("Threads:\t1\nSigQ:\t0/{}\nSigPnd:\t{:016x}\nShdPnd:\t{:016x}\n",
                      of.box.options().process_limit, 0, entry.pending.bits());
  text += fmt::format("SigBlk:\t{:016x}\nSigIgn:\t{:016x}\nSigCgt:\t{:016x}\n", entry.mask.bits(),
                      entry.ignored.bits(), entry.handled.bits());
  const std::uint64_t capabilities = user.root() ? kAllCapabilities : 0;
  text += fmt::format("CapInh:\t{:016x}\nCapPrm:\t{:016x}\nCapEff:\t{:016x}\nCapBnd:\t{:016x}\n", 0,
                      capabilities, capabilities, kAllCapabilities);
  text += fmt::format("CapAmb:\t{:016x}\nNoNewPrivs:\t0\nSeccomp:\t0\nCpus_allowed:\t1\n", 0);
  text += fmt::format(
      "Cpus_allowed_list:\t0\nvoluntary_ctxt_switches:\t{}\nnonvoluntary_ctxt_switches:\t0\n",
      entry.slices);
  return text;
}

}  // namespace sandproof::machine
