// SPDX-License-Identifier: Apache-2.0
// The one table of the shell's options.
#include "fakes/machine/shell/run/options.h"

#include <array>

namespace sandproof::machine::shell {
namespace {

using enum ShellOption;

constexpr std::array kOptionRows = {
    OptionRow{kErrexit, "errexit", 'e'},
    OptionRow{kNoglob, "noglob", 'f'},
    OptionRow{kIgnoreeof, "ignoreeof", 'I'},
    OptionRow{kInteractive, "interactive", 'i'},
    OptionRow{kMonitor, "monitor", 'm'},
    OptionRow{kNoexec, "noexec", 'n'},
    OptionRow{kStdin, "stdin", 's'},
    OptionRow{kXtrace, "xtrace", 'x'},
    OptionRow{kVerbose, "verbose", 'v'},
    OptionRow{kVi, "vi", 'V'},
    OptionRow{kEmacs, "emacs", 'E'},
    OptionRow{kNoclobber, "noclobber", 'C'},
    OptionRow{kAllexport, "allexport", 'a'},
    OptionRow{kNotify, "notify", 'b'},
    OptionRow{kNounset, "nounset", 'u'},
    OptionRow{kNolog, "nolog", '\0'},
    OptionRow{kDebug, "debug", '\0'},
    // Of busybox's shell; the other one has none.
    OptionRow{kPipefail, "pipefail", '\0'},
};

}  // namespace

std::span<const OptionRow> option_rows() { return kOptionRows; }

std::optional<ShellOption> option_of_letter(char letter) {
  for (const OptionRow& row : kOptionRows) {
    if (row.letter != '\0' && row.letter == letter) return row.option;
  }
  return std::nullopt;
}

std::optional<ShellOption> option_of_name(std::string_view name) {
  for (const OptionRow& row : kOptionRows) {
    if (row.name == name) return row.option;
  }
  return std::nullopt;
}

std::string OptionSet::letters() const {
  std::string letters;
  for (auto row = kOptionRows.rbegin(); row != kOptionRows.rend(); ++row) {
    if (row->letter != '\0' && has(row->option)) letters += row->letter;
  }
  return letters;
}

}  // namespace sandproof::machine::shell
