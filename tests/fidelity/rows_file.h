// SPDX-License-Identifier: Apache-2.0
// Reads and writes the files of rows.
#pragma once

#include <filesystem>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "tests/fidelity/row.h"

namespace sandproof::fidelity {

// A file that is not as README.md says. The text names file and line.
class BadRows : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// The rows of `text`, which came from `path`. Throws BadRows.
Topic parse_topic(std::string_view text, std::string_view topic, const std::string& path);

// What parse_topic reads as the same rows; recorded files have this form.
std::string format_topic(const Topic& topic);

// Every *.rows below `folder`, by path. Throws BadRows for a file that is bad, for a name that is
// used twice in a topic, and for a script that stands twice with the same input.
std::vector<Topic> load_topics(const std::filesystem::path& folder);

// Refuses marks that cannot be true: a reason that is missing, `differs` without a section of its
// own for that engine, a section that says what the common one says. Throws BadRows. Recording
// comes before this.
void check_marks(const std::vector<Topic>& topics);

}  // namespace sandproof::fidelity
