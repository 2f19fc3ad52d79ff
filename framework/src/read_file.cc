// SPDX-License-Identifier: Apache-2.0
// Reads small files (read_file.h). Any thread.
#include "read_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <system_error>

#include "sandproof/errors.h"

namespace sandproof {
namespace {

class Reader {
 public:
  Reader(const std::filesystem::path& path, const std::string& what) : what_(what) {
    do {
      descriptor_ = ::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    } while (descriptor_ < 0 && errno == EINTR);
    if (descriptor_ < 0) refuse(std::generic_category().message(errno));
  }
  ~Reader() { ::close(descriptor_); }
  Reader(const Reader&) = delete;
  Reader& operator=(const Reader&) = delete;

  std::size_t read(char* buffer, std::size_t size) {
    for (;;) {
      const ssize_t count = ::read(descriptor_, buffer, size);
      if (count == 0 && first_ && is_pipe()) {
        refuse("it is a pipe that nobody writes into; start what writes into it first");
      }
      if (count >= 0) {
        first_ = false;
        return static_cast<std::size_t>(count);
      }
      if (errno == EAGAIN) {
        // Somebody has opened it to write: that is worth waiting for.
        first_ = false;
        ::fcntl(descriptor_, F_SETFL, ::fcntl(descriptor_, F_GETFL) & ~O_NONBLOCK);
      } else if (errno != EINTR) {
        refuse(std::generic_category().message(errno));
      }
    }
  }

 private:
  bool is_pipe() const {
    struct stat info {};
    return ::fstat(descriptor_, &info) == 0 && S_ISFIFO(info.st_mode);
  }
  [[noreturn]] void refuse(const std::string& why) const {
    throw InvalidArgumentError("cannot read " + what_ + ": " + why);
  }

  const std::string& what_;
  int descriptor_ = -1;
  bool first_ = true;
};

}  // namespace

std::string read_file(const std::filesystem::path& path, const std::string& what,
                      std::size_t most_bytes) {
  Reader reader(path, what);
  std::string content;
  std::array<char, 16384> buffer;  // One read for most of them.
  while (const std::size_t count = reader.read(buffer.data(), buffer.size())) {
    content.append(buffer.data(), count);
    if (content.size() > most_bytes) {
      throw InvalidArgumentError("cannot read " + what + ": it has more than " +
                                 std::to_string(most_bytes) + " bytes");
    }
  }
  return content;
}

}  // namespace sandproof
