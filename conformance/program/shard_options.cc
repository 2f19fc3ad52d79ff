// SPDX-License-Identifier: Apache-2.0
// From options and environment to a shard; see shard_options.h.
#include "conformance/program/shard_options.h"

#include <fcntl.h>
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cerrno>
#include <charconv>
#include <cstring>

#include "conformance/program/program_error.h"
#include "conformance/runner/shard.h"
#include "conformance/runner/unique_fd.h"

namespace sandproof::conformance {
namespace {

constexpr const char* kJobIndex = "JOB_COMPLETION_INDEX";
constexpr const char* kJobTotal = "SANDPROOF_SHARDS";
constexpr const char* kTestIndex = "GTEST_SHARD_INDEX";
constexpr const char* kTestTotal = "GTEST_TOTAL_SHARDS";
constexpr const char* kTestStatusFile = "GTEST_SHARD_STATUS_FILE";

/// Digits alone: no sign, no blanks.
std::optional<int> whole_number(std::string_view text) {
  int value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool whole = error == std::errc() && end == text.data() + text.size() && value >= 0;
  return whole ? std::optional(value) : std::nullopt;
}

int total_of(std::string_view name, const std::string& text) {
  const std::optional<int> total = whole_number(text);
  if (total && *total >= 1 && *total <= kMostShards) return *total;
  throw usage_error(
      fmt::format("{} is the number of shards, 1 to {}, not `{}`", name, kMostShards, text));
}

/// Of a variable that counts from 0.
int index_of(std::string_view name, const std::string& text, int total) {
  const std::optional<int> index = whole_number(text);
  if (index && *index < total) return *index + 1;
  throw usage_error(
      fmt::format("{} is `{}`; of {} shards it has to be 0 to {}", name, text, total, total - 1));
}

Shard parsed_shard(const std::string& text) {
  const std::size_t slash = text.find('/');
  const auto index = whole_number(std::string_view(text).substr(0, slash));
  const auto total = slash == std::string::npos
                         ? std::nullopt
                         : whole_number(std::string_view(text).substr(slash + 1));
  if (index && total && *index >= 1 && *index <= *total && *total <= kMostShards) {
    return {*index, *total, {}, false};
  }
  throw usage_error(fmt::format(
      "--shard takes I/N, the I-th of N parts counted from 1 (1/3, 2/3, 3/3; at most {}), not `{}`",
      kMostShards, text));
}

std::optional<std::string> variable(const EnvironmentLookup& lookup, const char* name) {
  const char* const value = lookup(name);
  return value == nullptr ? std::nullopt : std::optional<std::string>(value);
}

/// Both or none; `index_name` counts from 0.
std::optional<Shard> shard_of_pair(const EnvironmentLookup& lookup, const char* index_name,
                                   const char* total_name) {
  const auto index = variable(lookup, index_name);
  const auto total = variable(lookup, total_name);
  if (!total) return std::nullopt;
  const int shards = total_of(total_name, *total);
  if (!index) {
    throw usage_error(fmt::format("{} is {}, and {} is not set: which of the shards is this one?",
                                  total_name, *total, index_name));
  }
  return Shard{index_of(index_name, *index, shards), shards,
               fmt::format("{}={}, {}={}", index_name, *index, total_name, *total), false};
}

}  // namespace

void ShardOptions::add_to(CLI::App& app) {
  auto* const one = app.add_option("--shard", shard,
                                   "Only the I-th of N parts, counted from 1; every case is in "
                                   "exactly one. Also from GTEST_SHARD_INDEX and "
                                   "GTEST_TOTAL_SHARDS")
                        ->type_name("I/N");
  app.add_option("--shards", shards,
                 "Only the part of N that JOB_COMPLETION_INDEX says, counted from 0; also as "
                 "SANDPROOF_SHARDS")
      ->type_name("N")
      ->excludes(one);
}

std::optional<Shard> ShardOptions::chosen(const EnvironmentLookup& lookup) const {
  if (!shard.empty()) return parsed_shard(shard);
  if (!shards.empty()) {
    const int total = total_of("--shards", shards);
    const auto index = variable(lookup, kJobIndex);
    if (!index) {
      throw usage_error(
          fmt::format("--shards {} needs {}, which an Indexed Job sets; elsewhere, say which part "
                      "with --shard I/{}",
                      shards, kJobIndex, shards));
    }
    return Shard{index_of(kJobIndex, *index, total), total, fmt::format("{}={}", kJobIndex, *index),
                 false};
  }
  if (const char* const alone = lookup(kTestIndex); alone != nullptr && !lookup(kTestTotal)) {
    throw usage_error(fmt::format("{} is {}, and {} is not set: how many shards are there?",
                                  kTestIndex, alone, kTestTotal));
  }
  if (auto found = shard_of_pair(lookup, kTestIndex, kTestTotal)) return found;
  return shard_of_pair(lookup, kJobIndex, kJobTotal);
}

void acknowledge_sharding(const EnvironmentLookup& lookup) {
  const std::optional<std::string> path = variable(lookup, kTestStatusFile);
  if (!path) return;
  constexpr mode_t kOrdinaryMode = 0666;
  // A pipe without a reader must not hold us up.
  const int flags = O_WRONLY | O_CREAT | O_TRUNC | O_NONBLOCK | O_CLOEXEC;
  // no-cloexec: it is among the flags.
  const runner::UniqueFd file(::open(path->c_str(), flags, kOrdinaryMode));
  if (file) return;
  throw usage_error(fmt::format("the file {} of {} cannot be written: {}", *path, kTestStatusFile,
                                std::strerror(errno)));
}

}  // namespace sandproof::conformance
