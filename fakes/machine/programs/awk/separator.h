// SPDX-License-Identifier: Apache-2.0
// What FS and RS mean, and splitting a text by it. Values; any thread.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "fakes/machine/programs/awk/pattern.h"

namespace sandproof::machine::programs::awk {

struct Separator {
  enum class Kind : unsigned char {
    kBlanks,  // " ": runs of blanks, none at the ends.
    kEvery,   // "": each byte is a field; of records: empty lines.
    kByte,
    kPattern,
  };
  Kind kind = Kind::kBlanks;
  char byte = ' ';
  std::shared_ptr<const Pattern> pattern = nullptr;

  /// Throws Failure for a pattern that is none.
  static Separator of_fields(const std::string& text);
  /// As fields, but that " " is a byte like others.
  static Separator of_records(const std::string& text);
  static Separator of_pattern(const Pattern& pattern);
};

struct SplitOptions {
  bool ignore_case = false;
  /// A newline separates, too: records are paragraphs.
  bool lines = false;
};
std::vector<std::string> split_text(const std::string& text, const Separator& separator,
                                    SplitOptions options);

/// The first match that does not end where the text begins: what separates takes something away.
/// As busybox has it, a beginning of line is wherever it looks again.
bool search_separator(const Regex& regex, std::string_view text, Regex::Range& found);

}  // namespace sandproof::machine::programs::awk
