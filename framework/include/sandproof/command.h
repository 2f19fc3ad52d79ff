// SPDX-License-Identifier: Apache-2.0
// What to run, and how. Values; any thread.
#pragma once

#include <chrono>
#include <cstddef>
#include <initializer_list>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace sandproof {

using Environment = std::map<std::string, std::string>;

/// A command as an argv, or as one string that is split by POSIX shell quoting rules and nothing
/// else (EXEC-002). The string is split when the command is executed, so that a bad one is
/// reported by `exec`.
class Command {
 public:
  Command(std::vector<std::string> argv) : argv_(std::move(argv)) {}  // NOLINT: implicit
  Command(std::initializer_list<std::string> argv) : argv_(argv) {}   // NOLINT: implicit
  Command(std::string_view text) : text_(std::string(text)) {}        // NOLINT: implicit
  Command(const std::string& text) : text_(text) {}                   // NOLINT: implicit
  Command(const char* text) : text_(std::string(text)) {}             // NOLINT: implicit

  /// The words. Throws InvalidArgumentError for an empty command, an empty program name,
  /// unbalanced quotes or a NUL (EXEC-003).
  std::vector<std::string> words() const;

 private:
  std::vector<std::string> argv_;
  std::optional<std::string> text_;
};

/// Where a command's standard input comes from.
class Stdin {
 public:
  /// At end of file from the start (EXEC-012). The default.
  static Stdin empty() { return Stdin(std::monostate{}); }
  /// These bytes, then end of file.
  static Stdin bytes(std::string data) { return Stdin(std::move(data)); }
  /// `Process::in()` writes it.
  static Stdin pipe() { return Stdin(Pipe{}); }

  Stdin() = default;
  bool is_empty() const { return std::holds_alternative<std::monostate>(source_); }
  bool is_pipe() const { return std::holds_alternative<Pipe>(source_); }
  /// Null unless made by bytes().
  const std::string* data() const { return std::get_if<std::string>(&source_); }

 private:
  struct Pipe {};
  using Source = std::variant<std::monostate, std::string, Pipe>;
  explicit Stdin(Source source) : source_(std::move(source)) {}
  Source source_;
};

struct ExecOptions {
  /// Empty: the session's working directory. Relative: resolved against it (EXEC-010).
  std::string cwd;
  /// On top of the session's environment, for this command alone (ENV-001, ENV-002).
  Environment env;
  /// Anything but empty() needs the capability `stdin`.
  Stdin input;
  /// From the start of the command; at the deadline its tree is killed (EXEC-021).
  std::optional<std::chrono::milliseconds> timeout;
};

}  // namespace sandproof
