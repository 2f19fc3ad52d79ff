// SPDX-License-Identifier: Apache-2.0
// Sentences for errors of the command line; see cli_error.h.
#include "conformance/program/cli_error.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <vector>

#include "conformance/program/nearest.h"

namespace sandproof::conformance {
namespace {

std::vector<std::string> option_names(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::Option* option : app.get_options()) {
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  }
  return names;
}

std::vector<std::string> subcommand_names(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::App* subcommand : app.get_subcommands({})) {
    names.push_back(subcommand->get_name());
  }
  return names;
}

/// The subcommand that was chosen, or a subcommand's own.
const CLI::App& chosen(const CLI::App& app) {
  const std::vector<CLI::App*> parsed = app.get_subcommands();
  return parsed.empty() ? app : chosen(*parsed.front());
}

/// "sandproof report merge".
std::string words_to(const CLI::App& app) {
  const CLI::App* const parent = app.get_parent();
  return parent == nullptr ? app.get_name() : words_to(*parent) + " " + app.get_name();
}

std::string one_line(std::string text) {
  std::replace(text.begin(), text.end(), '\n', ' ');
  while (!text.empty() && (text.back() == ' ' || text.back() == '.')) text.pop_back();
  return text;
}

/// What is left over: a misspelled option, or a word where none is due.
std::string about_extras(const CLI::App& app, const CLI::App& subcommand) {
  std::vector<std::string> extras = app.remaining(true);
  if (extras.empty()) return "there is a word too many";
  const std::string word = extras.front();
  const std::vector<std::string> subcommands = subcommand_names(subcommand);
  if (!subcommands.empty() && !word.starts_with("-")) {
    return fmt::format("there is no subcommand `{}`{}", word, suggestion(word, subcommands));
  }
  if (!word.starts_with("-")) return fmt::format("the word `{}` is not expected", word);
  const std::string name = word.substr(0, word.find('='));
  return fmt::format("there is no option `{}`{}", name, suggestion(name, option_names(subcommand)));
}

}  // namespace

std::string sentence_of(const CLI::ParseError& error, const CLI::App& app) {
  const CLI::App& subcommand = chosen(app);
  const std::vector<std::string> subcommands = subcommand_names(subcommand);
  const bool none = !subcommands.empty();
  std::string what;
  if (dynamic_cast<const CLI::ExtrasError*>(&error) != nullptr ||
      (none && !app.remaining(true).empty())) {
    what = about_extras(app, subcommand);
  } else if (none && dynamic_cast<const CLI::RequiredError*>(&error) != nullptr) {
    what = fmt::format("a subcommand is needed: {}", fmt::join(subcommands, ", "));
  } else {
    what = one_line(error.what());
  }
  return fmt::format("{} (see `{} --help`)", what, words_to(subcommand));
}

}  // namespace sandproof::conformance
