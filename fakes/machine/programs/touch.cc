// SPDX-License-Identifier: Apache-2.0
// touch: makes files, and sets times.
#include <array>

#include "fakes/machine/programs/mains.h"
#include "fakes/machine/programs/support/calendar.h"
#include "fakes/machine/programs/support/files.h"
#include "fakes/machine/programs/support/options.h"

namespace sandproof::machine::programs {
namespace {

constexpr std::array kTouchLongs = {
    LongOption{"no-create", 'c'},
    LongOption{"reference", 'r', Takes::kArgument},
    LongOption{"date", 'd', Takes::kArgument},
    LongOption{"no-dereference", 'h'},
};
constexpr Usage kTouchUsage = {.text = "[-cham] [-d DATE] [-t DATE] [-r FILE] FILE...",
                               .letters = "cfhamr:d:t:",
                               .longs = kTouchLongs,
                               .least = 1};

/// The times to set, or nothing after a complaint.
Task<std::optional<NewTimes>> touch_times(Tool& tool, const Options& options) {
  NewTimes times;
  const TimeNs now = tool.self.wall_time().count();
  const Zone zone = zone_of(tool.self);
  std::optional<TimeNs> when;
  if (const auto reference = options.value('r')) {
    const Result<Attributes> other = tool.self.stat(*reference);
    if (!other) {
      const std::string what = "can't stat '" + *reference + "'";
      co_await tool.fail(what, other.error());
      co_return std::nullopt;
    }
    times.accessed = other->accessed;
    times.modified = other->modified;
  } else if (options.has_any("dt")) {
    const char letter = options.last_of("dt");
    const std::string text = *options.value(letter);
    when = letter == 'd' ? parse_time(text, now, zone) : parse_stamp(text, now, zone);
    if (!when) {
      const std::string why = "invalid date '" + text + "'";
      co_await tool.fail(why);
      co_return std::nullopt;
    }
    times.accessed = times.modified = when;
  } else if (!options.has_any("am")) {
    times.to_now = true;
    co_return times;
  } else {
    times.accessed = times.modified = now;
  }
  if (options.has('a') && !options.has('m')) times.modified.reset();
  if (options.has('m') && !options.has('a')) times.accessed.reset();
  co_return times;
}

Task<int> run_touch(Process& self) {
  Tool tool(self, kTouchUsage);
  const std::optional<Options> options = co_await read_options(tool);
  if (!options) co_return tool.status;
  const std::optional<NewTimes> times = co_await touch_times(tool, *options);
  if (!times) co_return tool.status;
  const Follow follow = options->has('h') ? Follow::kNo : Follow::kYes;
  for (const std::string& path : options->operands) {
    Errno error = self.utimens(path, *times, follow).error();
    if (error == Errno::kNoent) {
      if (options->has_any("ch")) {
        if (!options->has('c')) co_await tool.fail(path, error);
        continue;
      }
      OpenOptions make = kToOverwrite;
      make.flags.truncate = false;
      const Result<OwnedFd> made = co_await open_output(self, path, make);
      error = made ? self.utimens(path, *times, follow).error() : made.error();
    }
    if (error != Errno::kOk) co_await tool.fail(path, error);
  }
  co_return co_await tool.finish();
}

}  // namespace

Task<int> touch_main(Process& self) { return run_touch(self); }

}  // namespace sandproof::machine::programs
