// SPDX-License-Identifier: Apache-2.0
// The expression of find, read: tests and actions in a tree, and what it says about the whole walk.
// Values.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "fakes/machine/program.h"
#include "fakes/machine/programs/support/regex.h"
#include "fakes/machine/programs/support/users.h"
#include "fakes/machine/shell/expand/pattern.h"

namespace sandproof::machine::programs {

/// A number after "+", "-" or nothing: more, less, exactly.
struct FindNumber {
  char sign = 0;
  std::int64_t value = 0;
};

struct FindNode {
  enum class Kind : unsigned char {
    kAnd,
    kOr,
    kNot,
    kTrue,
    kName,
    kPath,
    kRegex,
    kType,
    kPerm,
    kTime,
    kNewer,
    kSize,
    kLinks,
    kInode,
    kSameFile,
    kUser,
    kGroup,
    kEmpty,
    kExecutable,
    kPrune,
    kQuit,
    kPrint,
    kPrint0,
    kExec,
  };
  Kind kind = Kind::kTrue;
  std::vector<FindNode> parts = {};  // Of kAnd, kOr, kNot.
  std::optional<shell::Pattern> pattern = {};
  bool ignore_case = false;
  std::optional<Regex> regex = {};
  FindNumber number = {};  // kSize in bytes, kTime in units.
  char letter = 0;         // Of kType; which time of kTime: m, a, c.
  std::int64_t unit = 1;   // Of kTime, seconds.
  std::string file = {};   // Of kNewer and kSameFile.
  Strings command = {};    // Of kExec.
  bool many = false;       // It ends in "+".
  std::size_t batch = 0;   // Which of the batches is its own.
};

struct FindPlan {
  FindNode root;
  bool acts = false;  // Something in it prints or runs.
  bool depth = false;
  bool follow = false;
  bool follow_named = false;
  bool one_volume = false;
  std::int64_t least_depth = 0;
  std::int64_t most_depth = INT64_MAX;
  std::size_t batches = 0;
};

struct FindError {
  std::string text;
  bool misuse = false;
};

/// Throws FindError.
FindPlan read_find_expression(std::span<const std::string> words, const Users& users);

}  // namespace sandproof::machine::programs
