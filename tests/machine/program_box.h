// SPDX-License-Identifier: Apache-2.0
// One program, run in a box of the machine and as busybox's applet, for tests that compare them.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "fakes/machine/program.h"

namespace sandproof::machine {

struct ProgramRun {
  std::vector<std::string> argv;
  std::string input = {};
  /// Before it, in its working directory: path → contents; a path that ends in "/" is a directory.
  std::map<std::string, std::string> files = {};
  /// In the machine's table, besides the programs that are there.
  std::vector<ProgramRow> also = {};
  /// What the real program is called by, before argv.
  std::vector<std::string> real = {"busybox"};
  /// Its standard output is /dev/full.
  bool full = false;
  /// In the machine's box alone, by absolute path; directories above them are made.
  std::map<std::string, std::string> outside = {};
};

struct ProgramEnd {
  std::string out;
  std::string err;     // A usage is cut off after "BusyBox v".
  std::string status;  // "0", "signal 9", or "does not end".
  /// After it, in the same words.
  std::map<std::string, std::string> files;
  bool operator==(const ProgramEnd&) const = default;
};

/// With PATH, LC_ALL=C and TZ=UTC alone in the environment, as user 0.
ProgramEnd run_on_machine(const ProgramRun& run);
ProgramEnd run_on_busybox(const ProgramRun& run);

/// Each of them on both; a failure names its words.
void expect_alike(std::vector<ProgramRun> rows);
/// The same, with these files and this input in each that has none of its own.
void expect_alike(std::vector<ProgramRun> rows, const std::map<std::string, std::string>& files,
                  const std::string& input = {});

/// For failures of tests.
void PrintTo(const ProgramEnd& end, std::ostream* out);

}  // namespace sandproof::machine
