// SPDX-License-Identifier: Apache-2.0
// conformance.json: the keys that docs/report.md promises.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "conformance/report/json_report.h"
#include "tests/conformance/report_log.h"

namespace sandproof::conformance {
namespace {

using fabricated::Json;
using fabricated::Log;
using fabricated::small_log;

Json json_of(const Log& log) { return Json::parse(to_json_report(log.model())); }

TEST(JsonReport, EveryRuleHasExactlyOneState) {
  Log log = small_log();
  log.planned("One", {"A-001"}).finishes("One", "passed").finished();
  const Json json = json_of(log);
  std::set<std::string> ids;
  for (const Json& rule : json["flavors"][0]["rules"]) {
    EXPECT_TRUE(ids.insert(rule["id"]).second);
    EXPECT_TRUE(rule["state"].is_string());
  }
  EXPECT_EQ(ids, (std::set<std::string>{"A-001", "A-002", "A-003"}));
  EXPECT_EQ(json["rules"].size(), 3U);
}

TEST(JsonReport, CarriesTheVerdictAndTheRun) {
  Log log = small_log();
  log.planned("One", {"A-001"}).planned("Two", {"A-002"}).planned("Three", {"A-003"});
  log.finishes("One", "passed").finishes("Two", "passed").finishes("Three", "failed").finished();
  const Json json = json_of(log);
  EXPECT_EQ(json["format"], 1);
  EXPECT_EQ(json["verdict"], "conformant");
  EXPECT_EQ(json["exit_code"], 0);
  EXPECT_EQ(json["run"]["seed"], 123);
  EXPECT_EQ(json["run"]["complete"], true);
  EXPECT_EQ(json["flavors"][0]["verdict"], "conformant");
  EXPECT_EQ(json["flavors"][0]["warnings"], Json::array({"A-003"}));
  EXPECT_EQ(json["flavors"][0]["rule_counts"]["passed"], 2);
  EXPECT_EQ(json["flavors"][0]["case_counts"]["failed"], 1);
}

TEST(JsonReport, TellsVerdictsApart) {
  EXPECT_EQ(json_of(small_log().finished())["verdict"], "nothing_selected");
  EXPECT_EQ(json_of(small_log())["verdict"], "incomplete");
  Log log = small_log();
  log.planned("One", {"A-001"}).finishes("One", "failed").finished();
  EXPECT_EQ(json_of(log)["verdict"], "not_conformant");
}

TEST(JsonReport, ACaseTellsEverything) {
  Log log = small_log();
  log.planned("One", {"A-001"}, {{"limit_ms", 20000}});
  log.on("One", "note", {{"text", "exec"}});
  log.on("One", "assertion_failed", {{"file", "f.cc"}, {"line", 3}, {"message", "no"}});
  log.times_out("One").finished();
  const Json result = json_of(log)["flavors"][0]["cases"][0];
  EXPECT_EQ(result["case"], "One");
  EXPECT_EQ(result["outcome"], "timeout");
  EXPECT_EQ(result["timeout"], "limit");
  EXPECT_EQ(result["seed"], 7);
  EXPECT_EQ(result["notes"], Json::array({"exec"}));
  EXPECT_EQ(result["failures"][0]["line"], 3);
  EXPECT_EQ(result["waits"][0]["object"], "process 77 of local-ab12");
}

TEST(JsonReport, TakesBytesThatAreNoText) {
  Log log = small_log();
  log.planned("One", {"A-001"});
  RunModel model = log.model();
  model.flavors[0].cases[0].notes.emplace_back("bad \xff byte");
  EXPECT_TRUE(Json::accept(to_json_report(model)));
}

}  // namespace
}  // namespace sandproof::conformance
