// SPDX-License-Identifier: Apache-2.0
// The table; see proc_rows.h.
#include "fakes/machine/proc/proc_rows.h"

#include <array>

#include "fakes/machine/proc/proc_text.h"

namespace sandproof::machine {
namespace {

using enum ProcKind;

constexpr std::array kProcRows = {
    ProcRow{"", 0, kProcesses, 0555},
    ProcRow{"", kProcRoot, kDirectory, 0555},  // Of a process: named by its pid.
    ProcRow{"fd", kProcPid, kFdDirectory, 0500},
    ProcRow{"ns", kProcPid, kDirectory, 0511},
    ProcRow{"sys", kProcRoot, kDirectory, 0555},
    ProcRow{"kernel", kProcSys, kDirectory, 0555},
    ProcRow{"", kProcFd, kFdLink, 0777},
    ProcRow{"", 0, kFdFile, 0600},
    ProcRow{"", 0, kNsFile, 0444},

    ProcRow{"cpuinfo", kProcRoot, kText, 0444, proc_cpuinfo},
    ProcRow{"filesystems", kProcRoot, kText, 0444, proc_filesystems},
    ProcRow{"loadavg", kProcRoot, kText, 0444, proc_loadavg},
    ProcRow{"meminfo", kProcRoot, kText, 0444, proc_meminfo},
    ProcRow{"mounts", kProcRoot, kPath, 0777,
            [](const ProcSubject&) { return std::string("self/mounts"); }},
    ProcRow{"self", kProcRoot, kSelf, 0777},
    ProcRow{"stat", kProcRoot, kText, 0444, proc_system_stat},
    ProcRow{"uptime", kProcRoot, kText, 0444, proc_uptime},
    ProcRow{"version", kProcRoot, kText, 0444, proc_version},

    ProcRow{"hostname", kProcSysKernel, kText, 0444, proc_hostname},
    ProcRow{"osrelease", kProcSysKernel, kText, 0444, proc_osrelease},
    ProcRow{"ostype", kProcSysKernel, kText, 0444, proc_ostype},
    ProcRow{"pid_max", kProcSysKernel, kText, 0444, proc_pid_max},

    ProcRow{"cgroup", kProcPid, kText, 0444, proc_cgroup},
    ProcRow{"cmdline", kProcPid, kText, 0444, proc_cmdline},
    ProcRow{"comm", kProcPid, kText, 0644, proc_comm},
    ProcRow{"cwd", kProcPid, kCwd, 0777},
    ProcRow{"environ", kProcPid, kText, 0400, proc_environ},
    ProcRow{"exe", kProcPid, kExe, 0777},
    ProcRow{"limits", kProcPid, kText, 0444, proc_limits},
    ProcRow{"mountinfo", kProcPid, kText, 0444, proc_mountinfo},
    ProcRow{"mounts", kProcPid, kText, 0444, proc_mounts},
    ProcRow{"oom_score_adj", kProcPid, kText, 0644, proc_oom_score_adj},
    ProcRow{"root", kProcPid, kRoot, 0777},
    ProcRow{"stat", kProcPid, kText, 0444, proc_stat},
    ProcRow{"statm", kProcPid, kText, 0444, proc_statm},
    ProcRow{"status", kProcPid, kText, 0444, proc_status},

    ProcRow{"cgroup", kProcNs, kNsLink, 0777},
    ProcRow{"ipc", kProcNs, kNsLink, 0777},
    ProcRow{"mnt", kProcNs, kNsLink, 0777},
    ProcRow{"net", kProcNs, kNsLink, 0777},
    ProcRow{"pid", kProcNs, kNsLink, 0777},
    ProcRow{"user", kProcNs, kNsLink, 0777},
    ProcRow{"uts", kProcNs, kNsLink, 0777},
};

static_assert(kProcRows.size() < 64, "slots are six bits of a file's number");

}  // namespace

std::span<const ProcRow> proc_rows() { return kProcRows; }

}  // namespace sandproof::machine
