// SPDX-License-Identifier: Apache-2.0
// A report against the one that its events make; see verify.h.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>

#include "conformance/report/terminal.h"
#include "conformance/report/verify.h"

namespace sandproof::conformance {
namespace {

using EventsJson = nlohmann::json;

/// Longer values are not read in a sentence.
constexpr std::size_t kValueColumns = 80;

std::string value_text(const EventsJson& value) {
  return cut_to(value.dump(-1, ' ', false, EventsJson::error_handler_t::replace), kValueColumns);
}

/// How the rows of a list are called, which are then compared by name; null where a row's place
/// counts.
const char* name_key(const std::string& list) {
  static const std::map<std::string, const char*> names = {
      {"flavors", "flavor"}, {"cases", "case"}, {"rules", "id"}};
  const auto found = names.find(list);
  return found == names.end() ? nullptr : found->second;
}

bool rows_have_names(const EventsJson& list, const char* key) {
  return std::all_of(list.begin(), list.end(), [key](const EventsJson& row) {
    return row.is_object() && row.contains(key) && row[key].is_string();
  });
}

/// Rows that have no names: each has its place.
bool is_table(const EventsJson& list) {
  return list.is_array() && std::all_of(list.begin(), list.end(),
                                        [](const EventsJson& row) { return row.is_object(); });
}

class EventsComparison {
 public:
  std::vector<std::string> take() { return std::move(findings_); }

  void compare_values(const std::string& path, const EventsJson& report, const EventsJson& real) {
    if (report == real) return;
    if (report.is_object() && real.is_object()) {
      compare_objects(path, report, real);
    } else if (is_table(report) && is_table(real) && report.size() == real.size()) {
      for (std::size_t i = 0; i < real.size(); ++i) {
        compare_values(fmt::format("{}[{}]", path, i), report[i], real[i]);
      }
    } else {
      findings_.push_back(fmt::format("{} is {} in the report, and {} by the events", path,
                                      value_text(report), value_text(real)));
    }
  }

  void compare_objects(const std::string& path, const EventsJson& report, const EventsJson& real) {
    for (const auto& [key, value] : real.items()) {
      const std::string inner = path.empty() ? key : path + "." + key;
      const auto found = report.find(key);
      if (found == report.end()) {
        findings_.push_back(fmt::format("{} is missing in the report", inner));
        continue;
      }
      const char* const name = name_key(key);
      if (name != nullptr && found->is_array() && value.is_array() &&
          rows_have_names(*found, name) && rows_have_names(value, name)) {
        compare_rows(inner, name, *found, value);
      } else {
        compare_values(inner, *found, value);
      }
    }
    for (const auto& [key, value] : report.items()) {
      if (real.contains(key)) continue;
      findings_.push_back(fmt::format("{} is in the report, and not by the events",
                                      path.empty() ? key : path + "." + key));
    }
  }

 private:
  void compare_rows(const std::string& path, const char* name, const EventsJson& report,
                    const EventsJson& real) {
    const std::size_t before = findings_.size();
    const auto row_named = [name](const EventsJson& list, const EventsJson& wanted) {
      return std::find_if(list.begin(), list.end(),
                          [&](const EventsJson& row) { return row.at(name) == wanted; });
    };
    for (const EventsJson& row : real) {
      const auto found = row_named(report, row.at(name));
      const std::string text = row.at(name);
      if (found == report.end()) {
        findings_.push_back(fmt::format("{} has no {}, which the events have", path, text));
      } else {
        compare_values(fmt::format("{}[{}]", path, text), *found, row);
      }
    }
    for (const EventsJson& row : report) {
      if (row_named(real, row.at(name)) != real.end()) continue;
      findings_.push_back(fmt::format("{} has {}, which the events do not have", path,
                                      row.at(name).get<std::string>()));
    }
    if (findings_.size() == before && report != real) {
      findings_.push_back(fmt::format("{} is in another order, or has something twice", path));
    }
  }

  std::vector<std::string> findings_;
};

}  // namespace

std::vector<std::string> differences(const EventsJson& report, const EventsJson& recomputed) {
  EventsComparison comparison;
  EventsJson one = report;
  EventsJson other = recomputed;
  // Of the content, which is compared; inconsistencies() looks at it.
  one.erase("checksum");
  other.erase("checksum");
  comparison.compare_objects("", one, other);
  std::vector<std::string> findings = comparison.take();
  const auto foreign = std::find_if(findings.begin(), findings.end(), [](const auto& sentence) {
    return sentence.starts_with("run.event_log_checksum ");
  });
  if (foreign != findings.end()) {
    *foreign = fmt::format(
        "it was not made from this event log, or the log was changed: the checksum of its log is "
        "{}, and this one's is {}",
        value_text(one["run"].value("event_log_checksum", EventsJson())),
        value_text(other["run"]["event_log_checksum"]));
    std::rotate(findings.begin(), foreign, foreign + 1);
  }
  return findings;
}

}  // namespace sandproof::conformance
