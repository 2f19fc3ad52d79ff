// SPDX-License-Identifier: Apache-2.0
// What happened in a machine, in order: which process ran at which tick, and what became of it. The
// last entries are kept; the digest is over all of them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <string>

namespace sandproof::machine {

struct JournalEntry {
  enum class Event : unsigned char {
    kStart,     // From outside. value: 0
    kFork,      // value: the child
    kExec,      // value: 0
    kRun,       // Got a slice of time. value: 0
    kSignal,    // Was sent one. value: its number
    kStop,      // value: the signal
    kContinue,  // value: 0
    kExit,      // value: the word of wait()
    kThrow,     // An exception left the program, which is a defect of it; it ends by SIGABRT.
    kReap,      // Its entry is gone. value: 0
  };

  std::uint64_t tick = 0;  // Slices so far.
  std::uint32_t box = 0;
  int pid = 0;
  Event event = Event::kRun;
  int value = 0;

  bool operator==(const JournalEntry&) const = default;
};

/// "17 box 1 pid 4 exit 256".
std::string to_string(const JournalEntry& entry);

class Journal {
 public:
  /// Keeps the last `limit` entries.
  explicit Journal(std::size_t limit) : limit_(limit) {}

  void add(const JournalEntry& entry);
  const std::deque<JournalEntry>& entries() const { return entries_; }
  /// How many there were, with those that are no longer kept.
  std::uint64_t count() const { return count_; }
  /// Of all entries so far: two runs with the same one did the same.
  std::uint64_t digest() const { return digest_; }

 private:
  std::size_t limit_;
  std::deque<JournalEntry> entries_;
  std::uint64_t count_ = 0;
  std::uint64_t digest_ = 0;
};

}  // namespace sandproof::machine
