// SPDX-License-Identifier: Apache-2.0
// Whether the files that a command writes are different ones, and none that it reads. Any thread.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace sandproof::conformance {

/// A file that a person named.
struct NamedFile {
  /// As they named it, for the message: "--report json:out.json", "run.jsonl".
  std::string words;
  /// Empty: none, and compared with nothing.
  std::filesystem::path path;
};

/// Throws ProgramError (kUsage) that names two outputs that are one file, or an output that is an
/// input. Links are followed, also to what is not there yet. What is there and no regular file (a
/// terminal, a pipe, /dev/null) may be named as often as one likes: nothing in it is replaced.
/// Files are not compared by what is in them, and nothing is opened.
void check_distinct(const std::vector<NamedFile>& outputs, const std::vector<NamedFile>& inputs);

}  // namespace sandproof::conformance
