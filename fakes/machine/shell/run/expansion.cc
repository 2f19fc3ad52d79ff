// SPDX-License-Identifier: Apache-2.0
// Parts of a word, one after the other.
#include "fakes/machine/shell/run/expansion.h"

#include "fakes/machine/shell/expand/arithmetic.h"
#include "fakes/machine/shell/expand/field_split.h"
#include "fakes/machine/shell/parse/tilde.h"

namespace sandproof::machine::shell {
namespace {

bool is_all_alone(const Word& word) {
  if (word.parts.size() != 1) return false;
  const auto* const parameter = std::get_if<Parameter>(&word.parts.front().value);
  return parameter != nullptr && parameter->name == "@" &&
         parameter->op == ParameterOperator::kNone;
}

bool is_all(const std::string& name) { return name == "@" || name == "*"; }

// The parser leaves the tilde at the begin of a parameter's word to where it is known whether the
// word is quoted.
Word with_tilde(const Word& word, bool quoted) {
  Word marked = word;
  if (!quoted) mark_tildes(marked, TildeRule::kWord);
  return marked;
}

std::optional<std::string> ifs_of(const Shell& shell) {
  const std::string* const ifs = shell.state.variables.get("IFS");
  return ifs == nullptr ? std::nullopt : std::optional<std::string>(*ifs);
}

}  // namespace

// Not unnamed: frames of coroutines have members of these types, and frames have linkage.
namespace expansion_detail {

// The variables of an arithmetic expression; an assignment that is refused is the expression's
// error.
class ShellArithmetic final : public ArithmeticVariables {
 public:
  explicit ShellArithmetic(Shell& shell) : shell_(shell) {}
  std::optional<std::string> get(std::string_view name) override { return shell_.parameter(name); }
  std::optional<std::string> set(std::string_view name, const std::string& value) override {
    if (shell_.state.variables.set(name, value, shell_.has(ShellOption::kAllexport))) {
      return std::nullopt;
    }
    return std::string(name) + ": is read only";
  }

 private:
  Shell& shell_;
};

}  // namespace expansion_detail

namespace {

using expansion_detail::ShellArithmetic;

}  // namespace

bool Expansion::count(std::size_t bytes) {
  bytes_ += bytes;
  return bytes_ <= kMaxExpansionBytes;
}

Task<void> Expansion::add_text(std::string text, Place place) {
  if (!count(text.size())) co_await shell_.fail("Out of space");
  pieces_.push_back({std::move(text), place.quoted, true});
}

Task<void> Expansion::add_word(const Word& word, Place place) {
  for (const Part& part : word.parts) {
    if (const auto* text = std::get_if<Text>(&part.value)) {
      const bool quoted = place.quoted || text->quote != Quote::kNone;
      pieces_.push_back({text->text, quoted, place.in_parameter && !quoted});
    } else if (const auto* inner = std::get_if<DoubleQuoted>(&part.value)) {
      // Quotes make a field, but around "$@" alone.
      if (!is_all_alone(inner->word)) pieces_.push_back({"", true});
      co_await add_word(inner->word, {.quoted = true});
    } else if (const auto* parameter = std::get_if<Parameter>(&part.value)) {
      co_await add_parameter(*parameter, place);
    } else if (const auto* commands = std::get_if<CommandSubstitution>(&part.value)) {
      co_await add_substitution(*commands, place);
    } else if (const auto* arithmetic = std::get_if<Arithmetic>(&part.value)) {
      co_await add_arithmetic(*arithmetic, place);
    } else {
      co_await add_tilde(std::get<Tilde>(part.value), place);
    }
  }
}

void Expansion::add_all_parameters(const Parameter& parameter, Place place) {
  const Strings& all = shell_.state.positional;
  const bool star = parameter.name == "*";
  if (!fields_ || (star && place.quoted)) {
    pieces_.push_back({joined_parameters(all, ifs_of(shell_)), place.quoted, true});
    return;
  }
  for (Piece& piece : all_parameters(all, place.quoted)) pieces_.push_back(std::move(piece));
}

Task<void> Expansion::add_parameter(const Parameter& parameter, Place place) {
  if (parameter.op == ParameterOperator::kBad) co_await shell_.fail("Bad substitution");
  const bool all = is_all(parameter.name);
  std::optional<std::string> value;
  if (all) {
    value = joined_parameters(shell_.state.positional, ifs_of(shell_));
  } else {
    value = shell_.parameter(parameter.name);
  }
  const bool nounset = shell_.has(ShellOption::kNounset) && !all;
  const ParameterUse use{.operation = parameter.op, .colon = parameter.colon};
  const ParameterStep step = parameter_step(use, value, nounset);
  if (all && step == ParameterStep::kValue) {
    add_all_parameters(parameter, place);
    co_return;
  }
  co_await add_step(parameter, step, std::move(value), place);
}

Task<void> Expansion::add_step(const Parameter& parameter, ParameterStep step,
                               std::optional<std::string> value, Place place) {
  const ParameterUse use{.operation = parameter.op, .colon = parameter.colon};
  switch (step) {
    case ParameterStep::kValue:
      co_await add_text(value.value_or(""), place);
      break;
    case ParameterStep::kLength:
      co_await add_text(std::to_string(value.value_or("").size()), place);
      break;
    case ParameterStep::kCut:
      co_await add_cut(parameter, *value, place);
      break;
    case ParameterStep::kNothing:
      if (place.quoted) pieces_.push_back({"", true, true});
      break;
    case ParameterStep::kWord:
      if (place.quoted && parameter.word.parts.empty()) pieces_.push_back({"", true, true});
      co_await add_word(with_tilde(parameter.word, place.quoted),
                        {.quoted = place.quoted, .in_parameter = true});
      break;
    case ParameterStep::kAssignWord: {
      if (const auto bad = assignment_error(parameter.name)) co_await shell_.fail(*bad);
      Expansion word(shell_, false);
      co_await word.add(with_tilde(parameter.word, place.quoted), place.quoted);
      std::string text = text_of(word.pieces());
      co_await shell_.assign(parameter.name, text);
      co_await add_text(std::move(text), place);
      break;
    }
    case ParameterStep::kFailWord: {
      std::optional<std::string> message;
      if (!parameter.word.parts.empty()) {
        Expansion word(shell_, false);
        co_await word.add(parameter.word, place.quoted);
        message = text_of(word.pieces());
      }
      co_await shell_.fail(parameter_error(parameter.name, use, message));
      break;
    }
    case ParameterStep::kFailUnset:
      co_await shell_.fail(parameter_error(parameter.name, {}, std::nullopt));
      break;
  }
}

Task<void> Expansion::add_cut(const Parameter& parameter, const std::string& value, Place place) {
  const ParameterUse use{.operation = parameter.op, .colon = parameter.colon};
  const std::string pattern = co_await shell_.expand_pattern(parameter.word);
  if (!is_all(parameter.name) || !fields_) {
    co_await add_text(cut_parameter(use, value, pattern), place);
    co_return;
  }
  // Of all of them, as one text; a NUL, which no value has, stands between them meanwhile.
  std::string joined;
  for (const std::string& one : shell_.state.positional) joined += one + '\0';
  joined.pop_back();
  joined = cut_parameter(use, joined, pattern);
  const bool star = parameter.name == "*" && place.quoted;
  Strings left(1);
  for (const char byte : joined) {
    if (byte == '\0') {
      left.emplace_back();
    } else {
      left.back() += byte;
    }
  }
  if (star) {
    co_await add_text(joined_parameters(left, ifs_of(shell_)), place);
  } else {
    for (Piece& piece : all_parameters(left, place.quoted)) pieces_.push_back(std::move(piece));
  }
}

Task<void> Expansion::add_substitution(const CommandSubstitution& substitution, Place place) {
  std::string output = co_await output_of(shell_, substitution.list);
  co_await add_text(std::move(output), place);
}

Task<void> Expansion::add_arithmetic(const Arithmetic& arithmetic, Place place) {
  Expansion inner(shell_, false);
  co_await inner.add(arithmetic.expression, true);
  ShellArithmetic variables(shell_);
  const auto value = evaluate_arithmetic(text_of(inner.pieces()), variables);
  if (const auto* error = std::get_if<ArithmeticError>(&value)) co_await shell_.fail(error->text);
  co_await add_text(std::to_string(std::get<std::int64_t>(value)), place);
}

Task<void> Expansion::add_tilde(const Tilde& tilde, Place place) {
  std::optional<std::string> home;
  if (tilde.user.empty()) {
    home = shell_.parameter("HOME");
  } else {
    home = co_await home_of_user(shell_, tilde.user);
  }
  if (home) {
    pieces_.push_back({*std::move(home), true, true});
  } else {
    pieces_.push_back({"~" + tilde.user, place.quoted, place.in_parameter && !place.quoted});
  }
}

}  // namespace sandproof::machine::shell
