// SPDX-License-Identifier: Apache-2.0
// Writing all of a text.
#include "fakes/machine/programs/support/output.h"

namespace sandproof::machine::programs {

Task<Errno> write_all(Process& self, int fd, std::string_view text) {
  while (!text.empty()) {
    const Result<std::size_t> count = co_await self.write(fd, text);
    if (count.error() == Errno::kIntr) continue;
    if (!count) co_return count.error();
    text.remove_prefix(*count);
  }
  co_return Errno::kOk;
}

Task<bool> Output::flush() {
  // Taken out first: a program that forks or fails while it waits must not write it twice.
  const std::string text = std::exchange(held_, {});
  if (!text.empty()) {
    const Errno error = co_await write_all(self_, fd_, text);
    if (error_ == Errno::kOk) error_ = error;
  }
  co_return error_ == Errno::kOk;
}

}  // namespace sandproof::machine::programs
