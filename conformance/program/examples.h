// SPDX-License-Identifier: Apache-2.0
// The examples of every --help in the reader's words: his program, and a flavor that it has. Pure,
// but for put_own_names(); one thread.
#pragma once

#include <string>
#include <string_view>

#include "conformance/program/commands.h"

namespace sandproof::conformance {

struct ExampleNames {
  std::string program;
  /// One that can be given to --flavor.
  std::string flavor;
};

/// The first flavor that is not test-only.
ExampleNames example_names(const ProgramContext& context);

/// `text` is written with the names `sandproof` and `FLAVOR`. Lines that begin with two blanks are
/// examples: what stands behind two or more blanks in them is one column.
std::string with_own_names(std::string_view text, const ExampleNames& names);

/// In the footers of `app` and of everything below it.
void put_own_names(CLI::App& app, const ExampleNames& names);

}  // namespace sandproof::conformance
