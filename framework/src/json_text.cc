// SPDX-License-Identifier: Apache-2.0
// Strict JSON (json_text.h). Pure functions; any thread.
#include "json_text.h"

#include <algorithm>
#include <cstddef>
#include <nlohmann/json.hpp>
#include <set>
#include <vector>

#include "sandproof/errors.h"
#include "utf8.h"

namespace sandproof {
namespace {

using nlohmann::json;

std::string place(std::string_view text, std::size_t offset) {
  const std::string_view before = text.substr(0, std::min(offset, text.size()));
  const auto line = 1 + std::count(before.begin(), before.end(), '\n');
  // npos + 1 is 0, the beginning of the first line.
  const std::size_t column = before.size() - (before.rfind('\n') + 1) + 1;
  return "line " + std::to_string(line) + ", column " + std::to_string(column);
}

// The library's "[json.exception.parse_error.101] parse error at line 1, column 2: syntax error
// while parsing value - invalid string: …; last read: '"x'; expected …" without what comes before
// the reason, and without the text that was read last: it may be part of a password.
std::string reason(std::string_view message) {
  for (const std::string_view before : {"column ", "] "}) {
    const std::size_t at = message.find(before);
    if (at == std::string_view::npos) continue;
    message.remove_prefix(at + before.size());
    if (before == "] ") break;
    const std::size_t colon = message.find(": ");
    if (colon != std::string_view::npos) message.remove_prefix(colon + 2);
    break;
  }
  // To the end: nothing tells where that text stops.
  return sanitize(message.substr(0, message.find("; last read: ")));
}

// What the parser calls. The library silently takes the last of two equal keys, and a person who
// wrote a key twice does not know which one counts.
class Strictness {
 public:
  explicit Strictness(std::string what) : what_(std::move(what)) {}

  void check(int depth, json::parse_event_t event, const json& parsed) {
    switch (event) {
      case json::parse_event_t::object_start:
      case json::parse_event_t::array_start:
        if (depth >= kMaxJsonDepth) {
          throw InvalidArgumentError(what_ + ": it is nested deeper than " +
                                     std::to_string(kMaxJsonDepth) + " levels");
        }
        keys_.emplace_back();
        break;
      case json::parse_event_t::object_end:
      case json::parse_event_t::array_end:
        keys_.pop_back();
        break;
      case json::parse_event_t::key:
        if (!keys_.back().insert(parsed.get<std::string>()).second) {
          throw InvalidArgumentError(what_ + ": the key `" + parsed.get<std::string>() +
                                     "` is there twice in one object; remove one");
        }
        break;
      case json::parse_event_t::value:
        break;
    }
  }

 private:
  std::string what_;
  std::vector<std::set<std::string>> keys_;
};

}  // namespace

json parse_json(std::string_view text, const std::string& what) {
  Strictness strictness(what);
  try {
    return json::parse(text, [&](int depth, json::parse_event_t event, const json& parsed) {
      strictness.check(depth, event, parsed);
      return true;
    });
  } catch (const json::parse_error& error) {
    // `byte` counts from 1, and is the byte that was read last.
    throw InvalidArgumentError(what + ": " + place(text, error.byte == 0 ? 0 : error.byte - 1) +
                               ": it is not JSON: " + reason(error.what()));
  } catch (const json::exception& error) {  // A number that no double holds.
    throw InvalidArgumentError(what + ": it is not JSON that can be kept: " + reason(error.what()));
  }
}

std::string json_kind(const json& value) {
  if (value.is_null()) return "null";
  if (value.is_array() || value.is_object()) return "an " + std::string(value.type_name());
  return "a " + std::string(value.type_name());
}

std::string json_text(const json& value, const std::string& what) {
  try {
    return value.dump();
  } catch (const json::type_error& error) {
    throw InvalidArgumentError(what + ": " + reason(error.what()));
  }
}

}  // namespace sandproof
