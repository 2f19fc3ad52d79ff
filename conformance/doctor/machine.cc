// SPDX-License-Identifier: Apache-2.0
// The machine's preconditions; see machine.h.
#include "conformance/doctor/machine.h"

#include <fmt/format.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <ctime>
#include <thread>

#include "conformance/report/terminal.h"
#include "sandproof/conformance/checks.h"

namespace sandproof::conformance {
namespace {

CheckResult check_adoption() {
  if (::prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) == 0) return CheckResult::ok();
  return CheckResult::failed(std::string("PR_SET_CHILD_SUBREAPER: ") + std::strerror(errno),
                             "use Linux 3.4 or newer, and a seccomp profile that allows prctl");
}

/// Output that nobody reads goes to a file, and a write beyond the limit would end the harness.
CheckResult check_file_size(std::uint64_t wanted) {
  rlimit limit = {};
  if (::getrlimit(RLIMIT_FSIZE, &limit) != 0) {
    return CheckResult::failed(std::strerror(errno), "see `ulimit -f`");
  }
  if (limit.rlim_cur == RLIM_INFINITY) return CheckResult::ok("no limit");
  if (limit.rlim_cur >= wanted) return CheckResult::ok(bytes_text(limit.rlim_cur));
  return CheckResult::warning("only " + bytes_text(limit.rlim_cur),
                              "lift the limit: `ulimit -f unlimited`");
}

CheckResult check_clock() {
  // The year in which this was written: a clock before it stands where it stood when the machine
  // was switched on, and no certificate is valid.
  constexpr std::time_t kWritten = 1704067200;  // 2024-01-01
  timespec now = {};
  if (::clock_gettime(CLOCK_MONOTONIC, &now) != 0) {
    return CheckResult::failed(std::string("CLOCK_MONOTONIC: ") + std::strerror(errno),
                               "use a kernel that has it");
  }
  const std::time_t date = std::time(nullptr);
  std::tm parts = {};
  ::gmtime_r(&date, &parts);
  const std::string text =
      fmt::format("{:04}-{:02}-{:02} UTC", parts.tm_year + 1900, parts.tm_mon + 1, parts.tm_mday);
  if (date >= kWritten) return CheckResult::ok(text);
  return CheckResult::warning("it says " + text, "set it: `date -s`, or start an NTP client");
}

CheckResult describe_cores() {
  const unsigned cores = std::max(1U, std::thread::hardware_concurrency());
  return CheckResult::ok(count_text(cores, "core"));
}

CheckResult describe_reader() {
  const Terminal terminal = describe_terminal(STDOUT_FILENO, ColorMode::kAuto);
  return CheckResult::ok(fmt::format("{} columns, {}, {}", terminal.width,
                                     terminal.color ? "colours" : "no colours",
                                     terminal.utf8 ? "UTF-8" : "ASCII"));
}

Precondition temporary_files(const MachineNeeds& needs) {
  return {"temporary files can be made", [needs](const Settings&) {
            return check_writable_directory(needs.temporary,
                                            "set TMPDIR to a directory that can be written");
          }};
}

Precondition process_directory(const MachineNeeds& needs) {
  return {"/proc is mounted",
          [needs](const Settings&) { return check_process_directory(needs.proc); }};
}

Precondition pidfds() {
  return {"processes can be held by pidfd", [](const Settings&) { return check_pidfd(); }};
}

Precondition adoption() {
  return {"orphaned processes can be adopted", [](const Settings&) { return check_adoption(); }};
}

Precondition processes(const MachineNeeds& needs) {
  return {"enough processes may run", [needs](const Settings&) {
            return check_processes(needs.least_processes, needs.wanted_processes);
          }};
}

Precondition descriptors(const MachineNeeds& needs) {
  return {"enough descriptors may be open", [needs](const Settings&) {
            return check_descriptors(needs.least_descriptors, needs.wanted_descriptors);
          }};
}

}  // namespace

std::vector<Precondition> runner_preconditions(MachineNeeds needs) {
  needs.wanted_processes = needs.least_processes;
  return {temporary_files(needs), process_directory(needs), pidfds(), adoption(),
          processes(needs),       descriptors(needs)};
}

std::vector<Precondition> machine_preconditions(const MachineNeeds& needs) {
  return {
      temporary_files(needs),
      {"there is room for them",
       [needs](const Settings&) {
         return check_free_space(needs.temporary, needs.least_space, needs.wanted_space);
       }},
      process_directory(needs),
      pidfds(),
      adoption(),
      processes(needs),
      descriptors(needs),
      {"files may become large",
       [needs](const Settings&) { return check_file_size(needs.wanted_space); }},
      {"the clock goes", [](const Settings&) { return check_clock(); }},
      {"cases can run beside each other", [](const Settings&) { return describe_cores(); }},
      {"reports can be read here", [](const Settings&) { return describe_reader(); }},
  };
}

}  // namespace sandproof::conformance
