// SPDX-License-Identifier: Apache-2.0
// The report formats; see formats.h.
#include "conformance/report/formats.h"

#include <algorithm>
#include <array>

#include "conformance/report/badge_report.h"
#include "conformance/report/html/html_report.h"
#include "conformance/report/json_report.h"
#include "conformance/report/junit_report.h"
#include "conformance/report/markdown_report.h"

namespace sandproof::conformance {
namespace {

constexpr std::array kFormats = {
    ReportFormat{"json", "everything, for programs", to_json_report},
    ReportFormat{"junit", "JUnit XML, for CI servers", to_junit_report},
    ReportFormat{"html", "one page to look at: rules by flavor, and every case", to_html_report},
    ReportFormat{"md", "a summary in Markdown, for a comment on a change", to_markdown_report},
    ReportFormat{"badge", "JSON from which shields.io draws a badge", to_badge_report},
};

}  // namespace

std::span<const ReportFormat> report_formats() { return kFormats; }

const ReportFormat* find_report_format(std::string_view kind) {
  const auto* const found =
      std::find_if(kFormats.begin(), kFormats.end(),
                   [kind](const ReportFormat& format) { return format.kind == kind; });
  return found == kFormats.end() ? nullptr : found;
}

std::string report_kinds() {
  std::string text;
  for (std::size_t i = 0; i < kFormats.size(); ++i) {
    if (i > 0) text += i + 1 == kFormats.size() ? " or " : ", ";
    text += kFormats[i].kind;
  }
  return text;
}

}  // namespace sandproof::conformance
