// SPDX-License-Identifier: Apache-2.0
// The order of lines that the options of sort describe: keys, how each is compared. Values.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "fakes/machine/programs/support/options.h"

namespace sandproof::machine::programs {

/// From field and byte to field and byte, all from 1; 0 where it is left out.
struct SortKey {
  std::size_t first_field = 0;
  std::size_t first_byte = 0;
  std::size_t last_field = 0;
  std::size_t last_byte = 0;
  std::string letters;  // Of its own: "nr".
};

class SortOrder {
 public:
  /// Below 0, 0, above 0. Lines whose keys are alike are compared as they are, unless it is stable.
  int compare(const std::string& left, const std::string& right) const;
  std::vector<SortKey> keys;
  std::string letters;  // For keys without letters of their own.
  char separator = 0;   // 0: fields are runs of blanks and of what is none.
  bool stable = false;

  /// Whether a stable sort puts the later of two that are alike first: where the last key is turned
  /// round, as in busybox.
  bool turns_ties() const;
  /// By their keys alone: what -u goes by.
  int compare_keys(const std::string& left, const std::string& right) const;

 private:
  std::string cut(const std::string& line, const SortKey& key, const std::string& how) const;
};

/// What is wrong with the options; empty if nothing is.
std::string read_sort_order(const Options& options, SortOrder& order);

}  // namespace sandproof::machine::programs
