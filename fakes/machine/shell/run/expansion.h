// SPDX-License-Identifier: Apache-2.0
// One word on its way to pieces: parameters, commands and arithmetic are put in. For words.cc. One
// thread.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "fakes/machine/shell/expand/parameter.h"
#include "fakes/machine/shell/expand/piece.h"
#include "fakes/machine/shell/run/shell.h"

namespace sandproof::machine::shell {

class Expansion {
 public:
  /// `fields`: `$@` may become more than one.
  Expansion(Shell& shell, bool fields) : shell_(shell), fields_(fields) {}

  /// Throws ShellError. `quoted` by what is around the word.
  Task<void> add(const Word& word, bool quoted) { return add_word(word, {.quoted = quoted}); }
  const std::vector<Piece>& pieces() const { return pieces_; }

 private:
  // Where a part stands.
  struct Place {
    bool quoted = false;
    bool in_parameter = false;  // Its text is split, as what an expansion gives.
  };

  Task<void> add_word(const Word& word, Place place);
  Task<void> add_parameter(const Parameter& parameter, Place place);
  Task<void> add_step(const Parameter& parameter, ParameterStep step,
                      std::optional<std::string> value, Place place);
  void add_all_parameters(const Parameter& parameter, Place place);
  Task<void> add_cut(const Parameter& parameter, const std::string& value, Place place);
  Task<void> add_substitution(const CommandSubstitution& substitution, Place place);
  Task<void> add_arithmetic(const Arithmetic& arithmetic, Place place);
  Task<void> add_tilde(const Tilde& tilde, Place place);
  Task<void> add_text(std::string text, Place place);
  [[nodiscard]] bool count(std::size_t bytes);

  Shell& shell_;
  bool fields_;
  std::vector<Piece> pieces_;
  std::size_t bytes_ = 0;
};

/// The directory of the user by /etc/passwd; nothing for one who is not in it.
Task<std::optional<std::string>> home_of_user(Shell& shell, std::string user);

/// What the commands write, less the newlines at its end; their status is the shell's
/// substitution_status.
Task<std::string> output_of(Shell& shell, std::shared_ptr<const List> list);

}  // namespace sandproof::machine::shell
