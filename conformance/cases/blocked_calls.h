// SPDX-License-Identifier: Apache-2.0
// Threads that are blocked in a stream, in wait() and in collect(), for the cases that end the
// session under them. Owned and used by the case's thread.
#pragma once

#include <chrono>
#include <future>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "sandproof/session.h"

namespace sandproof::conformance {

/// Three commands and three calls.
class BlockedCalls {
 public:
  /// Three commands `sh -c script GATE`, each with a GATE of its own, a name that no other has:
  /// "gate-0" …; each says one line when it is where it is to be. Of the first the next line is
  /// read, the second is waited for, the third collected.
  BlockedCalls(Session& session, const std::string& script);
  /// Kills what still runs, and joins.
  ~BlockedCalls();
  BlockedCalls(const BlockedCalls&) = delete;
  BlockedCalls& operator=(const BlockedCalls&) = delete;

  /// What the three came to, in that order: "line two", "end", "status 143", "status 7, out two",
  /// what was thrown as error_of() gives it, or "still blocked" after `bound`.
  std::vector<std::string> results(std::chrono::milliseconds bound);
  /// Kills the commands, so that every healthy call returns.
  void unblock();

  static constexpr int kCalls = 3;
  static std::string gate(int call) { return "gate-" + std::to_string(call); }

 private:
  std::vector<std::unique_ptr<Process>> processes_;
  std::vector<std::shared_future<std::string>> results_;
  std::vector<std::jthread> threads_;
};

}  // namespace sandproof::conformance
