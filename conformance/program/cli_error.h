// SPDX-License-Identifier: Apache-2.0
// What the command-line parser found wrong, as one sentence that says what would be right. Pure.
#pragma once

#include <string>

namespace CLI {
class App;
class ParseError;
}  // namespace CLI

namespace sandproof::conformance {

/// `app` is the program's; the subcommand that was chosen is found in it.
std::string sentence_of(const CLI::ParseError& error, const CLI::App& app);

}  // namespace sandproof::conformance
