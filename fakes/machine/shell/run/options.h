// SPDX-License-Identifier: Apache-2.0
// The options of `set`, as dash has them, and pipefail. Values; any thread.
#pragma once

#include <bitset>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace sandproof::machine::shell {

enum class ShellOption : std::uint8_t {
  kErrexit,
  kNoglob,
  kIgnoreeof,
  kInteractive,
  kMonitor,
  kNoexec,
  kStdin,
  kXtrace,
  kVerbose,
  kVi,
  kEmacs,
  kNoclobber,
  kAllexport,
  kNotify,
  kNounset,
  kNolog,
  kDebug,
  kPipefail,
};

struct OptionRow {
  ShellOption option;
  std::string_view name;
  char letter;  // 0: none.
};

/// In the order in which `set -o` shows them; `$-` shows them the other way round.
std::span<const OptionRow> option_rows();
std::optional<ShellOption> option_of_letter(char letter);
std::optional<ShellOption> option_of_name(std::string_view name);

class OptionSet {
 public:
  bool has(ShellOption option) const { return bits_.test(static_cast<std::size_t>(option)); }
  void set(ShellOption option, bool on) { bits_.set(static_cast<std::size_t>(option), on); }
  /// What `$-` is.
  std::string letters() const;

 private:
  std::bitset<32> bits_;
};

}  // namespace sandproof::machine::shell
