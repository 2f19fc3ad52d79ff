// SPDX-License-Identifier: Apache-2.0
// What the parser of the command line lets pass and should not: empty values, numbers that are none
// or do not fit. Called while the options are set up; one thread.
#pragma once

#include <string>

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace sandproof::conformance {

/// Every option of `app` and of its subcommands, and every word that is given once, refuses an
/// empty value: to the program it is the same as none, and a script whose variable is empty would
/// get something else than it asked for. (Words of which there are many have their own say on it:
/// they are patterns, files, or another program's.)
void refuse_empty_values(CLI::App& app);

/// A seed: decimal, 0 to 2^64 - 1.
void check_seed(CLI::Option& option);

/// Whether `text` is UTF-8, as JSON has to be.
bool is_utf8(const std::string& text);

/// A number of at least `least` and at most `most`; NaN is not.
void check_between(CLI::Option& option, double least, double most);

}  // namespace sandproof::conformance
