// SPDX-License-Identifier: Apache-2.0
// What a run has on disk: its event log, and a directory below which its workers live. Made before
// the guard forks; removed by whichever process survives.
#pragma once

#include <filesystem>
#include <utility>

#include "conformance/runner/unique_fd.h"

namespace sandproof::conformance::runner {

class RunFiles {
 public:
  /// An empty path: a temporary log. Removes first what runs have left here of which every process
  /// was killed. Throws RunnerError that names what cannot be made.
  explicit RunFiles(const std::filesystem::path& event_log);
  ~RunFiles();
  RunFiles(const RunFiles&) = delete;
  RunFiles& operator=(const RunFiles&) = delete;

  const std::filesystem::path& log_path() const { return log_path_; }
  const std::filesystem::path& directory() const { return directory_; }
  UniqueFd take_log() { return std::move(log_); }

  /// Removes the directory; says on stderr what it could not remove. Again does nothing.
  void remove_directory();
  /// Removes the log if it is a temporary one.
  void remove_log();

 private:
  std::filesystem::path directory_;
  /// Of a file in it that is locked as long as a process of the run has it open.
  UniqueFd owner_;
  std::filesystem::path log_path_;
  bool temporary_log_ = false;
  UniqueFd log_;
};

}  // namespace sandproof::conformance::runner
