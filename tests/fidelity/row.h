// SPDX-License-Identifier: Apache-2.0
// A row of the table: a script, its input, and what the real thing answers. Values; README.md
// beside this file describes how they are written.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sandproof::fidelity {

// What one run gave. `status` is "0", "2", … or "signal 9" when the shell itself was ended by one.
struct Result {
  std::string out;
  std::string err;
  std::string status;
  std::string lacking = {};  // A program that the row started and the engine has not.
  bool operator==(const Result&) const = default;
};

enum class StderrRule { kExact, kPattern, kSome };

// What a row says about a run; an absent part is taken from the row's common part.
struct Expected {
  std::optional<std::string> out = {};
  std::optional<std::string> err = {};
  std::optional<std::string> status = {};
  StderrRule err_rule = StderrRule::kExact;
};

struct Row {
  std::string topic;    // The file below rows/, without its ending: "shell/quoting".
  std::string name;     // Unique in its topic.
  std::string heading;  // The "## …" line above it, or empty.
  int line = 0;
  std::string script;
  std::string input;
  std::string only;     // The one engine that it runs on, or empty.
  std::string differs;  // The engine whose output or status differs, or empty.
  std::string reason;   // Of `only` or `differs`.
  std::string machine;  // Why the machine's output or status differs, or empty.
  Expected common;
  std::map<std::string, Expected> special;  // By engine.

  std::string id() const { return topic + "/" + name; }
  // The engine whose answers are the common ones: dash for the shell, busybox for programs.
  std::string_view reference() const;
  Expected expected(std::string_view engine) const;
};

struct Topic {
  std::string path;
  std::string preamble;  // The "# …" lines that the file begins with.
  std::vector<Row> rows;
};

// One sentence for each part of `result` that `expected` does not allow; empty when it is as told.
// Throws std::regex_error for a pattern that is none.
std::vector<std::string> mismatches(const Expected& expected, const Result& result);

}  // namespace sandproof::fidelity
