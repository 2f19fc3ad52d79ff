// SPDX-License-Identifier: Apache-2.0
// The three blocked calls (blocked_calls.h).
#include "conformance/cases/blocked_calls.h"

#include <functional>
#include <utility>

#include "conformance/cases/support.h"

namespace sandproof::conformance {
namespace {

std::string status_text(const ExitStatus& status) {
  const std::optional<int> code = status.integer();
  return "status " + (code ? std::to_string(*code) : "lost");
}

std::string next_of(Process& process) {
  const std::string line = next_line(process.out());
  return line.empty() ? "end" : "line " + trimmed(line);
}

std::string wait_of(Process& process) { return status_text(process.wait()); }

std::string collect_of(Process& process) {
  const Output output = process.collect();
  const std::string out = trimmed(output.out);
  return status_text(output.status) + (out.empty() ? "" : ", out " + out);
}

}  // namespace

BlockedCalls::BlockedCalls(Session& session, const std::string& script) {
  for (int i = 0; i < kCalls; ++i) {
    processes_.push_back(session.exec({"sh", "-c", script, gate(i)}));
    next_line(processes_.back()->out());
  }
  std::string (*const calls[kCalls])(Process&) = {next_of, wait_of, collect_of};
  for (int i = 0; i < kCalls; ++i) {
    const auto task = std::make_shared<std::packaged_task<std::string()>>(
        [call = calls[i], &process = *processes_[i]] {
          return error_or([&] { return call(process); });
        });
    results_.push_back(task->get_future().share());
    threads_.push_back(start_blocked([task] { (*task)(); }));
  }
}

BlockedCalls::~BlockedCalls() { unblock(); }

void BlockedCalls::unblock() {
  for (const auto& process : processes_) process->kill();
}

std::vector<std::string> BlockedCalls::results(std::chrono::milliseconds bound) {
  const auto deadline = std::chrono::steady_clock::now() + bound;
  std::vector<std::string> results;
  for (const auto& result : results_) {
    const bool back = result.wait_until(deadline) == std::future_status::ready;
    results.push_back(back ? result.get() : "still blocked");
  }
  return results;
}

}  // namespace sandproof::conformance
