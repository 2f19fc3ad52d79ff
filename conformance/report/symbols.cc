// SPDX-License-Identifier: Apache-2.0
// Symbols of outcomes; see symbols.h.
#include "conformance/report/symbols.h"

namespace sandproof::conformance {
namespace {

struct Symbol {
  std::string_view ascii;
  std::string_view utf8;
};

/// In the order of Outcome. Each is told from the others without its colour.
constexpr std::array<Symbol, kOutcomeCount> kSymbols = {{
    {"C", "C"},  // crashed
    {"T", "T"},  // timeout
    {"E", "E"},  // error
    {"F", "✗"},  // failed
    {"P", "P"},  // unexpected pass
    {"?", "?"},  // not run
    {"x", "x"},  // expected failure
    {"+", "✓"},  // passed
    {"-", "–"},  // unsupported
    {".", "·"},  // not observable
    {"!", "!"},  // no case
}};

}  // namespace

std::string_view symbol_of(Outcome outcome, const Terminal& terminal) {
  const Symbol& symbol = kSymbols.at(static_cast<std::size_t>(outcome));
  return terminal.utf8 ? symbol.utf8 : symbol.ascii;
}

Style style_of(Outcome outcome, bool must) {
  switch (outcome) {
    case Outcome::kPassed:
      return Style::kGood;
    case Outcome::kUnsupported:
    case Outcome::kNotObservable:
      return Style::kDim;
    case Outcome::kExpectedFailure:
      return Style::kWarning;
    default:
      return must ? Style::kBad : Style::kWarning;
  }
}

}  // namespace sandproof::conformance
