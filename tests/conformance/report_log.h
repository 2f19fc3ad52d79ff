// SPDX-License-Identifier: Apache-2.0
// Makes event logs for the tests of the reports, line by line. A value; any thread.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "conformance/report/event_reader.h"
#include "conformance/report/run_model.h"

namespace sandproof::conformance::fabricated {

using Json = nlohmann::json;

class Log {
 public:
  Log& add(const std::string& event, Json keys = Json::object()) {
    keys["event"] = event;
    keys["seq"] = next_++;
    keys["t_ms"] = 10 * next_;
    text_ += keys.dump() + "\n";
    return *this;
  }

  Log& started(Json keys = Json::object()) {
    const Json common = {{"format", 1},
                         {"version", "0.1.0"},
                         {"argv", {"sandproof", "run"}},
                         {"seed", 123},
                         {"time_scale", 1.0},
                         {"jobs", 2},
                         {"shuffled", false},
                         {"filtered", false},
                         {"fail_fast", false},
                         {"started_at", "2024-05-01T10:00:00Z"}};
    for (const auto& [key, value] : common.items()) {
      if (!keys.contains(key)) keys[key] = value;
    }
    return add("run_started", keys);
  }

  Log& rule(const std::string& id, const std::string& level = "M",
            std::vector<std::string> capabilities = {}, std::vector<std::string> needs = {},
            Json unless = nullptr) {
    return add("rule", {{"id", id},
                        {"level", level},
                        {"sentence", "The sentence of " + id + "."},
                        {"capabilities", std::move(capabilities)},
                        {"unless", std::move(unless)},
                        {"needs", std::move(needs)}});
  }

  Log& flavor(const std::string& name, Json keys = Json::object()) {
    keys["flavor"] = name;
    return add("flavor", keys);
  }

  Log& planned(const std::string& name, const std::vector<std::string>& rules,
               Json keys = Json::object(), const std::string& flavor = "local") {
    keys["flavor"] = flavor;
    keys["case"] = name;
    keys["rules"] = rules;
    if (!keys.contains("disposition")) keys["disposition"] = "run";
    return add("case_planned", keys);
  }

  /// An event of a case.
  Log& on(const std::string& name, const std::string& event, Json keys = Json::object(),
          const std::string& flavor = "local") {
    keys["flavor"] = flavor;
    keys["case"] = name;
    return add(event, keys);
  }

  Log& finishes(const std::string& name, const std::string& outcome,
                const std::string& flavor = "local") {
    on(name, "case_started", {{"worker", 1}, {"seed", 7}}, flavor);
    return on(name, "case_finished",
              {{"worker", 1}, {"outcome", outcome}, {"duration_ms", 310.0}, {"assertions", 3}},
              flavor);
  }

  Log& times_out(const std::string& name, const std::string& flavor = "local") {
    on(name, "case_started", {{"worker", 1}, {"seed", 7}}, flavor);
    return on(name, "case_timeout",
              {{"worker", 1},
               {"kind", "limit"},
               {"after_ms", 20000.0},
               {"waits",
                {{{"verb", "wait"},
                  {"object", "process 77 of local-ab12"},
                  {"file", "/src/conformance/cases/kill.cc"},
                  {"line", 41},
                  {"for_ms", 19980.0},
                  {"last_bytes", "ready\\n"}}}}},
              flavor);
  }

  Log& crashes(const std::string& name, const std::string& flavor = "local",
               const std::string& printed = "first\nterminate called") {
    on(name, "case_started", {{"worker", 1}, {"seed", 7}}, flavor);
    return on(name, "case_crashed",
              {{"worker", 1},
               {"status", "signaled(11)"},
               {"after_ms", 12.0},
               {"waits", Json::array()},
               {"stderr", printed}},
              flavor);
  }

  Log& finished(bool interrupted = false, const std::string& reason = "") {
    return add("run_finished", {{"interrupted", interrupted}, {"reason", reason}});
  }

  Log& failed_fast(const std::string& reason) {
    return add("run_finished", {{"interrupted", true}, {"failed_fast", true}, {"reason", reason}});
  }

  const std::string& text() const { return text_; }
  Log& raw(const std::string& text) {
    text_ += text;
    return *this;
  }
  RunModel model() const { return build_run_model(parse_event_log(text_, "test.log")); }

 private:
  std::string text_;
  int next_ = 0;
};

/// A log up to the plan: the rules A-001 and A-002 (MUST) and A-003 (SHOULD), the flavor `local`.
inline Log small_log(Json flavor_keys = Json::object(), Json started = Json::object()) {
  Log log;
  log.started(std::move(started));
  log.rule("A-001").rule("A-002").rule("A-003", "S");
  log.flavor("local", std::move(flavor_keys));
  return log;
}

}  // namespace sandproof::conformance::fabricated
