// SPDX-License-Identifier: Apache-2.0
// Reading and writing dates.
#include "fakes/machine/programs/support/calendar.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <ctime>

#include "fakes/machine/programs/support/files.h"
#include "fakes/machine/programs/support/numbers.h"

namespace sandproof::machine::programs {
namespace {

constexpr std::int64_t kNsPerSecond = 1'000'000'000;

/// The second, rounded down also before 1970.
std::int64_t seconds_of(TimeNs when) {
  const std::int64_t seconds = when / kNsPerSecond;
  return when % kNsPerSecond < 0 ? seconds - 1 : seconds;
}

std::tm fields_of(std::int64_t seconds, const Zone& zone) {
  const std::time_t local = seconds + zone.east_seconds;
  std::tm fields{};
  ::gmtime_r(&local, &fields);
  fields.tm_gmtoff = zone.east_seconds;
  fields.tm_zone = zone.name.c_str();
  return fields;
}

/// The fields as a time; nothing where they are out of their ranges or of the clock's.
std::optional<TimeNs> time_of(std::tm fields, const Zone& zone) {
  const bool fits = fields.tm_mon >= 0 && fields.tm_mon < 12 && fields.tm_mday >= 1 &&
                    fields.tm_mday <= 31 && fields.tm_hour >= 0 && fields.tm_hour < 24 &&
                    fields.tm_min >= 0 && fields.tm_min < 60 && fields.tm_sec >= 0 &&
                    fields.tm_sec <= 60;
  // The years that nanoseconds in 64 bits reach.
  if (!fits || fields.tm_year < -222 || fields.tm_year > 361) return std::nullopt;
  return (::timegm(&fields) - zone.east_seconds) * kNsPerSecond;
}

/// Whether the format takes all of the text; `used` is by %n at its end.
template <typename... Numbers>
bool scans(const std::string& text, const char* format, Numbers*... numbers) {
  int used = -1;
  // The formats are the literals below, with as many numbers as they are given.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
  std::sscanf(text.c_str(), format, numbers..., &used);
#pragma GCC diagnostic pop
  return used == static_cast<int>(text.size());
}

bool all_digits(std::string_view text) {
  return !text.empty() && text.find_first_not_of("0123456789") == text.npos;
}

int two_digits(std::string_view text, std::size_t at) {
  return (text[at] - '0') * 10 + (text[at + 1] - '0');
}

/// Pairs of digits: years, months, days, hours, minutes; what is missing is missing on the left.
bool read_pairs(std::string_view digits, std::tm& fields) {
  std::array<int, 6> pairs{};
  const std::size_t count = digits.size() / 2;
  if (digits.size() % 2 != 0 || count < 2 || count > 6) return false;
  for (std::size_t i = 0; i < count; ++i) pairs[i] = two_digits(digits, 2 * i);
  std::size_t at = 0;
  const std::size_t year_pairs = count > 4 ? count - 4 : 0;
  if (year_pairs == 1) {
    fields.tm_year = pairs[0] + (pairs[0] < 69 ? 100 : 0);
  } else if (year_pairs == 2) {
    fields.tm_year = pairs[0] * 100 + pairs[1] - 1900;
  }
  at = year_pairs;
  const std::size_t rest = count - year_pairs;
  if (rest >= 4) fields.tm_mon = pairs[at++] - 1;
  if (rest >= 3) fields.tm_mday = pairs[at++];
  fields.tm_hour = pairs[at++];
  fields.tm_min = pairs[at++];
  return true;
}

/// Cuts ".ss" off; false where it is none.
bool cut_seconds(std::string& text, std::tm& fields) {
  const std::size_t dot = text.rfind('.');
  if (dot == text.npos) return true;
  const std::string digits = text.substr(dot + 1);
  if (digits.size() != 2 || !all_digits(digits)) return false;
  fields.tm_sec = two_digits(digits, 0);
  text.resize(dot);
  return true;
}

bool read_date_time(const std::string& text, std::tm& fields) {
  std::tm& f = fields;
  if (scans(text, "%d:%d%n", &f.tm_hour, &f.tm_min)) return true;
  if (scans(text, "%d:%d:%d%n", &f.tm_hour, &f.tm_min, &f.tm_sec)) return true;
  f.tm_sec = 0;
  if (scans(text, "%d.%d-%d:%d%n", &f.tm_mon, &f.tm_mday, &f.tm_hour, &f.tm_min) ||
      scans(text, "%d.%d-%d:%d:%d%n", &f.tm_mon, &f.tm_mday, &f.tm_hour, &f.tm_min, &f.tm_sec)) {
    --f.tm_mon;
    return true;
  }
  f.tm_sec = f.tm_min = f.tm_hour = 0;
  int year = 0;
  if (scans(text, "%d.%d.%d-%d:%d%n", &year, &f.tm_mon, &f.tm_mday, &f.tm_hour, &f.tm_min) ||
      scans(text, "%d.%d.%d-%d:%d:%d%n", &year, &f.tm_mon, &f.tm_mday, &f.tm_hour, &f.tm_min,
            &f.tm_sec) ||
      scans(text, "%d-%d-%d %d:%d:%d%n", &year, &f.tm_mon, &f.tm_mday, &f.tm_hour, &f.tm_min,
            &f.tm_sec)) {
    f.tm_year = year - 1900;
    --f.tm_mon;
    return true;
  }
  f.tm_sec = 0;
  const bool has_time =
      scans(text, "%d-%d-%d %d:%d%n", &year, &f.tm_mon, &f.tm_mday, &f.tm_hour, &f.tm_min) ||
      (f.tm_min = 0, scans(text, "%d-%d-%d %d%n", &year, &f.tm_mon, &f.tm_mday, &f.tm_hour)) ||
      (f.tm_hour = 0, scans(text, "%d-%d-%d%n", &year, &f.tm_mon, &f.tm_mday));
  f.tm_year = year - 1900;
  --f.tm_mon;
  return has_time;
}

/// Cuts " +0100" off: the distance east of UTC.
std::optional<std::int64_t> cut_offset(std::string& text) {
  if (text.size() < 6 || text[text.size() - 6] != ' ') return std::nullopt;
  const std::string offset = text.substr(text.size() - 5);
  if ((offset[0] != '+' && offset[0] != '-') || !all_digits(offset.substr(1))) return std::nullopt;
  text.resize(text.size() - 6);
  const std::int64_t east = two_digits(offset, 1) * 3600 + two_digits(offset, 3) * 60;
  return offset[0] == '-' ? -east : east;
}

}  // namespace

Zone zone_named(std::string_view tz) {
  const std::size_t name_end = std::min(tz.find_first_of("+-0123456789"), tz.size());
  Zone zone;
  if (name_end < 3 || name_end == tz.size()) return zone;
  std::string_view rest = tz.substr(name_end);
  const bool east = rest.front() == '-';
  if (rest.front() == '-' || rest.front() == '+') rest.remove_prefix(1);
  int hours = 0;
  int minutes = 0;
  if (std::sscanf(std::string(rest).c_str(), "%2d:%2d", &hours, &minutes) < 1) return zone;
  const std::int64_t seconds = hours * std::int64_t{3600} + minutes * std::int64_t{60};
  return {.name = std::string(tz.substr(0, name_end)), .east_seconds = east ? seconds : -seconds};
}

Zone zone_of(const Process& self) { return zone_named(variable(self, "TZ").value_or("UTC")); }

std::string format_time(std::string_view format, TimeNs when, const Zone& zone) {
  const std::int64_t seconds = seconds_of(when);
  const std::tm fields = fields_of(seconds, zone);
  // strftime's %s would take the host's zone.
  std::string mended;
  for (std::size_t i = 0; i < format.size(); ++i) {
    if (format[i] == '%' && i + 1 < format.size()) {
      ++i;
      if (format[i] == 's') {
        mended += std::to_string(seconds);
      } else {
        mended += '%';
        mended += format[i];
      }
    } else {
      mended += format[i];
    }
  }
  if (mended.empty()) return mended;
  // A text that ends in something tells an empty result from one that did not fit.
  mended += '.';
  std::string text(std::max<std::size_t>(256, mended.size() * 16), '\0');
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
  text.resize(std::strftime(text.data(), text.size(), mended.c_str(), &fields));
#pragma GCC diagnostic pop
  if (!text.empty()) text.pop_back();
  return text;
}

std::optional<TimeNs> parse_time(std::string_view text, TimeNs now, const Zone& zone) {
  std::string date(text);
  if (date.starts_with('@')) {
    const std::optional<std::int64_t> seconds = read_integer(std::string_view(date).substr(1));
    constexpr std::int64_t kMost = INT64_MAX / kNsPerSecond;
    if (!seconds || *seconds > kMost || *seconds < -kMost) return std::nullopt;
    return *seconds * kNsPerSecond;
  }
  Zone in = zone;
  if (const auto east = cut_offset(date)) in.east_seconds = *east;
  std::tm fields = fields_of(seconds_of(now), in);
  fields.tm_sec = 0;
  if (date.find_first_of(":-") != date.npos) {
    if (!read_date_time(date, fields)) return std::nullopt;
    return time_of(fields, in);
  }
  if (!cut_seconds(date, fields) || !all_digits(date)) return std::nullopt;
  if (!read_pairs(date, fields)) return std::nullopt;
  return time_of(fields, in);
}

std::optional<TimeNs> parse_stamp(std::string_view text, TimeNs now, const Zone& zone) {
  std::string digits(text);
  std::tm fields = fields_of(seconds_of(now), zone);
  fields.tm_sec = 0;
  if (!cut_seconds(digits, fields) || !all_digits(digits) || digits.size() < 8) return std::nullopt;
  if (!read_pairs(digits, fields)) return std::nullopt;
  return time_of(fields, zone);
}

}  // namespace sandproof::machine::programs
