// SPDX-License-Identifier: Apache-2.0
// The worker's end of the event pipe: one JSON object per line, every text and every count bounded,
// so that a case that talks without end costs itself and nobody else. Any thread.
#pragma once

#include <cstddef>
#include <mutex>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace sandproof::conformance::runner {

class EventSink {
 public:
  /// A failure text holds two values and a few last lines; more is cut, with a mark that says so.
  static constexpr std::size_t kLongestText = std::size_t{8} * 1024;
  /// So that what a long message says of what differs is among what is kept: see cut_message().
  static constexpr std::size_t kMessageLines = 60;
  static constexpr std::size_t kMessageColumns = 120;
  /// Per case. What is over is counted and told in one note.
  static constexpr std::size_t kMostNotes = 200;
  static constexpr std::size_t kMostFailures = 50;
  static constexpr std::size_t kMostItems = 100;

  /// Borrows a blocking descriptor.
  explicit EventSink(int fd) : fd_(fd) {}

  /// Starts the counts again.
  void begin();
  void note(std::string_view text);
  void assertion_failed(std::string_view file, int line, std::string_view message, bool fatal);
  void leftovers(std::vector<std::string> items);
  /// Any other object. What it holds has to be bounded by the caller; text through bounded().
  void send(const nlohmann::json& event);
  /// Tells how many notes and failures were left out, if any.
  void finish();

  static std::string bounded(std::string_view text);

 private:
  void write(const nlohmann::json& event);

  std::mutex mutex_;
  int fd_;
  std::size_t notes_ = 0;
  std::size_t failures_ = 0;
};

}  // namespace sandproof::conformance::runner
