// SPDX-License-Identifier: Apache-2.0
// ps: the processes of the box. Letters without a meaning to it are passed over, as in busybox.
#include <algorithm>
#include <array>

#include "fakes/machine/printed.h"
#include "fakes/machine/programs/mains.h"
#include "fakes/machine/programs/support/options.h"
#include "fakes/machine/programs/support/process_list.h"
#include "fakes/machine/programs/support/users.h"

namespace sandproof::machine::programs {
namespace {

constexpr Usage kPsUsage = {.text = "[-o COL1,COL2=HEADER] [-T]", .letters = "o:TaAdefuxwlj"};

struct PsColumn {
  std::string_view name;
  std::string_view heading;
  int width;
};
constexpr std::array kPsColumns = {
    PsColumn{"user", "USER", 8},     PsColumn{"group", "GROUP", 8},
    PsColumn{"comm", "COMMAND", 16}, PsColumn{"args", "COMMAND", 256},
    PsColumn{"pid", "PID", 5},       PsColumn{"ppid", "PPID", 5},
    PsColumn{"pgid", "PGID", 5},     PsColumn{"nice", "NI", 5},
    PsColumn{"rgroup", "RGROUP", 8}, PsColumn{"ruser", "RUSER", 8},
    PsColumn{"tty", "TT", 6},        PsColumn{"vsz", "VSZ", 4},
    PsColumn{"sid", "SID", 5},       PsColumn{"stat", "STAT", 4},
    PsColumn{"rss", "RSS", 4},
};

struct ChosenColumn {
  const PsColumn* column = nullptr;
  std::string heading;
};

std::string kilobytes_text(std::uint64_t kilobytes) {
  if (kilobytes < 10000) return std::to_string(kilobytes);
  if (kilobytes < 10000 * std::uint64_t{1024}) return std::to_string(kilobytes / 1024) + "m";
  return std::to_string(kilobytes / 1024 / 1024) + "g";
}

std::string ps_cell(const PsColumn& column, const ListedProcess& process, const Users& users) {
  if (column.name == "user" || column.name == "ruser") return users.user_text(process.uid);
  if (column.name == "group" || column.name == "rgroup") return users.group_text(process.gid);
  if (column.name == "comm") return process.name;
  if (column.name == "args") return process.arguments;
  if (column.name == "tty") return "?";
  if (column.name == "vsz") return kilobytes_text(process.memory_kilobytes);
  if (column.name == "rss") return kilobytes_text(process.resident_kilobytes);
  if (column.name == "stat") return std::string(1, process.state);
  int number = process.pid;
  if (column.name == "ppid") number = process.parent;
  if (column.name == "pgid") number = process.group;
  if (column.name == "sid") number = process.session;
  if (column.name == "nice") number = process.nice;
  return printed("%*d", column.width, number);
}

/// What is wrong; empty if nothing is.
std::string choose_columns(const Strings& lists, std::vector<ChosenColumn>& chosen) {
  for (const std::string& list : lists) {
    for (std::size_t at = 0; at <= list.size();) {
      const std::size_t end = std::min(list.find(',', at), list.size());
      const std::string word = list.substr(at, end - at);
      at = end + 1;
      const std::size_t equals = std::min(word.find('='), word.size());
      const std::string name = word.substr(0, equals);
      const auto found = std::find_if(kPsColumns.begin(), kPsColumns.end(),
                                      [&name](const PsColumn& row) { return row.name == name; });
      if (found == kPsColumns.end()) {
        return "bad -o argument '" + name +
               "', supported arguments: user,group,comm,args,pid,ppid,pgid,nice,rgroup,ruser,tty,"
               "vsz,sid,stat,rss";
      }
      ChosenColumn column{.column = &*found, .heading = std::string(found->heading)};
      if (equals < word.size()) column.heading = word.substr(equals + 1);
      chosen.push_back(std::move(column));
    }
  }
  return {};
}

/// Columns side by side; the last is not filled up.
std::string ps_line(const std::vector<ChosenColumn>& columns, const Strings& cells) {
  std::string line;
  for (std::size_t at = 0; at < cells.size(); ++at) {
    const auto width = static_cast<std::size_t>(columns[at].column->width);
    std::string cell = cells[at];
    if (at + 1 < cells.size()) {
      cell.resize(width, ' ');
      cell += ' ';
    }
    line += cell;
  }
  return line + "\n";
}

Task<int> run_ps(Process& self) {
  Tool tool(self, kPsUsage);
  const std::optional<Options> options = co_await read_options(tool);
  if (!options) co_return tool.status;
  std::vector<ChosenColumn> columns;
  Strings lists = options->values('o');
  if (lists.empty()) lists.emplace_back("pid,user,args");
  const std::string wrong = choose_columns(lists, columns);
  if (!wrong.empty()) {
    co_await tool.fail(wrong);
    co_return tool.status;
  }
  const Result<std::vector<ListedProcess>> processes = co_await list_processes(self);
  if (!processes) {
    co_await tool.fail("can't open '/proc'", processes.error());
    co_return tool.status;
  }
  const Users users = co_await Users::load(self);
  Strings cells;
  for (const ChosenColumn& column : columns) cells.push_back(column.heading);
  (void)co_await tool.out.put(ps_line(columns, cells));
  for (const ListedProcess& process : *processes) {
    cells.clear();
    for (const ChosenColumn& column : columns) {
      cells.push_back(ps_cell(*column.column, process, users));
    }
    if (!co_await tool.out.put(ps_line(columns, cells))) break;
  }
  co_return co_await tool.finish();
}

}  // namespace

Task<int> ps_main(Process& self) { return run_ps(self); }

}  // namespace sandproof::machine::programs
