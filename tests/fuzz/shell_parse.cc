// SPDX-License-Identifier: Apache-2.0
// Shell scripts: each is read to its end or refused, the same in pieces as at once, and what was
// read, written as text, reads the same.
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "fakes/machine/shell/parse/parser.h"
#include "fakes/machine/shell/parse/to_text.h"
#include "tests/fuzz/require.h"

namespace sandproof::fuzz {
namespace {

using machine::shell::ParseOutcome;
using machine::shell::Parser;

struct Reading {
  std::string tree;
  std::string text;
  std::string error;
};

// In pieces of `step` bytes.
Reading read_all(std::string_view script, std::size_t step) {
  Reading reading;
  Parser parser;
  for (;;) {
    const ParseOutcome outcome = parser.next();
    switch (outcome.kind) {
      case ParseOutcome::Kind::kMore: {
        if (script.empty()) parser.finish();
        const std::string_view piece = script.substr(0, step);
        parser.feed(piece);
        script.remove_prefix(piece.size());
        break;
      }
      case ParseOutcome::Kind::kCommand:
        reading.tree += to_tree(*outcome.list) + " ";
        if (!reading.text.empty() && !reading.text.ends_with('\n')) reading.text += '\n';
        reading.text += to_text(*outcome.list);
        break;
      case ParseOutcome::Kind::kError:
        reading.error = std::to_string(outcome.line) + ": " + outcome.message;
        return reading;
      case ParseOutcome::Kind::kEnd:
        return reading;
    }
  }
}

}  // namespace
}  // namespace sandproof::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace sandproof::fuzz;
  // Pieces are read again from the begin of their command: the square of a long one.
  constexpr std::size_t kLongest = 4096;
  if (size > kLongest) return 0;
  const std::string script(reinterpret_cast<const char*>(data), size);
  const Reading whole = read_all(script, size + 1);
  const Reading pieces = read_all(script, size / 16 + 1);
  require(pieces.tree == whole.tree, "in pieces it is the same tree");
  require(pieces.error == whole.error, "in pieces it is the same error");
  const Reading again = read_all(whole.text, whole.text.size() + 1);
  require(again.error.empty(), "the text of what was read is accepted");
  require(again.tree == whole.tree, "the text of what was read reads the same");
  return 0;
}
