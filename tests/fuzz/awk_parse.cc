// SPDX-License-Identifier: Apache-2.0
// Programs of awk: each is compiled or refused with a line, and its code jumps nowhere else, names
// no variable, function, pattern or constant that is not there.
#include <cstddef>
#include <cstdint>
#include <string>

#include "fakes/machine/programs/awk/compiler.h"
#include "fakes/machine/programs/awk/failure.h"
#include "fakes/machine/programs/awk/parser.h"
#include "tests/fuzz/require.h"

namespace sandproof::fuzz {
namespace {

using machine::programs::awk::Code;
using machine::programs::awk::Instruction;
using machine::programs::awk::Op;

bool is_jump(Op op) {
  return op == Op::kJump || op == Op::kJumpIfFalse || op == Op::kJumpIfTrue ||
         op == Op::kJumpInRange || op == Op::kForNext;
}

void check(const Code& code) {
  const auto below = [](int index, std::size_t size) {
    return index >= 0 && static_cast<std::size_t>(index) < size;
  };
  for (const Instruction& instruction : code.instructions) {
    if (is_jump(instruction.op)) {
      require(below(instruction.a, code.instructions.size()), "a jump lands in the code");
    }
    if (instruction.op == Op::kConstant) {
      require(below(instruction.a, code.constants.size()), "a constant is there");
    }
    if (instruction.op == Op::kCall) {
      require(below(instruction.a, code.functions.size()), "a function is known");
    }
    if (instruction.op == Op::kMatchRecord) {
      require(below(instruction.a, code.patterns.size()), "a pattern is there");
    }
    if (!instruction.place.local) {
      require(below(instruction.place.slot, code.globals.size()), "a variable is known");
    }
  }
}

}  // namespace
}  // namespace sandproof::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace sandproof::fuzz;
  using namespace sandproof::machine::programs;
  // Longer ones are the same again.
  constexpr std::size_t kLongest = 4096;
  if (size > kLongest) return 0;
  const std::string text(reinterpret_cast<const char*>(data), size);
  try {
    awk::Program program = awk::empty_program();
    awk::Parser(text, program).parse();
    check(awk::Compiler::compile(program));
  } catch (const awk::Failure& failure) {
    const std::string why = failure.what();
    require(failure.line > 0 || why.starts_with("bad regex"), "a refusal says where");
  }
  return 0;
}
