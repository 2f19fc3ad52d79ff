// SPDX-License-Identifier: Apache-2.0
// The commands that a page of the documentation shows, and whether what it shows of their output is
// what they print. Pure; any thread.
#pragma once

#include <string>
#include <vector>

namespace sandproof::apps {

/// A command in an indented block or in a fence of three backticks, as a page may show it:
///
///     $ sandproof list bindings            a prompt, and what is printed below it, up to the next
///     local
///     ...                                  any lines, also none
///     $ sandproof run  # exits with 1      another exit code than 0
///     sandproof list                       without a prompt: run, its output is not looked at
///
/// A line that ends in a backslash goes on in the next. Below `<!-- not run: reason -->` no command
/// of the page's next block is run.
struct ShownCommand {
  /// Where it stands, from 1.
  int line = 0;
  /// Without its comment.
  std::string command;
  /// Empty where nothing is shown.
  std::string output;
  int code = 0;
  /// Why it is not run; empty for the others.
  std::string not_run;
};

std::vector<ShownCommand> commands_of_page(const std::string& text);

/// True where the lines agree but for figures that differ from run to run (times, seeds, counts of
/// cases, dates, sizes, ids) and for lines of progress. "..." in `shown` stands for any lines.
bool shows(const std::string& shown, const std::string& printed);

/// What shows() compares.
std::string without_figures(const std::string& text);

}  // namespace sandproof::apps
