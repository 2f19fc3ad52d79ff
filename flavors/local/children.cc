// SPDX-License-Identifier: Apache-2.0
// The running commands of one session. See children.h.
#include "flavors/local/children.h"

#include "sandproof/errors.h"

namespace sandproof::local {

Children::Start::~Start() {
  if (children_ == nullptr) return;
  const std::lock_guard lock(children_->mutex_);
  // Under the lock: close() may be the last one to use what is notified.
  if (--children_->starts_ == 0) children_->no_starts_.notify_all();
}

bool Children::Start::commit(std::shared_ptr<Child> child) {
  const std::lock_guard lock(children_->mutex_);
  children_->any_started_ = true;
  if (children_->handed_over_) return false;
  const Child* const key = child.get();
  children_->running_.emplace(key, std::move(child));
  return true;
}

Children::Start Children::start() {
  const std::lock_guard lock(mutex_);
  if (closing_) throw SessionClosedError(session_id_);
  ++starts_;
  return Start(this);
}

void Children::forget(const Child& child) noexcept {
  std::shared_ptr<Child> last;  // Destroyed after the lock.
  const std::lock_guard lock(mutex_);
  const auto place = running_.find(&child);
  if (place == running_.end()) return;
  last = std::move(place->second);
  running_.erase(place);
}

std::vector<std::shared_ptr<Child>> Children::close(
    std::chrono::steady_clock::time_point deadline) {
  std::unique_lock lock(mutex_);
  closing_ = true;
  no_starts_.wait_until(lock, deadline, [this] { return starts_ == 0; });
  handed_over_ = true;
  std::vector<std::shared_ptr<Child>> children;
  children.reserve(running_.size());
  for (auto& [key, child] : running_) children.push_back(std::move(child));
  running_.clear();
  return children;
}

bool Children::any_started() const {
  const std::lock_guard lock(mutex_);
  return any_started_;
}

}  // namespace sandproof::local
