// SPDX-License-Identifier: Apache-2.0
// Logging through spdlog: the default log store and the default diagnostics
// (sandproof/log_stores.h). Thread-safe, as spdlog's loggers with locked sinks are. Loggers are not
// put into spdlog's global registry: two users of the framework in one program share nothing.
#include <spdlog/logger.h>
#include <spdlog/sinks/stdout_sinks.h>

#include <utility>

#include "sandproof/log_stores.h"

namespace sandproof {
namespace {

spdlog::level::level_enum spdlog_level(LogLevel level) {
  switch (level) {
    case LogLevel::kDebug:
      return spdlog::level::debug;
    case LogLevel::kInfo:
      return spdlog::level::info;
    case LogLevel::kWarning:
      return spdlog::level::warn;
    case LogLevel::kError:
      return spdlog::level::err;
  }
  return spdlog::level::err;
}

std::shared_ptr<spdlog::logger> stderr_logger() {
  auto logger = std::make_shared<spdlog::logger>("sandproof",
                                                 std::make_shared<spdlog::sinks::stderr_sink_mt>());
  // Others share standard error: what is reported must not wait in a buffer for a crash.
  logger->flush_on(spdlog::level::trace);
  return logger;
}

class SpdlogDiagnostics : public Diagnostics {
 public:
  void report(LogLevel level, std::string_view text) override {
    logger_->log(spdlog_level(level), "{}", text);
  }

 private:
  std::shared_ptr<spdlog::logger> logger_ = stderr_logger();
};

}  // namespace

class SpdlogLogStore::Source : public LogSource {
 public:
  Source(std::shared_ptr<spdlog::logger> logger, std::string name)
      : logger_(std::move(logger)), name_(std::move(name)) {}

  void log(LogLevel level, std::string_view text) override {
    logger_->log(spdlog_level(level), "{}: {}", name_, text);
  }

  void end() override {}

 private:
  std::shared_ptr<spdlog::logger> logger_;
  std::string name_;
};

SpdlogLogStore::SpdlogLogStore(std::shared_ptr<spdlog::logger> logger)
    : logger_(logger ? std::move(logger) : stderr_logger()) {}

std::unique_ptr<LogSource> SpdlogLogStore::open_source(const std::string& name) {
  return std::make_unique<Source>(logger_, name);
}

std::shared_ptr<Diagnostics> spdlog_diagnostics() { return std::make_shared<SpdlogDiagnostics>(); }

}  // namespace sandproof
