// SPDX-License-Identifier: Apache-2.0
// Appending to the event log (event_log_writer.h).
#include "conformance/runner/event_log_writer.h"

#include <fcntl.h>
#include <sys/stat.h>

#include <nlohmann/json.hpp>
#include <string>
#include <utility>

#include "conformance/runner/run.h"
#include "conformance/runner/system.h"

namespace sandproof::conformance::runner {

UniqueFd open_event_log(const std::filesystem::path& path) {
  const std::string what = "cannot write the event log " + path.string();
  // O_NONBLOCK: a FIFO without a reader must not hold us up. Files do not know it.
  const int flags = O_WRONLY | O_CREAT | O_APPEND | O_NONBLOCK | O_CLOEXEC;
  UniqueFd fd(::open(path.c_str(), flags, 0644));  // no-cloexec: it is among the flags.
  struct stat info {};
  if (!fd || ::fstat(fd.get(), &info) != 0) throw_system_error(what);
  if (!S_ISREG(info.st_mode)) {
    throw RunnerError(what + ": it is no regular file, and the reports are read from it");
  }
  if (::ftruncate(fd.get(), 0) != 0) throw_system_error(what);
  return fd;
}

EventLogWriter::EventLogWriter(UniqueFd fd, std::filesystem::path path,
                               std::function<void(const nlohmann::json&)> progress)
    : fd_(std::move(fd)), path_(std::move(path)), progress_(std::move(progress)) {}

void EventLogWriter::append(std::string_view name, nlohmann::json event) {
  const auto now = std::chrono::steady_clock::now();
  event["event"] = name;
  event["seq"] = next_++;
  event["t_ms"] = std::chrono::duration_cast<std::chrono::milliseconds>(now - start_).count();
  std::string line = event.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  line += '\n';
  if (!write_all(fd_.get(), line)) {
    throw_system_error("cannot write the event log " + path_.string());
  }
  // The parsed line rather than `event`: text that is not UTF-8 is replaced by now, and no reader
  // downstream has to think of it.
  if (progress_) progress_(nlohmann::json::parse(line));
}

}  // namespace sandproof::conformance::runner
