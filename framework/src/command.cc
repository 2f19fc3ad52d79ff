// SPDX-License-Identifier: Apache-2.0
// The words of a command (sandproof/command.h). A value; any thread.
#include "sandproof/command.h"

#include "sandproof/errors.h"
#include "sandproof/words.h"

namespace sandproof {

std::vector<std::string> Command::words() const {
  std::vector<std::string> words = text_ ? split_words(*text_) : argv_;
  if (words.empty()) {
    throw InvalidArgumentError("cannot execute an empty command: pass a program name");
  }
  if (words.front().empty()) {
    throw InvalidArgumentError(
        "cannot execute a command whose program name is empty: the first word names the program");
  }
  // A string was searched for NUL by split_words.
  for (std::size_t index = 0; index < words.size(); ++index) {
    const std::size_t nul = words[index].find('\0');
    if (nul == std::string::npos) continue;
    throw InvalidArgumentError("cannot execute a command with a NUL in word " +
                               std::to_string(index) + " at byte " + std::to_string(nul) +
                               ": no argument of a program can carry one; remove it");
  }
  return words;
}

}  // namespace sandproof
