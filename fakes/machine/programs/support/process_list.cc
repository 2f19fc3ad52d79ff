// SPDX-License-Identifier: Apache-2.0
// Reading /proc.
#include "fakes/machine/programs/support/process_list.h"

#include <algorithm>

#include "fakes/machine/programs/support/files.h"
#include "fakes/machine/programs/support/numbers.h"

namespace sandproof::machine::programs {
namespace {

// Pages are of this size, as on Linux.
constexpr std::uint64_t kPageKilobytes = 4;

/// The fields of /proc/PID/stat behind the name, which may have anything in it.
bool read_stat(const std::string& text, ListedProcess& process) {
  const std::size_t open = text.find('(');
  const std::size_t close = text.rfind(')');
  if (open == text.npos || close == text.npos || close + 2 >= text.size()) return false;
  process.name = text.substr(open + 1, close - open - 1);
  std::vector<std::string> fields;
  for (std::size_t at = close + 2; at < text.size();) {
    const std::size_t end = std::min(text.find_first_of(" \n", at), text.size());
    fields.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  // From the third on: state ppid pgrp session …; see proc(5).
  const auto number = [&fields](std::size_t field) {
    return field - 3 < fields.size() ? read_integer(fields[field - 3]).value_or(0) : 0;
  };
  if (fields.empty() || fields[0].empty()) return false;
  process.state = fields[0][0];
  process.parent = static_cast<Pid>(number(4));
  process.group = static_cast<Pid>(number(5));
  process.session = static_cast<Pid>(number(6));
  process.nice = static_cast<int>(number(19));
  process.started_ticks = static_cast<std::uint64_t>(number(22));
  process.memory_kilobytes = static_cast<std::uint64_t>(number(23)) / 1024;
  process.resident_kilobytes = static_cast<std::uint64_t>(number(24)) * kPageKilobytes;
  return true;
}

Task<Result<std::vector<ListedProcess>>> read_all_processes(Process& self) {
  const Result<Strings> names = co_await list_names(self, "/proc");
  if (!names) co_return names.error();
  std::vector<ListedProcess> processes;
  for (const std::string& name : *names) {
    const auto pid = read_unsigned(name);
    if (!pid) continue;
    ListedProcess process;
    process.pid = static_cast<Pid>(*pid);
    const std::string folder = "/proc/" + name;
    const Result<Attributes> owner = self.stat(folder);
    const Result<std::string> stat = co_await read_file(self, folder + "/stat");
    if (!owner || !stat || !read_stat(*stat, process)) continue;
    process.uid = owner->uid;
    process.gid = owner->gid;
    const Result<std::string> words = co_await read_file(self, folder + "/cmdline");
    process.arguments = words.value_or("");
    while (process.arguments.ends_with('\0')) process.arguments.pop_back();
    for (char& letter : process.arguments) {
      if (static_cast<unsigned char>(letter) < 32) letter = letter == '\0' ? ' ' : '?';
    }
    if (process.arguments.empty()) process.arguments = "[" + process.name + "]";
    processes.push_back(std::move(process));
  }
  std::sort(processes.begin(), processes.end(),
            [](const ListedProcess& a, const ListedProcess& b) { return a.pid < b.pid; });
  co_return processes;
}

}  // namespace

Task<Result<std::vector<ListedProcess>>> list_processes(Process& self) {
  return read_all_processes(self);
}

}  // namespace sandproof::machine::programs
