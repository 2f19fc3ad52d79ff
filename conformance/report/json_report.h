// SPDX-License-Identifier: Apache-2.0
// `conformance.json`: the model for programs (docs/report.md). Pure; any thread.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "conformance/report/run_model.h"

namespace sandproof::conformance {

/// The document without its checksum, for what shows it in another way.
nlohmann::ordered_json json_document(const RunModel& model);

/// The whole document, indented, with a newline at its end.
std::string to_json_report(const RunModel& model);

/// What its key `checksum` has to be (checksum.h): of all other keys in alphabetical order, without
/// blanks, so that layout does not count and every value does.
std::string report_checksum(nlohmann::json document);

}  // namespace sandproof::conformance
