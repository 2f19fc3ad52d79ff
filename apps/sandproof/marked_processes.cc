// SPDX-License-Identifier: Apache-2.0
// Finding processes by their mark; see marked_processes.h.
#include "apps/sandproof/marked_processes.h"

#include <fmt/format.h>

#include <set>

#include "flavors/local/process_table.h"

namespace sandproof::apps {

std::vector<conformance::ProcessEntry> marked_processes(
    const std::function<bool(const local::Mark&)>& wanted) {
  const std::shared_ptr<local::ProcessTable> table = local::system_process_table();
  const std::vector<local::ProcessRow> rows = table->list();
  std::set<pid_t> found;
  std::set<pid_t> sessions;
  for (const local::ProcessRow& row : rows) {
    if (row.kernel) continue;
    const auto mark = local::parse_mark(table->mark(row.pid).value);
    if (!mark || !wanted(*mark)) continue;
    found.insert(row.pid);
    sessions.insert(row.session);
  }
  // Until a pass finds nobody new: parents need not come before their children.
  for (bool more = true; more;) {
    more = false;
    for (const local::ProcessRow& row : rows) {
      if (row.kernel || found.contains(row.pid)) continue;
      if (!found.contains(row.parent) && !sessions.contains(row.session)) continue;
      found.insert(row.pid);
      more = true;
    }
  }
  std::vector<conformance::ProcessEntry> entries;
  for (const local::ProcessRow& row : rows) {
    if (!found.contains(row.pid)) continue;
    entries.push_back({row.pid, row.parent, row.alive(), table->command_line(row.pid)});
  }
  return entries;
}

std::vector<std::string> process_lines(const std::string& component_id) {
  std::vector<std::string> lines;
  const auto of_component = [&component_id](const local::Mark& mark) {
    return mark.component == component_id;
  };
  for (const conformance::ProcessEntry& entry : marked_processes(of_component)) {
    lines.push_back(
        fmt::format("process {}: {}{}", entry.pid, entry.command, entry.alive ? "" : " (zombie)"));
  }
  return lines;
}

}  // namespace sandproof::apps
