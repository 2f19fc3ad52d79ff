// SPDX-License-Identifier: Apache-2.0
// Names and default actions of signals.
#include "fakes/machine/signal.h"

#include <array>
#include <charconv>

namespace sandproof::machine {
namespace {

constexpr std::array<std::string_view, 32> kSignalNames = {
    "",     "HUP",  "INT",  "QUIT", "ILL",    "TRAP",   "ABRT",  "BUS",  "FPE",  "KILL", "USR1",
    "SEGV", "USR2", "PIPE", "ALRM", "TERM",   "STKFLT", "CHLD",  "CONT", "STOP", "TSTP", "TTIN",
    "TTOU", "URG",  "XCPU", "XFSZ", "VTALRM", "PROF",   "WINCH", "IO",   "PWR",  "SYS"};

}  // namespace

DefaultAction default_action(Signal signal) {
  switch (signal) {
    case Signal::kChld:
    case Signal::kUrg:
    case Signal::kWinch:
      return DefaultAction::kIgnore;
    case Signal::kCont:
      return DefaultAction::kContinue;
    case Signal::kStop:
    case Signal::kTstp:
    case Signal::kTtin:
    case Signal::kTtou:
      return DefaultAction::kStop;
    default:
      return DefaultAction::kTerminate;
  }
}

std::string name_of(Signal signal) {
  const auto number = static_cast<std::size_t>(signal);
  if (number < kSignalNames.size()) return std::string(kSignalNames[number]);
  return std::to_string(number);
}

std::optional<Signal> signal_named(std::string_view name) {
  int number = 0;
  const char* const end = name.data() + name.size();
  const auto [rest, error] = std::from_chars(name.data(), end, number);
  if (error == std::errc() && rest == end) {
    if (!is_signal(number)) return std::nullopt;
    return static_cast<Signal>(number);
  }
  if (name.starts_with("SIG")) name.remove_prefix(3);
  for (std::size_t at = 1; at < kSignalNames.size(); ++at) {
    if (kSignalNames[at] == name) return static_cast<Signal>(at);
  }
  return std::nullopt;
}

}  // namespace sandproof::machine
