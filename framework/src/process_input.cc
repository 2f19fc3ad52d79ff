// SPDX-License-Identifier: Apache-2.0
// What is written to the command's input: the bytes given to exec(), or a writer's.
#include <algorithm>
#include <utility>

#include "process_core.h"

namespace sandproof {

/// Made and destroyed under the mutex. The view ends with the call of write(), and so must a
/// transfer that a leader has under way.
class ProcessCore::Loan {
 public:
  Loan(ProcessCore& core, std::unique_lock<std::mutex>& lock, std::string_view bytes)
      : core_(core), lock_(lock) {
    core_.lent_ = true;
    core_.input_ = std::as_bytes(std::span(bytes));
    core_.input_taken_ = 0;
  }
  ~Loan() {
    if (!lock_.owns_lock()) lock_.lock();
    core_.input_ = {};
    if (core_.writing_) core_.wake_leader();
    core_.changed_.wait(lock_, [this] { return !core_.writing_; });
    core_.lent_ = false;
    // close_input() may have come meanwhile.
    core_.pump_.led() ? core_.wake_leader() : core_.settle_input();
    core_.notify();
  }
  Loan(const Loan&) = delete;
  Loan& operator=(const Loan&) = delete;

 private:
  ProcessCore& core_;
  std::unique_lock<std::mutex>& lock_;
};

bool ProcessCore::write(std::string_view bytes) {
  std::unique_lock lock(mutex_);
  const auto is_over = [this] {
    return input_closing_ || input_broken_ || input_closed_ || status_.has_value();
  };
  // One writer at a time: whole calls do not mix.
  drive(
      lock, [&] { return !lent_ || is_over(); }, std::nullopt);
  if (is_over()) return false;
  if (bytes.empty()) return true;
  const Loan loan(*this, lock, bytes);
  if (pump_.led()) wake_leader();
  drive(
      lock, [&] { return input_.empty() || is_over(); }, std::nullopt);
  return input_taken_ == bytes.size();
}

void ProcessCore::close_input() {
  const std::lock_guard lock(mutex_);
  input_closing_ = true;
  notify();  // A writer that is under way ends, and closes.
  if (!pump_.led()) settle_input();
  interest_changed();
}

/// Without the mutex; by the leader.
void ProcessCore::feed_input(std::span<const std::byte> bytes) {
  const IoResult result = hooks_->do_write(bytes);
  if (result.state == IoState::kAgain) return;
  const std::lock_guard lock(mutex_);
  if (result.state == IoState::kReady) {
    // Empty when the writer has left meanwhile.
    const std::size_t count = std::min(result.count, input_.size());
    input_ = input_.subspan(count);
    input_taken_ += count;
  } else {
    input_broken_ = true;
  }
}

/// Closes the input when that was asked for and everything was written, or when nobody is left to
/// read it. Under the mutex; by the leader, or while nobody leads.
void ProcessCore::settle_input() {
  if (input_closed_ || writing_) return;
  if (status_ || input_broken_) input_ = {};
  if (!input_.empty() || !(input_closing_ || input_broken_ || status_)) return;
  input_closed_ = true;
  hooks_->do_close_input();
  owned_input_ = {};
  notify();
}

}  // namespace sandproof
