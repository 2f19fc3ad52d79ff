// SPDX-License-Identifier: Apache-2.0
// How a SessionCore ends: close, destroy, and what a destructor does.
#include <exception>
#include <utility>

#include "guarded.h"
#include "sandproof/errors.h"
#include "session_core.h"

namespace sandproof {

std::vector<std::shared_ptr<ProcessCore>> SessionCore::living_processes() {
  std::vector<std::shared_ptr<ProcessCore>> living;
  const std::lock_guard lock(mutex_);
  for (const auto& weak : processes_) {
    if (auto process = weak.lock()) living.push_back(std::move(process));
  }
  return living;
}

/// All of them at once, within one bound however many there are.
void SessionCore::finish_processes() {
  const std::vector<std::shared_ptr<ProcessCore>> living = living_processes();
  const auto until = std::chrono::steady_clock::now() + ProcessCore::kCloseBound;
  for (const auto& process : living) process->begin_finish();
  for (const auto& process : living) process->finish(until);
}

void SessionCore::log_unconsumed() {
  if (!log_->active()) return;
  std::uint64_t lines = 0;
  for (const auto& process : living_processes()) lines += process->unconsumed_lines();
  lines += *lines_lost_;
  if (lines > 0) log_->unconsumed(lines);
}

void SessionCore::close() {
  {
    std::unique_lock lock(mutex_);
    if (closed_) {
      // Another thread closes: "closed" is true for the second caller too, when it returns.
      changed_.wait_for(lock, kInFlightBound, [this] { return close_done_; });
      return;
    }
    closed_ = true;
  }
  fail_queued();
  std::exception_ptr error;
  try {
    call_close_hook();
  } catch (...) {
    error = std::current_exception();
  }
  // Where the environment outlives its handle, commands go on undisturbed (CLOSE-004, CLOSE-008).
  if (!sandbox_->has(Capability::kOutlives)) finish_processes();
  log_unconsumed();
  log_->end();
  {
    const std::lock_guard lock(mutex_);
    close_done_ = true;
  }
  changed_.notify_all();
  if (error) std::rethrow_exception(error);
}

void SessionCore::call_close_hook() {
  {
    std::unique_lock lock(mutex_);
    changed_.wait_for(lock, in_flight_bound_, [this] { return in_flight_ == 0; });
    closing_hooks_ = true;
  }
  guarded(redactor_, "close of " + here(), [this] { hooks_->do_close(); });
}

void SessionCore::destroy() {
  bool already = false;
  {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return !destroying_; });
    already = destroyed_;
    destroying_ = !already;
  }
  if (already) {
    close();  // Another thread may be at it.
    return;
  }
  std::exception_ptr error;
  try {
    guarded(redactor_, "destroy of " + here(), [this] { hooks_->do_destroy(); });
  } catch (...) {
    error = std::current_exception();
  }
  {
    const std::lock_guard lock(mutex_);
    destroying_ = false;
    destroyed_ = error == nullptr;
  }
  changed_.notify_all();
  if (error) std::rethrow_exception(error);
  if (sandbox_->has(Capability::kOutlives)) finish_processes();
  close();
}

void SessionCore::tear_down(bool destroy_it) noexcept {
  std::exception_ptr error;
  try {
    destroy_it ? destroy() : close();
  } catch (...) {
    error = std::current_exception();
  }
  if (error && destroy_it) {
    // The environment is still there, but the handle is not: release what it held.
    try {
      close();
    } catch (...) {  // The first error is the one to report.
    }
  }
  if (error) sandbox_->note_teardown_error(id_, error);
}

}  // namespace sandproof
