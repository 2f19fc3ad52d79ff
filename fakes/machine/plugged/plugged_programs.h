// SPDX-License-Identifier: Apache-2.0
// Programs that an embedder gives to a box, beside or instead of those of the machine's table: with
// answers that are written down beforehand, or from a C++ function. One thread per machine; those
// that are given to a box stay as they are.
//
// A program of the host is not among them: it would need what the machine does not show it (its
// files, its processes, its time).
#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "fakes/machine/program.h"

namespace sandproof::machine {

class PluggedPrograms {
 public:
  /// Found before one of the machine's of the same name; in a box with a file system by a file that
  /// stands for the name (make_image() makes them). Replaces one that was added before.
  void add(std::string name, ProcessBody body) { bodies_[std::move(name)] = std::move(body); }
  /// Null if there is none.
  const ProcessBody* find(std::string_view name) const;
  Strings names() const;

 private:
  std::map<std::string, ProcessBody, std::less<>> bodies_;
};

/// How a scripted program answers.
struct ScriptedReply {
  /// A part of the output that is written at once, `after` the one before.
  struct Part {
    std::size_t bytes = 0;
    Nanoseconds after{0};
  };

  std::string out = {};
  std::string err = {};  // Written behind all of `out`.
  int status = 0;
  /// Ends by this signal instead, if it is not 0.
  int signal = 0;
  /// Before anything else.
  Nanoseconds latency{0};
  /// How `out` is cut up; what the plan leaves over is one part.
  std::vector<Part> plan = {};
};

struct ScriptedRule {
  /// A pattern of the shell for each word behind the program's name; the pattern "..." as the last
  /// one takes any that are left.
  Strings argv;
  ScriptedReply reply;
};

/// The first rule that matches answers. Without one: a message on the error output that names the
/// words, and status 127. Reads no input.
ProcessBody scripted_program(std::vector<ScriptedRule> rules);

/// What a program of the embedder is called with.
struct ProgramCall {
  Strings argv;
  Strings env;
  std::string cwd;
  std::string input;  // All of it, where it was asked for.
};

struct ProgramAnswer {
  std::string out = {};
  std::string err = {};
  int status = 0;
};

enum class ProgramInput : unsigned char { kIgnored, kReadToEnd };

/// Calls `function` in the machine's thread, where it may not wait. What it throws ends the process
/// by SIGABRT, with the exception's text on the error output. Input beyond kProgramInputMax bytes
/// is refused with EFBIG's text and status 1.
ProcessBody callback_program(std::function<ProgramAnswer(const ProgramCall&)> function,
                             ProgramInput input = ProgramInput::kIgnored);

/// More than tests feed to a mock, less than what a host would feel.
inline constexpr std::size_t kProgramInputMax = std::size_t{16} << 20;

}  // namespace sandproof::machine
