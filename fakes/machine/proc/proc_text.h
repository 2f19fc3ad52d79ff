// SPDX-License-Identifier: Apache-2.0
// The texts of /proc, in the formats of proc(5): one function per file. Pure, but for the clock.
#pragma once

#include "fakes/machine/proc/proc_rows.h"

namespace sandproof::machine {

// Of a process (proc_process_text.cc).

std::string proc_cgroup(const ProcSubject& of);
std::string proc_cmdline(const ProcSubject& of);
std::string proc_comm(const ProcSubject& of);
std::string proc_environ(const ProcSubject& of);
std::string proc_limits(const ProcSubject& of);
std::string proc_mountinfo(const ProcSubject& of);
std::string proc_mounts(const ProcSubject& of);
std::string proc_oom_score_adj(const ProcSubject& of);
std::string proc_stat(const ProcSubject& of);
std::string proc_statm(const ProcSubject& of);
std::string proc_status(const ProcSubject& of);

// Of the machine (proc_system_text.cc). Its processor and its memory are made up, and constant.

std::string proc_cpuinfo(const ProcSubject& of);
std::string proc_filesystems(const ProcSubject& of);
std::string proc_loadavg(const ProcSubject& of);
std::string proc_meminfo(const ProcSubject& of);
std::string proc_system_stat(const ProcSubject& of);
std::string proc_uptime(const ProcSubject& of);
std::string proc_version(const ProcSubject& of);
std::string proc_hostname(const ProcSubject& of);
std::string proc_osrelease(const ProcSubject& of);
std::string proc_ostype(const ProcSubject& of);
std::string proc_pid_max(const ProcSubject& of);

}  // namespace sandproof::machine
