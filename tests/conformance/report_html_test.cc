// SPDX-License-Identifier: Apache-2.0
// The HTML page: what is in its text, and, in a browser, what a person can do with it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>

#include "conformance/report/html/html_report.h"
#include "conformance/report/html/page.h"
#include "conformance/report/json_report.h"
#include "conformance/report/known_failures_text.h"
#include "tests/conformance/report_every_outcome.h"
#include "tests/conformance/report_known_list.h"
#include "tests/conformance/tool_output.h"

namespace sandproof::conformance {
namespace {

using fabricated::every_outcome_log;
using fabricated::incomplete_log;
using fabricated::Json;
using fabricated::lists_in_every_state;
using fabricated::Log;
using fabricated::log_with_list;
using fabricated::run_tool;
using fabricated::ScratchFile;
using fabricated::small_log;
using fabricated::ToolOutput;
using fabricated::usual_end;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

constexpr std::string_view kDataBegins = "<script type=\"application/json\" id=\"data\">";

std::string data_of(const std::string& page) {
  const std::size_t begin = page.find(kDataBegins) + kDataBegins.size();
  return page.substr(begin, page.find("</script>", begin) - begin);
}

/// What a browser shows that runs no script.
std::string written_part(const std::string& page) {
  const std::size_t begin = page.find("<body>");
  return page.substr(begin, page.find(kDataBegins) - begin);
}

TEST(Html, VerdictAndFailuresAreThereWithoutTheScript) {
  const std::string text = written_part(to_html_report(every_outcome_log().finished().model()));
  EXPECT_THAT(text, AllOf(HasSubstr("<h1>Not conformant</h1>"),
                          HasSubstr("local: not conformant: 5 MUST rules do not hold"),
                          HasSubstr("The sentence of A-001."), HasSubstr("cases/kill.cc:41"),
                          HasSubstr("my-suite replay --flavor local --case Hangs --seed 123"),
                          HasSubstr("N-001"), HasSubstr("1 warning (SHOULD): B-001"),
                          HasSubstr("<noscript>")));
}

TEST(Html, ACardSaysHowManyCasesRan) {
  Log log = small_log();
  log.planned("One", {"A-001"}).planned("Two", {"A-002"});
  log.planned("Three", {"A-003"}, {{"disposition", "unsupported"}, {"reason", "not claimed"}});
  log.finishes("One", "passed");
  EXPECT_THAT(written_part(to_html_report(log.model())), HasSubstr(">1 of 3 cases ran<"));
  log.finishes("Two", "passed").finished();
  EXPECT_THAT(written_part(to_html_report(log.model())), HasSubstr(">2 of 3 cases ran<"));
}

TEST(Html, TellsOfTheListOfKnownFailures) {
  for (const auto& [state, log, hold] : lists_in_every_state()) {
    const RunModel model = log.model();
    const std::string text = written_part(to_html_report(model));
    EXPECT_THAT(text, HasSubstr("<section id=\"known-failures\""));
    EXPECT_THAT(text, HasSubstr(exit_code_of(model) == 0 ? "<h1>Conformant as declared</h1>"
                                                         : "<h1>Not conformant</h1>"));
    EXPECT_EQ(text.find("The list of known failures does not hold.") == std::string::npos, hold);
    for (const KnownFailureResult& result : model.known_failures->entries) {
      EXPECT_THAT(text, HasSubstr("<b>" + std::string(words_of(result.state)) + "</b>")) << state;
    }
  }
  EXPECT_THAT(written_part(to_html_report(small_log().finished().model())),
              Not(HasSubstr("known-failures")));
}

TEST(Html, ALinkOfAnEntryIsALinkWhereItIsOne) {
  const auto page = [](const std::string& link) {
    return written_part(to_html_report(
        usual_end(log_with_list({{{"case", "One"}, {"link", link}, {"reason", "<b>"}}})).model()));
  };
  EXPECT_THAT(page("https://x.test/\"1"), HasSubstr("<a href=\"https://x.test/&quot;1\" rel="));
  EXPECT_THAT(page("https://x.test/1"), HasSubstr("&lt;b&gt;"));
  EXPECT_THAT(page("javascript:alert(1)"),
              AllOf(Not(HasSubstr("href=\"javascript")), HasSubstr("(javascript:alert(1))")));
}

TEST(Html, CarriesTheDataOfTheJsonReport) {
  const RunModel model = every_outcome_log({"local", "other"}).finished().model();
  Json data = Json::parse(data_of(to_html_report(model)));
  Json expected = Json::parse(to_json_report(model));
  EXPECT_EQ(data["outcomes"].size(), kOutcomeCount);
  expected.erase("checksum");
  data.erase("outcomes");
  // Scripts lose the last digits of such numbers: they are text in the page.
  EXPECT_EQ(data["flavors"][0]["cases"][2]["seed"], "18446744073709551615");
  expected["run"]["seed"] = expected["run"]["seed"].dump();
  for (Json& flavor : expected["flavors"]) {
    for (Json& result : flavor["cases"]) {
      if (!result["seed"].is_null()) result["seed"] = result["seed"].dump();
    }
  }
  EXPECT_EQ(data, expected);
}

TEST(Html, HostileTextStaysText) {
  const std::string page = to_html_report(incomplete_log().model());
  EXPECT_THAT(data_of(page), AllOf(HasSubstr("\\u003c/script\\u003e\\u003c!-- "),
                                   Not(HasSubstr("<")), Not(HasSubstr("\xE2\x80\xA8"))));
  EXPECT_THAT(written_part(page), AllOf(Not(HasSubstr("<img")), Not(HasSubstr("<!--")),
                                        Not(HasSubstr("\x1b")), Not(HasSubstr("\xE2\x80\xAE"))));
}

TEST(Html, NothingComesFromElsewhereAndNothingElseRuns) {
  const std::string page = to_html_report(every_outcome_log().finished().model());
  const std::string policy = std::string("default-src 'none'; style-src '") +
                             std::string(page_assets().style_hash) + "'; script-src '" +
                             std::string(page_assets().script_hash) + "'";
  EXPECT_THAT(page, HasSubstr(policy));
  const std::string text = written_part(page);
  for (const char* outside : {"<script", "<link", "http:", "https:", " style="}) {
    EXPECT_THAT(text, Not(HasSubstr(outside)));
  }
  for (const char* outside : {"http:", "https:", "url(", "@import"}) {
    EXPECT_EQ(page_assets().style.find(outside), std::string_view::npos) << outside;
  }
  for (const char* sink :
       {"innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval"}) {
    EXPECT_EQ(page_assets().script.find(sink), std::string_view::npos) << sink;
  }
}

TEST(Html, EveryLogHasAPage) {
  for (const Log& log : {Log(), Log().started(), small_log(), small_log().finished()}) {
    const std::string page = to_html_report(log.model());
    EXPECT_THAT(page, HasSubstr("<h1>"));
    EXPECT_TRUE(Json::accept(data_of(page)));
  }
  EXPECT_THAT(to_html_report(incomplete_log().model()), HasSubstr("<h1>Incomplete</h1>"));
}

TEST(Html, GrowsWithTheCasesAndFitsIntoTwoMegabytes) {
  const auto size_of = [](int cases) {
    Log log;
    log.started().rule("A-001");
    for (const char* flavor : {"one", "two", "three"}) log.flavor(flavor);
    for (const char* flavor : {"one", "two", "three"}) {
      for (int i = 0; i < cases; ++i) {
        const std::string name = "ACaseWithANameOfUsualLength" + std::to_string(1000 + i);
        log.planned(name, {"A-001"}, Json::object(), flavor).finishes(name, "passed", flavor);
      }
    }
    return to_html_report(log.finished().model()).size();
  };
  const std::size_t none = size_of(0);
  EXPECT_LT(size_of(280), 2'000'000U);
  EXPECT_LT(size_of(280) - none, 2 * (size_of(140) - none) + 10'000);
}

/// Filters, drills down, follows links, looks at every size and scheme: check_page.py.
TEST(Html, APersonFindsEverythingInABrowser) {
  Log log = every_outcome_log({"local", "docker", "kubernetes", "a-flavor-with-a-long-name", "five",
                               "six", "seven", "eight"});
  const ScratchFile page("report.html", to_html_report(log.finished().model()));
  const char* const kept = std::getenv("SANDPROOF_SCREENSHOTS");
  const ToolOutput output =
      run_tool({"python3", "-B", std::string(CONFORMANCE_TESTS) + "/browser/check_page.py",
                page.path(), kept == nullptr ? page.directory() : std::string(kept)});
  EXPECT_EQ(output.code, 0) << output.text;
}

}  // namespace
}  // namespace sandproof::conformance
