// SPDX-License-Identifier: Apache-2.0
// The running commands of one session, and the moment after which there are no new ones.
// Thread-safe; its lock is a leaf: nothing is called under it.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "flavors/local/child.h"

namespace sandproof::local {

class Children {
 public:
  explicit Children(std::string session_id) : session_id_(std::move(session_id)) {}

  /// One start on its way: from before the clone until the child is known here. close() waits for
  /// it.
  class Start {
   public:
    Start(Start&& other) noexcept : children_(std::exchange(other.children_, nullptr)) {}
    Start& operator=(Start&&) = delete;
    ~Start();

    /// Makes the child known. False when close() has given up waiting for this start: nobody but
    /// the caller will end the child.
    bool commit(std::shared_ptr<Child> child);

   private:
    friend class Children;
    explicit Start(Children* children) : children_(children) {}
    Children* children_;
  };

  /// Throws SessionClosedError once close() was called.
  Start start();

  /// Forgets a child that has been reaped, or that its owner ends by itself.
  void forget(const Child& child) noexcept;

  /// From now on start() throws. Waits until the starts on their way are done, or until `deadline`,
  /// and hands over the children that are known.
  std::vector<std::shared_ptr<Child>> close(std::chrono::steady_clock::time_point deadline);

  /// Whether a command was ever started.
  bool any_started() const;

 private:
  const std::string session_id_;
  mutable std::mutex mutex_;
  std::condition_variable no_starts_;
  std::unordered_map<const Child*, std::shared_ptr<Child>> running_;
  int starts_ = 0;
  bool any_started_ = false;
  bool closing_ = false;
  bool handed_over_ = false;
};

}  // namespace sandproof::local
