// SPDX-License-Identifier: Apache-2.0
// The sinks that come with the framework: log stores through spdlog (the default), as JSON lines
// and in memory; a metadata sink in memory; diagnostics through spdlog and in memory.
//
// Each is thread-safe. A log source shares what it needs with its store, so it may outlive it.
#pragma once

#include <filesystem>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "sandproof/step.h"

namespace spdlog {
class logger;
}  // namespace spdlog

namespace sandproof {

struct LogRecord {
  std::string source;
  LogLevel level = LogLevel::kInfo;
  std::string text;

  friend bool operator==(const LogRecord&, const LogRecord&) = default;
};

/// Keeps everything, without a limit: for tests and for short programs.
class MemoryLogStore : public LogStore {
 public:
  MemoryLogStore();
  std::unique_ptr<LogSource> open_source(const std::string& name) override;

  /// Copies, in the order of the calls. A source that was opened or ended twice is there twice.
  std::vector<LogRecord> records() const;
  /// The texts of one source.
  std::vector<std::string> texts(const std::string& source) const;
  std::vector<std::string> opened() const;
  std::vector<std::string> ended() const;
  /// What was logged to a source after its end. It is not among the records.
  std::vector<LogRecord> late() const;

 private:
  struct State;
  class Source;
  std::shared_ptr<State> state_;
};

/// Appends to a file, per record one line and one write:
/// {"time":"2026-01-31T23:59:59.123Z","source":"sandbox:…","level":"info","text":"…"}
/// Bytes that are no UTF-8 become U+FFFD. Sources log and open; they leave no line of their own.
class JsonLinesLogStore : public LogStore {
 public:
  /// Makes the file where it does not exist. Throws InvalidArgumentError for one that cannot be
  /// opened for appending.
  explicit JsonLinesLogStore(const std::filesystem::path& path);
  /// log() of the source throws std::system_error when the file cannot be written.
  std::unique_ptr<LogSource> open_source(const std::string& name) override;

 private:
  class File;
  class Source;
  std::shared_ptr<File> file_;
};

/// Logs "<source>: <text>" through spdlog.
class SpdlogLogStore : public LogStore {
 public:
  /// Null: a logger of its own to standard error.
  explicit SpdlogLogStore(std::shared_ptr<spdlog::logger> logger = nullptr);
  std::unique_ptr<LogSource> open_source(const std::string& name) override;

 private:
  class Source;
  std::shared_ptr<spdlog::logger> logger_;
};

class MemoryMetadataSink : public MetadataSink {
 public:
  void publish(const std::string& key, const std::string& value) override;
  /// In the order of the calls.
  std::vector<std::pair<std::string, std::string>> entries() const;

 private:
  mutable std::mutex mutex_;
  std::vector<std::pair<std::string, std::string>> entries_;
};

/// Through spdlog to standard error, as the logger "sandproof"; what is below kInfo is dropped.
std::shared_ptr<Diagnostics> spdlog_diagnostics();

class MemoryDiagnostics : public Diagnostics {
 public:
  void report(LogLevel level, std::string_view text) override;
  /// In the order of the calls, with empty sources.
  std::vector<LogRecord> records() const;

 private:
  mutable std::mutex mutex_;
  std::vector<LogRecord> records_;
};

}  // namespace sandproof
