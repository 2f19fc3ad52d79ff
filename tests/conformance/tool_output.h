// SPDX-License-Identifier: Apache-2.0
// Runs a program that judges a report (xmllint, python3) and returns what it said. One thread.
#pragma once

#include <string>
#include <vector>

namespace sandproof::conformance::fabricated {

struct ToolOutput {
  /// -1 when it did not start or was killed; 127 when there is none.
  int code = -1;
  /// Both streams.
  std::string text;
};

ToolOutput run_tool(const std::vector<std::string>& words);

/// A file in a directory of its own; both go with it.
class ScratchFile {
 public:
  ScratchFile(const std::string& name, const std::string& content);
  ~ScratchFile();
  ScratchFile(const ScratchFile&) = delete;
  ScratchFile& operator=(const ScratchFile&) = delete;
  const std::string& path() const { return path_; }
  const std::string& directory() const { return directory_; }

 private:
  std::string directory_;
  std::string path_;
};

}  // namespace sandproof::conformance::fabricated
