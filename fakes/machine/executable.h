// SPDX-License-Identifier: Apache-2.0
// What exec() finds at a path: a program of the machine, by way of the interpreters of scripts. One
// thread per machine.
#pragma once

#include "fakes/machine/process.h"

namespace sandproof::machine {

struct Executable {
  ProcessBody main;
  Strings argv;           // With the interpreters' words put before the script's.
  std::string comm;       // The base name of what was asked for, as /proc/PID/comm shows it.
  NodePtr exe = nullptr;  // What runs: the last interpreter. Null in a box without files.
};

/// Whether exec() refuses them with E2BIG.
bool arguments_too_big(const Strings& argv, const Strings& env);

/// In a box without files by the base name of `path`. Otherwise the file is one that the caller may
/// execute (EACCES), and stands for a program of the machine, or is a foreign binary whose base
/// name is a program's, or a script that begins with #! (its interpreter found in the same way,
/// ELOOP beyond Linux's depth); ENOEXEC for any other.
Result<Executable> find_executable(const ProcessEntry& caller, std::string_view path, Strings argv);

}  // namespace sandproof::machine
