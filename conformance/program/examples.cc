// SPDX-License-Identifier: Apache-2.0
// Putting names into examples; see examples.h.
#include "conformance/program/examples.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cctype>
#include <utility>
#include <vector>

#include "conformance/report/terminal.h"

namespace sandproof::conformance {
namespace {

constexpr std::string_view kWrittenProgram = "sandproof";
constexpr std::string_view kWrittenFlavor = "FLAVOR";
constexpr std::string_view kExampleIndent = "  ";

bool is_of_word(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '-' || c == '_' || c == '/';
}

/// Where it stands as a word of its own.
std::string with_word(std::string_view text, std::string_view word, std::string_view other) {
  std::string result;
  std::size_t at = 0;
  for (;;) {
    const std::size_t found = text.find(word, at);
    result += text.substr(at, found - at);
    if (found == std::string_view::npos) return result;
    const std::size_t end = found + word.size();
    const bool whole = (found == 0 || !is_of_word(text[found - 1])) &&
                       (end == text.size() || !is_of_word(text[end]));
    result += whole ? other : word;
    at = end;
  }
}

/// The command and what is said of it, which is empty where nothing is.
std::pair<std::string, std::string> example_of(const std::string& line) {
  const std::size_t gap = line.find(kExampleIndent, kExampleIndent.size());
  if (gap == std::string::npos) return {line, ""};
  return {line.substr(0, gap),
          line.substr(std::min(line.find_first_not_of(' ', gap), line.size()))};
}

/// In lines[first, last): all of them examples.
void align(std::vector<std::string>& lines, std::size_t first, std::size_t last) {
  std::size_t columns = 0;
  for (std::size_t i = first; i < last; ++i) {
    const auto [command, remark] = example_of(lines[i]);
    if (!remark.empty()) columns = std::max(columns, columns_of(command));
  }
  for (std::size_t i = first; i < last; ++i) {
    const auto [command, remark] = example_of(lines[i]);
    if (!remark.empty()) lines[i] = pad_to(command, columns + kExampleIndent.size()) + remark;
  }
}

}  // namespace

ExampleNames example_names(const ProgramContext& context) {
  const std::vector<Binding>& bindings = context.suite->bindings;
  const auto found = std::find_if(bindings.begin(), bindings.end(),
                                  [](const Binding& binding) { return !binding.test_only; });
  return {context.program, (found == bindings.end() ? bindings.front() : *found).name()};
}

std::string with_own_names(std::string_view text, const ExampleNames& names) {
  std::string replaced = with_word(text, kWrittenProgram, names.program);
  replaced = with_word(replaced, kWrittenFlavor, names.flavor);
  if (replaced == text) return replaced;
  std::vector<std::string> lines = lines_of(replaced);
  for (std::size_t first = 0; first < lines.size(); ++first) {
    std::size_t last = first;
    while (last < lines.size() && lines[last].starts_with(kExampleIndent)) ++last;
    align(lines, first, last);
    first = std::max(first, last);
  }
  std::string result;
  for (const std::string& line : lines) result += (result.empty() ? "" : "\n") + line;
  return result;
}

void put_own_names(CLI::App& app, const ExampleNames& names) {
  app.footer(with_own_names(app.get_footer(), names));
  for (CLI::App* subcommand : app.get_subcommands({})) put_own_names(*subcommand, names);
}

}  // namespace sandproof::conformance
