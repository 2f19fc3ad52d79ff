// SPDX-License-Identifier: Apache-2.0
// Reading scripts of sed.
#include "fakes/machine/programs/support/sed_script.h"

#include <algorithm>
#include <cctype>
#include <map>
#include <utility>

namespace sandproof::machine::programs {
namespace {

struct SedError {
  std::string text;
};

bool is_space(char letter) { return std::isspace(static_cast<unsigned char>(letter)) != 0; }
bool is_digit(char letter) { return std::isdigit(static_cast<unsigned char>(letter)) != 0; }

class SedReader {
 public:
  SedReader(std::string_view text, bool extended) : text_(text), extended_(extended) {}

  SedScript read() {
    if (text_ == "#n" || text_.starts_with("#n\n")) script_.quiet = true;
    for (;;) {
      skip([](char letter) { return is_space(letter) || letter == ';'; });
      if (at_end()) break;
      if (peek() == '#') {
        skip([](char letter) { return letter != '\n'; });
        continue;
      }
      command();
    }
    for (const std::size_t block : blocks_) {
      SedCommand& open = script_.commands[block];
      open.target = script_.commands.size();
      // busybox misses the end of a block only where it is to be skipped.
      if (open.first.kind != SedAddress::Kind::kNone) throw SedError{"unterminated {"};
    }
    link();
    return std::move(script_);
  }

 private:
  bool at_end() const { return at_ >= text_.size(); }
  char peek() const { return at_end() ? '\0' : text_[at_]; }
  template <typename Match>
  void skip(Match match) {
    while (!at_end() && match(text_[at_])) ++at_;
  }
  void skip_blanks() {
    skip([](char letter) { return is_space(letter) && letter != '\n'; });
  }

  std::size_t number() {
    std::size_t value = 0;
    while (is_digit(peek())) {
      value = std::min<std::size_t>(value * 10 + static_cast<std::size_t>(text_[at_++] - '0'),
                                    1'000'000'000'000);
    }
    return value;
  }

  /// Up to the delimiter, which is passed; a backslash before it is taken away, before an n it is a
  /// newline, others stay.
  std::string delimited(char delimiter, bool in_regex) {
    std::string part;
    bool in_bracket = false;
    while (!at_end()) {
      const char letter = text_[at_++];
      if (letter == delimiter && !in_bracket) return part;
      if (letter == '\\' && !at_end()) {
        const char next = text_[at_++];
        if (next == delimiter) {
          // In a class or as a special letter it keeps its own meaning without the backslash.
          part += next;
        } else if (next == 'n' && in_regex) {
          part += '\n';
        } else if (next == 't' && in_regex) {
          part += '\t';
        } else {
          part += '\\';
          part += next;
        }
        continue;
      }
      if (in_regex && letter == '[' && !in_bracket) {
        in_bracket = true;
        part += letter;
        // A bracket that stands first is one of the set.
        if (peek() == '^') part += text_[at_++];
        if (peek() == ']') part += text_[at_++];
        continue;
      }
      if (letter == ']') in_bracket = false;
      part += letter;
    }
    throw SedError{std::string("unmatched '") + delimiter + "'"};
  }

  std::optional<Regex> regex(const std::string& pattern, bool ignore_case) {
    if (pattern.empty()) return std::nullopt;
    std::string why;
    const RegexSyntax syntax = {.extended = extended_, .ignore_case = ignore_case};
    std::optional<Regex> compiled = Regex::compile(pattern, syntax, &why);
    if (!compiled) throw SedError{"bad regex '" + pattern + "': " + why};
    return compiled;
  }

  SedAddress address() {
    SedAddress found;
    const char letter = peek();
    if (is_digit(letter)) {
      found.kind = SedAddress::Kind::kLine;
      found.number = number();
    } else if (letter == '$') {
      ++at_;
      found.kind = SedAddress::Kind::kLast;
    } else if (letter == '/' || letter == '\\') {
      ++at_;
      char delimiter = '/';
      if (letter == '\\') {
        if (at_end()) throw SedError{"unsupported command \\"};
        delimiter = text_[at_++];
      }
      const std::string pattern = delimited(delimiter, true);
      found.kind = SedAddress::Kind::kRegex;
      found.regex = regex(pattern, false);
    }
    return found;
  }

  void command() {
    SedCommand command;
    command.first = address();
    skip_blanks();
    if (peek() == ',') {
      ++at_;
      skip_blanks();
      if (peek() == '+') {
        ++at_;
        command.last.kind = SedAddress::Kind::kPlus;
        command.last.number = number();
      } else {
        command.last = address();
      }
      if (command.last.kind == SedAddress::Kind::kNone) throw SedError{"no address after comma"};
      skip_blanks();
    }
    if (peek() == '!') {
      command.inverted = true;
      ++at_;
      skip_blanks();
    }
    if (at_end() || peek() == '\n' || peek() == ';') throw SedError{"missing command"};
    command.letter = text_[at_++];
    arguments(command);
    script_.commands.push_back(std::move(command));
  }

  void arguments(SedCommand& command) {
    const char letter = command.letter;
    const bool two = command.last.kind != SedAddress::Kind::kNone;
    if (two && std::string_view("air").find(letter) != std::string_view::npos) {
      throw SedError{std::string("command '") + letter + "' uses only one address"};
    }
    switch (letter) {
      case '{':
        blocks_.push_back(script_.commands.size());
        return;
      case '}':
        if (!blocks_.empty()) {
          script_.commands[blocks_.back()].target = script_.commands.size();
          blocks_.pop_back();
        }
        return;
      case 's':
        substitution(command);
        return;
      case 'y':
        transliteration(command);
        return;
      case 'a':
      case 'i':
      case 'c':
        command.text = appended_text();
        return;
      case 'r':
      case 'w':
        command.file = file_name();
        return;
      case ':':
      case 'b':
      case 't':
      case 'T':
        skip_blanks();
        command.text = label();
        return;
      default:
        if (std::string_view("=dDgGhHlnNpPqx").find(letter) == std::string_view::npos) {
          throw SedError{std::string("unsupported command ") + letter};
        }
    }
  }

  std::string label() {
    const std::size_t begin = at_;
    skip([](char letter) { return !is_space(letter) && letter != ';'; });
    return std::string(text_.substr(begin, at_ - begin));
  }

  std::string file_name() {
    skip_blanks();
    const std::size_t begin = at_;
    skip([](char letter) { return letter != '\n'; });
    if (at_ == begin) throw SedError{"empty filename"};
    return std::string(text_.substr(begin, at_ - begin));
  }

  /// "a text", "a\" and lines that end in backslashes but for the last.
  std::string appended_text() {
    skip_blanks();
    if (peek() == '\\') {
      ++at_;
      const std::size_t after = text_.find_first_not_of(" \t", at_);
      if (after != text_.npos && text_[after] == '\n') at_ = after + 1;
    }
    std::string text;
    while (!at_end()) {
      char letter = text_[at_++];
      if (letter == '\n') break;
      if (letter == '\\' && !at_end()) {
        letter = text_[at_++];
        if (letter == 'n') letter = '\n';
        if (letter == 't') letter = '\t';
      }
      text += letter;
    }
    return text + '\n';
  }

  void substitution(SedCommand& command) {
    const char delimiter = peek();
    if (at_end() || delimiter == '\n' || delimiter == '\\') {
      throw SedError{"bad format in substitution expression"};
    }
    ++at_;
    const std::string pattern = delimited(delimiter, true);
    replacement(delimited(delimiter, false), command.replacement);
    bool ignore_case = false;
    for (bool more = true; more;) {
      const char flag = peek();
      if (is_digit(flag)) {
        command.replacement.which = std::max<std::size_t>(number(), 1);
        continue;
      }
      ++at_;
      switch (flag) {
        case 'g':
          command.replacement.all = true;
          break;
        case 'p':
          command.replacement.print = true;
          break;
        case 'i':
        case 'I':
          ignore_case = true;
          break;
        case 'w':
          command.file = file_name();
          more = false;
          break;
        case '\0':
        case '\n':
        case ';':
        case '#':
        case '}':
        case ' ':
        case '\t':
        case '\r':
          --at_;
          more = false;
          break;
        default:
          throw SedError{"bad option in substitution expression"};
      }
    }
    command.regex = regex(pattern, ignore_case);
  }

  static void replacement(const std::string& text, SedReplacement& replacement) {
    std::string plain;
    const auto group = [&](int number) {
      if (!plain.empty()) replacement.parts.push_back({.text = std::exchange(plain, {})});
      replacement.parts.push_back({.text = {}, .group = number});
    };
    for (std::size_t at = 0; at < text.size(); ++at) {
      if (text[at] == '&') {
        group(0);
      } else if (text[at] == '\\' && at + 1 < text.size()) {
        const char letter = text[++at];
        if (is_digit(letter)) {
          group(letter - '0');
        } else {
          plain += letter == 'n' ? '\n' : letter == 't' ? '\t' : letter;
        }
      } else {
        plain += text[at];
      }
    }
    if (!plain.empty()) replacement.parts.push_back({.text = std::move(plain)});
  }

  void transliteration(SedCommand& command) {
    if (at_end()) throw SedError{"bad format in substitution expression"};
    const char delimiter = text_[at_++];
    const auto letters = [](const std::string& part) {
      std::string plain;
      for (std::size_t at = 0; at < part.size(); ++at) {
        if (part[at] != '\\' || at + 1 == part.size()) {
          plain += part[at];
          continue;
        }
        const char letter = part[++at];
        plain += letter == 'n' ? '\n' : letter == 't' ? '\t' : letter;
      }
      return plain;
    };
    const std::string from = letters(delimited(delimiter, false));
    const std::string to = letters(delimited(delimiter, false));
    if (from.size() > to.size()) throw SedError{"y: strings have different lengths"};
    for (std::size_t i = 0; i < from.size(); ++i) {
      command.text += from[i];
      command.text += to[i];
    }
  }

  void link() {
    std::map<std::string, std::size_t> labels;
    for (std::size_t at = 0; at < script_.commands.size(); ++at) {
      if (script_.commands[at].letter == ':') labels.emplace(script_.commands[at].text, at);
    }
    for (SedCommand& command : script_.commands) {
      if (std::string_view("btT").find(command.letter) == std::string_view::npos) continue;
      command.target = script_.commands.size();
      if (command.text.empty()) continue;
      const auto found = labels.find(command.text);
      if (found == labels.end()) {
        throw SedError{"can't find label for jump to '" + command.text + "'"};
      }
      command.target = found->second;
    }
  }

  std::string_view text_;
  bool extended_;
  std::size_t at_ = 0;
  std::vector<std::size_t> blocks_;
  SedScript script_;
};

}  // namespace

std::string read_sed_script(std::string_view text, bool extended, SedScript& script) {
  try {
    script = SedReader(text, extended).read();
    return {};
  } catch (const SedError& error) {
    return error.text;
  }
}

}  // namespace sandproof::machine::programs
