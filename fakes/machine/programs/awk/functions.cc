// SPDX-License-Identifier: Apache-2.0
// The table.
#include "fakes/machine/programs/awk/functions.h"

#include <algorithm>
#include <array>

namespace sandproof::machine::programs::awk {
namespace {

// More than a function knows are evaluated and dropped, but by length.
constexpr std::size_t kMany = 4096;

// In the order of the names.
constexpr std::array<BuiltinRow, 32> kBuiltins = {{
    {"and", Builtin::kAnd, 2, kMany},
    {"atan2", Builtin::kAtan2, 2, kMany},
    {"close", Builtin::kClose, 1, kMany},
    {"compl", Builtin::kCompl, 1, kMany},
    {"cos", Builtin::kCos, 1, kMany},
    {"exp", Builtin::kExp, 1, kMany},
    {"fflush", Builtin::kFflush, 0, kMany},
    {"gensub", Builtin::kGensub, 3, kMany},
    {"gsub", Builtin::kGsub, 2, kMany},
    {"index", Builtin::kIndex, 2, kMany},
    {"int", Builtin::kInt, 1, kMany},
    {"length", Builtin::kLength, 0, 1},
    {"log", Builtin::kLog, 1, kMany},
    {"lshift", Builtin::kLshift, 2, kMany},
    {"match", Builtin::kMatch, 2, kMany},
    {"mktime", Builtin::kMktime, 1, kMany},
    {"or", Builtin::kOr, 2, kMany},
    {"rand", Builtin::kRand, 0, kMany},
    {"rshift", Builtin::kRshift, 2, kMany},
    {"sin", Builtin::kSin, 1, kMany},
    {"split", Builtin::kSplit, 2, kMany},
    {"sprintf", Builtin::kSprintf, 0, kMany},
    {"sqrt", Builtin::kSqrt, 1, kMany},
    {"srand", Builtin::kSrand, 0, kMany},
    {"strftime", Builtin::kStrftime, 0, kMany},
    {"sub", Builtin::kSub, 2, kMany},
    {"substr", Builtin::kSubstr, 2, kMany},
    {"system", Builtin::kSystem, 1, kMany},
    {"systime", Builtin::kSystime, 0, kMany},
    {"tolower", Builtin::kTolower, 1, kMany},
    {"toupper", Builtin::kToupper, 1, kMany},
    {"xor", Builtin::kXor, 2, kMany},
}};

}  // namespace

const BuiltinRow* builtin_named(std::string_view name) {
  const auto* const row = std::find_if(kBuiltins.begin(), kBuiltins.end(),
                                       [name](const BuiltinRow& one) { return one.name == name; });
  return row == kBuiltins.end() ? nullptr : row;
}

}  // namespace sandproof::machine::programs::awk
