// SPDX-License-Identifier: Apache-2.0
// `umask`: in octal digits, or in symbols as chmod has them.
#include "fakes/machine/shell/builtins/builtin.h"

namespace sandproof::machine::shell {
namespace {

constexpr unsigned kAllPermissions = 0777;

std::string in_symbols(unsigned mask) {
  std::string text;
  const unsigned allowed = ~mask & kAllPermissions;
  for (const auto& [who, shift] : {std::pair('u', 6U), std::pair('g', 3U), std::pair('o', 0U)}) {
    if (!text.empty()) text += ',';
    text += who;
    text += '=';
    for (const auto& [letter, bit] : {std::pair('r', 4U), std::pair('w', 2U), std::pair('x', 1U)}) {
      if (((allowed >> shift) & bit) != 0) text += letter;
    }
  }
  return text;
}

unsigned bits_of(std::string_view letters, unsigned allowed) {
  unsigned bits = 0;
  for (const char letter : letters) {
    if (letter == 'r') bits |= 0444U;
    if (letter == 'w') bits |= 0222U;
    if (letter == 'x') bits |= 0111U;
    if (letter == 'u') bits |= ((allowed >> 6U) & 7U) * 0111U;
    if (letter == 'g') bits |= ((allowed >> 3U) & 7U) * 0111U;
    if (letter == 'o') bits |= (allowed & 7U) * 0111U;
  }
  return bits;
}

unsigned classes_of(std::string_view who) {
  unsigned classes = 0;
  for (const char one : who) {
    if (one == 'u' || one == 'a') classes |= 0700U;
    if (one == 'g' || one == 'a') classes |= 0070U;
    if (one == 'o' || one == 'a') classes |= 0007U;
  }
  return classes == 0 ? kAllPermissions : classes;
}

// One clause: `g-w`. Nothing for what is none.
std::optional<unsigned> after_clause(std::string_view clause, unsigned allowed) {
  const std::size_t begin = std::min(clause.find_first_not_of("ugoa"), clause.size());
  const unsigned classes = classes_of(clause.substr(0, begin));
  std::size_t at = begin;
  if (at == clause.size()) return std::nullopt;
  while (at < clause.size()) {
    const char op = clause[at];
    if (op != '+' && op != '-' && op != '=') return std::nullopt;
    const std::size_t end = std::min(clause.find_first_of("+-=", at + 1), clause.size());
    const std::string_view letters = clause.substr(at + 1, end - at - 1);
    if (letters.find_first_not_of("rwxXstugo") != std::string_view::npos) return std::nullopt;
    const unsigned bits = bits_of(letters, allowed) & classes;
    if (op == '=') allowed &= ~classes;
    allowed = op == '-' ? allowed & ~bits : allowed | bits;
    at = end;
  }
  return allowed;
}

std::optional<unsigned> from_symbols(std::string_view text, unsigned mask) {
  unsigned allowed = ~mask & kAllPermissions;
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t comma = std::min(text.find(',', at), text.size());
    const auto after = after_clause(text.substr(at, comma - at), allowed);
    if (!after) return std::nullopt;
    allowed = *after;
    at = comma + 1;
  }
  return ~allowed & kAllPermissions;
}

}  // namespace

Task<int> umask_builtin(Shell& shell, Strings words) {
  OptionReader options(words, "S");
  bool symbols = false;
  while (co_await options.next(shell) != '\0') symbols = true;
  const unsigned mask = shell.process.umask(0);
  (void)shell.process.umask(mask);
  const std::size_t at = options.operand();
  if (at == words.size()) {
    std::string octal = "0000";
    for (std::size_t digit = 0; digit < octal.size(); ++digit) {
      octal[octal.size() - 1 - digit] = static_cast<char>('0' + ((mask >> (3 * digit)) & 7U));
    }
    if (symbols) octal = in_symbols(mask);
    co_await shell.put(octal + "\n");
    co_return 0;
  }
  const std::string& text = words[at];
  if (!text.empty() && text.front() >= '0' && text.front() <= '9') {
    unsigned wanted = 0;
    for (const char digit : text) {
      if (digit < '0' || digit > '7') co_await shell.fail("Illegal number: " + text);
      wanted = (wanted * 8 + static_cast<unsigned>(digit - '0')) & 0xffffU;
    }
    (void)shell.process.umask(wanted);
    co_return 0;
  }
  const auto wanted = from_symbols(text, mask);
  if (!wanted) co_await shell.fail("Illegal mode: " + text);
  (void)shell.process.umask(*wanted);
  co_return 0;
}

}  // namespace sandproof::machine::shell
