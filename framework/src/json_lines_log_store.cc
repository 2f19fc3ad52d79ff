// SPDX-License-Identifier: Apache-2.0
// The log store that appends JSON lines to a file (sandproof/log_stores.h). Thread-safe: the kernel
// appends each write as a whole, and nothing is shared but the descriptor. The last of the store
// and its sources closes it.
#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <ctime>
#include <nlohmann/json.hpp>
#include <system_error>

#include "sandproof/errors.h"
#include "sandproof/log_stores.h"
#include "utf8.h"

namespace sandproof {
namespace {

// Subject to the umask, as for any file that a program makes for its user.
constexpr mode_t kFileMode = 0666;

std::string utc_time() {
  const auto since_epoch = std::chrono::system_clock::now().time_since_epoch();
  const auto milliseconds =
      std::chrono::duration_cast<std::chrono::milliseconds>(since_epoch).count();
  const auto seconds = static_cast<std::time_t>(milliseconds / 1000);
  std::tm parts{};
  ::gmtime_r(&seconds, &parts);
  std::array<char, 32> text{};  // "2026-01-31T23:59:59" has 19.
  const std::size_t size = std::strftime(text.data(), text.size(), "%Y-%m-%dT%H:%M:%S", &parts);
  const std::string fraction = std::to_string(1000 + milliseconds % 1000);
  return std::string(text.data(), size) + "." + fraction.substr(1) + "Z";
}

}  // namespace

class JsonLinesLogStore::File {
 public:
  explicit File(const std::filesystem::path& path) : path_(path.string()) {
    do {
      descriptor_ = ::open(path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, kFileMode);
    } while (descriptor_ < 0 && errno == EINTR);
    if (descriptor_ < 0) {
      throw InvalidArgumentError("cannot open the log file " + path_ +
                                 " for appending: " + std::generic_category().message(errno) +
                                 "; name a file in a directory that can be written");
    }
  }
  ~File() { ::close(descriptor_); }
  File(const File&) = delete;
  File& operator=(const File&) = delete;

  // One write, unless the kernel takes a part only (a full disk, a pipe).
  void append(std::string_view line) {
    while (!line.empty()) {
      const ssize_t count = ::write(descriptor_, line.data(), line.size());
      if (count > 0) {
        line.remove_prefix(static_cast<std::size_t>(count));
      } else if (count == 0 || errno != EINTR) {
        throw std::system_error(errno, std::generic_category(),
                                "cannot append to the log file " + path_);
      }
    }
  }

 private:
  std::string path_;
  int descriptor_ = -1;
};

class JsonLinesLogStore::Source : public LogSource {
 public:
  Source(std::shared_ptr<File> file, std::string name)
      : file_(std::move(file)), name_(std::move(name)) {}

  void log(LogLevel level, std::string_view text) override {
    // Ordered: a person reads the time first.
    const nlohmann::ordered_json record{{"time", utc_time()},
                                        {"source", name_},
                                        {"level", to_string(level)},
                                        {"text", sanitize(text)}};
    file_->append(record.dump() + "\n");
  }

  void end() override {}

 private:
  std::shared_ptr<File> file_;
  std::string name_;
};

JsonLinesLogStore::JsonLinesLogStore(const std::filesystem::path& path)
    : file_(std::make_shared<File>(path)) {}

std::unique_ptr<LogSource> JsonLinesLogStore::open_source(const std::string& name) {
  return std::make_unique<Source>(file_, sanitize(name));
}

}  // namespace sandproof
