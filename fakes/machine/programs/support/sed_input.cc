// SPDX-License-Identifier: Apache-2.0
// Reading one line ahead.
#include "fakes/machine/programs/support/sed_input.h"

namespace sandproof::machine::programs {

Task<bool> SedInput::next(std::string& line, bool& ended) {
  if (!primed_) co_await advance();
  if (!has_ahead_) co_return false;
  line = std::move(ahead_);
  ended = ahead_ended_;
  co_await advance();
  co_return true;
}

Task<void> SedInput::advance() {
  primed_ = true;
  for (;;) {
    if (reader_) {
      if (co_await reader_->next(ahead_)) {
        ahead_ended_ = reader_->ended();
        has_ahead_ = true;
        co_return;
      }
      if (reader_->error() != Errno::kOk) co_await tool_.fail("read error", reader_->error());
      reader_.reset();
      file_.reset();
    }
    if (paths_.empty()) break;
    const std::string path = std::move(paths_.front());
    paths_.pop_front();
    Result<OwnedFd> file = co_await open_input(tool_.self, path);
    if (!file) {
      co_await tool_.fail(path, file.error());
      continue;
    }
    file_ = std::make_unique<OwnedFd>(*std::move(file));
    reader_ = std::make_unique<LineReader>(tool_.self, file_->get());
  }
  has_ahead_ = false;
}

}  // namespace sandproof::machine::programs
