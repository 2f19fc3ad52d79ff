// SPDX-License-Identifier: Apache-2.0
// What kill and killall share: signals by name, and their list. One process uses it.
#pragma once

#include <string>

#include "fakes/machine/programs/support/tool.h"

namespace sandproof::machine::programs {

/// In either case, with or without SIG, or as a number, 0 included.
std::optional<int> signal_number(std::string_view text);
/// Takes "-9", "-KILL", "-s KILL" and "--" off the front of `words`; otherwise `number` stays.
/// `wrong` says what is wrong.
void take_signal_option(Strings& words, int& number, std::string& wrong);
/// All of them, or the names of numbers and the numbers of names; gives the status.
Task<int> list_signals(Tool& tool, Strings words);

}  // namespace sandproof::machine::programs
