// SPDX-License-Identifier: Apache-2.0
// What every program begins and ends with: its name, its output, its messages on stderr in
// busybox's words, its status. One process uses it; it lives in the frame of the program's main.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "fakes/machine/programs/support/output.h"

namespace sandproof::machine::programs {

enum class Takes : unsigned char { kNothing, kArgument, kMaybe };

struct LongOption {
  std::string_view name;
  char letter = 0;
  Takes takes = Takes::kNothing;
};

/// How a program is called. A row of constants beside its main.
struct Usage {
  /// What follows the name: "[-nbvteA] [FILE]...".
  std::string_view text;
  /// As getopt(3): "c:n:q", a leading '+' where options end at the first operand.
  std::string_view letters = "";
  std::span<const LongOption> longs = {};
  /// Operands; fewer or more are a misuse.
  std::size_t least = 0;
  std::size_t most = static_cast<std::size_t>(-1);
  /// The status of a misuse.
  int failure = 1;
  /// "--name" is letters, the first of which is no option.
  bool no_longs = false;
};

class Tool {
 public:
  Tool(Process& process, const Usage& its_usage);
  Tool(const Tool&) = delete;
  Tool& operator=(const Tool&) = delete;

  /// "NAME: text" on stderr, after what was put out before. The status stays.
  Task<void> say(std::string text);
  /// The same, and the status is that of a failure.
  Task<void> fail(std::string text);
  /// "NAME: what: No such file or directory".
  Task<void> fail(std::string what, Errno error);
  /// Text on stderr as it is.
  Task<void> write_error(std::string text);
  /// The version and the usage on stderr; gives `status`.
  Task<int> show_usage(int status);
  Task<int> misuse() { return show_usage(usage.failure); }
  /// Writes what is held, says if that failed, and gives the status. The status of such a failure
  /// is what it was, as in busybox, which says nothing at all in some programs.
  Task<int> finish();
  Task<int> finish(int with_status) {
    status = with_status;
    return finish();
  }

  Process& self;
  const Usage& usage;
  const std::string name;  // argv[0] without its directories.
  Output out;
  int status = 0;
};

}  // namespace sandproof::machine::programs
