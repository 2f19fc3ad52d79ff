// SPDX-License-Identifier: Apache-2.0
// Dates as texts: formats of strftime(3), and the forms that busybox reads. Pure; any thread. Zones
// are those that TZ gives a fixed distance ("UTC-2", "EST5"); of one with summer time, and of one
// that only a file describes, the box knows the standard time or takes UTC.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "fakes/machine/program.h"

namespace sandproof::machine::programs {

struct Zone {
  std::string name = "UTC";
  std::int64_t east_seconds = 0;
};

/// Of a value of TZ.
Zone zone_named(std::string_view tz);
/// Of the process's TZ; UTC where it has none.
Zone zone_of(const Process& self);

/// `format` as strftime(3) in the C locale; nanoseconds since 1970.
std::string format_time(std::string_view format, TimeNs when, const Zone& zone);

/// "@SECONDS", "2020-01-02[ 03:04[:05]]", "03:04[:05]", "2020.01.02-03:04[:05]",
/// "01.02-03:04[:05]", "[[[[[CC]YY]MM]DD]hh]mm[.ss]". What it leaves out is taken from `now`.
std::optional<TimeNs> parse_time(std::string_view text, TimeNs now, const Zone& zone);
/// "[[CC]YY]MMDDhhmm[.ss]", as touch -t.
std::optional<TimeNs> parse_stamp(std::string_view text, TimeNs now, const Zone& zone);

}  // namespace sandproof::machine::programs
