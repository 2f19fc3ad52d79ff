// SPDX-License-Identifier: Apache-2.0
// The parts of the HTML report that are there without its script. Pure; any thread.
#pragma once

#include <string>
#include <string_view>

#include "conformance/report/run_model.h"

namespace sandproof::conformance {

/// A sentence of the contract, or of ours: what stands between backquotes is code.
std::string sentence_html(std::string_view sentence);

/// The verdict of the run in the largest letters, and the facts of the run.
std::string verdict_html(const RunModel& model);

/// A card per flavor: verdict, counts, and what was not proven.
std::string cards_html(const RunModel& model);

/// The list of known failures: whether it holds, what is wrong with it, its entries; nothing where
/// the run had none.
std::string known_failures_html(const RunModel& model);

/// Each failure folded, with its replay line; nothing where there is none.
std::string failures_html(const RunModel& model);

}  // namespace sandproof::conformance
