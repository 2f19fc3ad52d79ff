// SPDX-License-Identifier: Apache-2.0
// The one table of what stands in /proc. Constants; any thread.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "fakes/machine/vfs/attributes.h"

namespace sandproof::machine {

class Box;
class Kernel;
struct ProcessEntry;

/// Of which machine and box; the process is null for what is no process's.
struct ProcSubject {
  const Box& box;
  Kernel& kernel;
  const ProcessEntry* process = nullptr;
};

using ProcText = std::string (*)(const ProcSubject&);

/// What a file is, apart from its text.
enum class ProcKind : std::uint8_t {
  kDirectory,
  kText,
  kProcesses,  // The root: the directories of all processes are in it, too.
  kFdDirectory,
  kFdLink,  // One per descriptor: the row has no name.
  kFdFile,  // What a kFdLink leads to where that is no file.
  kPath,    // A link with a path: its text.
  kSelf,
  kCwd,
  kExe,
  kRoot,
  kNsLink,
  kNsFile,
};

struct ProcRow {
  std::string_view name;
  unsigned parent;  // The slot of its directory; 0 where it is in none.
  ProcKind kind;
  std::uint32_t mode;
  ProcText text = nullptr;
};

// Slots are places in the table, counted from 1.
inline constexpr unsigned kProcRoot = 1;
inline constexpr unsigned kProcPid = 2;
inline constexpr unsigned kProcFd = 3;
inline constexpr unsigned kProcNs = 4;
inline constexpr unsigned kProcSys = 5;
inline constexpr unsigned kProcSysKernel = 6;
inline constexpr unsigned kProcFdLink = 7;
inline constexpr unsigned kProcFdFile = 8;
inline constexpr unsigned kProcNsFile = 9;

/// Slot n is at n - 1. The rows of one directory stand in the order of their names.
std::span<const ProcRow> proc_rows();

}  // namespace sandproof::machine
