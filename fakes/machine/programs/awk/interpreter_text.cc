// SPDX-License-Identifier: Apache-2.0
// Functions of awk that take a regular expression: match, split, sub, gsub, gensub.
#include <algorithm>
#include <optional>
#include <utility>

#include "fakes/machine/programs/awk/failure.h"
#include "fakes/machine/programs/awk/interpreter.h"
#include "fakes/machine/programs/awk/limits.h"

namespace sandproof::machine::programs::awk {
namespace {

/// What stands for a match: '&' is all of it, in gensub \1 … \9 its groups. A backslash before
/// either takes the meaning from '&' and gives it to a digit; before anything else it is itself.
void append_replacement(std::string& out, const std::string& by, bool groups, std::string_view text,
                        const Regex::Match& match) {
  const auto append_group = [&](std::size_t which) {
    if (match[which].matched()) out += text.substr(match[which].begin, match[which].length());
    if (out.size() > kMaxTextBytes) throw RunFailure("A string is longer than awk may make one");
  };
  std::size_t backslashes = 0;
  for (const char letter : by) {
    if (letter == '\\') {
      ++backslashes;
      continue;
    }
    const bool odd = backslashes % 2 == 1;
    const bool is_group = groups && is_digit(letter);
    const bool special = letter == '&' || is_group;
    out.append(special ? backslashes / 2 : backslashes, '\\');
    backslashes = 0;
    if (letter == '&' && !odd) {
      append_group(0);
    } else if (is_group && odd) {
      append_group(static_cast<std::size_t>(letter - '0'));
    } else {
      out += letter;
    }
  }
  out.append(backslashes, '\\');
}

struct Substitution {
  std::string text;
  int count = 0;
};

/// `which` is the match that is replaced, 0 for all.
Substitution substituted(const std::string& text, const Regex& regex, const std::string& by,
                         int which, bool groups) {
  Substitution made;
  Regex::Match match;
  std::size_t at = 0;
  while (at <= text.size() && regex.search(text, at, match)) {
    const Regex::Range found = match[0];
    made.text.append(text, at, found.begin - at);
    ++made.count;
    if (made.count >= which) {
      append_replacement(made.text, by, groups, text, match);
    } else {
      made.text.append(text, found.begin, found.length());
    }
    if (made.text.size() > kMaxTextBytes) {
      throw RunFailure("A string is longer than awk may make one");
    }
    at = found.end;
    if (made.count == which) break;
    if (found.length() > 0) continue;
    // An empty match: one byte on.
    if (at == text.size()) break;
    made.text += text[at++];
  }
  if (at < text.size()) made.text.append(text, at);
  return made;
}

}  // namespace

void Interpreter::match_function(const Instruction& instruction) {
  const Regex& regex = regex_of(pattern_at(instruction.a), ignores_case());
  const std::string text = pop_text();
  Regex::Match match;
  const bool found = regex.search(text, 0, match);
  set_number(kRstart, found ? static_cast<double>(match[0].begin + 1) : 0);
  set_number(kRlength, found ? static_cast<double>(match[0].length()) : -1);
  push(special(kRstart));
}

void Interpreter::split_function(const Instruction& instruction) {
  std::optional<Separator> separator;
  if (instruction.b == 0) {
    separator = Separator::of_fields(special(kFs).to_text(conversion_));
  } else if (instruction.a >= 0) {
    separator = Separator::of_pattern(pattern_at(instruction.a));
  } else {
    separator = Separator::of_fields(pop_text());
  }
  const std::string text = pop_text();
  if (instruction.place.kind != Place::Kind::kVariable) throw RunFailure("Not an array");
  Array& into = array(instruction.place);
  const std::vector<std::string> parts = split_text(
      text, *separator,
      {.ignore_case = ignores_case(), .lines = records_.kind == Separator::Kind::kEvery});
  into.clear();
  for (std::size_t i = 0; i < parts.size(); ++i) {
    into.set(std::to_string(i + 1), Value::input(parts[i]));
  }
  push(Value::number(static_cast<double>(parts.size())));
}

void Interpreter::substitute(const Instruction& instruction) {
  const bool general = instruction.builtin == Builtin::kGensub;
  std::optional<std::string> value;
  if (instruction.flag) value = pop_text();
  int which = instruction.builtin == Builtin::kSub ? 1 : 0;
  if (general) which = std::max(to_int(pop_number()), 0);
  const std::string by = pop_text();
  const Regex& regex = regex_of(pattern_at(instruction.a), ignores_case());
  if (general || value) {
    const std::string text = value ? *value : record_.field(0).to_text(conversion_);
    Substitution made = substituted(text, regex, by, which, general);
    push(general ? Value::string(std::move(made.text)) : Value::number(made.count));
    return;
  }
  const Target where = target(instruction.place);
  const std::string text = load(where).to_text(conversion_);
  Substitution made = substituted(text, regex, by, which, false);
  if (made.count > 0) store(where, Value::string(std::move(made.text)));
  push(Value::number(made.count));
}

}  // namespace sandproof::machine::programs::awk
