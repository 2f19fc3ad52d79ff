// SPDX-License-Identifier: Apache-2.0
// date: the machine's time, or another, by a format. It cannot be set: the machine's clock is its
// maker's.
#include <array>
#include <ctime>

#include "fakes/machine/printed.h"
#include "fakes/machine/programs/mains.h"
#include "fakes/machine/programs/support/calendar.h"
#include "fakes/machine/programs/support/options.h"

namespace sandproof::machine::programs {
namespace {

constexpr std::array kDateLongs = {
    LongOption{"rfc-822", 'R'},
    LongOption{"rfc-2822", 'R'},
    LongOption{"set", 's', Takes::kArgument},
    LongOption{"utc", 'u'},
    LongOption{"date", 'd', Takes::kArgument},
    LongOption{"reference", 'r', Takes::kArgument},
};
constexpr Usage kDateUsage = {.text = "[OPTIONS] [+FMT] [[-s] TIME]",
                              .letters = "Rs:ud:r:I::D:",
                              .longs = kDateLongs,
                              .most = 1};

/// Of -I and its argument; empty for one that it does not know.
std::string iso_format(const std::string& precision) {
  if (precision.empty() || precision == "date") return "%Y-%m-%d";
  if (precision == "hours") return "%Y-%m-%dT%H";
  if (precision == "minutes") return "%Y-%m-%dT%H:%M";
  if (precision == "seconds") return "%Y-%m-%dT%H:%M:%S";
  if (precision == "ns") return "%Y-%m-%dT%H:%M:%S";
  return {};
}

std::string iso_text(const std::string& precision, TimeNs when, const Zone& zone) {
  std::string text = format_time(iso_format(precision), when, zone);
  if (precision == "ns") {
    text += printed(",%09lld",
                    static_cast<long long>((when % 1'000'000'000 + 1'000'000'000) % 1'000'000'000));
  }
  if (precision.empty() || precision == "date") return text;
  std::string offset = format_time("%z", when, zone);
  offset.insert(3, ":");
  return text + offset;
}

std::optional<TimeNs> by_format(const std::string& text, const std::string& format, TimeNs now,
                                const Zone& zone) {
  const std::time_t seconds = now / 1'000'000'000 + zone.east_seconds;
  std::tm fields{};
  ::gmtime_r(&seconds, &fields);
  fields.tm_sec = fields.tm_min = fields.tm_hour = 0;
  const char* const end = ::strptime(text.c_str(), format.c_str(), &fields);
  if (end == nullptr || *end != '\0') return std::nullopt;
  return (::timegm(&fields) - zone.east_seconds) * 1'000'000'000;
}

Task<int> run_date(Process& self) {
  Tool tool(self, kDateUsage);
  const std::optional<Options> options = co_await read_options(tool);
  if (!options) co_return tool.status;
  const Zone zone = options->has('u') ? Zone{} : zone_of(self);
  const std::string operand = options->operands.empty() ? "" : options->operands.front();
  const std::string precision = options->value('I').value_or("");
  if (options->has('I') && iso_format(precision).empty()) co_return co_await tool.misuse();
  const TimeNs now = self.wall_time().count();
  TimeNs when = now;
  const bool sets = options->has('s') || (!operand.empty() && operand.front() != '+');
  std::optional<std::string> text = options->value('d');
  if (sets) text = options->value('s').value_or(operand);
  if (const auto reference = options->value('r')) {
    const Result<Attributes> file = self.stat(*reference);
    if (!file) {
      const std::string what = "can't stat '" + *reference + "'";
      co_await tool.fail(what, file.error());
      co_return tool.status;
    }
    when = file->modified;
  } else if (text) {
    const auto format = options->value('D');
    const auto parsed =
        format ? by_format(*text, *format, now, zone) : parse_time(*text, now, zone);
    if (!parsed) {
      const std::string why = "invalid date '" + *text + "'";
      co_await tool.fail(why);
      co_return tool.status;
    }
    when = *parsed;
  }
  if (sets) co_await tool.fail("can't set date", Errno::kPerm);
  std::string line;
  if (options->has('I')) {
    line = iso_text(precision, when, zone);
  } else if (operand.starts_with('+')) {
    line = format_time(std::string_view(operand).substr(1), when, zone);
  } else {
    line = format_time(options->has('R') ? "%a, %d %b %Y %H:%M:%S %z" : "%a %b %e %H:%M:%S %Z %Y",
                       when, zone);
  }
  (void)co_await tool.out.put(line + "\n");
  co_return co_await tool.finish();
}

}  // namespace

Task<int> date_main(Process& self) { return run_date(self); }

}  // namespace sandproof::machine::programs
