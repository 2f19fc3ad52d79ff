// SPDX-License-Identifier: Apache-2.0
// The functions of awk: which there are, and how many arguments each takes. Constants.
#pragma once

#include <cstddef>
#include <string_view>

namespace sandproof::machine::programs::awk {

enum class Builtin : unsigned char {
  kAnd,
  kAtan2,
  kClose,
  kCompl,
  kCos,
  kExp,
  kFflush,
  kGensub,
  kGsub,
  kIndex,
  kInt,
  kLength,
  kLog,
  kLshift,
  kMatch,
  kMktime,
  kOr,
  kRand,
  kRshift,
  kSin,
  kSplit,
  kSprintf,
  kSqrt,
  kSrand,
  kStrftime,
  kSub,
  kSubstr,
  kSystem,
  kSystime,
  kTolower,
  kToupper,
  kXor,
};

struct BuiltinRow {
  std::string_view name;
  Builtin function;
  std::size_t least;
  std::size_t most;
};

/// Null where there is none of the name.
const BuiltinRow* builtin_named(std::string_view name);

}  // namespace sandproof::machine::programs::awk
