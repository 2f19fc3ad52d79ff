// SPDX-License-Identifier: Apache-2.0
// A part of a failure's text that the next run says again: without numbers, paths and ids. Pure;
// any thread.
#pragma once

#include <string>
#include <vector>

namespace sandproof::conformance {

/// The longest run of words that are the same each time, of the first text that has one; where none
/// has, the beginning of the first. At most 80 bytes. Empty without texts.
std::string stable_fragment(const std::vector<std::string>& texts);

}  // namespace sandproof::conformance
