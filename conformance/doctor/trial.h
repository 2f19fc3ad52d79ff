// SPDX-License-Identifier: Apache-2.0
// Something that may crash, hang or leave threads behind, tried in a child process. To be called
// while this process has one thread.
#pragma once

#include <chrono>
#include <functional>
#include <string>

namespace sandproof::conformance {

struct Trial {
  /// False: it was killed at the limit.
  bool ended = false;
  /// As of waitpid(2).
  int status = 0;
  /// What `body` left in its argument; at most kLongestTrialText bytes.
  std::string text;
};

inline constexpr std::size_t kLongestTrialText = 4096;

/// The child exits with what `body` returns, without running `exit` handlers. `body` must not
/// throw. Throws ProgramError (kEnvironment) where there is no child.
Trial try_in_child(const std::function<int(std::string& text)>& body,
                   std::chrono::milliseconds limit);

}  // namespace sandproof::conformance
