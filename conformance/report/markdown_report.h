// SPDX-License-Identifier: Apache-2.0
// The run on one page of Markdown, for a comment on a change or the summary of a CI job
// (docs/report.md). Pure; any thread.
#pragma once

#include <cstddef>
#include <string>

#include "conformance/report/run_model.h"

namespace sandproof::conformance {

/// In bytes. GitHub takes 65 536 characters for a comment, and 1 MiB for the summary of a step;
/// some are left for what a workflow writes around it.
inline constexpr std::size_t kMostMarkdown = 60'000;

/// At most kMostMarkdown bytes: says what it leaves out.
std::string to_markdown_report(const RunModel& model);

}  // namespace sandproof::conformance
