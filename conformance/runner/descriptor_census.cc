// SPDX-License-Identifier: Apache-2.0
// Counting descriptors (descriptor_census.h).
#include "conformance/runner/descriptor_census.h"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <system_error>

namespace sandproof::conformance::runner {
namespace {

constexpr std::size_t kShown = 10;
const char* const kDirectory = "/proc/self/fd";

std::vector<int> open_descriptors() {
  std::vector<int> open;
  std::error_code ignored;
  for (const auto& entry : std::filesystem::directory_iterator(kDirectory, ignored)) {
    const std::string name = entry.path().filename().string();
    int fd = -1;
    std::from_chars(name.data(), name.data() + name.size(), fd);
    open.push_back(fd);
  }
  std::sort(open.begin(), open.end());
  return open;
}

// Empty for one that is closed by now, as the one that the directory was read through.
std::string target_of(int fd) {
  std::error_code error;
  const auto path = std::filesystem::path(kDirectory) / std::to_string(fd);
  const std::string target = std::filesystem::read_symlink(path, error).string();
  return error ? std::string() : target;
}

}  // namespace

std::vector<std::string> DescriptorCensus::fresh() {
  const std::vector<int> open = open_descriptors();
  std::vector<int> confirmed;
  std::vector<std::string> fresh;
  std::size_t count = 0;
  for (const int fd : open) {
    const std::string target = target_of(fd);
    if (target.empty()) continue;
    confirmed.push_back(fd);
    if (!looked_ || std::binary_search(known_.begin(), known_.end(), fd)) continue;
    if (++count <= kShown) fresh.push_back(std::to_string(fd) + " (" + target + ")");
  }
  if (count > kShown) fresh.push_back("and " + std::to_string(count - kShown) + " more");
  known_ = std::move(confirmed);
  looked_ = true;
  return fresh;
}

}  // namespace sandproof::conformance::runner
