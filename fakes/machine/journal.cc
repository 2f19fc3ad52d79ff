// SPDX-License-Identifier: Apache-2.0
// The journal of a machine.
#include "fakes/machine/journal.h"

#include <fmt/format.h>

#include <array>
#include <string_view>

namespace sandproof::machine {
namespace {

constexpr std::array<std::string_view, 10> kEventNames = {
    "start", "fork", "exec", "run", "signal", "stop", "continue", "exit", "throw", "reap"};

// A step of splitmix64: cheap, and every bit of the input reaches every bit of the digest.
std::uint64_t mixed(std::uint64_t state, std::uint64_t value) {
  state = (state ^ value) + 0x9e3779b97f4a7c15U;
  state = (state ^ (state >> 30U)) * 0xbf58476d1ce4e5b9U;
  state = (state ^ (state >> 27U)) * 0x94d049bb133111ebU;
  return state ^ (state >> 31U);
}

}  // namespace

std::string to_string(const JournalEntry& entry) {
  return fmt::format("{} box {} pid {} {} {}", entry.tick, entry.box, entry.pid,
                     kEventNames[static_cast<std::size_t>(entry.event)], entry.value);
}

void Journal::add(const JournalEntry& entry) {
  ++count_;
  const auto who = (std::uint64_t{entry.box} << 32U) | static_cast<std::uint32_t>(entry.pid);
  const auto what = (std::uint64_t{static_cast<unsigned char>(entry.event)} << 32U) |
                    static_cast<std::uint32_t>(entry.value);
  digest_ = mixed(mixed(digest_, entry.tick ^ (who << 20U) ^ (who >> 44U)), what);
  if (limit_ == 0) return;
  if (entries_.size() == limit_) entries_.pop_front();
  entries_.push_back(entry);
}

}  // namespace sandproof::machine
