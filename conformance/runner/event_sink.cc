// SPDX-License-Identifier: Apache-2.0
// Writing a worker's events (event_sink.h).
#include "conformance/runner/event_sink.h"

#include <nlohmann/json.hpp>

#include "conformance/report/cut_message.h"
#include "conformance/runner/system.h"

namespace sandproof::conformance::runner {

using nlohmann::json;

std::string EventSink::bounded(std::string_view text) {
  if (text.size() <= kLongestText) return std::string(text);
  return std::string(text.substr(0, kLongestText)) + " … (" +
         std::to_string(text.size() - kLongestText) + " more bytes)";
}

void EventSink::write(const json& event) {
  // Nobody to tell when it fails: the supervisor is gone, and this worker with it.
  (void)write_all(fd_, event.dump(-1, ' ', false, json::error_handler_t::replace) + "\n");
}

void EventSink::begin() {
  const std::lock_guard lock(mutex_);
  notes_ = 0;
  failures_ = 0;
}

void EventSink::note(std::string_view text) {
  const std::lock_guard lock(mutex_);
  if (++notes_ <= kMostNotes) write({{"event", "note"}, {"text", bounded(text)}});
}

void EventSink::assertion_failed(std::string_view file, int line, std::string_view message,
                                 bool fatal) {
  const std::lock_guard lock(mutex_);
  if (++failures_ > kMostFailures) return;
  std::string shortened;
  if (message.size() > kLongestText) {
    for (const std::string& kept : cut_message(message, kMessageLines, kMessageColumns)) {
      shortened += kept + "\n";
    }
    message = shortened;
  }
  write({{"event", "assertion_failed"},
         {"file", bounded(file)},
         {"line", line},
         {"message", bounded(message)},
         {"fatal", fatal}});
}

void EventSink::leftovers(std::vector<std::string> items) {
  const std::lock_guard lock(mutex_);
  const std::size_t all = items.size();
  if (all > kMostItems) {
    items.resize(kMostItems);
    items.push_back("and " + std::to_string(all - kMostItems) + " more");
  }
  for (std::string& item : items) item = bounded(item);
  write({{"event", "leftovers"}, {"items", items}});
}

void EventSink::send(const json& event) {
  const std::lock_guard lock(mutex_);
  write(event);
}

void EventSink::finish() {
  const std::lock_guard lock(mutex_);
  std::string left_out;
  if (failures_ > kMostFailures) {
    left_out = std::to_string(failures_ - kMostFailures) + " more failed assertions";
  }
  if (notes_ > kMostNotes) {
    if (!left_out.empty()) left_out += " and ";
    left_out += std::to_string(notes_ - kMostNotes) + " more notes";
  }
  if (!left_out.empty()) write({{"event", "note"}, {"text", left_out + " are not shown"}});
}

}  // namespace sandproof::conformance::runner
