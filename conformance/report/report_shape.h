// SPDX-License-Identifier: Apache-2.0
// Has a conformance.json the fields that its readers need, each of its type? Pure; any thread.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <stdexcept>
#include <string>

namespace sandproof::conformance {

/// "`flavors[0].cases[3].outcome` is missing", "`flavors` is a text, and has to be a list": the
/// first field that is not as docs/report.md says; empty where there is none. Of what is not
/// looked at here, only what is compared or shown.
std::string shape_trouble(const nlohmann::json& report);

/// What the JSON library says of a field, without its own name and number in front.
std::string json_trouble(const std::exception& error);

}  // namespace sandproof::conformance
