// SPDX-License-Identifier: Apache-2.0
// Threads of a test that are joined where they were started.
#pragma once

#include <array>
#include <cstddef>
#include <thread>
#include <utility>
#include <vector>

namespace sandproof {

/// Runs the bodies at once; returns when all have returned.
template <typename... Bodies>
void at_once(Bodies&&... bodies) {
  const std::array<std::jthread, sizeof...(Bodies)> threads{
      std::jthread(std::forward<Bodies>(bodies))...};
}

/// Runs `body(0)` to `body(count - 1)` at once; returns when all have returned.
template <typename Body>
void on_threads(std::size_t count, const Body& body) {
  std::vector<std::jthread> threads;
  threads.reserve(count);
  for (std::size_t i = 0; i < count; ++i) threads.emplace_back([&body, i] { body(i); });
}

}  // namespace sandproof
