// SPDX-License-Identifier: Apache-2.0
// The production source of ids (sandproof/id_source.h): the kernel's. No state; any thread.
#include "sandproof/id_source.h"

#include <sys/random.h>

#include <array>
#include <cerrno>
#include <cstddef>
#include <system_error>

#include "sandproof/errors.h"

namespace sandproof {
namespace {

// 256 bits: more than any mark or token needs, and at most what getrandom gives uninterrupted.
constexpr int kLargestDigits = 64;
// 48 bits: of a million sessions, two share an id with a chance of 1 in 560 (SESSION-002).
constexpr int kIdDigits = 12;

class SystemIdSource : public IdSource {
 public:
  std::string hex(int digits) override {
    if (digits < 1 || digits > kLargestDigits) {
      throw InvalidArgumentError("cannot make " + std::to_string(digits) +
                                 " random digits: ask for 1 to " + std::to_string(kLargestDigits));
    }
    std::array<unsigned char, kLargestDigits / 2> bytes{};
    fill(bytes.data(), (static_cast<std::size_t>(digits) + 1) / 2);
    constexpr std::string_view kDigits = "0123456789abcdef";
    std::string text;
    for (int index = 0; index < digits; ++index) {
      const unsigned byte = bytes.at(static_cast<std::size_t>(index) / 2);
      text += kDigits[index % 2 == 0 ? byte >> 4 : byte & 0xF];
    }
    return text;
  }

 private:
  static void fill(unsigned char* bytes, std::size_t size) {
    for (std::size_t filled = 0; filled < size;) {
      const ssize_t count = ::getrandom(bytes + filled, size - filled, 0);
      if (count > 0) {
        filled += static_cast<std::size_t>(count);
      } else if (count < 0 && errno != EINTR) {
        throw std::system_error(errno, std::generic_category(),
                                "cannot get random bytes from the kernel (getrandom)");
      }
    }
  }
};

}  // namespace

std::shared_ptr<IdSource> system_id_source() { return std::make_shared<SystemIdSource>(); }

std::string new_session_id(IdSource& ids, std::string_view flavor) {
  return std::string(flavor) + "-" + ids.hex(kIdDigits);
}

}  // namespace sandproof
