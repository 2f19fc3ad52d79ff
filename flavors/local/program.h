// SPDX-License-Identifier: Apache-2.0
// Finds the file that a command names, before anything is started (EXEC-004, EXEC-018), and says
// why a file that is there could not be executed. Functions without state; any thread.
#pragma once

#include <string>

#include "sandproof/command.h"

namespace sandproof::local {

/// Where a command is looked up whose environment has no PATH: the usual one of a root shell.
inline constexpr const char* kDefaultPath =
    "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";

/// The path to execute, relative to the directory `cwd` (a descriptor) where it is not absolute.
/// A name without `/` is searched for in the PATH of `env`, an empty element of which is `cwd`; a
/// name with one is that file. Either must be a regular file that the effective user may execute.
/// Throws ExecError: kNotFound, kNotExecutable.
std::string find_program(const std::string& name, const Environment& env, int cwd);

/// The interpreter that the file `program` asks for: the word after `#!` of a script, the loader
/// of a native ELF file. Empty where it asks for none or cannot be read.
std::string interpreter_of(const std::string& program, int cwd);

}  // namespace sandproof::local
