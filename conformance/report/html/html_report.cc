// SPDX-License-Identifier: Apache-2.0
// Puts the page together: head, what is written here, the data, the script.
#include "conformance/report/html/html_report.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "conformance/report/html/page.h"
#include "conformance/report/html/sections.h"
#include "conformance/report/json_report.h"
#include "conformance/report/markup.h"
#include "conformance/report/symbols.h"
#include "conformance/report/verdict_words.h"
#include "sandproof/words.h"

namespace sandproof::conformance {
namespace {

nlohmann::ordered_json outcomes_json() {
  Terminal page;
  page.utf8 = true;
  nlohmann::ordered_json outcomes = nlohmann::ordered_json::array();
  for (const Outcome outcome : kOutcomesForPeople) {
    outcomes.push_back({{"name", to_string(outcome)},
                        {"words", words_of(outcome)},
                        {"symbol", symbol_of(outcome, page)}});
  }
  return outcomes;
}

/// Numbers of a script are exact up to 2^53 only: seeds become text.
void spell_out_seeds(nlohmann::ordered_json& document) {
  const auto spell = [](nlohmann::ordered_json& seed) {
    if (!seed.is_null()) seed = seed.dump();
  };
  spell(document["run"]["seed"]);
  for (auto& part : document["run"]["parts"]) spell(part["seed"]);
  for (auto& flavor : document["flavors"]) {
    spell(flavor["seed"]);
    for (auto& result : flavor["cases"]) spell(result["seed"]);
  }
}

/// JSON that no parser of HTML sees an end or a comment in: only strings have these characters, and
/// JSON can write them otherwise.
std::string embedded_json(const RunModel& model) {
  nlohmann::ordered_json document = json_document(model);
  document["outcomes"] = outcomes_json();
  spell_out_seeds(document);
  const std::string json =
      document.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
  std::string text;
  text.reserve(json.size());
  for (std::size_t i = 0; i < json.size(); ++i) {
    const std::string_view rest = std::string_view(json).substr(i, 3);
    if (json[i] == '<' || json[i] == '>' || json[i] == '&') {
      text += fmt::format("\\u{:04x}", static_cast<unsigned char>(json[i]));
    } else if (rest == "\xE2\x80\xA8" || rest == "\xE2\x80\xA9") {
      text += rest.back() == '\xA8' ? "\\u2028" : "\\u2029";
      i += 2;
    } else {
      text += json[i];
    }
  }
  return text;
}

std::string head_html(const RunModel& model) {
  std::string names;
  for (const FlavorResult& flavor : model.flavors) {
    names += (names.empty() ? "" : ", ") + flavor.name;
  }
  const PageAssets& assets = page_assets();
  return fmt::format(
      "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src '{}'; "
      "script-src '{}'; base-uri 'none'; form-action 'none'\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<meta name=\"color-scheme\" content=\"light dark\">\n"
      "<meta name=\"referrer\" content=\"no-referrer\">\n"
      "<title>{}{}{} – sandproof</title>\n<style>{}</style>\n</head>\n",
      assets.style_hash, assets.script_hash, escape_markup(names), names.empty() ? "" : ": ",
      run_verdict(model).words, assets.style);
}

std::string footer_html(const RunModel& model) {
  return fmt::format(
      "<footer class=\"wrap\"><details><summary>The command of this run</summary><pre>{}</pre>"
      "</details><p>sandproof {}. Everything in this page comes from the run's event log.</p>"
      "</footer>\n",
      escape_markup(quote_words(model.argv)), escape_markup(model.version));
}

}  // namespace

std::string to_html_report(const RunModel& model) {
  std::string page = head_html(model);
  page += "<body>\n<a class=\"skip\" href=\"#app\">To the rules</a>\n";
  page += verdict_html(model);
  page += "<main class=\"wrap\">\n" + cards_html(model) + known_failures_html(model) +
          failures_html(model);
  page +=
      "<section aria-labelledby=\"rules-title\">\n<h2 id=\"rules-title\">Rules by flavor</h2>\n"
      "<div id=\"app\"></div>\n<noscript><p class=\"muted\">The matrix and the single cases need "
      "JavaScript; the verdict and the failures are above.</p></noscript>\n</section>\n</main>\n";
  page += footer_html(model);
  page += "<script type=\"application/json\" id=\"data\">" + embedded_json(model) + "</script>\n";
  page += fmt::format("<script>{}</script>\n</body>\n</html>\n", page_assets().script);
  return page;
}

}  // namespace sandproof::conformance
