// SPDX-License-Identifier: Apache-2.0
// The step that a session runs in, and the sinks that the step supplies. A session binds its step
// at creation. Interfaces; implementations are thread-safe and may throw: a failing sink breaks
// nothing (LOG-007, META-002).
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "sandproof/settings.h"

namespace sandproof {

enum class LogLevel { kDebug, kInfo, kWarning, kError };
std::string_view to_string(LogLevel level);

/// One source of log lines: `sandbox:<session id>`. Destroying it does not end it; end() does.
class LogSource {
 public:
  virtual ~LogSource() = default;
  /// `text` is one line without its newline; only the words of a command may hold newlines. It is
  /// never read as a format.
  virtual void log(LogLevel level, std::string_view text) = 0;
  /// Called at most once; after it nothing is logged to the source. It has to return: close() and
  /// destroy() wait for it.
  virtual void end() = 0;
};

class LogStore {
 public:
  virtual ~LogStore() = default;
  virtual std::unique_ptr<LogSource> open_source(const std::string& name) = 0;
};

class MetadataSink {
 public:
  virtual ~MetadataSink() = default;
  virtual void publish(const std::string& key, const std::string& value) = 0;
};

/// A value with shared sinks; copied into each session that is created in the step.
struct StepContext {
  std::string run_id;
  std::string step_id;
  /// Null: no lines, no metadata.
  std::shared_ptr<LogStore> logs;
  std::shared_ptr<MetadataSink> metadata;
  /// This step's settings for the component; where there are any, even with no field set, they
  /// stand in for the component's own (SET-001).
  std::optional<Settings> settings;
};

/// Where the framework itself reports trouble (teardown errors, transport trouble in kill, a spill
/// file that cannot grow), step or not. The default logs through spdlog.
class Diagnostics {
 public:
  virtual ~Diagnostics() = default;
  virtual void report(LogLevel level, std::string_view text) = 0;
};

}  // namespace sandproof
