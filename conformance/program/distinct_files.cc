// SPDX-License-Identifier: Apache-2.0
// Comparing files by what they are, not by their names; see distinct_files.h.
#include "conformance/program/distinct_files.h"

#include <fmt/format.h>

#include <cstddef>
#include <system_error>

#include "conformance/program/program_error.h"

namespace sandproof::conformance {
namespace {

namespace fs = std::filesystem;

/// As many as the kernel follows; more are a circle, which opening the file reports.
constexpr int kMostLinks = 40;

/// Where the file would come to be: fs::weakly_canonical() stops at a link to nothing.
fs::path resolved(fs::path path) {
  std::error_code error;
  for (int i = 0; i < kMostLinks && fs::is_symlink(fs::symlink_status(path, error)); ++i) {
    const fs::path link = fs::read_symlink(path, error);
    if (error) break;
    path = path.parent_path() / link;
  }
  const fs::path whole = fs::weakly_canonical(fs::absolute(path, error), error);
  return error ? path.lexically_normal() : whole;
}

bool same_file(const NamedFile& one, const NamedFile& other) {
  if (one.path.empty() || other.path.empty()) return false;
  std::error_code error;
  const fs::file_status status = fs::status(one.path, error);
  if (!fs::exists(status)) return resolved(one.path) == resolved(other.path);
  // Compares device and inode; an error (the other one is not there) is false.
  return fs::is_regular_file(status) && fs::equivalent(one.path, other.path, error) && !error;
}

}  // namespace

void check_distinct(const std::vector<NamedFile>& outputs, const std::vector<NamedFile>& inputs) {
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    for (const NamedFile& input : inputs) {
      if (!same_file(outputs[i], input)) continue;
      throw usage_error(fmt::format("{} would overwrite {}, which is read; write to another file",
                                    outputs[i].words, input.words));
    }
    for (std::size_t k = 0; k < i; ++k) {
      if (!same_file(outputs[i], outputs[k])) continue;
      throw usage_error(
          fmt::format("{} and {} are one file; write to two", outputs[k].words, outputs[i].words));
    }
  }
}

}  // namespace sandproof::conformance
