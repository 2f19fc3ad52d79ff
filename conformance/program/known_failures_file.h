// SPDX-License-Identifier: Apache-2.0
// Reads and writes the entries of a known-failures file (docs/known-failures.md): a YAML list,
// which people edit and comment. Values and pure functions, but for the one that reads; any thread.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

#include "conformance/known_failure.h"
#include "conformance/runner/suite.h"

namespace sandproof::conformance {

struct KnownFailuresFile {
  /// As the user calls it.
  std::string name;
  std::string text;
  /// In the order of the file; their lines rise.
  std::vector<KnownFailure> entries;
  /// One entry per `- ` at the start of a line: such a file can be changed line by line.
  bool in_lines = true;
  /// Columns before the `-`.
  std::size_t indent = 0;
};

/// Throws ProgramError (kUsage) with one sentence that names the file, the line and the field, and
/// says what would be right. A text without entries is fine.
KnownFailuresFile parse_known_failures(std::string text, std::string name);

/// The same from a file; where it need not exist, one that does not is empty.
KnownFailuresFile read_known_failures(const std::filesystem::path& path, bool must_exist);

/// Throws ProgramError (kUsage) where the file cannot be changed line by line.
void check_in_lines(const KnownFailuresFile& file);

/// Fills in what the patterns of an entry match in the whole suite, on all its bindings.
void look_up(KnownFailure& entry, const Suite& suite);

/// The lines of an entry, indented; ends with a newline.
std::string entry_text(const KnownFailure& entry, std::size_t indent);

}  // namespace sandproof::conformance
