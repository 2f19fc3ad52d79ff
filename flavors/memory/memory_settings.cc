// SPDX-License-Identifier: Apache-2.0
// The settings of an environment in memory. See world.h.
#include <algorithm>
#include <string>
#include <vector>

#include "flavors/memory/world.h"

namespace sandproof::memory {
namespace {

// What a test needs by intent is less; what the host would feel is more.
constexpr std::int64_t kDefaultDisk = std::int64_t{1} << 30;
constexpr std::int64_t kDefaultProcesses = 4096;
constexpr std::int64_t kDefaultPids = 32768;  // Linux's, on a small machine.
constexpr double kLargestPids = 4194304;      // Linux's, on any.
constexpr double kLargestPipe = 1 << 20;      // Linux's, for a user without privileges.

std::vector<std::string> profile_names() {
  std::vector<std::string> names;
  for (const machine::ImageProfile& profile : machine::image_profiles()) {
    names.emplace_back(profile.name);
  }
  return names;
}

SettingField integer(std::string name, std::int64_t value, double least, double largest,
                     std::string help) {
  return {.name = std::move(name),
          .type = SettingType::kInteger,
          .default_value = value,
          .help = std::move(help),
          .least = least,
          .largest = largest,
          .choices = {}};
}

}  // namespace

std::vector<SettingField> memory_settings() {
  std::vector<SettingField> fields;
  fields.push_back({.name = "image",
                    .type = SettingType::kString,
                    .default_value = std::string(machine::image_profiles().front().name),
                    .help = "the kind of root that environments begin with",
                    .least = std::nullopt,
                    .largest = std::nullopt,
                    .choices = profile_names()});
  fields.push_back({.name = "workdir",
                    .type = SettingType::kString,
                    .default_value = std::string(),
                    .help = "an absolute path, made if it is missing, in a volume of its own where "
                            "the root cannot be written; empty: /workspace",
                    .least = std::nullopt,
                    .largest = std::nullopt,
                    .choices = {}});
  fields.push_back({.name = "disk",
                    .type = SettingType::kBytes,
                    .default_value = kDefaultDisk,
                    .help = "how much an environment may write, besides what its image has",
                    .least = 0,
                    .largest = std::nullopt,
                    .choices = {}});
  fields.push_back(integer("processes", kDefaultProcesses, 2, kLargestPids,
                           "how many processes an environment may have, zombies included"));
  fields.push_back(integer("pid_max", kDefaultPids, 3, kLargestPids,
                           "where the numbers of processes begin anew"));
  fields.push_back(integer("pipe_capacity", static_cast<std::int64_t>(machine::kPipeCapacity), 1,
                           kLargestPipe, "bytes that fit into a pipe of an environment"));
  return fields;
}

}  // namespace sandproof::memory
