// SPDX-License-Identifier: Apache-2.0
// The one writer of the event log (docs/event-log.md): one write() per line, so that whatever kills
// the run leaves whole lines and at most one torn last one. Owned by the supervisor's thread.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <string_view>

#include "conformance/runner/unique_fd.h"

namespace sandproof::conformance::runner {

/// Creates or empties the file. Throws RunnerError that names it.
UniqueFd open_event_log(const std::filesystem::path& path);

class EventLogWriter {
 public:
  EventLogWriter(UniqueFd fd, std::filesystem::path path,
                 std::function<void(const nlohmann::json&)> progress);

  /// Adds `event`, `seq` and `t_ms`, writes the line and then tells `progress`. Throws RunnerError
  /// when it cannot be written (a full disk).
  void append(std::string_view name, nlohmann::json event);

 private:
  UniqueFd fd_;
  std::filesystem::path path_;
  std::function<void(const nlohmann::json&)> progress_;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  std::uint64_t next_ = 0;
};

}  // namespace sandproof::conformance::runner
