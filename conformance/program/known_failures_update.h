// SPDX-License-Identifier: Apache-2.0
// `--update-known-failures`: what the file would have to say for the run to hold, with everything
// that stands left as it was written. Pure; any thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "conformance/program/known_failures_file.h"
#include "conformance/report/run_model.h"

namespace sandproof::conformance {

struct KnownFailuresUpdate {
  std::string text;
  std::size_t added = 0;
  std::size_t removed = 0;
  /// Replaced by entries for what of it still fails.
  std::size_t narrowed = 0;
  std::size_t kept = 0;
  /// Lines of `text`: expired, and its failure is still there. Only a person gives it another day.
  std::vector<std::int64_t> expired;
};

/// What a new entry is accepted for, in days.
inline constexpr int kNewEntryDays = 90;

/// Entries that hold, or that the run cannot judge, keep their lines byte for byte, and so do
/// comments. `model` is that of a run of the whole suite that was compared with `file`. Throws
/// ProgramError (kUsage) for a file that cannot be changed by lines without loss.
KnownFailuresUpdate update_known_failures(const KnownFailuresFile& file, const RunModel& model);

/// "2 entries added, 1 removed": what was done; "nothing to change" where nothing was.
std::string sentence_of(const KnownFailuresUpdate& update);

}  // namespace sandproof::conformance
