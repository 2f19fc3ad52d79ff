// SPDX-License-Identifier: Apache-2.0
// Reading a page; see docs_page.h.
#include "tests/apps/docs_page.h"

#include <algorithm>
#include <cstdlib>
#include <optional>
#include <regex>
#include <sstream>
#include <utility>

namespace sandproof::apps {
namespace {

constexpr std::string_view kIndent = "    ";
constexpr std::string_view kFence = "```";
constexpr std::string_view kNotRun = "<!-- not run: ";

/// What stands without a prompt and is a command all the same.
bool is_bare_command(const std::string& text) {
  for (const char* program : {"build/dev/bin/sandproof ", "sandproof ", "scripts/"}) {
    if (text.starts_with(program)) return true;
  }
  return false;
}

/// Without the comment behind it, which may say how it exits.
void take_comment(ShownCommand& shown) {
  static const std::regex kExit("exits with ([0-9]+)");
  std::string& command = shown.command;
  const std::size_t comment = command.find("  #");
  if (comment != std::string::npos) {
    std::smatch found;
    const std::string text = command.substr(comment);
    if (std::regex_search(text, found, kExit)) shown.code = std::atoi(found[1].str().c_str());
    command.erase(comment);
  }
  command.erase(command.find_last_not_of(' ') + 1);
}

class PageReader {
 public:
  std::vector<ShownCommand> read(const std::string& text) {
    std::istringstream stream(text);
    for (std::string line; std::getline(stream, line);) {
      ++number_;
      take(line);
    }
    end_command();
    return std::move(commands_);
  }

 private:
  void take(const std::string& line) {
    if (line.starts_with(kFence)) {
      end_command();
      fenced_ = !fenced_;
      if (!fenced_) not_run_.clear();
    } else if (fenced_) {
      take_code(line);
    } else if (line.starts_with(kIndent)) {
      take_code(line.substr(kIndent.size()));
    } else if (line.empty()) {
      // Part of an output, if it goes on.
      if (current_) current_->output += "\n";
    } else {
      end_command();
      take_prose(line);
    }
  }

  void take_prose(const std::string& line) {
    not_run_.clear();
    if (!line.starts_with(kNotRun)) return;
    not_run_ = line.substr(kNotRun.size());
    not_run_.erase(std::min(not_run_.find(" -->"), not_run_.size()));
  }

  void take_code(const std::string& text) {
    if (current_ && current_->command.ends_with('\\')) {
      current_->command.pop_back();
      current_->command += text.substr(std::min(text.find_first_not_of(' '), text.size()));
    } else if (text.starts_with("$ ")) {
      begin(text.substr(2));
      prompted_ = true;
    } else if (!(current_ && prompted_) && is_bare_command(text)) {
      begin(text);
      prompted_ = false;
    } else if (current_ && prompted_) {
      current_->output += text + "\n";
    } else {
      end_command();
    }
  }

  void begin(const std::string& command) {
    end_command();
    current_ = ShownCommand{number_, command, {}, 0, not_run_};
  }

  void end_command() {
    if (!current_) return;
    take_comment(*current_);
    std::string& output = current_->output;
    output.erase(output.find_last_not_of('\n') + 1);
    if (!output.empty()) output += '\n';
    commands_.push_back(std::move(*current_));
    current_.reset();
  }

  std::vector<ShownCommand> commands_;
  std::optional<ShownCommand> current_;
  std::string not_run_;
  bool prompted_ = false;
  bool fenced_ = false;
  int number_ = 0;
};

std::vector<std::string> lines_in(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

using Lines = std::vector<std::string>;

bool agree(Lines::const_iterator shown, Lines::const_iterator shown_end,
           Lines::const_iterator printed, Lines::const_iterator printed_end) {
  for (; shown != shown_end; ++shown, ++printed) {
    if (*shown == "...") {
      for (;; ++printed) {
        if (agree(shown + 1, shown_end, printed, printed_end)) return true;
        if (printed == printed_end) return false;
      }
    }
    if (printed == printed_end || *shown != *printed) return false;
  }
  return printed == printed_end;
}

}  // namespace

std::vector<ShownCommand> commands_of_page(const std::string& text) {
  return PageReader().read(text);
}

std::string without_figures(const std::string& text) {
  static const std::pair<std::regex, const char*> kMasks[] = {
      {std::regex(R"([0-9]+ of [0-9]+ (cases|mutants killed), [0-9]+ s\n)"), ""},
      {std::regex(R"([0-9]{4}-[0-9]{2}-[0-9]{2}(T[0-9:]+Z)?)"), "DATE"},
      {std::regex(R"(/[^ ]*sandproof-[A-Za-z0-9]{6}\b)"), "DIRECTORY"},
      {std::regex(R"([0-9]+(\.[0-9]+)? (s|ms|[KMGT]iB)\b)"), "N $2"},
      {std::regex(R"([0-9]+ (job|core)s?\b)"), "N $1s"},
      {std::regex(R"(\bseed [0-9]+)"), "seed N"},
      {std::regex(R"([0-9]+ cases?\b)"), "N cases"},
      {std::regex(R"(\bcases: .*)"), "cases: N"},
      {std::regex(R"(may be open: .*)"), "may be open: N"},
  };
  std::string masked = text;
  for (const auto& [pattern, mask] : kMasks) masked = std::regex_replace(masked, pattern, mask);
  return masked;
}

bool shows(const std::string& shown, const std::string& printed) {
  const Lines left = lines_in(without_figures(shown));
  Lines right = lines_in(without_figures(printed));
  // The page ends a block where it ends the output.
  while (!right.empty() && right.back().empty()) right.pop_back();
  return agree(left.begin(), left.end(), right.begin(), right.end());
}

}  // namespace sandproof::apps
