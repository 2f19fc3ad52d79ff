// SPDX-License-Identifier: Apache-2.0
// Small scripts at random, out of what a shell does by itself: for comparing two shells. Pure; any
// thread.
#pragma once

#include <cstdint>
#include <string>

namespace sandproof::fidelity {

// The same for the same seed. It ends by itself, starts no program, and prints nothing that another
// run would not print.
std::string random_script(std::uint64_t seed);

}  // namespace sandproof::fidelity
