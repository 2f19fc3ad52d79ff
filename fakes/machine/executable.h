// SPDX-License-Identifier: Apache-2.0
// What exec() finds at a path: a program of the machine, by way of the interpreters of scripts. One
// thread per machine.
#pragma once

#include "fakes/machine/process.h"

namespace sandproof::machine {

struct Executable {
  ProgramMain main;
  Strings argv;  // With the interpreters' words put before the script's.
};

/// In a box without files by the base name of `path`. Otherwise the file is one that the caller may
/// execute (EACCES), and stands for a program of the machine, or is a foreign binary whose base
/// name is a program's, or a script that begins with #! (its interpreter found in the same way,
/// ELOOP beyond Linux's depth); ENOEXEC for any other.
Result<Executable> find_executable(const ProcessEntry& caller, std::string_view path, Strings argv);

}  // namespace sandproof::machine
