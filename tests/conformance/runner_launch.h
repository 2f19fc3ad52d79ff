// SPDX-License-Identifier: Apache-2.0
// Starts the runner's test program (runner_fixture) in a directory of its own and under a mark of
// its own, and looks at what it did: its log, how it ended, which of its processes still live.
// Owned by one test.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <filesystem>
#include <functional>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

namespace sandproof::conformance {

/// A process that carries the launch's mark in its environment, which all of its processes inherit.
struct MarkedProcess {
  pid_t pid = 0;
  pid_t parent = 0;
  std::string command;
};

class Launch {
 public:
  using Words = std::vector<std::string>;

  /// Starts `runner_fixture run` with `options`, and a log below the launch's directory.
  explicit Launch(const Words& options);
  /// Kills what still lives, and removes the directory.
  ~Launch();
  Launch(const Launch&) = delete;
  Launch& operator=(const Launch&) = delete;

  pid_t pid() const { return pid_; }
  /// Waits for the end of the process that was started; its wait status. Fails the test and kills
  /// the process after two minutes.
  int wait();
  /// Waits until no process of the launch lives; false after `bound`.
  bool wait_until_gone(std::chrono::milliseconds bound);
  std::vector<MarkedProcess> processes() const;
  /// Waits for an event in the log for which `wanted` holds; false when the process has ended
  /// without it, or after a minute.
  bool wait_for_event(const std::function<bool(const nlohmann::json&)>& wanted) const;

  /// Every whole line of the log, parsed. Fails the test when one is no event, or when `seq` has a
  /// gap.
  std::vector<nlohmann::json> events() const;
  /// One line for each time that the reports were rendered: "<pid> complete" or "… incomplete".
  Words finished() const;
  std::string output() const;
  std::string error_output() const;
  /// What is left in the directory that was the launch's TMPDIR.
  Words temporary_files() const;
  const std::filesystem::path& directory() const { return directory_; }

 private:
  std::string mark_;
  std::filesystem::path directory_;
  pid_t pid_ = -1;
  std::optional<int> status_;
};

/// Runs it to its end; the status has to be an exit.
struct Finished {
  int exit_code = -1;
  std::vector<nlohmann::json> events;
  std::string output;
  std::string error_output;
};
/// With a sanitizer, limits are scaled unless `options` say how.
Finished run_fixture(const Launch::Words& options);

/// The events named `name`; of `test_case` alone, where one is named.
std::vector<nlohmann::json> events_of(const std::vector<nlohmann::json>& events,
                                      const std::string& name, const std::string& test_case = "");
/// The one event that says how the case ended; null if there is not exactly one.
nlohmann::json end_of(const std::vector<nlohmann::json>& events, const std::string& test_case);

}  // namespace sandproof::conformance
